"""Training boundary classifiers: one function for each kind of model, all from shards of candidates.

Linear models are LIBLINEAR's, through scikit-learn; kernel machines and the mining of fragments are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.corpora.provenance import source_names
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.learning.binary_learner import KernelLearner, Progress
from kakari.kernels.sets.columns import FeatureColumns
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.linear.matrices import frequent
from kakari.models.linear.training import fit
from kakari.models.reporting import Report, silent
from kakari.parsers.arguments.boundary.mining import (
    FragmentOptions,
    fitted_sdag,
    fitted_svm,
    linearised,
    merged_dictionary,
)
from kakari.parsers.arguments.boundary.model import BoundaryModel, assembled, compact
from kakari.parsers.arguments.boundary.normalised_part import taken_apart
from kakari.parsers.arguments.boundary.parts import (
    Cascade,
    EnumeratedWeights,
    FeatureWeights,
    FragmentWeights,
    KernelMachine,
    Part,
    PolynomialWeights,
    enumerated_matrix,
    feature_matrix,
    feature_sets,
    fragment_vectors,
    kernel_examples,
)
from kakari.parsers.arguments.boundary.shards import Shards, joined
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import TEMPLATES
from kakari.parsers.arguments.candidates.frames import ArgumentError

USUAL = 56  # features of an example, for which costs were chosen; with fewer features, costs are higher
COSTS = {"mf": 0.03, "mf-cascade": 0.03, "rke+mf-cascade": 0.03}
UNIT_COSTS = {"rke": 2.0}  # of vectors of length 1; 1 for all others
# Of each degree: one step moves an example by about two margins.
STEP_COSTS = {1: 2e-2, 2: 5e-4, 3: 1e-5, 4: 2e-7}
# The features of Gildea and Jurafsky (2002), with the tag for the head's word if a corpus has no words, and the label
# of the lowest common node for their governing category.
GILDEA_JURAFSKY = "phrase path position voice head-word head-tag subcategory lemma common-label".split()
# Those of them that an argument spanning tree shows too: it has neither the predicate's siblings nor its auxiliaries.
SPANNING_TREE = [name for name in GILDEA_JURAFSKY if name not in ("voice", "subcategory")]
FEATURE_SETS: dict[str, list[str] | None] = {
    "all": None,
    "gildea-jurafsky": GILDEA_JURAFSKY,
    "spanning-tree": SPANNING_TREE,
}
Trained = tuple[list[Part], float]


def templates_of(features: str) -> list[str] | None:
    """Return the templates of a named set, or those that are named one by one; None for all.

    Examples
    --------
    >>> templates_of("all"), templates_of("path,voice")
    (None, ['path', 'voice'])
    """
    if features in FEATURE_SETS:
        return FEATURE_SETS[features]
    names = features.split(",")
    unknown = [name for name in names if name not in TEMPLATES]
    if unknown:
        raise ArgumentError(f"there are no features called {unknown[0]!r}: there are {', '.join(FEATURE_SETS)}")
    return names


@dataclass(frozen=True)
class BoundaryOptions:
    """Training settings of a boundary classifier.

    Attributes
    ----------
    model : str
        One of `MODELS`.
    cost : float, optional
        C of linear models; by the model if it is not given.
    rare : int
        Manual features that occur less often are left out of linear models.
    features : str
        Which manual features there are: a name in `FEATURE_SETS`, or names of templates with commas between them.
    fragments : FragmentOptions
        Settings for training kernel machines, and for mining fragments from them.
    tree_weight : float
        The tree kernel's factor beside the vectors' kernel.
    degree, passes, step_cost : int, int, float or None
        Degree of the polynomial kernel; passes and C of its online training (by default chosen by the degree).
    gate, gate_examples : float, int
        Settings of the cascade: candidates with a linear margin below `gate` are rejected; the linear model learns from
        the first `gate_examples` candidates.
    conjoined, tree_share : int, float
        Of the cascade with fragments: how many of them are features of the polynomial kernel; and, if it is not 0, how
        large the kernel of a tree with itself is in a second, linear kernel over all fragments, in units of the
        polynomial kernel of an average candidate with itself.
    depth, bits : int
        Settings of enumerated fragments: levels, and columns as a power of two.
    limit : int, optional
        Number of candidates to train on, the first ones.
    processes, scheduler
        Number of processes that work on shards, or the address of a Dask cluster.
    """

    model: str = "rke+mf"
    cost: float | None = None
    rare: int = 2
    features: str = "all"
    fragments: FragmentOptions = field(default_factory=FragmentOptions)
    tree_weight: float = 1.0
    degree: int = 3
    passes: int = 5
    step_cost: float | None = None
    gate: float = -2.0
    gate_examples: int = 600_000
    conjoined: int = 500
    tree_share: float = 0.0
    depth: int = 2
    bits: int = 20
    limit: int | None = None
    processes: int = 1
    scheduler: str | None = None

    def linear_cost(self) -> float:
        """Return C of the linear model."""
        if self.cost is not None:
            return self.cost
        if self.model in COSTS:
            return COSTS[self.model] * self._scarcity() ** 2
        return UNIT_COSTS.get(self.model, 1.0)

    def polynomial_cost(self) -> float:
        """Return C of a step of the polynomial kernel's training."""
        if self.step_cost is not None:
            return self.step_cost
        return STEP_COSTS[self.degree] * self._scarcity() ** self.degree

    def place(self) -> dict[str, Any]:
        """Return what shards are worked on, and where, as `merged_dictionary` takes it."""
        return {"limit": self.limit, "processes": self.processes, "scheduler": self.scheduler}

    def _scarcity(self) -> float:
        """Ratio of the number of features that costs were chosen for to the present one."""
        templates = templates_of(self.features)
        return 1.0 if templates is None else (1 + USUAL) / (1 + len(templates))


