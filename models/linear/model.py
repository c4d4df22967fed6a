"""The linear model: weights of numbered or hashed features for one or more outputs.

An example is a list of features. Its scores are unit · Σ weights + bias, an output each; where a model is normalised,
the sum is divided by the square root of the number of features. Weights are bytes, which `unit` turns into what was
trained, or floats. The engine computes the sums: `NumberedWeights` has exact 32-bit ids, `HashedWeights` keeps some
bits of 64-bit hashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.stored import Contents

if TYPE_CHECKING:
    from kakari.kernels.hashed.weights import HashedWeights
    from kakari.kernels.sets.columns import NumberedWeights

Scores = NDArray[np.float64]
MOST_CLASSES = 256
# By kind: module and class. Only those that a model has are imported.
KINDS = {"numbered": ("sets.columns", "NumberedWeights"), "hashed": ("hashed.weights", "HashedWeights")}


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Weights of features; the output with the largest score is the class. Safe to use from many threads.

    Attributes
    ----------
    classes : tuple of str
        Names of the outputs. One name alone is a decision: yes if its score is above 0.
    weights : NumberedWeights or HashedWeights
    unit : float
        What a weight of 1 stands for.
    biases : array, one for each output
    normalised : bool
        Whether sums are divided by the square root of the number of features.

    Examples
    --------
    >>> from kakari.kernels.sets.columns import NumberedWeights
    >>> weights = NumberedWeights.of([7, 7, 9], [0, 1, 1], np.array([2, -2, 4], dtype=np.int8))
    >>> model = LinearModel(("a", "b"), weights, 0.5, np.array([0.0, 1.0]))
    >>> model.scores([[7, 9], [7, 7]]).tolist()
    [[1.0, 2.0], [2.0, -1.0]]
    >>> model.contributions([7, 8]).tolist()
    [[1.0, -1.0], [0.0, 0.0]]
    >>> LinearModel.from_contents(model.contents()).scores([7], [0, 1]).tolist()
    [[1.0, 0.0]]
    """

    classes: tuple[str, ...]
    weights: NumberedWeights | HashedWeights
    unit: float
    biases: Scores
    normalised: bool = False

    def scores(self, features: ArrayLike, offsets: ArrayLike | None = None) -> Scores:
        """Return the score of each example (row) for each output (column).

        Parameters
        ----------
        features : array
            A row for each example, or the features of all examples one after another.
        offsets : array, optional
            Where each example begins in `features` and, last, where all end.
        """
        flat = np.asarray(features)
        if offsets is None:
            offsets = np.arange(len(flat) + 1, dtype=np.int64) * flat.shape[1]
            flat = flat.ravel()
        sums = self.weights.sums(offsets, flat, len(self.classes))
        sums *= self._factors(np.diff(np.asarray(offsets)))
        sums += self.biases
        return sums

    def contributions(self, features: ArrayLike) -> Scores:
        """Return what each feature (row) of one example adds to each output (column)."""
        flat = np.asarray(features)
        each = self.weights.sums(np.arange(len(flat) + 1), flat, len(self.classes))
        factors: Scores = each * self._factors(np.array([len(flat)]))
        return factors

    def _factors(self, lengths: NDArray[np.int64]) -> Any:
        return self.unit / np.sqrt(np.maximum(lengths, 1))[:, None] if self.normalised else self.unit

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        kind = next(name for name, (_, weights) in KINDS.items() if type(self.weights).__name__ == weights)
        told = {"classes": list(self.classes), "unit": self.unit, "features": kind, "normalised": self.normalised}
        return Contents({"biases": self.biases}, told, {"weights": self.weights.contents()})

    @staticmethod
    def from_contents(contents: Contents) -> LinearModel:
        """Rebuild a model from its `contents()`."""
        classes = tuple(contents.texts("classes", distinct=True))
        if not 1 <= len(classes) <= MOST_CLASSES:
            raise contents.refuse(f"there are {len(classes)} classes")
        module, name = KINDS[contents.choice("features", tuple(KINDS))]
        kind: Any = getattr(import_module(f"kakari.kernels.{module}"), name)
        return LinearModel(
            classes,
            kind.from_contents(contents.part("weights"), len(classes)),
            contents.number("unit"),
            contents.array("biases", np.float64, shape=(len(classes),)),
            contents.flag("normalised"),
        )
