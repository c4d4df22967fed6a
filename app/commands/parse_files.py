"""`kakari parse -o DIR FILE…`: many files, each parsed into a file of its own, here or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kakari.commands.parsing import Request, parsed
from kakari.corpora.records.textfiles import write_text
from kakari.output.results_folder import results_in_folder

Task = tuple[str, str, Request]


def parse_files(
    files: Sequence[str], folder: Path, request: Request, *, jobs: int = 1, scheduler: str | None = None
) -> None:
    """Parse every file whose result is not in the folder yet."""
    results_in_folder(
        parse_file,
        files,
        folder,
        request.output.value,
        replace(request, colours=False),
        title="Parsing",
        done="parsed",
        jobs=jobs,
        scheduler=scheduler,
    )


def parse_file(task: Task) -> str:
    """Parse one file into another; return its name."""
    file, target, request = task
    write_text(parsed(file, request), target)
    return target
