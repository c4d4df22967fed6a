"""Scores for predicted hyponymy: accuracy, precision, recall, F1, average precision, recall at a wanted precision."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def scores(truth: NDArray[np.bool_], margins: NDArray[np.float64]) -> dict[str, Any]:
    """Return the scores of margins, above 0 for hyponyms, as fractions.

    Examples
    --------
    >>> told = scores(np.array([True, True, False]), np.array([2.0, -1.0, -2.0]))
    >>> told["accuracy"], told["precision"], told["recall"], told["average_precision"]
    (0.6666666666666666, 1.0, 0.5, 1.0)
    """
    guess = margins > 0
    right = int((guess & truth).sum())
    precision = right / int(guess.sum()) if guess.any() else 0.0
    recall = right / int(truth.sum()) if truth.any() else 0.0
    return {
        "accuracy": float((guess == truth).mean()) if truth.size else 0.0,
        "f1": 2 * precision * recall / (precision + recall) if right else 0.0,
        "precision": precision,
        "recall": recall,
        "average_precision": average_precision(truth, margins),
        "recall_at_precision_90": recall_at_precision(truth, margins, 0.9),
        "examples": int(truth.size),
    }


def average_precision(truth: NDArray[np.bool_], margins: NDArray[np.float64]) -> float:
    """Return the mean, over the true pairs, of the precision down to each; ties count as one step.

    Examples
    --------
    >>> average_precision(np.array([True, False, True]), np.array([3.0, 2.0, 1.0]))
    0.8333333333333333
    """
    if not truth.any():
        return 0.0
    precision, recall = _curve(truth, margins)
    return float((np.diff(recall, prepend=0.0) * precision).sum())


def recall_at_precision(truth: NDArray[np.bool_], margins: NDArray[np.float64], wanted: float) -> float:
    """Return the largest share of the true pairs that a threshold finds with at least the wanted precision.

    Examples
    --------
    >>> recall_at_precision(np.array([True, False, True]), np.array([3.0, 2.0, 1.0]), 0.9)
    0.5
    """
    if not truth.any():
        return 0.0
    precision, recall = _curve(truth, margins)
    return float(recall[precision >= wanted].max(initial=0.0))


def _curve(truth: NDArray[np.bool_], margins: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return precision and recall at each distinct margin, from the largest down."""
    order = np.argsort(-margins, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(margins[order])), margins.size - 1)
    right = np.cumsum(truth[order])[ends]
    return right / (ends + 1.0), right / float(truth.sum())
