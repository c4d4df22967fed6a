"""Choice of a predicate's arguments: the constituents without overlap whose margins have the largest sum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.frames import ArgumentError


def chosen_candidates(candidates: Candidates, margins: NDArray[np.float64]) -> list[list[int]]:
    """Return the candidates that are arguments of each predicate, from left to right."""
    begins, ends = candidates.arrays["begins"], candidates.arrays["ends"]
    likely = np.flatnonzero(margins > 0)
    owners = candidates.predicates[likely]
    count = len(candidates.arrays["tokens"])
    cuts = np.searchsorted(owners, np.arange(count + 1))
    first, last, sizes, places = (
        begins[likely].tolist(),
        ends[likely].tolist(),
        margins[likely].tolist(),
        likely.tolist(),
    )
    chosen = []
    for begin, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        own = resolved(first[begin:end], last[begin:end], sizes[begin:end])
        chosen.append([places[begin + place] for place in own])
    return chosen


def resolved(begins: Sequence[int], ends: Sequence[int], margins: Sequence[float]) -> list[int]:
    """Choose the constituents without overlap whose margins have the largest sum.

    A constituent whose margin is not above 0 is never chosen, so that the tree is first cut down to the others. In it,
    from the leaves to the root, the best of a node is its own margin or the sum of the best of its children. Where both
    are equal, the larger constituent wins.

    Parameters
    ----------
    begins, ends : sequence of int
        Constituents of one tree, in any order; some may have one span.
    margins : sequence of float

    Returns
    -------
    list of int
        The places of the chosen ones, from left to right.

    Examples
    --------
    >>> resolved([0, 0, 3, 6], [7, 2, 5, 7], [1.0, 0.5, 0.25, 0.5])
    [1, 2, 3]
    >>> resolved([0, 0, 3, 6], [7, 2, 5, 7], [1.5, 0.5, 0.25, 0.5])
    [0]
    """
    order = [place for place, margin in enumerate(margins) if margin > 0]
    order.sort(key=lambda place: (begins[place], -ends[place]))
    # Open nodes from the outside in: place, and what was best inside so far, as a sum and as places.
    opened: list[tuple[int, float, list[int]]] = []
    total: list[int] = []

    def close() -> None:
        place, inside, chosen = opened.pop()
        best, found = (margins[place], [place]) if margins[place] >= inside else (inside, chosen)
        if not opened:
            total.extend(found)
            return
        above, so_far, others = opened[-1]
        opened[-1] = (above, so_far + best, others + found)

    for place in order:
        while opened and ends[opened[-1][0]] <= begins[place]:
            close()
        if opened and ends[opened[-1][0]] < ends[place]:
            raise ArgumentError("two constituents overlap, but none of them lies inside the other")
        opened.append((place, 0.0, []))
    while opened:
        close()
    return total
