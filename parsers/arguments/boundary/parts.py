"""What a boundary model is a sum of: weights of features, of fragments, of hashed fragments; kernel machines.

Each part gives the margins of candidates, says what it needs of them, and is stored as flat arrays with settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.fragments.mining import enumerated_vectors
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.columns import FeatureColumns
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.models.files import named
from kakari.models.machines.kernel_classifier import KernelClassifier, kernel_from_settings, kernel_settings
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import MARKS, TEMPLATE_BITS

FRAGMENT = (1 << TEMPLATE_BITS) - 1  # where a manual feature's id has its template: no template has this number
Arrays = dict[str, NDArray[Any]]
Stored = tuple[Arrays, dict[str, Any]]


class Part(Protocol):
    """One summand of a margin."""

    kind: str

    @property
    def needs(self) -> frozenset[str]:
        """What of the candidates is used: "features", "trees"."""

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""

    def stored(self) -> Stored:
        """Return the part as arrays and settings."""


@dataclass
class FeatureWeights:
    """A weight for each manual feature."""

    columns: FeatureColumns
    weights: NDArray[np.float64]
    kind: str = field(default="features", init=False)
    needs: frozenset[str] = field(default=frozenset({"features"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        arrays = candidates.arrays
        return self.columns.margins(arrays["feature_offsets"], arrays["features"], self.weights)

    def stored(self) -> Stored:
        """Return the part as arrays and settings; features without a weight are left out."""
        kept = np.flatnonzero(self.weights.astype(np.float32))
        return {"ids": self.columns.ids[kept], "weights": self.weights[kept].astype(np.float32)}, {}

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> FeatureWeights:
        """Rebuild what `stored` gave."""
        return FeatureWeights(FeatureColumns(arrays["ids"]), arrays["weights"].astype(np.float64))


@dataclass
class FragmentWeights:
    """A weight for each fragment of a dictionary."""

    dictionary: FragmentDictionary
    weights: NDArray[np.float64]
    kind: str = field(default="fragments", init=False)
    needs: frozenset[str] = field(default=frozenset({"trees"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        return self.dictionary.margins(candidates.forest, self.weights)

    def stored(self) -> Stored:
        """Return the part as arrays and settings."""
        arrays = dict(self.dictionary.to_arrays()) | {"weights": self.weights.astype(np.float32)}
        return arrays, {"kernel": kernel_settings(self.dictionary.kernel)}

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> FragmentWeights:
        """Rebuild what `stored` gave."""
        dictionary = FragmentDictionary.from_arrays(kernel_from_settings(settings["kernel"]), arrays)
        return FragmentWeights(dictionary, arrays["weights"].astype(np.float64))

    def relabelled(self, labels: list[str]) -> tuple[FragmentWeights, list[str]]:
        """Return the part with numbers for those labels only that its fragments have, and these labels."""
        arrays = dict(self.dictionary.to_arrays())
        own, numbers = np.unique(arrays["production_labels"] // len(MARKS), return_inverse=True)
        arrays["production_labels"] = numbers * len(MARKS) + arrays["production_labels"] % len(MARKS)
        made = FragmentDictionary.from_arrays(self.dictionary.kernel, arrays)
        return FragmentWeights(made, self.weights), [labels[number] for number in own]


@dataclass
class EnumeratedWeights:
    """A weight for each column of hashed fragments up to a depth."""

    options: dict[str, Any]
    weights: NDArray[np.float64]
    kind: str = field(default="enumerated", init=False)
    needs: frozenset[str] = field(default=frozenset({"trees"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        values: NDArray[np.float64] = enumerated_matrix(candidates, self.options) @ self.weights
        return values

    def stored(self) -> Stored:
        """Return the part as arrays and settings."""
        kept = np.flatnonzero(self.weights.astype(np.float32))
        return {"columns": kept, "weights": self.weights[kept].astype(np.float32)}, dict(self.options)

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> EnumeratedWeights:
        """Rebuild what `stored` gave."""
        weights = np.zeros(1 << int(settings["bits"]))
        weights[arrays["columns"]] = arrays["weights"]
        return EnumeratedWeights(dict(settings), weights)


@dataclass
class PolynomialWeights:
    """A frozen polynomial-kernel machine over the manual features."""

    model: FrozenModel
    kind: str = field(default="polynomial", init=False)
    needs: frozenset[str] = field(default=frozenset({"features"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        return self.model.margins(candidates.features)

    def stored(self) -> Stored:
        """Return the part as arrays and settings."""
        return dict(self.model.arrays), dict(self.model.settings)

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> PolynomialWeights:
        """Rebuild what `stored` gave."""
        return PolynomialWeights(FrozenModel(settings, arrays))


@dataclass
class Cascade:
    """A linear model that sorts out what is certainly no argument, and a polynomial one for the rest.

    With a dictionary, the polynomial model sees its first fragments, `conjoined` of them, as further features, and all
    fragments have weights of their own beside it: the kernel is the sum of a polynomial and a tree kernel.
    """

    gate: FeatureWeights
    bias: float
    threshold: float
    model: FrozenModel
    trees: FragmentWeights | None = None
    conjoined: int = 0
    kind: str = field(default="cascade", init=False)

    @property
    def needs(self) -> frozenset[str]:
        """What of the candidates is used."""
        return frozenset({"features"} if self.trees is None else {"trees", "features"})

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the polynomial margin of what passes the gate, the linear one (below 0) of the rest."""
        margins = self.gate.margins(candidates) + self.bias
        passed = np.flatnonzero(margins > self.threshold)
        if self.trees is None:
            margins[passed] = self.model.margins(feature_sets(candidates, passed))
            return margins
        vectors = fragment_vectors(candidates, passed, self.trees.dictionary)
        margins[passed] = self.model.margins(feature_sets(candidates, passed, vectors, self.conjoined))
        margins[passed] += vectors @ self.trees.weights
        return margins

    def stored(self) -> Stored:
        """Return the part as arrays and settings."""
        gate, _ = self.gate.stored()
        arrays = {f"gate.{name}": array for name, array in gate.items()}
        arrays |= {f"model.{name}": array for name, array in self.model.arrays.items()}
        settings = {"bias": self.bias, "threshold": self.threshold, "model": dict(self.model.settings)}
        if self.trees is not None:
            fragments, told = self.trees.stored()
            arrays |= {f"fragments.{name}": array for name, array in fragments.items()}
            settings |= told | {"conjoined": self.conjoined}
        return arrays, settings

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> Cascade:
        """Rebuild what `stored` gave."""
        gate = FeatureWeights.restored(named(arrays, "gate."), {})
        model = FrozenModel(settings["model"], named(arrays, "model."))
        trees = FragmentWeights.restored(named(arrays, "fragments."), settings) if "kernel" in settings else None
        conjoined = 0 if trees is None else int(settings["conjoined"])
        return Cascade(gate, float(settings["bias"]), float(settings["threshold"]), model, trees, conjoined)


