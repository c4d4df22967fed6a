"""Quantisation of weights to small integers: which are kept, how they are rounded, and their unit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Array = NDArray[Any]


def largest(sizes: Array, most: int | None) -> NDArray[np.int64]:
    """Return the places of the `most` largest sizes, in ascending order; of equal ones the first are kept.

    Examples
    --------
    >>> largest(np.array([1.0, 3.0, 2.0, 3.0, 2.0]), 3).tolist()
    [1, 2, 3]
    """
    if most is None or most >= len(sizes):
        return np.arange(len(sizes))
    if most <= 0:
        return np.arange(0)
    smallest = np.partition(sizes, len(sizes) - most)[len(sizes) - most]
    kept = sizes > smallest
    kept[np.flatnonzero(sizes == smallest)[: most - np.count_nonzero(kept)]] = True
    return np.flatnonzero(kept)


def unit_of(sizes: Array, *, clipped: float = 0.0, dtype: DTypeLike = np.int8) -> float:
    """Return what 1 stands for, so that the largest size becomes the largest integer.

    `clipped` is the share of the sizes that may be larger than that and are clipped.

    Examples
    --------
    >>> unit_of(np.array([254.0, 3.0])), unit_of(np.array([]))
    (2.0, 1.0)
    >>> unit_of(np.array([127.0, 3.0]), clipped=0.1), unit_of(np.array([127.0, 254.0]), clipped=0.5)
    (1.0, 1.0)
    """
    if not len(sizes):
        return 1.0
    place = len(sizes) - 1 - int(len(sizes) * clipped)
    size = sizes.max() if place == len(sizes) - 1 else np.partition(sizes, place)[place]
    return float(size) / np.iinfo(dtype).max or 1.0


def as_integers(weights: Array, unit: float, dtype: DTypeLike = np.int8) -> Array:
    """Return weights in units, rounded and clipped to the range of the type, the same on both sides of 0.

    Examples
    --------
    >>> as_integers(np.array([0.5, -1.0, 3.0]), 1 / 127).tolist()
    [64, -127, 127]
    """
    limit = np.iinfo(dtype).max
    with np.errstate(over="ignore"):  # a weight that is infinite in tiny units is clipped like any large one
        return np.clip(np.rint(weights / unit), -limit, limit).astype(dtype)
