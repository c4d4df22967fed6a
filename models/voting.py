"""Several classes: each against the rest ("ovr"), votes over all pairs ("ovo"), or all learned at once ("direct").

The first two train binary learners, the third one learner whose updates move two classes at a time. Either way what
comes out is a list of binary machines, each a support set with coefficients.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

SCHEMES = ("ovr", "ovo", "direct")
Weights = NDArray[np.float64]
Problem = tuple["NDArray[np.int64] | None", "NDArray[np.int8]"]


def machines_needed(classes: int, scheme: str) -> int:
    """Return the number of binary machines.

    Examples
    --------
    >>> machines_needed(2, "ovr"), machines_needed(4, "ovo"), machines_needed(4, "direct")
    (1, 6, 4)
    """
    if classes == 2:
        return 1
    return classes * (classes - 1) // 2 if scheme == "ovo" else classes


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
    """Return the number of the winning class."""
    return cast("NDArray[np.int64]", (margins > 0).astype(np.int64) if margins.ndim == 1 else margins.argmax(axis=1))
