"""Corrections that come through the page: tried, kept, taken back.

The user's file, one line a correction, is the truth; the corrected model beside it is made from it and from the model
that is served, and is made again where it is not there or was left behind by a process that was killed in between. Both
are written beside their place and renamed. Workers find a new model by its file.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.correcting.checking import check
from kakari.parsers.correcting.files import append_correction, read_corrections, remove_last
from kakari.parsers.correcting.learning import TASKS, Corrected, apply_corrections, history
from kakari.parsers.correcting.records import Correction, CorrectionError
from kakari.web.limits import RefusedError

if TYPE_CHECKING:
    from kakari.web.store import Store

# The task whose model decides about a kind of correction, by language.
OWNERS = {
    ("ja", "boundary"): "ja-bunsetsu-dependency",
    ("ja", "arc"): "ja-bunsetsu-dependency",
    ("en", "arc"): "dependency",
    ("en", "class"): "en-questions",
    ("en", "argument"): "en-arguments",
}
MOST = 50  # corrections of a request


def correctable() -> dict[str, list[str]]:
    """Return the kinds of corrections that can be learned, by language."""
    told: dict[str, list[str]] = {"ja": [], "en": []}
    for (language, kind), task in OWNERS.items():
        if task in TASKS:
            told[language].append(kind)
    return told


class Desk:
    """Tries, keeps and takes back corrections.

    Parameters
    ----------
    store : Store
    folder : str
        Where the files of corrections and the corrected models are.
    """

    def __init__(self, store: Store, folder: str) -> None:
        self.store, self.folder = store, Path(folder)
        self._lock = threading.Lock()
        for task in TASKS:
            store.corrected[task] = str(self._model(task))
            if self.lines(task).exists():
                with self._working(), self._alone():
                    self._mend(task)

    def lines(self, task: str) -> Path:
        """Return the file of corrections for a task."""
        return self.folder / f"{task}.jsonl"

    def _model(self, task: str) -> Path:
        return self.folder / f"{task}.safetensors"

    def _mend(self, task: str) -> None:
        """Make the corrected model anew if it is not what the file of corrections says."""
        wanted = read_corrections(self.lines(task))
        if history(self.store.model(task)) != wanted:
            self._write(task, apply_corrections(self.store.model(task), wanted))

    def _write(self, task: str, done: Corrected) -> None:
        if done.outcomes:
            done.model.save(self._model(task))
        else:
            self._model(task).unlink(missing_ok=True)
        self.store.put(task, done.model)

    def _known(self, task: str) -> list[Correction]:
        return read_corrections(self.lines(task)) if self.lines(task).exists() else []

    def history(self) -> list[dict[str, Any]]:
        """Describe all corrections that were kept."""
        return [
            {"task": task, "told": one.told(), "kind": one.kind, "text": one.text, "when": one.when}
            for task in TASKS
            for one in self._known(task)
        ]

    def tried(self, language: str, told: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Learn corrections and tell what they change; nothing is written."""
        with self._working():
            task, new = read(language, told)
            return self._report(task, new)[1]

    def keep(self, language: str, told: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Learn corrections, write them down and use the corrected model."""
        with self._working(), self._alone():
            task, new = read(language, told)
            done, report = self._report(task, new)
            self.folder.mkdir(parents=True, exist_ok=True)
            for one in new:
                append_correction(self.lines(task), one)
            self._write(task, done)
            return report

    def undo(self, task: str) -> dict[str, Any]:
        """Take the last correction of a task back."""
        with self._working(), self._alone():
            if task not in TASKS or not self._known(task):
                raise RefusedError(422, "there is no correction to take back")
            last = remove_last(self.lines(task))
            self._write(task, apply_corrections(self.store.model(task), self._known(task)))
            return {"undone": last.told()}

    def _report(self, task: str, new: list[Correction]) -> tuple[Corrected, dict[str, Any]]:
        start = time.perf_counter()
        known = self._known(task)
        done = apply_corrections(self.store.model(task), [*known, *new])
        learned = time.perf_counter() - start
        broken = check(done.model)
        earlier = [one for one in done.outcomes[: len(known)] if not one.now]
        return done, {
            "task": task,
            "corrections": [
                {"told": one.correction.told(), "before": one.before, "now": one.now}
                for one in done.outcomes[len(known) :]
            ],
            "broken_corrections": [one.correction.told() for one in earlier],
            "broken_sentences": [one._asdict() for one in broken],
            "checked": len(known),
            "seconds": round(learned, 4),
        }

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait until no other process writes in the folder."""
        try:
            import fcntl
        except ImportError:  # Windows: there one process writes
            yield
            return
        # Beside the folder's name, since the folder is made when the first correction is kept.
        name = self.folder.resolve().parent / f".{self.folder.name}.lock"
        with name.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Wait for whoever corrects at the same time, and tell what is wrong with a correction as a refusal."""
        with self._lock:
            try:
                yield
            except (CorrectionError, CorpusError) as error:
                raise RefusedError(422, error.reason if isinstance(error, CorpusError) else str(error)) from None


def read(language: str, told: Sequence[dict[str, Any]]) -> tuple[str, list[Correction]]:
    """Return the task of corrections and the corrections themselves.

    Examples
    --------
    >>> task, (one,) = read("ja", [{"text": "本を読む。", "kind": "boundary", "at": 2, "is": True}])
    >>> task, one.told()
    ('ja-bunsetsu-dependency', '本を|読む。')
    """
    if not 0 < len(told) <= MOST:
        raise RefusedError(422, f"a request has 1 to {MOST} corrections")
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    found = [Correction.from_dict({"when": now, **one}) for one in told]
    owners = {OWNERS.get((language, one.kind)) for one in found}
    if len(owners) > 1:
        raise RefusedError(422, "these corrections are for several models: send them one after another")
    (task,) = owners
    if task is None or task not in TASKS:
        raise RefusedError(422, f"corrections of this kind ({found[0].kind}, {language}) cannot be learned")
    return task, found
