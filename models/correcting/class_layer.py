"""A layer of corrected examples on top of a frozen model of several classes.

As in `kernel_layer`, the frozen scores b_c(x) stay as they are; corrected examples with a coefficient for each class
are added to them:

    s_c(x) = b_c(x) + Σ_j β_jc (1 + |x_j ∩ x|)^d

An example whose class does not lead by the target takes the shortest step that lets it lead its best rival by that
much: with ℓ the loss, β of its class rises by ℓ / 2k(x, x) and that of the rival falls by as much. All examples are
visited in order until none takes a step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents
from kakari.models.correcting.kernel_layer import CLOSE, PASSES, TARGET, Intersections, KernelLayer, joined

MOST_CLASSES = 256
ROWS = 1000  # examples whose kernels are in memory at a time


@dataclass(frozen=True)
class ClassLayer:
    """Examples of corrections with classes and coefficients.

    Attributes
    ----------
    degree : int
        Degree of the kernel.
    sets : FeatureSets
    gold : array of int32
        The class of each example.
    coefficients, base : array of float64, a row for each example, a column for each class
        The coefficients of each example, and the frozen model's scores of it.
    owners : array of int32
        The number of the sentence that each example is from.

    Examples
    --------
    >>> layer = ClassLayer.empty(2, 3).with_examples(FeatureSets.from_lists([[1, 2]]), [2], [[1.0, 0.0, 0.5]], owner=0)
    >>> layer.learned().sums(FeatureSets.from_lists([[1, 2], [7]])).round(3).tolist()
    [[-0.75, 0.0, 0.75], [-0.083, 0.0, 0.083]]
    """

    degree: int
    sets: FeatureSets
    gold: NDArray[np.int32]
    coefficients: NDArray[np.float64]
    base: NDArray[np.float64]
    owners: NDArray[np.int32]

    @staticmethod
    def empty(degree: int, classes: int) -> ClassLayer:
        """Return a layer without examples."""
        none, values = FeatureSets.from_lists([]), np.empty((0, classes))
        return ClassLayer(degree, none, np.empty(0, np.int32), values, values, np.empty(0, np.int32))

    def __len__(self) -> int:
        return len(self.sets)

    def with_examples(self, sets: FeatureSets, gold: ArrayLike, base: ArrayLike, *, owner: int) -> ClassLayer:
        """Return the layer with the examples of a sentence appended; their coefficients are 0 until `learned`."""
        count, classes = len(sets), self.base.shape[1]
        return ClassLayer(
            self.degree,
            joined(self.sets, sets),
            np.concatenate([self.gold, np.asarray(gold, dtype=np.int32)]),
            np.concatenate([self.coefficients, np.zeros((count, classes))]),
            np.concatenate([self.base, np.asarray(base, dtype=np.float64).reshape(count, classes)]),
            np.concatenate([self.owners, np.full(count, owner, dtype=np.int32)]),
        )

    def without_owner(self, owner: int) -> ClassLayer:
        """Return the layer without the examples of a sentence."""
        kept = np.flatnonzero(self.owners != owner)
        if len(kept) == len(self):
            return self
        return ClassLayer(
            self.degree,
            self.sets.take(kept),
            self.gold[kept],
            self.coefficients[kept],
            self.base[kept],
            self.owners[kept],
        )

    def learned(self, *, target: float = TARGET, passes: int = PASSES) -> ClassLayer:
        """Return the layer after passive-aggressive passes."""
        coefficients = self.coefficients.copy()
        scores = self.base + self.sums(self.sets)
        numbers = Intersections(self.sets)
        for _ in range(passes):
            changed = False
            for row, own in enumerate(self.gold.tolist()):
                others = scores[row].copy()
                others[own] = -np.inf
                rival = int(others.argmax())
                loss = target - (scores[row, own] - scores[row, rival])
                if loss <= CLOSE:
                    continue
                kernel = (1.0 + numbers.with_row(row)) ** self.degree
                step = loss / (2 * kernel[row])
                coefficients[row, own] += step
                coefficients[row, rival] -= step
                scores[:, own] += step * kernel
                scores[:, rival] -= step * kernel
                changed = True
            if not changed:
                break
        return replace(self, coefficients=coefficients)

    def sums(self, sets: FeatureSets) -> NDArray[np.float64]:
        """Return what the layer adds to the scores of examples (rows) for each class (column)."""
        from scipy.sparse import csr_array

        result = np.zeros((len(sets), self.base.shape[1]))
        held = np.flatnonzero(self.coefficients.any(axis=1))
        if not len(held):
            return result
        own = self.sets.take(held)
        names, columns = np.unique(own.ids, return_inverse=True)
        shape = (len(own), len(names))
        matrix = csr_array((np.ones(len(columns)), columns, own.offsets), shape=shape)
        places = np.minimum(np.searchsorted(names, sets.ids), max(len(names) - 1, 0))
        known = names[places] == sets.ids if len(names) else np.zeros(len(sets.ids), dtype=bool)
        offsets = np.concatenate(([0], np.cumsum(known)))[sets.offsets]
        rows = csr_array((np.ones(int(known.sum())), places[known], offsets), shape=(len(sets), len(names)))
        for begin in range(0, len(sets), ROWS):
            shared = (rows[begin : begin + ROWS] @ matrix.T).toarray()
            result[begin : begin + ROWS] = (1.0 + shared) ** self.degree @ self.coefficients[held]
        return result

    def contents(self) -> Contents:
        """Return the saved form of the layer."""
        arrays: dict[str, NDArray[Any]] = {"gold": self.gold, "coefficients": self.coefficients}
        arrays |= {"base": self.base, "owners": self.owners}
        return Contents(arrays, {"degree": self.degree}, {"sets": self.sets.contents()})

    @staticmethod
    def from_contents(contents: Contents) -> ClassLayer:
        """Rebuild a layer from its `contents()`."""
        sets = FeatureSets.from_contents(contents.part("sets"))
        base = contents.array("base", np.float64, shape=(len(sets), None))
        if not 2 <= base.shape[1] <= MOST_CLASSES:
            raise contents.refuse(f"there are {base.shape[1]} classes")
        return ClassLayer(
            contents.integer("degree", 1, 4),
            sets,
            contents.array("gold", np.int32, shape=(len(sets),), minimum=0, below=base.shape[1]),
            contents.array("coefficients", np.float64, shape=base.shape),
            base,
            contents.array("owners", np.int32, shape=(len(sets),), minimum=0),
        )


def any_layer(contents: Contents) -> KernelLayer | ClassLayer:
    """Rebuild a layer of either kind from its `contents()`."""
    return ClassLayer.from_contents(contents) if contents.has_array("gold") else KernelLayer.from_contents(contents)
