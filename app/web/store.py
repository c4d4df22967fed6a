"""The models of a server: loaded when they are first needed, and again when their file is another one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from kakari.models.files import ModelFileError, model_task

# The file of each embedded model that answers need, and what loads a file of its task.
EMBEDDED = {
    "ja-bunsetsu-dependency": "ja",
    "dependency": "en-ud",
    "en-constituency": "en",
    "en-arguments": "en-arguments",
    "en-questions": "en-questions",
    "sequence": "en-chunks",
}
FIXED = ("sequence",)  # a labeller of chunks like any other: its file does not say of what


def embedded_file(name: str) -> str:
    """Return the path of an embedded model."""
    return str(resources.files("kakari.models") / "pretrained" / f"{name}.safetensors")


def _loader(task: str) -> Callable[[str], Any]:
    if task == "ja-bunsetsu-dependency":
        from kakari.parsers.japanese.model import JapaneseModel

        return JapaneseModel.load
    if task == "dependency":
        from kakari.parsers.dependency.model import DependencyModel

        return DependencyModel.load
    if task == "en-constituency":
        from kakari.parsers.english.model import EnglishModel

        return EnglishModel.load
    if task == "en-arguments":
        from kakari.parsers.arguments.model import ArgumentModel

        return ArgumentModel.load
    if task == "en-questions":
        from kakari.parsers.questions.compact_model import LinearQuestions

        return LinearQuestions.load
    from kakari.parsers.sequences.model import SequenceModel

    return SequenceModel.load


class Store:
    """Models by task.

    Parameters
    ----------
    files : sequence of str
        Model files that take the place of the embedded ones.
    """

    def __init__(self, files: tuple[str, ...] = ()) -> None:
        self.files = {task: embedded_file(name) for task, name in EMBEDDED.items()}
        for file in files:
            task = model_task(file)
            if task not in EMBEDDED or task in FIXED:
                raise ModelFileError(file, f"the page shows no models of {task}")
            self.files[task] = file
        self.corrected: dict[str, str] = {}  # files of corrected models, which are used where they are there
        self._loaded: dict[str, tuple[tuple[str, int], Any]] = {}
        self._made: dict[Any, tuple[Any, Any]] = {}
        self._locks = {task: threading.Lock() for task in EMBEDDED}

    def model(self, task: str) -> Any:
        """Return a model, loaded again if its file is another one than before."""
        file, now = self._newest(task)
        known = self._loaded.get(task)
        if known is not None and known[0] == (file, now):
            return known[1]
        with self._locks[task]:
            known = self._loaded.get(task)
            if known is None or known[0] != (file, now):
                known = (file, now), _loader(task)(file)
                self._loaded[task] = known
        return known[1]

    def put(self, task: str, model: Any) -> None:
        """Take a model that was just written to the file of its task, so that nobody waits for it to be read."""
        file, now = self._newest(task)
        with self._locks[task]:
            self._loaded[task] = (file, now), model

    def _newest(self, task: str) -> tuple[str, int]:
        """Return the file of a model and when it was written."""
        corrected = self.corrected.get(task)
        if corrected is not None:
            try:
                return corrected, Path(corrected).stat().st_mtime_ns
            except FileNotFoundError:  # nothing is corrected now
                return self.files[task], 0
        return self.files[task], 0

    def made(self, key: Any, model: Any, make: Callable[[Any], Any]) -> Any:
        """Return what `make` makes of a model, made once."""
        known = self._made.get(key)
        if known is None or known[0] is not model:
            known = model, make(model)
            self._made[key] = known
        return known[1]
