"""Training boundary classifiers: one function for each kind of model, all from shards of candidates.

Linear models are LIBLINEAR's, through scikit-learn; kernel machines and the mining of fragments are ours.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.kernels.combined import CombinedKernel
from kakari.kernels.feature_columns import FeatureColumns
from kakari.kernels.featuresets import FeatureSets
from kakari.kernels.freezing import freeze
from kakari.kernels.frozen import FrozenModel
from kakari.kernels.training import KernelLearner, Progress
from kakari.kernels.vectorkernels import VectorKernel
from kakari.parsers.argument_examples import Candidates
from kakari.parsers.argument_frames import ArgumentError
from kakari.parsers.argument_shards import Shards, joined
from kakari.parsers.boundary_model import BoundaryModel, assembled, compact
from kakari.parsers.boundary_parts import (
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
    kernel_examples,
)
from kakari.parsers.fragment_dictionaries import FragmentOptions, fitted_sdag, linearised, merged_dictionary

COSTS = {"mf": 0.03, "mf-cascade": 0.03}  # of examples with 56 ones; 1 for vectors of length 1
# Of each degree: one step moves an example of 56 features by about two margins.
STEP_COSTS = {1: 2e-2, 2: 5e-4, 3: 1e-5, 4: 2e-7}
Report = Callable[[str], object]
Trained = tuple[list[Part], float]


@dataclass(frozen=True)
class BoundaryOptions:
    """How a boundary classifier is trained.

    Attributes
    ----------
    model : str
        One of `MODELS`.
    cost : float, optional
        C of linear models; by the model if it is not given.
    rare : int
        Manual features that occur less often are left out of linear models.
    fragments : FragmentOptions
        How kernel machines are trained, and fragments mined from them.
    tree_weight : float
        The tree kernel's factor beside the vectors' kernel.
    degree, passes, step_cost : int, int, float or None
        Of the polynomial kernel; passes and C of its online training (by the degree, if it is not given).
    gate, gate_examples : float, int
        Of the cascade: linear margins below are final; the linear model learns from the first so many candidates.
    depth, bits : int
        Of enumerated fragments: levels, and columns as a power of two.
    limit : int, optional
        Train on so many candidates only, the first ones.
    processes, scheduler
        Where shards are worked on: in so many processes, or by the workers of a Dask cluster.
    """

    model: str = "rke+mf"
    cost: float | None = None
    rare: int = 2
    fragments: FragmentOptions = field(default_factory=FragmentOptions)
    tree_weight: float = 1.0
    degree: int = 3
    passes: int = 5
    step_cost: float | None = None
    gate: float = -2.0
    gate_examples: int = 600_000
    depth: int = 2
    bits: int = 20
    limit: int | None = None
    processes: int = 1
    scheduler: str | None = None

    def linear_cost(self) -> float:
        """Give C of the linear model."""
        return COSTS.get(self.model, 1.0) if self.cost is None else self.cost


def train_boundaries(shards: Shards, options: BoundaryOptions, *, report: Report | None = None) -> BoundaryModel:
    """Train the model that the options name."""
    if options.model not in MODELS:
        raise ArgumentError(f"a model is one of {', '.join(MODELS)}, not {options.model!r}")
    parts, bias = MODELS[options.model](shards, options, report or (lambda line: None))
    parts, labels = compact(parts, shards.labels)
    chosen = {name: shards.options[name] for name in ("siblings", "prune")}
    made = assembled(parts, bias, labels, **chosen)
    made.details |= {"model": options.model, "corpora": shards.options["corpora"], "examples": shards.examples}
    return made


def pieces(shards: Shards, options: BoundaryOptions) -> Iterator[Candidates]:
    """Yield the candidates to train on, shard by shard."""
    left = shards.examples if options.limit is None else options.limit
    for number in range(len(shards)):
        if left <= 0:
            return
        piece = shards.read(number)
        yield piece if len(piece) <= left else piece.upto(left)
        left -= len(piece)


def train_features(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """MF: a linear model of the manual features."""
    weights, bias = feature_weights(shards, options)
    return [weights], bias


def feature_weights(shards: Shards, options: BoundaryOptions) -> tuple[FeatureWeights, float]:
    """Train a linear model of the manual features; give its weights and its bias."""
    columns = frequent_features(shards, options)
    rows = [feature_matrix(piece, columns) for piece in pieces(shards, options)]
    weights, bias = train_linear(stacked(rows), signs_of(shards, options), options.linear_cost())
    return FeatureWeights(columns, weights), bias


def train_polynomial(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """MF^poly: a polynomial kernel over the manual features, by our engine."""
    data = joined(list(pieces(shards, options)))
    return [PolynomialWeights(polynomial_model(data.features, data.signs, options, report))], 0.0


def train_cascade(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """MF^poly where a linear model is not certain: as good, with a fraction of the examples."""
    most = min(options.limit or shards.examples, options.gate_examples)
    gate, bias = feature_weights(shards, replace(options, limit=most))
    sets, signs = [], []
    for piece in pieces(shards, options):
        passed = np.flatnonzero(gate.margins(piece) + bias > options.gate)
        sets.append(feature_sets(piece, passed))
        signs.append(piece.signs[passed])
    lengths = np.concatenate([part.row_lengths() for part in sets])
    offsets, ids = np.concatenate([[0], np.cumsum(lengths)]), np.concatenate([part.ids for part in sets])
    report(f"{lengths.size:,} of {shards.examples:,} candidates pass the gate")
    model = polynomial_model(FeatureSets.from_arrays(offsets, ids), np.concatenate(signs), options, report)
    return [Cascade(gate, bias, options.gate, model)], 0.0


def polynomial_model(
    sets: FeatureSets, signs: NDArray[np.int64], options: BoundaryOptions, report: Report
) -> FrozenModel:
    """Train a polynomial kernel online, and freeze the average of all its states."""
    cost = STEP_COSTS[options.degree] if options.step_cost is None else options.step_cost
    learner = KernelLearner(options.degree, cost=cost, step="features", seed=options.fragments.seed)

    def told(at: Progress) -> None:
        report(f"pass {at.finished_passes + 1}, {at.examples:,} examples, {at.updates:,} updates")

    learner.fit(sets, signs, passes=options.passes, progress=told, every=100_000)
    return freeze(learner.support(), learner.coefficients(averaged=True), options.degree, weights="float32")


def train_machine(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """STK by the exact SVM, by SDAG, and sums of it with MF and MF^poly."""
    from kakari.models.svm import KernelSVC

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
        svm = KernelSVC(kernel, C=options.fragments.cost, cost_factor=options.fragments.cost_factor)
        return [KernelMachine(svm.fit(examples, data.signs).finished())], 0.0
    sdag = fitted_sdag(kernel, examples, data.signs, options.fragments, report)
    return [KernelMachine(sdag.finished(), columns)], 0.0


def train_enumerated(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """ETK: all fragments up to a depth, hashed."""
    chosen = {"depth": options.depth, "bits": options.bits, "decay": options.fragments.decay, "normalize": True}
    rows = [enumerated_matrix(piece, chosen) for piece in pieces(shards, options)]
    weights, bias = train_linear(stacked(rows), signs_of(shards, options), options.linear_cost())
    return [EnumeratedWeights(chosen, weights)], bias


def train_mined(shards: Shards, options: BoundaryOptions, report: Report) -> Trained:
    """RKE: fragments mined from SDAG models of the shards, then a linear model of them, with MF or without."""
    where: dict[str, Any] = {"limit": options.limit, "processes": options.processes, "scheduler": options.scheduler}
    dictionary = merged_dictionary(shards, options.fragments, **where, report=report)
    vectors = linearised(shards, dictionary, options.fragments, **where, report=report)
    matrix = stacked(list(vectors))
    columns = None
    if options.model == "rke+mf":
        columns = frequent_features(shards, options)
        manual = stacked([feature_matrix(piece, columns) for piece in pieces(shards, options)])
        scale = 1 / np.sqrt(max(1.0, manual.nnz / max(1, manual.shape[0])))  # as long as a tree's vector
        matrix = sparse.hstack([matrix, manual * scale], format="csr")
    report(f"training on {matrix.shape[0]:,} examples with {matrix.nnz:,} values")
    weights, bias = train_linear(matrix, signs_of(shards, options), options.linear_cost())
    parts: list[Part] = [FragmentWeights(dictionary, weights[: len(dictionary)])]
    if columns is not None:
        parts.append(FeatureWeights(columns, weights[len(dictionary) :] * scale))
    return parts, bias


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
}


def frequent_features(shards: Shards, options: BoundaryOptions) -> FeatureColumns:
    """Give columns for the manual features that are not rare, the same in whatever order shards come."""
    seen = FeatureColumns()
    for piece in pieces(shards, options):
        seen.count(piece.arrays["features"])
    return FeatureColumns(np.sort(seen.ids[seen.counts >= options.rare]))


def signs_of(shards: Shards, options: BoundaryOptions) -> NDArray[np.int64]:
    """Give the signs of the candidates to train on."""
    return np.concatenate([piece.signs for piece in pieces(shards, options)])


def stacked(rows: Sequence[sparse.csr_array]) -> sparse.csr_array:
    """Put matrices above each other."""
    return rows[0] if len(rows) == 1 else sparse.vstack(rows, format="csr")


def train_linear(matrix: sparse.csr_array, signs: NDArray[np.int64], cost: float) -> tuple[NDArray[np.float64], float]:
    """Train LIBLINEAR; give weights and bias."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    if len(np.unique(signs)) < 2:
        raise ArgumentError("all candidates are of one class: there is nothing to learn")
    if matrix.nnz < 2**31:  # LIBLINEAR's indices
        matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    machine = LinearSVC(C=cost, dual=True, random_state=0, max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it stops at max_iter; more does not change the scores
        machine.fit(matrix, signs)
    return machine.coef_[0].astype(np.float64), float(machine.intercept_[0])
