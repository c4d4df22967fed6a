"""Training that can be stopped: the state of a learner on disk, written whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from kakari.kernels.learning.binary_learner import Progress
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents
from kakari.models.files import ModelFileError, load_model, write_model
from kakari.models.polynomial.multiclass import Learner

TASK = "checkpoint"
SECONDS_BETWEEN = 30.0  # between two checkpoints inside a pass; each pass ends with one


def train_with_checkpoints(
    learner: Learner,
    sets: FeatureSets,
    labels: NDArray[Any],
    *,
    passes: int,
    weights: NDArray[Any] | None = None,
    path: Path | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Learner:
    """Train, or continue from the checkpoint at `path`; the result is the same bit for bit.

    Parameters
    ----------
    path : Path, optional
        The checkpoint's file. It is kept after the end, so that a finished run is not trained again.
    options : mapping, optional
        The options of the run; a checkpoint of other options is refused.
    """
    asked = {"passes": passes, **(options or {})}
    if path is not None and path.exists():
        learner = _restored(type(learner), path, asked, sets, labels, weights)
        return _finish(learner, path, asked, progress)
    if path is None:
        return learner.fit(sets, labels, passes=passes, weights=weights, progress=progress, every=_every(sets))
    keep = _Keeper(learner, path, asked, progress)
    try:
        learner.fit(sets, labels, passes=passes, weights=weights, progress=keep, every=_every(sets))
    except BaseException:  # Ctrl-C among them: what is done is not lost
        keep.save()
        raise
    keep.save()
    return learner


def _restored(
    kind: type[Learner],
    path: Path,
    asked: Mapping[str, Any],
    sets: FeatureSets,
    labels: NDArray[Any],
    weights: NDArray[Any] | None,
) -> Learner:
    def restore(contents: Contents) -> Learner:
        options = contents.table("options")
        if options != dict(asked):
            changed = sorted(key for key in {*asked, *options} if options.get(key) != asked.get(key))
            reason = f"this checkpoint is of a run with other options ({', '.join(changed)}): use another folder"
            raise ModelFileError(str(path), reason)
        return kind.from_contents(contents.part("learner"), sets, labels, weights=weights)

    return load_model(path, TASK, restore)


def _finish(
    learner: Learner,
    path: Path,
    asked: Mapping[str, Any],
    progress: Callable[[Progress], object] | None,
) -> Learner:
    keep = _Keeper(learner, path, asked, progress)
    try:
        learner.resume(progress=keep, every=100_000)
    except BaseException:
        keep.save()
        raise
    keep.save()
    return learner


def _every(sets: FeatureSets) -> int:
    return max(1, min(len(sets), 100_000))


class _Keeper:
    """Passes progress on, and saves the learner from time to time."""

    def __init__(
        self,
        learner: Learner,
        path: Path,
        asked: Mapping[str, Any],
        progress: Callable[[Progress], object] | None,
    ) -> None:
        self._learner = learner
        self._path = path
        self._asked = asked
        self._progress = progress
        self._saved_at = time.monotonic()

    def __call__(self, at: Progress) -> object:
        if at.examples in (0, at.total) or time.monotonic() - self._saved_at > SECONDS_BETWEEN:
            self.save()
        return self._progress(at) if self._progress is not None else None

    def save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        stored = Contents.joined({"learner": self._learner.contents()}, {"options": dict(self._asked)})
        write_model(self._path, TASK, stored)
        self._saved_at = time.monotonic()
