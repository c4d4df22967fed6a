"""Sparse linear weights of hashed features, one byte each: trained by LIBLINEAR, cut to the largest, small on disk.

An example is a row of 32-bit ids, a negative one standing for a feature that is not there. Rows are as wide as each
other, so that a batch is one array and no strings or dictionaries are met after the features were made.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.kernels.sets.columns import FeatureColumns
from kakari.kernels.stored import Contents

LARGEST = 127
MOST_CLASSES = 256
SHARE = 0.9999  # of the weights are not cut off by one byte's range
TOLERANCE = 0.02  # LIBLINEAR's own default is 0.1, scikit-learn's 0.0001; less than this changes no score
PORTION = 100_000  # rows whose columns are looked up together


@dataclass(frozen=True)
class TableSettings:
    """How a table is trained.

    Attributes
    ----------
    cost : float
        LIBLINEAR's C.
    rare : int
        Features that occur less often are left out.
    most : int
        So many weights are kept, the largest ones.
    """

    cost: float = 0.1
    rare: int = 2
    most: int = 100_000


class LinearTable:
    """Weights of features for one or more outputs; the output with the largest sum is the class.

    Parameters
    ----------
    classes : sequence of str
        Names of the outputs. One name alone is a decision: above 0, it is so.
    ids : array of int32
        The features that have weights.
    counts, places, weights : array
        How many weights each feature has, for which outputs, and what they are in units.
    unit : float
    biases : sequence of float
        One an output.

    Examples
    --------
    >>> rows = np.array([[1, 7], [2, 7], [1, 8], [2, 8]], dtype=np.int32)
    >>> table = train_table(rows, np.array(["a", "b", "a", "b"]), TableSettings(rare=1))
    >>> table.classes, [table.classes[place] for place in table.scores(rows).argmax(axis=1)]
    (('a', 'b'), ['a', 'b', 'a', 'b'])
    >>> again = LinearTable.from_contents(table.contents())
    >>> np.array_equal(again.scores(rows), table.scores(rows))
    True
    """

    def __init__(
        self,
        classes: Sequence[str],
        ids: NDArray[np.int32],
        counts: NDArray[np.uint8],
        places: NDArray[np.uint8],
        weights: NDArray[np.int8],
        unit: float,
        biases: Sequence[float],
    ) -> None:
        self.classes = tuple(classes)
        self.arrays: dict[str, NDArray[Any]] = {"ids": ids, "counts": counts, "places": places, "weights": weights}
        self.unit = float(unit)
        self.biases = np.array(biases, dtype=np.float64)
        ends = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        fits = len(ids) == len(counts) and ends[-1] == len(places) == len(weights)
        if not fits or len(self.biases) != len(self.classes) or places.max(initial=0) >= max(1, len(self.classes)):
            raise ValueError("the weights do not fit their features and classes")
        self.columns = FeatureColumns(ids)
        values = weights.astype(np.float64) * self.unit
        shape = (len(ids), len(self.classes))
        self._matrix = sparse.csr_array((values, places.astype(np.int32), ends), shape=shape)
        self._single = self._matrix.toarray()[:, 0] if len(self.classes) == 1 else None

    def scores(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the sums of the weights of each row's features, an output a column."""
        if self._single is not None:
            offsets = np.arange(len(rows) + 1, dtype=np.int64) * rows.shape[1]
            sums = self.columns.margins(offsets, rows.ravel(), self._single)
            return sums[:, None] + self.biases
        return np.asarray((rows_of_columns(self.columns, rows) @ self._matrix).toarray()) + self.biases

    def contents(self) -> Contents:
        """Return what a file holds of the table."""
        told = {"classes": list(self.classes), "unit": self.unit, "biases": self.biases.tolist()}
        if len(self.classes) == 1:  # every feature has one weight, for the one output
            return Contents({name: self.arrays[name] for name in ("ids", "weights")}, told)
        return Contents(self.arrays, told)

    @staticmethod
    def from_contents(contents: Contents) -> LinearTable:
        """Rebuild a table from its `contents()`."""
        classes = contents.texts("classes")
        ids = contents.array("ids", np.int32, distinct=True)
        if not 1 <= len(classes) <= MOST_CLASSES:
            raise contents.refuse(f"there are {len(classes)} classes")
        counts, places = np.ones(len(ids), dtype=np.uint8), np.zeros(len(ids), dtype=np.uint8)
        if len(classes) > 1:
            counts = contents.array("counts", np.uint8, shape=ids.shape, below=len(classes) + 1)
            places = contents.array("places", np.uint8, shape=(int(counts.sum(dtype=np.int64)),), below=len(classes))
        weights = contents.array("weights", np.int8, shape=places.shape)
        biases = contents.numbers("biases", len(classes))
        return LinearTable(classes, ids, counts, places, weights, contents.number("unit"), biases)


