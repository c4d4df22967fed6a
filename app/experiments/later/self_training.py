"""The 2010 paper's future work: more examples than anybody labelled, by self-training.

A twentieth of dep-examples:train keeps its labels. Two models of its halves judge the other pairs of bunsetsu, whose
labels nobody looks at. Where both are on one side, that side is taken as the label, and the model is trained on the
labelled and these. Beside it stand the labelled examples alone, and the same unlabelled ones with their gold labels,
which no self-training can pass.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kakari.experiments.problems import Problem, accuracy, cpu_seconds, load_problem, train
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.results.stored import Book, Figure, Outcome, Point, Shelf, Table

DEGREE, PASSES = 3, 10
LABELLED = 20  # one example of so many has a label
PARTS = (0.05, 0.1, 0.25, 0.5, 1.0)  # of the unlabelled examples
COLUMNS = {"unlabelled": 0, "taken": 0, "right among them, %": 2, "accuracy, %": 2, "CPU s": 2}
WAYS = ("agreement", "gold labels")


def agreement(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows that two models put on one side, and that side.

    Examples
    --------
    >>> rows, signs = agreement(np.array([2.0, -1.0, 0.5]), np.array([1.0, 1.0, 0.1]))
    >>> rows.tolist(), signs.tolist()
    ([0, 2], [1, 1])
    """
    rows = np.flatnonzero((first > 0) == (second > 0))
    return rows, np.where(first[rows] > 0, 1, -1).astype(np.int64)


def judged(learner: KernelLearner, sets: FeatureSets) -> NDArray[np.float64]:
    """Return the margins of a learner's average."""
    support, coefficients = learner.support(), learner.coefficients(averaged=True)
    return freeze(support, coefficients, DEGREE, kind="splitting").margins(sets)


def measure_self_training(
    shelf: Shelf, corpora: tuple[str, str] = ("dep-examples:train", "dep-examples:dev"), parts: Sequence[float] = PARTS
) -> Book:
    """Measure accuracy against the number of unlabelled examples."""
    title = f"Self-training by agreement of two models (the future work of section 7), PA-I, d = {DEGREE}"
    figure = Figure("self-training", "pairs of bunsetsu, self-training", "unlabelled examples", "accuracy, %")
    book = shelf.book("semi-supervised", "2010", [Table("self-training", title, "labels", COLUMNS)], [figure])
    whole, test = load_problem(corpora[0]), load_problem(corpora[1])
    whole = whole.share(shelf.some(len(whole)))
    marked = np.arange(len(whole)) % LABELLED == 0
    known, rest = (
        Problem(whole.name, whole.sets.take(rows), whole.signs[rows])
        for rows in (np.flatnonzero(marked), np.flatnonzero(~marked))
    )
    size = f"{len(known):,} labelled of {len(whole):,} examples, tested on {len(test):,}"
    halves: list[KernelLearner] = []

    def trained(problem: Problem, count: int, values: dict[str, float], series: str) -> Outcome:
        learner, seconds = train(problem, DEGREE, PASSES)
        right = 100 * accuracy(judged(learner, test.sets), test.signs)
        told = {"unlabelled": count, **values, "accuracy, %": right, "CPU s": seconds}
        return Outcome(told, [Point("self-training", series, count, right)] if series else [], seconds)

    def teachers() -> list[KernelLearner]:
        if not halves:
            for begin in (0, 1):
                rows = np.arange(begin, len(known), 2)
                halves.append(train(Problem("half", known.sets.take(rows), known.signs[rows]), DEGREE, PASSES)[0])
        return halves

    def work(part: float, way: str) -> Outcome:
        some = rest.share(max(1, round(part * len(rest))))
        if way == "gold labels":
            return trained(_both(known, some.sets, some.signs), len(some), {"taken": len(some)}, way)
        (rows, signs), spent = cpu_seconds(lambda: agreement(*(judged(one, some.sets) for one in teachers())))
        right = 100 * float(np.mean(signs == some.signs[rows])) if rows.size else 0.0
        values = {"taken": len(rows), "right among them, %": right}
        found = trained(_both(known, some.sets.take(rows), signs), len(some), values, way)
        return Outcome(found.values, found.points, (found.seconds or 0.0) + spent)

    book.measure("self-training", "labelled alone", lambda: trained(known, 0, {}, "agreement"), size=size)
    for part in parts:
        for way in WAYS:
            name = f"{way}, {part:g} of the unlabelled"
            book.measure("self-training", name, lambda part=part, way=way: work(part, way), size=size)  # type: ignore[misc]
    return book


def _both(known: Problem, sets: FeatureSets, signs: NDArray[np.int64]) -> Problem:
    lengths = np.concatenate([known.sets.row_lengths(), sets.row_lengths()])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    joined = FeatureSets.from_arrays(offsets, np.concatenate([known.sets.ids, sets.ids]))
    return Problem(known.name, joined, np.concatenate([known.signs, signs]))
