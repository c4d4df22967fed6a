"""Training of linear models: LIBLINEAR through scikit-learn, the largest weights, a byte each."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.kernels.hashed.weights import HashedWeights
from kakari.kernels.quantising import as_integers, largest, unit_of
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.columns import NumberedWeights
from kakari.models.linear.matrices import frequent, indicators
from kakari.models.linear.model import LinearModel

CLIPPED = 1e-4  # the share of the weights that may exceed a byte's range and are clipped
TOLERANCE = 0.02  # LIBLINEAR's own default is 0.1, scikit-learn's 0.0001; less than this changes no score
PORTION = 100_000  # rows whose columns are looked up together
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class RowSettings:
    """Training settings of a model over rows of features.

    Attributes
    ----------
    cost : float
        LIBLINEAR's C.
    rare : int
        Features that occur less often are left out.
    most : int
        The number of weights to keep, the largest ones.
    """

    cost: float = 0.1
    rare: int = 2
    most: int = 100_000


class Fitted(NamedTuple):
    """LIBLINEAR's weights: a row for each output; a model of two classes has one, for the second."""

    classes: tuple[Any, ...]
    weights: Weights
    biases: Weights

    def by_class(self) -> Fitted:
        """Return an output for each class, of two classes too."""
        if len(self.weights) > 1:
            return self
        return Fitted(self.classes, np.vstack([-self.weights, self.weights]), np.append(-self.biases, self.biases))


def fit(
    matrix: Any,
    labels: NDArray[Any],
    cost: float,
    *,
    loss: str = "squared_hinge",
    dual: bool | Literal["auto"] = True,
    tolerance: float = 1e-4,
    max_iter: int = 200,
) -> Fitted:
    """Train linear SVMs, each class against the rest.

    LIBLINEAR stops after `max_iter` passes; where callers choose few, more do not change the scores.

    Examples
    --------
    >>> fitted = fit(sparse.csr_array([[1.0, 0.0], [0.0, 1.0]]), np.array(["no", "yes"]), 1.0)
    >>> fitted.classes, np.sign(fitted.weights).tolist()
    (('no', 'yes'), [[-1.0, 1.0]])
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    if len(np.unique(labels)) < 2:
        raise TrainingError("all examples are of 1 class: there is nothing to learn")
    rows = sparse.csr_matrix(matrix)
    if rows.nnz < 2**31:  # scikit-learn requires 32-bit indices
        rows.indices, rows.indptr = rows.indices.astype(np.int32, copy=False), rows.indptr.astype(np.int32, copy=False)
    machine = LinearSVC(C=cost, loss=loss, dual=dual, random_state=0, max_iter=max_iter, tol=tolerance)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        # A handful of examples may well have more classes than half their number.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        machine.fit(rows, labels)
    classes = tuple(machine.classes_.tolist())
    return Fitted(classes, machine.coef_.astype(np.float64), machine.intercept_.astype(np.float64).reshape(-1))


def as_model(
    classes: Sequence[str],
    features: NDArray[Any],
    weights: Weights,
    biases: Weights,
    *,
    most: int | None = None,
    clipped: float = CLIPPED,
    normalised: bool = False,
) -> LinearModel:
    """Return a model of the largest weights, a byte each.

    Parameters
    ----------
    features : array of int32 or uint64
        The id or the hash of each column of `weights`, ascending.
    weights : array
        A row for each output.

    Examples
    --------
    >>> ids = np.array([3, 8, 9], dtype=np.int32)
    >>> model = as_model(("a",), ids, np.array([[0.5, -1.0, 0.1]]), np.array([0.25]), most=2)
    >>> np.round(model.scores([[3, 9], [8, 8]]), 2).tolist()
    [[0.75], [-1.75]]
    """
    sizes = np.abs(weights.T)
    kept = largest(sizes.ravel(), most)
    kept = kept[sizes.ravel()[kept] > 0]
    columns, places = np.unravel_index(kept, sizes.shape)
    unit = unit_of(sizes[columns, places], clipped=clipped)
    amounts = as_integers(weights[places, columns], unit)
    held = amounts != 0
    kind: Any = HashedWeights if features.dtype == np.uint64 else NumberedWeights
    stored = kind.of(features[columns[held]], places[held].astype(np.uint8), amounts[held])
    return LinearModel(tuple(map(str, classes)), stored, unit, np.array(biases, dtype=np.float64), normalised)


def train_rows(rows: NDArray[np.int32], labels: NDArray[Any], settings: RowSettings | None = None) -> LinearModel:
    """Train a model over rows of 32-bit ids, where a negative id stands for a missing feature.

    Labels are names of classes, which have an output each, or truth values, which have one.

    Examples
    --------
    >>> rows = np.array([[1, 7], [2, 7], [1, 8], [2, 8]], dtype=np.int32)
    >>> model = train_rows(rows, np.array(["a", "b", "a", "b"]), RowSettings(rare=1))
    >>> [model.classes[place] for place in model.scores(rows).argmax(axis=1)]
    ['a', 'b', 'a', 'b']
    """
    chosen = settings or RowSettings()
    columns = frequent((rows[at : at + PORTION].ravel() for at in range(0, len(rows), PORTION)), chosen.rare)
    width = rows.shape[1]
    parts = []
    for at in range(0, len(rows), PORTION):
        own = rows[at : at + PORTION]
        parts.append(indicators(columns, np.arange(len(own) + 1) * width, own.ravel()))
    matrix = sparse.vstack(parts, format="csr")
    matrix.sum_duplicates()
    found = fit(matrix, labels, chosen.cost, tolerance=TOLERANCE, max_iter=60)
    if labels.dtype == np.bool_:
        return as_model(("yes",), columns.ids, found.weights, found.biases, most=chosen.most)
    found = found.by_class()
    return as_model(found.classes, columns.ids, found.weights, found.biases, most=chosen.most)
