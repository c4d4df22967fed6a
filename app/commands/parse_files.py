"""`kakari parse -o DIR FILE…`: many files, each parsed into a file of its own, here or on a Dask cluster."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kakari.commands.parsing import Request, parsed
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import write_text
from kakari.output.console import note, share_progress
from kakari.parsers.workers import run_tasks

Task = tuple[str, str, Request]


def parse_files(
    files: Sequence[str], folder: Path, request: Request, *, jobs: int = 1, scheduler: str | None = None
) -> None:
    """Parse every file whose result is not in the folder yet.

    A result appears when it is whole, so that a run that was stopped goes on with the files that are left.
    """
    tasks = [(file, str(target), replace(request, colours=False)) for file, target in targets(files, folder, request)]
    make_folder(folder)
    left = [task for task in tasks if not Path(task[1]).exists()]
    with share_progress("Parsing") as report:
        report("", len(tasks) - len(left), len(tasks))
        done = len(tasks) - len(left)
        for number, _ in run_tasks(parse_file, left, processes=jobs, scheduler=scheduler):
            done += 1
            report(Path(left[number][0]).name, done, len(tasks))
    for _, target, _ in left:  # what a worker that was killed had begun
        for begun in folder.glob(f".{glob.escape(Path(target).name)}.*"):
            begun.unlink(missing_ok=True)
    note(f"{len(left)} of {len(tasks)} files were parsed; the results are in {folder}.")


def make_folder(folder: Path) -> None:
    """Make a folder for results, if it is not there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CorpusError(str(folder), None, f"the folder cannot be made: {error.strerror}") from None


def targets(files: Sequence[str], folder: Path, request: Request) -> list[tuple[str, Path]]:
    """Return each file with the place of its result; refuse what is no file, or shares a place."""
    places: dict[Path, str] = {}
    for file in files:
        if not Path(file).is_file():
            raise CorpusError(file, None, "there is no such file")
        place = folder / f"{Path(file).name}.{request.output.value}"
        if place in places:
            raise CorpusError(file, None, f"its result would stand where that of {places[place]} stands: {place}")
        places[place] = file
    return [(str(Path(file).resolve()), place.resolve()) for place, file in places.items()]


def parse_file(task: Task) -> str:
    """Parse one file into another; return its name."""
    file, target, request = task
    write_text(parsed(file, request), target)
    return target
