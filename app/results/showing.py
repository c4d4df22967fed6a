"""Cells and tables as text: ours, and behind a slash what the paper has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kakari.results.stored import Book, Cell, ResultsError, Row, Table


class Shown(NamedTuple):
    """A table as text: headings, rows, and a note for each skipped row."""

    title: str
    headings: list[str]
    rows: list[list[str]]
    notes: list[str]
    sources: list[str]


def number(value: float | str | None, decimals: int) -> str:
    """Write a value.

    Examples
    --------
    >>> number(1234.5, 1), number(0.25, 2), number(7, 2), number(None, 2), number("all", 0)
    ('1,234.5', '0.25', '7', '', 'all')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{decimals}f}"


def cell_text(cell: Cell, decimals: int) -> str:
    """Write a cell: value, deviation, and the published value behind a slash.

    Examples
    --------
    >>> cell_text(Cell(90.123, None, "90.9"), 1), cell_text(Cell(5.0, 0.25), 2), cell_text(Cell(None, None, "7"), 0)
    ('90.1 / 90.9', '5.00 ± 0.25', '– / 7')
    """
    own = number(cell.value, decimals)
    if cell.deviation:
        own += f" ± {number(cell.deviation, decimals)}"
    return f"{own or '–'} / {cell.published}" if cell.published else own


def shown(book: Book, name: str, *, columns: Sequence[str] = ()) -> Shown:
    """Return a table as text, with some of its columns or with all that have a value."""
    if name not in book.tables:
        raise ResultsError(f"{book.experiment} has no table {name!r}")
    table, rows = book.tables[name], book.of_table(name)
    used = list(columns) or [column for column in table.columns if any(column in row.cells for row in rows)]
    paper = {column for row in rows for column, cell in row.cells.items() if cell.published}
    headings = [table.rows, *(f"{column} / paper" if column in paper else column for column in used)]
    lines = [_line(table, row, used, number_of_note) for row, number_of_note in _numbered(rows)]
    notes = [f"({mark}) {row.row}: {row.skipped}" for row, mark in _numbered(rows) if row.skipped]
    return Shown(table.title, headings, lines, notes, sources(rows))


def _numbered(rows: Sequence[Row]) -> list[tuple[Row, int]]:
    marks, count = [], 0
    for row in rows:
        count += bool(row.skipped)
        marks.append((row, count))
    return marks


def _line(table: Table, row: Row, used: Sequence[str], mark: int) -> list[str]:
    cells = [cell_text(row.cells.get(name, Cell()), table.columns[name]) for name in used]
    return [f"{row.row} ({mark})" if row.skipped else row.row, *cells]


def sources(rows: Sequence[Row]) -> list[str]:
    """Say once for each command what it ran on, at which commit, and its CPU seconds."""
    told: dict[tuple[str, str, str], list[float]] = {}
    for row in rows:
        if not row.skipped and row.command:
            told.setdefault((row.command, row.size, row.commit), []).append(row.seconds or 0.0)
    lines = []
    for (command, size, commit), seconds in told.items():
        time = f", {sum(seconds):,.1f} CPU s" if sum(seconds) else ""
        lines.append(f"`{command}`: {size}{time}, commit {commit}")
    return lines
