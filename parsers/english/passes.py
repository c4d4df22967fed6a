"""Training passes of the tagger and the parser over sentences, with checkpoints between passes.

Several learners may visit the sentences, each in its own order and its own thread; their weights are added up. The
result does not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.files import ModelFileError, load_model, write_model
from kakari.models.reporting import Report

TASK = "english-checkpoint"
Visit = Callable[[HashedLearner, NDArray[np.int64]], int]
Begin = Callable[[HashedLearner, int], object]
PORTION = 2000  # sentences between two chances to interrupt


@dataclass(frozen=True)
class StageSettings:
    """Training settings of the tagger or the parser.

    Attributes
    ----------
    passes, beam : int
    most : int
        Number of weights to keep, the largest ones.
    decoding_beam : int, optional
        The beam of the finished model, if it is not that of the training.
    learners : int
        Number of learners that are trained independently; their weights are added up.
    cost : int
        Of the tagger: the margin by which gold tags must win, for each wrong tag.
    """

    passes: int
    beam: int
    most: int
    decoding_beam: int | None = None
    learners: int = 1
    cost: int = 0


def learned(
    name: str,
    visit: Visit,
    sentences: int,
    stage: StageSettings,
    seed: int,
    *,
    begin: Begin = lambda learner, number: None,
    report: Report,
    checkpoint: Path | None = None,
) -> HashedWeights:
    """Let the learners of a stage make their passes, add them up, and freeze.

    Parameters
    ----------
    visit : callable
        Lets a learner visit sentences, given by their numbers; returns how many of them changed its weights.
    begin : callable
        Called before a learner's first pass, with its number.
    checkpoint : Path, optional
        File for finished passes (those of further learners are beside it); the same call continues from them.

    Examples
    --------
    >>> def visit(learner, order):
    ...     learner.update([5], 3, 1, at=0)
    ...     return len(order)
    >>> weights = learned("toy", visit, 4, StageSettings(2, 1, 10, learners=2), 1, report=lambda line: None)
    >>> weights.scores([5], 4).tolist()
    [0, 0, 0, 127]
    """
    stop = Event()

    def learn(number: int) -> HashedLearner:
        own = f"{name}, learner {number + 1}" if number else name
        path = checkpoint
        if checkpoint is not None and number:
            path = checkpoint.with_name(f"{checkpoint.stem}-{number + 1}{checkpoint.suffix}")
        return _one_learner(
            own, visit, sentences, stage, seed + number, lambda learner: begin(learner, number), report, path, stop
        )

    with ThreadPoolExecutor(max_workers=min(stage.learners, os.cpu_count() or 1)) as pool:
        try:
            first, *others = pool.map(learn, range(stage.learners))
        except BaseException:
            stop.set()
            raise
    for other in others:
        first.absorb(other)
    return first.freeze(most=stage.most)


class StoppedError(RuntimeError):
    """Another learner failed, or the user has interrupted them."""


def _one_learner(
    name: str,
    visit: Visit,
    sentences: int,
    stage: StageSettings,
    seed: int,
    begin: Callable[[HashedLearner], object],
    report: Report,
    checkpoint: Path | None,
    stop: Event,
) -> HashedLearner:
    """Make the passes that are left."""
    learner, done = HashedLearner(), 0
    asked = {"name": name, "sentences": sentences, "beam": stage.beam, "cost": stage.cost, "seed": seed}
    if checkpoint is not None and checkpoint.exists():
        learner, done = _restored(checkpoint, asked)
    if not done:
        begin(learner)
    for number in range(done, stage.passes):
        order = np.random.default_rng([seed, number]).permutation(sentences)
        changed = 0
        for start in range(0, sentences, PORTION):
            if stop.is_set():
                raise StoppedError(name)
            changed += visit(learner, order[start : start + PORTION])
            report(f"{name}: pass {number + 1} of {stage.passes}, {min(start + PORTION, sentences)} sentences")
        report(f"{name}: pass {number + 1} of {stage.passes} done, {changed} sentences changed the weights")
        if checkpoint is not None:
            checkpoint.parent.mkdir(parents=True, exist_ok=True)
            settings = {"options": asked, "passes": number + 1}
            write_model(checkpoint, TASK, Contents.joined({"learner": learner.contents()}, settings))
    return learner


def _restored(path: Path, asked: dict[str, Any]) -> tuple[HashedLearner, int]:
    def restore(contents: Contents) -> tuple[HashedLearner, int]:
        if contents.table("options") != asked:
            reason = "this checkpoint is of a run with other options or data: use another folder"
            raise ModelFileError(str(path), reason)
        return HashedLearner.from_contents(contents.part("learner")), contents.integer("passes", 0)

    return load_model(path, TASK, restore)