def rows_of_columns(columns: FeatureColumns, rows: NDArray[np.int32]) -> sparse.csr_array:
    """Return rows of features as a sparse matrix of ones; features without a column are left out."""
    found = columns.columns_of(rows.ravel())
    known = found >= 0
    ends = np.concatenate([[0], np.cumsum(known.reshape(rows.shape).sum(axis=1))])
    shape = (len(rows), len(columns))
    return sparse.csr_array((np.ones(int(ends[-1])), found[known], ends), shape=shape)


def train_table(rows: NDArray[np.int32], labels: NDArray[Any], settings: TableSettings | None = None) -> LinearTable:
    """Train a table; labels are names of classes, or whether something is so.

    Two classes, or more, have an output each; truth values have one.
    """
    from sklearn.svm import LinearSVC

    chosen = settings or TableSettings()
    names = np.unique(labels)
    if len(names) < 2:
        raise ValueError("all examples are of 1 class: there is nothing to learn")
    columns = frequent(rows, chosen.rare)
    parts = [rows_of_columns(columns, rows[at : at + PORTION]) for at in range(0, len(rows), PORTION)]
    matrix = sparse.vstack(parts, format="csr")
    matrix.sum_duplicates()
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    machine = LinearSVC(C=chosen.cost, dual=True, random_state=0, max_iter=60, tol=TOLERANCE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it stops at max_iter; more does not change the scores
        machine.fit(matrix, labels)
    weights, biases = machine.coef_, machine.intercept_
    if names.dtype == np.bool_:
        return cut(("yes",), columns.ids, weights, biases, chosen.most)
    if len(names) == 2:
        weights, biases = np.concatenate([-weights, weights]), np.concatenate([-biases, biases])
    return cut([str(name) for name in names], columns.ids, weights, biases, chosen.most)


def frequent(rows: NDArray[np.int32], rare: int) -> FeatureColumns:
    """Return columns for the features that occur often enough, in the order of their ids."""
    seen = FeatureColumns()
    for at in range(0, len(rows), PORTION):
        seen.count(rows[at : at + PORTION].ravel())
    kept = (seen.counts >= rare) & (seen.ids >= 0)
    return FeatureColumns(np.sort(seen.ids[kept]))


def cut(
    classes: Sequence[str], ids: NDArray[np.int32], weights: NDArray[np.float64], biases: NDArray[Any], most: int
) -> LinearTable:
    """Keep the largest weights, one byte each; `weights` has an output a row."""
    sizes = np.abs(weights).ravel()
    least = np.partition(sizes, len(sizes) - most)[len(sizes) - most] if most < len(sizes) else 0.0
    kept = np.sort(sizes[sizes >= least])
    unit = float(kept[int((len(kept) - 1) * SHARE)]) / LARGEST if len(kept) else 1.0
    unit = unit or 1.0
    small = np.clip(np.rint(weights.T / unit), -LARGEST, LARGEST).astype(np.int8)
    small[np.abs(weights.T) < least] = 0
    counts = np.count_nonzero(small, axis=1)
    features, places = np.nonzero(small)
    held = counts > 0
    return LinearTable(
        classes,
        ids[held],
        counts[held].astype(np.uint8),
        places.astype(np.uint8),
        small[features, places],
        unit,
        np.asarray(biases, dtype=np.float64).tolist(),
    )
