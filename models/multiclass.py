"""Several classes: each against the rest ("ovr"), votes over all pairs ("ovo"), or all learned at once ("direct").

The first two train binary learners, the third one learner whose updates move two classes at a time. Either way what
comes out is a list of binary machines, each a support set with coefficients.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.checks import TrainingError
from kakari.kernels.featuresets import FeatureSets
from kakari.kernels.multiclass import MulticlassLearner
from kakari.kernels.training import KernelLearner

SCHEMES = ("ovr", "ovo", "direct")
Learner = KernelLearner | MulticlassLearner
Weights = NDArray[np.float64]
Problem = tuple["NDArray[np.int64] | None", "NDArray[np.int8]"]


def is_direct(classes: int, scheme: str, method: str = "slicing") -> bool:
    """Say whether one learner takes all classes; two classes are a binary problem under any scheme.

    Examples
    --------
    >>> is_direct(3, "direct"), is_direct(2, "direct"), is_direct(3, "ovr")
    (True, False, False)
    """
    if scheme not in SCHEMES:
        raise TrainingError(f"multiclass is one of {', '.join(SCHEMES)}, not {scheme!r}")
    if scheme != "direct" or classes < 3:
        return False
    if method != "slicing":
        raise TrainingError(f"multiclass 'direct' computes margins by method 'slicing' only, not by {method!r}")
    return True


def machines_needed(classes: int, scheme: str) -> int:
    """Give the number of binary machines.

    Examples
    --------
    >>> machines_needed(2, "ovr"), machines_needed(4, "ovo"), machines_needed(4, "direct")
    (1, 6, 4)
    """
    if classes == 2:
        return 1
    return classes * (classes - 1) // 2 if scheme == "ovo" else classes


def expansions(learner: Learner, *, averaged: bool, after: int = 0) -> list[tuple[FeatureSets, Weights]]:
    """Give the support set and the coefficients of each machine that a learner stands for.

    Those of a multi-class learner share one support set. An average may begin at the end of pass `after`.

    Examples
    --------
    >>> learner = MulticlassLearner(3, learner="perceptron").fit(FeatureSets.from_lists([[1]]), [2])
    >>> [coefficients.tolist() for _, coefficients in expansions(learner, averaged=False)]
    [[-1.0], [0.0], [1.0]]
    """
    support = learner.support()
    columns = np.atleast_2d(learner.coefficients(averaged=averaged, after=after).T)
    return [(support, np.ascontiguousarray(column)) for column in columns]


def binary_problems(numbers: NDArray[Any], classes: int, scheme: str) -> list[Problem]:
    """Split a classification into binary ones: the rows that take part (None: all) and their signs.

    Examples
    --------
    >>> [(rows, signs.tolist()) for rows, signs in binary_problems(np.array([0, 1, 2]), 3, "ovr")]
    [(None, [1, -1, -1]), (None, [-1, 1, -1]), (None, [-1, -1, 1])]
    """
    if classes == 2:
        return [(None, np.where(numbers == 1, 1, -1).astype(np.int8))]
    if scheme == "ovr":
        return [(None, np.where(numbers == one, 1, -1).astype(np.int8)) for one in range(classes)]
    problems: list[Problem] = []
    for first, second in combinations(range(classes), 2):
        rows = np.flatnonzero((numbers == first) | (numbers == second))
        problems.append((rows, np.where(numbers[rows] == first, 1, -1).astype(np.int8)))
    return problems


def multiclass_margins(margins: list[Weights], classes: int, scheme: str) -> Weights:
    """Put binary margins together: a vector for two classes, else a column a class.

    Pairs vote; equal votes are told apart by the sum of the pairs' margins, squeezed so that it never outweighs
    a vote.

    Examples
    --------
    >>> multiclass_margins([np.array([1.0]), np.array([-2.0]), np.array([-1.0])], 3, "ovo").argmax(axis=1).tolist()
    [2]
    """
    if classes == 2:
        return margins[0]
    if scheme != "ovo":
        return np.column_stack(margins)
    votes = np.zeros((margins[0].size, classes))
    sums = np.zeros_like(votes)
    for (first, second), margin in zip(combinations(range(classes), 2), margins, strict=True):
        votes[:, first] += margin > 0
        votes[:, second] += margin <= 0
        sums[:, first] += margin
        sums[:, second] -= margin
    return cast(Weights, votes + sums / (3 * (np.abs(sums) + 1)))


def decide(margins: Weights) -> NDArray[np.int64]:
    """Give the number of the winning class."""
    return cast("NDArray[np.int64]", (margins > 0).astype(np.int64) if margins.ndim == 1 else margins.argmax(axis=1))
