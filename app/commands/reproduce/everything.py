"""`kakari reproduce all`: every experiment within a budget, and one report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from kakari.commands.reproduce.experiments import EXPERIMENTS
from kakari.commands.reproduce.storing import the_command
from kakari.corpora import catalogue
from kakari.corpora.records.errors import CorpusError
from kakari.output.console import note, progress
from kakari.results.report import write_report
from kakari.results.stored import Budget, Shelf

UNITS = {"s": 1, "m": 60, "h": 3600}


def all_cli(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Folder for results and report; the same command continues from it."
        ),
    ],
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Start no experiment after this time: 90s, 30m, 2h. [default: none]",
            show_default=False,
        ),
    ] = None,
    share: Annotated[
        float, typer.Option(min=0.0001, max=1.0, help="Share of the training data; 0.1 takes a tenth of it.")
    ] = 1.0,
    time_limit: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Give up one run of a slow curve after this much CPU time.")
    ] = 300.0,
    only: Annotated[
        list[str], typer.Option(metavar="NAME", help="Run this experiment alone; may be repeated. [default: all]")
    ] = [],  # noqa: B006 (typer's way)
) -> None:
    """Run the papers' experiments again and write one HTML report: tables beside the published numbers, and figures.

    Every result is stored in DIR at once. The report lists the experiments that did not fit into the budget, and those
    that need a corpus that is not on this machine.
    """
    unknown = [name for name in only if name not in EXPERIMENTS]
    if unknown:
        raise typer.BadParameter(f"'{unknown[0]}' is none of {', '.join(EXPERIMENTS)}", param_hint="--only")
    seconds = None if budget is None else seconds_of(budget)
    output.mkdir(parents=True, exist_ok=True)
    path = output / "report.html"
    command = the_command()
    missing: list[str] = []
    with progress("Measuring") as report:
        shelf = Shelf(output, share, Budget(seconds), report, time_limit)
        for name, experiment in EXPERIMENTS.items():
            if only and name not in only:
                continue
            absent = [corpus for corpus in experiment.corpora if not is_here(corpus)]
            if absent:
                missing.append(f"{name} needs {', '.join(absent)}")
                continue
            experiment.measure(shelf)
            write_report(output, path, command, missing)
    write_report(output, path, command, missing)
    for line in missing:
        note(f"Left out: {line}, which is not on this machine.")
    note(f"The report is {path}.")


def is_here(corpus: str) -> bool:
    """Return whether the files of a corpus are on this machine.

    Examples
    --------
    >>> is_here("sample-en")
    True
    """
    try:
        return next(iter(catalogue.sources(corpus)), None) is not None
    except CorpusError:
        return False


def seconds_of(text: str) -> float:
    """Read a time.

    Examples
    --------
    >>> seconds_of("90s"), seconds_of("2h"), seconds_of("1.5m"), seconds_of("30")
    (90.0, 7200.0, 90.0, 30.0)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip())
    if match is None:
        raise typer.BadParameter(f"'{text}' is no time: write 90s, 30m or 2h", param_hint="--budget")
    return float(match[1]) * UNITS[match[2] or "s"]
