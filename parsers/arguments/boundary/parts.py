"""Terms of a boundary model's sum: weights of features, of fragments, of hashed fragments; kernel machines.

Each part computes margins of candidates, declares what it needs of them, and is stored as flat arrays with settings.
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
from kakari.kernels.sets.columns import FeatureColumns, NumberedWeights
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.linear.matrices import indicators
from kakari.models.linear.model import LinearModel
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import MARKS, TEMPLATE_BITS

FRAGMENT = (1 << TEMPLATE_BITS) - 1  # where a manual feature's id has its template: no template has this number
MOST_BITS = 24  # of hashed fragments in a file
DEEPEST = 100


class Part(Protocol):
    """One summand of a margin."""

    kind: str

    @property
    def needs(self) -> frozenset[str]:
        """The part of the candidates that is used: "features", "trees"."""

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""

    def contents(self) -> Contents:
        """Return the saved form of the part."""


@dataclass
class FeatureWeights:
    """A weight for each manual feature."""

    model: LinearModel
    kind: str = field(default="features", init=False)
    needs: frozenset[str] = field(default=frozenset({"features"}), init=False)

    @staticmethod
    def of(columns: FeatureColumns, weights: NDArray[np.float64]) -> FeatureWeights:
        """Return the weights of columns as floats; features without one are left out."""
        kept = np.flatnonzero(weights.astype(np.float32))
        held = NumberedWeights.of(columns.ids[kept], np.zeros(len(kept)), weights[kept].astype(np.float32))
        return FeatureWeights(LinearModel(("argument",), held, 1.0, np.zeros(1)))

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        return self.model.scores(candidates.arrays["features"], candidates.arrays["feature_offsets"])[:, 0]

    def contents(self) -> Contents:
        """Return the saved form of the part."""
        return self.model.contents()

    @staticmethod
    def from_contents(contents: Contents) -> FeatureWeights:
        """Rebuild a part from its `contents()`."""
        model = LinearModel.from_contents(contents)
        if len(model.classes) != 1 or not isinstance(model.weights, NumberedWeights):
            raise contents.refuse("the weights are not of numbered features and one output")
        return FeatureWeights(model)


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

    def contents(self) -> Contents:
        """Return the saved form of the part."""
        return Contents({"weights": self.weights.astype(np.float32)}, parts={"dictionary": self.dictionary.contents()})

    @staticmethod
    def from_contents(contents: Contents) -> FragmentWeights:
        """Rebuild a part from its `contents()`."""
        dictionary = FragmentDictionary.from_contents(contents.part("dictionary"))
        weights = contents.array("weights", np.float32, shape=(len(dictionary),))
        return FragmentWeights(dictionary, weights.astype(np.float64))

    def relabelled(self, labels: list[str]) -> tuple[FragmentWeights, list[str]]:
        """Return the part with numbers for those labels only that its fragments have, and these labels."""
        stored = self.dictionary.contents()
        known = stored.arrays["production_labels"]
        own, numbers = np.unique(known // len(MARKS), return_inverse=True)
        stored.arrays["production_labels"] = (numbers * len(MARKS) + known % len(MARKS)).astype(np.int32)
        made = FragmentDictionary.from_contents(stored)
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

    def contents(self) -> Contents:
        """Return the saved form of the part."""
        kept = np.flatnonzero(self.weights.astype(np.float32))
        return Contents({"columns": kept, "weights": self.weights[kept].astype(np.float32)}, self.options)

    @staticmethod
    def from_contents(contents: Contents) -> EnumeratedWeights:
        """Rebuild a part from its `contents()`."""
        options: dict[str, Any] = {
            "depth": contents.integer("depth", 1, DEEPEST),
            "bits": contents.integer("bits", 1, MOST_BITS),
            "decay": contents.number("decay", 0, 1),
            "normalize": contents.flag("normalize"),
        }
        weights = np.zeros(1 << options["bits"])
        columns = contents.array("columns", np.int64, minimum=0, below=weights.size)
        weights[columns] = contents.array("weights", np.float32, shape=columns.shape)
        return EnumeratedWeights(options, weights)


@dataclass
class PolynomialWeights:
    """A frozen polynomial-kernel machine over the manual features."""

    model: FrozenModel
    kind: str = field(default="polynomial", init=False)
    needs: frozenset[str] = field(default=frozenset({"features"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        return self.model.margins(candidates.features)

    def contents(self) -> Contents:
        """Return the saved form of the part."""
        return self.model.contents()

    @staticmethod
    def from_contents(contents: Contents) -> PolynomialWeights:
        """Rebuild a part from its `contents()`."""
        return PolynomialWeights(FrozenModel.from_contents(contents))


@dataclass
class Cascade:
    """A linear model that rejects candidates that are certainly no arguments, and a polynomial one for the rest.

    With a dictionary, the polynomial model has its first `conjoined` fragments as further features, and all fragments
    have additional linear weights: the kernel is the sum of a polynomial and a tree kernel.
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
        """The part of the candidates that is used."""
        return frozenset({"features"} if self.trees is None else {"trees", "features"})

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the polynomial margin of candidates that pass the gate, the linear one (below 0) of the rest."""
        margins = self.gate.margins(candidates) + self.bias
        passed = np.flatnonzero(margins > self.threshold)
        if self.trees is None:
            margins[passed] = self.model.margins(feature_sets(candidates, passed))
            return margins
        vectors = fragment_vectors(candidates, passed, self.trees.dictionary)
        margins[passed] = self.model.margins(feature_sets(candidates, passed, vectors, self.conjoined))
        margins[passed] += vectors @ self.trees.weights
        return margins

    def contents(self) -> Contents:
        """Return the saved form of the part."""
        parts = {"gate": self.gate.contents(), "model": self.model.contents()}
        settings = {"bias": self.bias, "threshold": self.threshold}
        if self.trees is None:
            return Contents.joined(parts, settings)
        return Contents.joined(parts | {"trees": self.trees.contents()}, settings | {"conjoined": self.conjoined})

    @staticmethod
    def from_contents(contents: Contents) -> Cascade:
        """Rebuild a part from its `contents()`."""
        gate = FeatureWeights.from_contents(contents.part("gate"))
        model = FrozenModel.from_contents(contents.part("model"))
        bias, threshold = contents.number("bias"), contents.number("threshold")
        if not contents.has_part("trees"):
            return Cascade(gate, bias, threshold, model)
        trees = FragmentWeights.from_contents(contents.part("trees"))
        return Cascade(gate, bias, threshold, model, trees, contents.integer("conjoined", 0, len(trees.dictionary)))


@dataclass
class KernelMachine:
    """A machine over argument spanning trees, alone or with the manual features as vectors."""

    machine: KernelClassifier
    columns: FeatureColumns | None = None
    kind: str = field(default="kernel", init=False)

    @property
    def needs(self) -> frozenset[str]:
        """The part of the candidates that is used."""
        return frozenset({"trees"} if self.columns is None else {"trees", "features"})

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        return self.machine.decision_function(kernel_examples(candidates, self.columns))

    def contents(self) -> Contents:
        """Return the saved form of the part."""
        parts = {"machine": self.machine.contents()}
        if self.columns is not None:
            parts["columns"] = self.columns.contents()
        return Contents.joined(parts)

    @staticmethod
    def from_contents(contents: Contents) -> KernelMachine:
        """Rebuild a part from its `contents()`."""
        machine = KernelClassifier.from_contents(contents.part("machine"))
        if isinstance(machine.kernel, VectorKernel) or len(machine.classes) != 2:
            raise contents.refuse("the machine is not of trees and two classes")
        columns = None
        if isinstance(machine.kernel, CombinedKernel):
            columns = FeatureColumns.from_contents(contents.part("columns"))
            machine.refuse_other(machine.kernel, len(columns))
        return KernelMachine(machine, columns)


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
    return indicators(columns, candidates.arrays["feature_offsets"], candidates.arrays["features"])


def enumerated_matrix(candidates: Candidates, options: Mapping[str, Any]) -> sparse.csr_array:
    """Return trees as rows of hashed fragments."""
    offsets, columns, values = enumerated_vectors(candidates.forest, **options)
    return sparse.csr_array((values, columns, offsets), shape=(len(candidates), 1 << int(options["bits"])))


def kernel_examples(candidates: Candidates, columns: FeatureColumns | None) -> Any:
    """Return candidates as a tree kernel takes them, or a combined one if there are columns."""
    return candidates.forest if columns is None else (candidates.forest, feature_matrix(candidates, columns))
