"""A layer of corrected examples on top of a frozen classifier with the polynomial kernel.

The frozen model b(x) stays as it is. The examples of corrections, with coefficients, are added to it:

    m(x) = b(x) + Σ_j β_j (1 + |x_j ∩ x|)^d

which is a change of the weights of all conjunctions of the corrected examples. The coefficients come from
passive-aggressive passes: an example whose margin is below the target takes the shortest step that brings it there,

    β_i += y_i (target - y_i m(x_i)) / (1 + |x_i|)^d

and all examples are visited in order until none takes a step. So earlier corrections are rehearsed whenever a new one
is learned. Nothing is averaged and a step has no limit, so that every correction holds.

A pass looks at each example; a step costs one sum over all of them. For thousands of examples that is
milliseconds. Margins of other examples are computed by `frozen`, a small model of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents

TARGET = 1.0  # the margin that a corrected decision must have
PASSES = 20
CLOSE = 1e-9  # a smaller loss counts as 0


@dataclass(frozen=True)
class KernelLayer:
    """Examples of corrections with labels and coefficients.

    Attributes
    ----------
    degree : int
        Degree of the kernel.
    sets : FeatureSets
    labels : array of int8, 1 and -1
    coefficients : array of float64
        The coefficient of each example; 0 if the model was right without it.
    base : array of float64
        The frozen model's margin of each example.
    owners : array of int32
        The number of the sentence that each example is from.

    Examples
    --------
    >>> sets = FeatureSets.from_lists([[1, 2], [3]])
    >>> learned = KernelLayer.empty(2).with_examples(sets, [1, -1], [-1.0, -2.0], owner=0).learned()
    >>> learned.coefficients.round(3).tolist()
    [0.222, 0.0]
    >>> learned.frozen.margins(learned.sets).round(3).tolist()
    [2.0, 0.222]
    """

    degree: int
    sets: FeatureSets
    labels: NDArray[np.int8]
    coefficients: NDArray[np.float64]
    base: NDArray[np.float64]
    owners: NDArray[np.int32]

    @staticmethod
    def empty(degree: int) -> KernelLayer:
        """Return a layer without examples."""
        none = FeatureSets.from_lists([])
        return KernelLayer(degree, none, np.empty(0, np.int8), np.empty(0), np.empty(0), np.empty(0, np.int32))

    def __len__(self) -> int:
        return len(self.sets)

    def with_examples(self, sets: FeatureSets, labels: ArrayLike, base: ArrayLike, *, owner: int) -> KernelLayer:
        """Return the layer with the examples of a sentence appended; their coefficients are 0 until `learned`."""
        count = len(sets)
        return KernelLayer(
            self.degree,
            joined(self.sets, sets),
            np.concatenate([self.labels, np.asarray(labels, dtype=np.int8)]),
            np.concatenate([self.coefficients, np.zeros(count)]),
            np.concatenate([self.base, np.asarray(base, dtype=np.float64)]),
            np.concatenate([self.owners, np.full(count, owner, dtype=np.int32)]),
        )

    def without_owner(self, owner: int) -> KernelLayer:
        """Return the layer without the examples of a sentence."""
        kept = np.flatnonzero(self.owners != owner)
        if len(kept) == len(self):
            return self
        return KernelLayer(
            self.degree,
            self.sets.take(kept),
            self.labels[kept],
            self.coefficients[kept],
            self.base[kept],
            self.owners[kept],
        )

    def learned(self, *, target: float = TARGET, passes: int = PASSES) -> KernelLayer:
        """Return the layer after passive-aggressive passes."""
        coefficients = self.coefficients.copy()
        margins = self.base + self.frozen.margins(self.sets)
        signs = self.labels.astype(np.float64)
        numbers = Intersections(self.sets)
        for _ in range(passes):
            changed = False
            for row in range(len(self)):
                loss = target - signs[row] * margins[row]
                if loss <= CLOSE:
                    continue
                kernel = (1.0 + numbers.with_row(row)) ** self.degree
                step = signs[row] * loss / kernel[row]
                coefficients[row] += step
                margins += step * kernel
                changed = True
            if not changed:
                break
        return replace(self, coefficients=coefficients)

    @cached_property
    def frozen(self) -> FrozenModel:
        """The layer as a frozen model: what it adds to margins."""
        from kakari.kernels.frozen.freezing import freeze

        held = np.flatnonzero(self.coefficients)
        return freeze(self.sets.take(held), self.coefficients[held], self.degree, weights="float64")

    def contents(self) -> Contents:
        """Return the saved form of the layer."""
        arrays: dict[str, NDArray[Any]] = {"labels": self.labels, "coefficients": self.coefficients}
        arrays |= {"base": self.base, "owners": self.owners}
        return Contents(arrays, {"degree": self.degree}, {"sets": self.sets.contents()})

    @staticmethod
    def from_contents(contents: Contents) -> KernelLayer:
        """Rebuild a layer from its `contents()`."""
        sets = FeatureSets.from_contents(contents.part("sets"))
        rows = (len(sets),)
        labels = contents.array("labels", np.int8, shape=rows)
        if not (np.abs(labels) == 1).all():
            raise contents.refuse("a label is neither 1 nor -1")
        return KernelLayer(
            contents.integer("degree", 1, 4),
            sets,
            labels,
            contents.array("coefficients", np.float64, shape=rows),
            contents.array("base", np.float64, shape=rows),
            contents.array("owners", np.int32, shape=rows, minimum=0),
        )


def joined(first: FeatureSets, second: FeatureSets) -> FeatureSets:
    """Return the examples of two lists, one after the other."""
    return FeatureSets.from_arrays(
        np.concatenate([first.offsets, first.offsets[-1] + second.offsets[1:]]), np.concatenate([first.ids, second.ids])
    )


class Intersections:
    """The number of features that each example shares with a given one."""

    def __init__(self, sets: FeatureSets) -> None:
        names, self.ids = np.unique(sets.ids, return_inverse=True)
        self.marks = np.zeros(len(names), dtype=np.int64)
        self.offsets = sets.offsets

    def with_row(self, row: int) -> NDArray[np.float64]:
        """Return the number for each example."""
        own = self.ids[self.offsets[row] : self.offsets[row + 1]]
        self.marks[own] = 1
        shared = np.concatenate(([0], np.cumsum(self.marks[self.ids])))[self.offsets]
        self.marks[own] = 0
        return np.diff(shared).astype(np.float64)
