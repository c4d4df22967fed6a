"""A machine with the sum of a tree kernel and a polynomial kernel, split so that each has its own engine.

A sum of kernels is a sum of machines. The tree kernel's machine is a forest DAG; that of the polynomial kernel would
cost a row of kernels a candidate, but over sets of features the conjunctive engine can freeze it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.columns import FeatureColumns
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.supports import KernelSum
from kakari.parsers.arguments.candidates.examples import Candidates


@dataclass
class NormalisedPolynomial:
    """A frozen machine over the manual features that have a column, every set being as long as any other."""

    columns: FeatureColumns
    model: FrozenModel
    degree: int
    kind: str = field(default="normalised", init=False)
    needs: frozenset[str] = field(default=frozenset({"features"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        known = self.columns.columns_of(candidates.arrays["features"]) >= 0
        counts = np.diff(np.concatenate([[0], np.cumsum(known)])[candidates.arrays["feature_offsets"]])
        return self.model.margins(candidates.features) * lengths(counts, self.degree)

    def contents(self) -> Contents:
        """Return the saved form of the part."""
        parts = {"columns": self.columns.contents(), "model": self.model.contents()}
        return Contents.joined(parts, {"degree": self.degree})

    @staticmethod
    def from_contents(contents: Contents) -> NormalisedPolynomial:
        """Rebuild a part from its `contents()`."""
        columns = FeatureColumns.from_contents(contents.part("columns"))
        model = FrozenModel.from_contents(contents.part("model"))
        return NormalisedPolynomial(columns, model, contents.integer("degree", 1, 4))


def taken_apart(
    machine: KernelClassifier, columns: FeatureColumns, degree: int
) -> tuple[KernelClassifier, NormalisedPolynomial]:
    """Return the tree kernel's machine and the polynomial one, whose margins add up to those of both."""
    if not isinstance(machine.sum, KernelSum) or machine.sum.parts is None:
        raise ValueError("this machine is of one kernel")
    trees, vectors = machine.sum.parts
    stored = vectors.contents()
    rows = stored.part("examples").part("rows").arrays
    starts, ids = rows["starts"], columns.ids[rows["columns"]]
    weights = stored.arrays["weights"][:, 0] * lengths(np.diff(starts), degree)
    model = freeze(FeatureSets.from_arrays(starts, ids), weights, degree, weights="float32")
    alone = replace(machine, kernel=machine.kernel.tree, sum=trees)
    return alone, NormalisedPolynomial(columns, model, degree)


def lengths(counts: NDArray[np.int64], degree: int) -> NDArray[np.float64]:
    """Return the factors for sets of `counts` features with which each has the kernel 1 with itself.

    Examples
    --------
    >>> lengths(np.array([0, 3]), 2).tolist()
    [1.0, 0.25]
    """
    return np.asarray((1.0 + counts) ** (-degree / 2), dtype=np.float64)
