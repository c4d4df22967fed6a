"""Explanations: the conjunctions of an example whose weights add up to its margin.

Conjunctions of common features are read off the simplex arrays, those with a rare feature off the trie. Where
the tail is a kernel, the support vectors that share a rare feature with the example are expanded, within the
example only. Meant for reading, not for speed: Python loops, some milliseconds an example.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import comb, fsum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.frozen.checks import coefficients
from kakari.kernels.frozen.conjunction_mining import subset_weights

if TYPE_CHECKING:
    from kakari.kernels.frozen.model import FrozenModel
    from kakari.kernels.sets.featuresets import FeatureSets

Weighted = Iterator[tuple[tuple[int, ...], float]]


class Contributions(NamedTuple):
    """The conjunctions of an example, as sorted tuples of feature ids, with their weights, the largest first.

    `margin` is the model's; `dropped` is the exact margin minus the model's, None if it is not known.
    """

    items: list[tuple[tuple[int, ...], float]]
    margin: float
    dropped: float | None


def contributions(
    model: FrozenModel,
    example: ArrayLike,
    *,
    support: tuple[FeatureSets, ArrayLike] | tuple[FeatureSets, ArrayLike, float] | None = None,
) -> Contributions:
    """Return the conjunctions of an example (feature ids) that add up to its margin, the largest first.

    `support` is the support set and the coefficients that the model was frozen from, with the bias if there was
    one: with it, what pruning and rounding of weights dropped is reported as one number.

    Examples
    --------
    >>> from kakari.kernels.frozen.freezing import freeze
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> model = freeze(FeatureSets.from_lists([[1, 2], [3]]), [1.0, -0.5], 2)
    >>> told = contributions(model, [2, 3])
    >>> told.items, told.margin
    ([((2,), 3.0), ((3,), -1.5), ((), 0.5)], 2.0)
    """
    ids = np.asarray(example, dtype=np.int32)
    ranks = model.ranked(ids)
    weights: defaultdict[tuple[int, ...], float] = defaultdict(float)
    weights[()] = model.settings["constant"]
    head = [rank for rank in ranks if rank < model.settings["common"]]
    tail = ranks[len(head) :]
    for conjunction, weight in head_conjunctions(model, head):
        weights[conjunction] += weight
    by_tail = kernel_conjunctions if "postings" in model.arrays else trie_conjunctions
    for conjunction, weight in by_tail(model, head, tail):
        weights[conjunction] += weight
    names = model.arrays["ids"]
    items = [(tuple(sorted(int(names[rank]) for rank in key)), weight) for key, weight in weights.items() if weight]
    items.sort(key=lambda item: (-abs(item[1]), item[0]))
    margin = model.margin(ids, model.workspace())
    dropped = None if support is None else exact_margin(model.degree, ids, *support) - margin
    return Contributions(items, margin, dropped)


def exact_margin(degree: int, ids: NDArray[np.int32], sets: Any, alphas: Any, bias: float = 0.0) -> float:
    """Compute the margin from its definition."""
    inside = np.append(0, np.cumsum(np.isin(sets.ids, ids)))[sets.offsets]
    return fsum([bias, *(np.asarray(alphas) * (1.0 + np.diff(inside)) ** degree).tolist()])


def head_conjunctions(model: FrozenModel, head: list[int]) -> Weighted:
    """Read the weights of all conjunctions of common features."""
    for size in range(1, model.degree + 1):
        level, scale = model.arrays[f"head_{size}"], model.settings["scales"][size - 1]
        for conjunction in combinations(head, size):
            place = sum(comb(rank, i + 1) for i, rank in enumerate(conjunction))
            yield conjunction, float(level[place]) * scale


def trie_conjunctions(model: FrozenModel, head: list[int], tail: list[int]) -> Weighted:
    """Walk the trie below each rare feature."""
    arrays, scales, present = model.arrays, model.settings["scales"], {*head, *tail}

    def below(node: int, path: tuple[int, ...]) -> Weighted:
        size = len(path)
        for kind in ("leaf", "inner"):
            starts = arrays.get(f"{kind}_starts_{size}")
            if starts is None:
                continue
            for child in range(int(starts[node]), int(starts[node + 1])):
                label = int(arrays[f"{kind}_labels_{size + 1}"][child])
                if label in present:
                    weight = float(arrays[f"{kind}_weights_{size + 1}"][child]) * scales[size]
                    yield (label, *path), weight
                    if kind == "inner":
                        yield from below(child, (label, *path))

    for rank in tail:
        yield (rank,), float(arrays["leaf_weights_1"][rank - model.settings["common"]])
        yield from below(rank - model.settings["common"], (rank,))


def kernel_conjunctions(model: FrozenModel, head: list[int], tail: list[int]) -> Weighted:
    """Expand the support vectors that share a rare feature with the example."""
    arrays, subset_weight = model.arrays, subset_weights(model.degree)
    alphas = coefficients(arrays)
    shared: defaultdict[int, list[int]] = defaultdict(list)
    for rank in tail:
        starts = arrays["posting_starts"][rank - model.settings["common"] :]
        for row in arrays["postings"][starts[0] : starts[1]].tolist():
            shared[row].append(rank)
    for row, rare in shared.items():
        mask, alpha = arrays["rows"][row], float(alphas[row])
        common = [rank for rank in head if int(mask[rank >> 6]) >> (rank & 63) & 1]
        for size in range(1, model.degree + 1):
            for conjunction in combinations(common + rare, size):
                if conjunction[-1] >= model.settings["common"]:
                    yield conjunction, alpha * subset_weight[size]
