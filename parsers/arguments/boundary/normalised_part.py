"""A tree kernel and a polynomial one that were learnt together, taken apart: each is evaluated by its own engine.

A sum of kernels is a sum of machines. The tree kernel's is a forest DAG; that of the polynomial kernel over manual
features would cost a row of kernels a candidate, but over sets of features it is what the conjunctive engine freezes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.columns import FeatureColumns
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.files import named
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

    def stored(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return the part as arrays and settings."""
        arrays = {"columns": self.columns.ids} | {f"model.{name}": array for name, array in self.model.arrays.items()}
        return arrays, {"degree": self.degree, "model": dict(self.model.settings)}

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> NormalisedPolynomial:
        """Rebuild what `stored` gave."""
        model = FrozenModel(settings["model"], named(arrays, "model."))
        return NormalisedPolynomial(FeatureColumns(arrays["columns"]), model, int(settings["degree"]))


def taken_apart(
    machine: KernelClassifier, columns: FeatureColumns, degree: int
) -> tuple[KernelClassifier, NormalisedPolynomial]:
    """Return the tree kernel's machine and the polynomial one, whose margins add up to those of both."""
    if not isinstance(machine.sum, KernelSum) or machine.sum.parts is None:
        raise ValueError("this machine is of one kernel")
    trees, vectors = machine.sum.parts
    arrays = vectors.to_arrays()
    starts, ids = arrays["rows.starts"], columns.ids[arrays["rows.columns"]]
    weights = arrays["weights"][:, 0] * lengths(np.diff(starts), degree)
    model = freeze(FeatureSets.from_arrays(starts, ids), weights, degree, weights="float32")
    alone = replace(machine, kernel=machine.kernel.tree, sum=trees)
    return alone, NormalisedPolynomial(columns, model, degree)


def lengths(counts: NDArray[np.int64], degree: int) -> NDArray[np.float64]:
    """Return what sets of so many features are multiplied by, so that each has the kernel 1 with itself.

    Examples
    --------
    >>> lengths(np.array([0, 3]), 2).tolist()
    [1.0, 0.25]
    """
    return np.asarray((1.0 + counts) ** (-degree / 2), dtype=np.float64)