def train_boundaries(shards: Shards, options: BoundaryOptions, *, report: Report | None = None) -> BoundaryModel:
    """Train the model that the options name."""
    if options.model not in MODELS:
        raise ArgumentError(f"a model is one of {', '.join(MODELS)}, not {options.model!r}")
    parts, bias = MODELS[options.model](shards, options, report or silent)
    parts, labels = compact(parts, shards.labels)
    chosen = {name: shards.options[name] for name in ("siblings", "prune")}
    made = assembled(parts, bias, labels, **chosen)
    made.details |= {
        "model": options.model,
        "corpora": source_names(shards.options["corpora"]),
        "examples": shards.examples,
    }
    return made


def pieces(shards: Shards, options: BoundaryOptions) -> Iterator[Candidates]:
    """Yield the candidates to train on, shard by shard."""
    left = shards.examples if options.limit is None else options.limit
    templates = templates_of(options.features)
    for number in range(len(shards)):
        if left <= 0:
            return
        piece = shards.read(number)
        taken = piece if len(piece) <= left else piece.upto(left)
        yield taken if templates is None else taken.only(templates)
        left -= len(piece)


def train_features(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """MF: a linear model of the manual features."""
    weights, bias = feature_weights(shards, options)
    return [weights], bias


def feature_weights(shards: Shards, options: BoundaryOptions) -> tuple[FeatureWeights, float]:
    """Train a linear model of the manual features; return its weights and its bias."""
    columns = frequent_features(shards, options)
    rows = (feature_matrix(piece, columns) for piece in pieces(shards, options))
    found = fit(stacked(rows), signs_of(shards, options), options.linear_cost())
    return FeatureWeights.of(columns, found.weights[0]), float(found.biases[0])


def train_polynomial(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """MF^poly: a polynomial kernel over the manual features, by our engine."""
    data = joined(list(pieces(shards, options)))
    return [PolynomialWeights(polynomial_model(data.features, data.signs, options, report)[0])], 0.0


def train_cascade(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """MF^poly where a linear model is not certain, as good with a fraction of the examples; with fragments or not."""
    most = min(options.limit or shards.examples, options.gate_examples)
    gate, bias = feature_weights(shards, replace(options, limit=most))
    dictionary = None
    if options.model == "rke+mf-cascade":
        most = options.fragments.keep if options.tree_share else min(options.conjoined, options.fragments.keep)
        chosen = replace(options.fragments, keep=max(1, most))
        dictionary = merged_dictionary(shards, chosen, **options.place(), report=report)
    sets, signs, vectors = [], [], []
    for piece in pieces(shards, options):
        passed = np.flatnonzero(gate.margins(piece) + bias > options.gate)
        found = None if dictionary is None else fragment_vectors(piece, passed, dictionary)
        sets.append(feature_sets(piece, passed, found, options.conjoined))
        signs.append(piece.signs[passed])
        vectors.append(found)
    lengths = np.concatenate([part.row_lengths() for part in sets])
    offsets, ids = np.concatenate([[0], np.cumsum(lengths)]), np.concatenate([part.ids for part in sets])
    report(f"{lengths.size:,} of {shards.examples:,} candidates pass the gate")
    examples = FeatureSets.from_arrays(offsets, ids)
    if dictionary is None:
        model, _ = polynomial_model(examples, np.concatenate(signs), options, report)
        return [Cascade(gate, bias, options.gate, model)], 0.0
    scale = np.sqrt(options.tree_share * (1 + lengths.mean()) ** options.degree)
    trees = sparse.vstack(vectors, format="csr") * np.float32(scale) if scale else None
    model, weights = polynomial_model(examples, np.concatenate(signs), options, report, trees)
    beside = FragmentWeights(dictionary, weights * scale if scale else np.zeros(len(dictionary)))
    return [Cascade(gate, bias, options.gate, model, beside, min(options.conjoined, len(dictionary)))], 0.0


def polynomial_model(
    sets: FeatureSets, signs: NDArray[np.int64], options: BoundaryOptions, report: Report, vectors: Any = None
) -> tuple[FrozenModel, NDArray[np.float64]]:
    """Train a polynomial kernel online, and freeze the average of all its states; return the vectors' weights too."""
    cost, seed = options.polynomial_cost(), options.fragments.seed
    learner = KernelLearner(options.degree, cost=cost, step="features", seed=seed)

    def told(at: Progress) -> None:
        report(f"pass {at.finished_passes + 1}, {at.examples:,} examples, {at.updates:,} updates")

    learner.fit(sets, signs, passes=options.passes, vectors=vectors, progress=told, every=100_000)
    frozen = freeze(learner.support(), learner.coefficients(averaged=True), options.degree, weights="float32")
    return frozen, learner.vector_weights(averaged=True)


def train_machine(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """STK by the exact SVM, by SDAG, and sums of it with MF and MF^poly."""
    data = joined(list(pieces(shards, options)))
    kernel: Any = options.fragments.kernel()
    columns = None
    if options.model.startswith("stk+"):
        columns = frequent_features(shards, options)
        vector = VectorKernel("linear", normalize=True)
        if options.model == "stk+mf-poly":
            vector = VectorKernel("polynomial", degree=options.degree, gamma=1.0, constant=1.0, normalize=True)
        kernel = CombinedKernel(kernel, vector, tree_weight=options.tree_weight)
    examples = kernel_examples(data, columns)
    if options.model == "stk-svm":
        machine = fitted_svm(
            kernel, examples, data.signs, options.fragments, bias=False
        )  # the problem that SDAG solves
        return [KernelMachine(machine.finished())], 0.0
    sdag = fitted_sdag(kernel, examples, data.signs, options.fragments, report)
    if columns is None or options.model != "stk+mf-poly":
        return [KernelMachine(sdag.finished(), columns)], 0.0
    trees, polynomial = taken_apart(sdag.finished(), columns, options.degree)
    return [KernelMachine(trees), polynomial], 0.0


def train_enumerated(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """ETK: all fragments up to a depth, hashed."""
    chosen = {"depth": options.depth, "bits": options.bits, "decay": options.fragments.decay, "normalize": True}
    rows = (enumerated_matrix(piece, chosen) for piece in pieces(shards, options))
    found = fit(stacked(rows), signs_of(shards, options), options.linear_cost())
    return [EnumeratedWeights(chosen, found.weights[0])], float(found.biases[0])


def train_mined(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """RKE: fragments mined from SDAG models of the shards, then a linear model of them, with MF or without."""
    where = options.place()
    dictionary = merged_dictionary(shards, options.fragments, **where, report=report)
    vectors = linearised(shards, dictionary, options.fragments, **where, report=report)
    columns, scale = None, 1.0
    if options.model == "rke+mf":
        columns = frequent_features(shards, options)
        manual = [feature_matrix(piece, columns) for piece in pieces(shards, options)]
        values, examples = sum(row.nnz for row in manual), sum(row.shape[0] for row in manual)
        scale = float(1 / np.sqrt(max(1.0, values / max(1, examples))))  # as long as a tree's vector
        manual.reverse()
        vectors = (sparse.hstack([row, manual.pop() * scale], format="csr") for row in vectors)
    matrix = stacked(vectors)
    report(f"training on {matrix.shape[0]:,} examples with {matrix.nnz:,} values")
    # Fragments alone are the tree kernel's own space: the loss is that of its machines.
    loss = "hinge" if columns is None else "squared_hinge"
    found = fit(matrix, signs_of(shards, options), options.linear_cost(), loss=loss)
    weights = found.weights[0]
    parts: list[Part] = [FragmentWeights(dictionary, weights[: len(dictionary)])]
    if columns is not None:
        parts.append(FeatureWeights.of(columns, weights[len(dictionary) :] * scale))
    return parts, float(found.biases[0])


MODELS: dict[str, Callable[[Shards, BoundaryOptions, Report], Trained]] = {
    "mf": train_features,
    "mf-poly": train_polynomial,
    "mf-cascade": train_cascade,
    "stk-svm": train_machine,
    "stk-sdag": train_machine,
    "stk+mf": train_machine,
    "stk+mf-poly": train_machine,
    "etk": train_enumerated,
    "rke": train_mined,
    "rke+mf": train_mined,
    "rke+mf-cascade": train_cascade,
}
BY_SDAG = ("stk-sdag", "stk+mf", "stk+mf-poly")  # the machine itself classifies


def frequent_features(shards: Shards, options: BoundaryOptions) -> FeatureColumns:
    """Return columns for the manual features that are not rare, the same in whatever order shards come."""
    return frequent((piece.arrays["features"] for piece in pieces(shards, options)), options.rare)


def signs_of(shards: Shards, options: BoundaryOptions) -> NDArray[np.int64]:
    """Return the signs of the candidates to train on."""
    return np.concatenate([piece.signs for piece in pieces(shards, options)])


def stacked(rows: Iterable[sparse.csr_array]) -> sparse.csr_array:
    """Stack matrices vertically, as LIBLINEAR takes them; each is released as soon as it is copied.

    Examples
    --------
    >>> stacked(sparse.csr_array([[row, 0.0]], dtype=np.float32) for row in (1, 2)).toarray().tolist()
    [[1.0, 0.0], [2.0, 0.0]]
    """
    left = list(rows)[::-1]
    lengths = np.concatenate([np.diff(row.indptr) for row in left[::-1]])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    values, columns = np.empty(offsets[-1]), np.empty(offsets[-1], dtype=np.int32)
    shape, begin = (lengths.size, left[0].shape[1]), 0
    while left:
        row = left.pop()
        values[begin : begin + row.nnz], columns[begin : begin + row.nnz] = row.data, row.indices
        begin += row.nnz
    narrow = offsets.astype(np.int32) if offsets[-1] < 2**31 else offsets
    return sparse.csr_array((values, columns, narrow), shape=shape)
