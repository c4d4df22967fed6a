"""Output for people: tables on stdout, messages and progress on stderr.

Texts, names and paths are data: rich must never read `[b]` or `:x:` in them as markup or an emoji.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from kakari.models.reporting import Report

Item = TypeVar("Item")


def _plain_console(*, stderr: bool = False, width: int | None = None) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, width=width, soft_wrap=stderr, highlight=False, markup=False, emoji=False)


def tell_error(text: str) -> None:
    """Print one line that says what is wrong."""
    _plain_console(stderr=True).print(text, style="red")


def note(text: str) -> None:
    """Print a remark for the person at the terminal."""
    _plain_console(stderr=True).print(text, style="dim")


def stdout_is_terminal() -> bool:
    """Return whether a person is looking at the results."""
    return _is_terminal(sys.stdout)


def _is_terminal(stream: TextIO) -> bool:
    """Return whether a stream is a terminal, by rich's rules, without importing rich."""
    if stream.isatty() or "FORCE_COLOR" in os.environ or "TTY_COMPATIBLE" in os.environ:
        from rich.console import Console

        return Console(file=stream).is_terminal
    return False


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table with numbers aligned to the right; in a pipe, as wide as it needs to be."""
    from rich.table import Table

    rows = list(rows)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, column in enumerate(columns):
        numeric = any(isinstance(row[index], int | float) for row in rows)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(cell_text, row))
    console = _plain_console()
    if not console.is_terminal:
        console = _plain_console(width=max(200, console.width))
    console.print(table)


def cell_text(cell: object) -> str:
    """Write a cell for people: thousands separated, few digits; JSON output has all digits.

    Examples
    --------
    >>> [cell_text(cell) for cell in (12271, 0.9947916666666666, 2e-05, 1234567.891, "text", True)]
    ['12,271', '0.994792', '2e-05', '1,234,567.9', 'text', 'True']
    """
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return str(cell)
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:,.1f}" if 1e5 <= abs(cell) < 1e15 else f"{cell:.6g}"


def print_json(value: Any) -> None:
    """Print one JSON value on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_figures(figures: Mapping[str, Any], output: Path, *, as_json: bool) -> None:
    """Print the figures of a training run as a table or as JSON, and the path of its model."""
    if as_json:
        print_json(figures)
        return
    print_table(("what", "number"), [item for item in figures.items() if not isinstance(item[1], dict)])
    note(f"The model is in {output}.")


def _bars(*texts: str) -> Progress:
    """Make progress bars on stderr, silent if it is not a terminal.

    rich would redirect stdout to the bars' console: `kakari parse x > y` would leave y empty.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    first, *others = (TextColumn(text, markup=False) for text in texts)
    return Progress(
        *(first, BarColumn(), *others, TimeElapsedColumn()),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=False,
    )


@contextlib.contextmanager
def progress(description: str) -> Iterator[Report]:
    """Show the progress of a long run on stderr, if it is a terminal; yield the reporter."""
    if not _is_terminal(sys.stderr):  # rich is slow to import

        def silent(what: str, done: float = 0, total: float | None = None, /) -> None:
            pass

        yield silent
        return
    with _bars("{task.description}") as bars:
        bar = bars.add_task(description, total=None)

        def report(what: str, done: float = 0, total: float | None = None, /) -> None:
            bars.update(bar, description=f"{description} {what}".rstrip(), total=total, completed=done)

        yield report


def of_passes(report: Report) -> Callable[[Any], None]:
    """Return a function that reports the passes of a learner (`kernels.learning.Progress`)."""

    def tell(at: Any) -> None:
        done = at.finished_passes + (at.examples / at.total if at.examples < at.total else 0)
        report(f"pass {min(at.finished_passes + 1, at.passes)}/{at.passes}, {at.updates:,} updates", done, at.passes)

    return tell


def with_progress(items: Iterable[Item], description: str) -> Iterable[Item]:
    """Yield items and count them on stderr; silent if stderr is not a terminal."""
    return _counted(items, description) if _is_terminal(sys.stderr) else items


def _counted(items: Iterable[Item], description: str) -> Iterator[Item]:
    with _bars("{task.description}", "{task.completed}") as bars:
        yield from bars.track(items, description=description)
