"""Many files, each with a result file in a folder: in this process, in several, or on a Dask cluster; resumable."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kakari.corpora.records.errors import CorpusError
from kakari.output.console import note, progress
from kakari.parsers.workers import run_tasks

Task = tuple[str, str, Any]  # a file, the place of its result, settings


def results_in_folder(
    function: Callable[[Task], object],
    files: Sequence[str],
    folder: Path,
    ending: str,
    settings: Any,
    *,
    title: str,
    done: str,
    jobs: int = 1,
    scheduler: str | None = None,
) -> None:
    """Call a function for every file whose result is not in the folder yet.

    A result must appear only when it is complete, so that a stopped run continues with the files that are left.
    """
    tasks = [(file, str(target), settings) for file, target in targets(files, folder, ending)]
    make_folder(folder)
    left = [task for task in tasks if not Path(task[1]).exists()]
    with progress(title) as report:
        finished = len(tasks) - len(left)
        report("", finished, len(tasks))
        for number, _ in run_tasks(function, left, processes=jobs, scheduler=scheduler):
            finished += 1
            report(Path(left[number][0]).name, finished, len(tasks))
    for _, target, _ in left:  # remove the unfinished files of killed workers
        for begun in folder.glob(f".{glob.escape(Path(target).name)}.*"):
            begun.unlink(missing_ok=True)
    note(f"{len(left)} of {len(tasks)} files were {done}; the results are in {folder}.")


def make_folder(folder: Path) -> None:
    """Make a folder for results, if it is not there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CorpusError(str(folder), None, f"the folder cannot be made: {error.strerror}") from None


def targets(files: Sequence[str], folder: Path, ending: str) -> list[tuple[str, Path]]:
    """Return each file with the path of its result; refuse missing files and two files with one result."""
    places: dict[Path, str] = {}
    for file in files:
        if not Path(file).is_file():
            raise CorpusError(file, None, "there is no such file")
        place = folder / f"{Path(file).name}.{ending}"
        if place in places:
            raise CorpusError(file, None, f"its result would stand where that of {places[place]} stands: {place}")
        places[place] = file
    return [(str(Path(file).resolve()), place.resolve()) for place, file in places.items()]
