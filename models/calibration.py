"""Probabilities from margins: a sigmoid for each class, fitted to margins of held-out examples (Platt 1999)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDS = 5
Array = NDArray[np.float64]


def held_out_margins(
    labels: NDArray[Any], train: Callable[[NDArray[np.int64]], Callable[[NDArray[np.int64]], Array]]
) -> Array:
    """Return the margins of all examples, each by a model that has not seen it.

    Parameters
    ----------
    train : callable
        Takes the numbers of the training examples; returns a function from numbers of other examples to their margins.
    """
    from sklearn.model_selection import StratifiedKFold  # slow to import

    fewest = int(np.unique(labels, return_counts=True)[1].min())
    if fewest < 2:
        raise ValueError("probabilities need at least two examples of each class")
    found: Array | None = None
    folds = StratifiedKFold(min(FOLDS, fewest), shuffle=True, random_state=0)
    for learnt, held_out in folds.split(np.zeros(labels.size), labels):
        margins = train(learnt)(held_out)
        if found is None:
            found = np.zeros((labels.size, *margins.shape[1:]))
        found[held_out] = margins
    return np.zeros(0) if found is None else found


def fitted_sigmoids(margins: Array, class_numbers: NDArray[np.int64]) -> Array:
    """Return slope and offset of each column's sigmoid; two classes have one column, that of the second class.

    Examples
    --------
    >>> slope, offset = fitted_sigmoids(np.array([-2.0, -1.0, -0.5, 0.5, 1.0, 2.0]), np.array([0, 0, 1, 0, 1, 1]))[0]
    >>> bool(slope > 0), abs(round(float(offset), 6))
    (True, 0.0)
    """
    columns = margins[:, None] if margins.ndim == 1 else margins
    positive = [class_numbers == (1 if margins.ndim == 1 else number) for number in range(columns.shape[1])]
    return np.array([sigmoid(column, own) for column, own in zip(columns.T, positive, strict=True)])


def sigmoid(margins: Array, positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Fit (a, b) of 1 / (1 + exp(-a m - b)) by Newton steps with halving (Lin, Lin and Weng 2007)."""
    count, right = positive.size, int(positive.sum())
    target = np.where(positive, (right + 1) / (right + 2), 1 / (count - right + 2))
    slope, offset = 0.0, float(np.log((right + 1) / (count - right + 1)))
    loss = cross_entropy(slope * margins + offset, target)
    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(slope * margins + offset, -700, 700)))
        wrong, spread = chance - target, chance * (1 - chance)
        gradient = np.array([wrong @ margins, wrong.sum()])
        if np.abs(gradient).max() < 1e-5:
            break
        mixed = spread @ margins
        curvature = np.array([[spread @ margins**2 + 1e-12, mixed], [mixed, spread.sum() + 1e-12]])
        step, length = np.linalg.solve(curvature, gradient), 1.0
        while length > 1e-10:
            tried = slope - length * step[0], offset - length * step[1]
            there = cross_entropy(tried[0] * margins + tried[1], target)
            if there < loss - 1e-4 * length * float(gradient @ step):
                slope, offset, loss = float(tried[0]), float(tried[1]), there
                break
            length /= 2
        else:
            break
    return slope, offset


def cross_entropy(logits: Array, target: Array) -> float:
    """Return the cross entropy of probabilities, given by their logits, against targets."""
    return float((np.logaddexp(0, logits) - target * logits).sum())


def probabilities(margins: Array, sigmoids: Array) -> Array:
    """Return the probability of each class (column) for each example; rows sum to 1.

    Examples
    --------
    >>> probabilities(np.array([0.0, 100.0]), np.array([[1.0, 0.0]])).round(6).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    columns = margins[:, None] if margins.ndim == 1 else margins
    chances = 1 / (1 + np.exp(-np.clip(columns * sigmoids[:, 0] + sigmoids[:, 1], -700, 700)))
    if margins.ndim == 1:
        return np.hstack([1 - chances, chances])
    total = chances.sum(axis=1, keepdims=True)
    return np.where(total > 0, chances / np.where(total > 0, total, 1.0), 1.0 / chances.shape[1])