@dataclass
class KernelMachine:
    """A machine over argument spanning trees, alone or with the manual features as vectors."""

    machine: KernelClassifier
    columns: FeatureColumns | None = None
    kind: str = field(default="kernel", init=False)

    @property
    def needs(self) -> frozenset[str]:
        """What of the candidates is used."""
        return frozenset({"trees"} if self.columns is None else {"trees", "features"})

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        return self.machine.decision_function(kernel_examples(candidates, self.columns))

    def stored(self) -> Stored:
        """Return the part as arrays and settings."""
        arrays, settings = self.machine.to_parts()
        if self.columns is not None:
            arrays["columns"] = self.columns.ids
        return arrays, settings

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> KernelMachine:
        """Rebuild what `stored` gave."""
        machine = KernelClassifier.from_parts(arrays, settings)
        combined = isinstance(machine.kernel, CombinedKernel)
        return KernelMachine(machine, FeatureColumns(arrays["columns"]) if combined else None)


def fragment_vectors(
    candidates: Candidates, rows: NDArray[np.int64], dictionary: FragmentDictionary
) -> sparse.csr_array:
    """Return the trees of some candidates as vectors of a dictionary's fragments."""
    offsets, columns, values = dictionary.vectors(candidates.forest.take(rows))
    return sparse.csr_array((values.astype(np.float32), columns, offsets), shape=(rows.size, len(dictionary)))


def feature_sets(
    candidates: Candidates, rows: NDArray[np.int64], vectors: sparse.csr_array | None = None, conjoined: int = 0
) -> FeatureSets:
    """Return the manual features of some candidates, and which of the first fragments their vectors have."""
    starts, ids = candidates.arrays["feature_offsets"], candidates.arrays["features"]
    lengths = starts[rows + 1] - starts[rows]
    places = np.arange(lengths.sum()) + np.repeat(starts[rows] - (np.cumsum(lengths) - lengths), lengths)
    if vectors is None:
        return FeatureSets.from_arrays(np.concatenate([[0], np.cumsum(lengths)]), ids[places])
    among = vectors.indices < conjoined
    counts = np.diff(np.concatenate([[0], np.cumsum(among)])[vectors.indptr])
    owners = np.repeat(np.arange(rows.size), lengths), np.repeat(np.arange(rows.size), counts)
    order = np.argsort(np.concatenate(owners), kind="stable")
    fragments = vectors.indices[among].astype(np.int32) << TEMPLATE_BITS | FRAGMENT
    return FeatureSets.from_arrays(
        np.concatenate([[0], np.cumsum(lengths + counts)]), np.concatenate([ids[places], fragments])[order]
    )


def feature_matrix(candidates: Candidates, columns: FeatureColumns) -> sparse.csr_array:
    """Return manual features as rows of ones; features without a column are left out."""
    found = columns.columns_of(candidates.arrays["features"])
    known = found >= 0
    ends = np.concatenate([[0], np.cumsum(known)])[candidates.arrays["feature_offsets"]]
    shape = (len(candidates), len(columns))
    return sparse.csr_array((np.ones(int(ends[-1]), dtype=np.float32), found[known], ends), shape=shape)


def enumerated_matrix(candidates: Candidates, options: Mapping[str, Any]) -> sparse.csr_array:
    """Return trees as rows of hashed fragments."""
    offsets, columns, values = enumerated_vectors(candidates.forest, **options)
    return sparse.csr_array((values, columns, offsets), shape=(len(candidates), 1 << int(options["bits"])))


def kernel_examples(candidates: Candidates, columns: FeatureColumns | None) -> Any:
    """Return candidates as a tree kernel takes them, or a combined one if there are columns."""
    return candidates.forest if columns is None else (candidates.forest, feature_matrix(candidates, columns))
