"""Kernels that users bring: objects of their own with `gram` and `diagonal`, and matrices of kernel values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.parameters import KernelError, Parameters

PRECOMPUTED = "precomputed"


class CustomKernel(Parameters):
    """A user's object with `gram(a, b=None)` and `diagonal(a)`, over examples of any kind.

    Examples are whatever the object takes: an array, a sparse matrix or a list. A model of such a kernel is pickled (if
    the object is), but not saved: a file holds numbers, not code.

    Examples
    --------
    >>> class Lengths:
    ...     def gram(self, a, b=None):
    ...         return np.array([[float(len(x) * len(z)) for z in (a if b is None else b)] for x in a])
    ...     def diagonal(self, a):
    ...         return np.array([float(len(x)) ** 2 for x in a])
    >>> CustomKernel(Lengths()).gram(["a", "bb"]).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """

    type_name = "custom"
    takes = "anything"

    def __init__(self, given: Any) -> None:
        self.given = given

    def gram(self, a: Any, b: Any = None, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every example of `a` with every example of `b`; `threads` is ignored."""
        values = self.given.gram(a, a if b is None else b)
        return self._checked(values, (size(a), size(a if b is None else b)))

    def diagonal(self, a: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every example with itself."""
        return self._checked(self.given.diagonal(a), (size(a),))

    def contents(self) -> Contents:
        """Raise an error: a user's kernel cannot be saved."""
        raise KernelError("a model of a user-defined kernel cannot be saved: its kernel is a program")

    def _checked(self, values: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
        found = np.ascontiguousarray(values, dtype=np.float64)
        if found.shape != shape or not np.isfinite(found).all():
            told = f"values of the shape {found.shape}" if found.shape != shape else "values that are not finite"
            raise KernelError(f"the kernel {self.given!r} returned {told}, where {shape} were wanted")
        return found


class GramRows:
    """Examples that are known by their kernels alone: a row of values each and, in training, a column of their own.

    Examples
    --------
    >>> rows = GramRows(np.array([[2.0, 1.0], [1.0, 3.0]]), np.arange(2))
    >>> rows[[1]].columns.tolist(), rows.shape
    ([1], (2, 2))
    """

    def __init__(self, values: NDArray[np.float64], columns: NDArray[np.int64] | None = None) -> None:
        self.values, self.columns = values, columns
        self.shape = values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, numbers: Any) -> GramRows:
        return GramRows(self.values[numbers], None if self.columns is None else self.columns[numbers])

    def names(self, numbers: Any) -> GramRows:
        """Return examples as a model keeps them: by their columns, without the values that they have in others.

        Examples
        --------
        >>> rows = GramRows(np.array([[2.0, 1.0], [1.0, 3.0]]), np.arange(2))
        >>> PrecomputedKernel().gram(rows, rows.names([1])).tolist()
        [[1.0], [3.0]]
        """
        if self.columns is None:
            raise KernelError("only examples that were trained with have columns in a matrix of kernel values")
        return GramRows.of_columns(self.columns[numbers], int(self.shape[1]))

    @staticmethod
    def of_columns(columns: NDArray[np.int64], width: int) -> GramRows:
        """Return examples that are known by their columns in matrices of this width."""
        return GramRows(np.broadcast_to(np.zeros(width), (columns.size, width)), columns)

    @staticmethod
    def concatenate(parts: Sequence[GramRows]) -> GramRows:
        """Join examples."""
        columns = [part.columns for part in parts if part.columns is not None]
        joined = np.concatenate(columns) if len(columns) == len(parts) else None
        return GramRows(np.concatenate([part.values for part in parts]), joined)


class PrecomputedKernel(Parameters):
    """Kernel values that were computed before: scikit-learn's `kernel="precomputed"`.

    Examples
    --------
    >>> rows = GramRows(np.array([[2.0, 1.0], [1.0, 3.0]]), np.arange(2))
    >>> PrecomputedKernel().gram(rows[[0]], rows).tolist(), PrecomputedKernel().diagonal(rows).tolist()
    ([[2.0, 1.0]], [2.0, 3.0])
    """

    type_name = PRECOMPUTED
    takes = "kernel values"

    @staticmethod
    def from_contents(contents: Contents) -> PrecomputedKernel:
        """Rebuild a kernel from its `contents()`."""
        contents.choice("type", (PRECOMPUTED,))
        return PrecomputedKernel()

    def gram(self, a: GramRows, b: GramRows | None = None, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the values of the rows of `a` in the columns of `b`."""
        columns = (a if b is None else b).columns
        if columns is None:
            raise KernelError("only examples that were trained with have columns in a matrix of kernel values")
        first, count = (int(columns[0]), columns.size) if columns.size else (0, 0)
        if np.array_equal(columns, np.arange(first, first + count)):  # a slice: no gathering
            return np.ascontiguousarray(a.values[:, first : first + count])
        return np.ascontiguousarray(a.values[:, columns])

    def diagonal(self, a: GramRows, *, threads: int = 1) -> NDArray[np.float64]:
        """Return each example's value in its own column."""
        return np.ascontiguousarray(a.values[np.arange(len(a)), a.columns])

    def __repr__(self) -> str:
        return "PrecomputedKernel()"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PrecomputedKernel)

    __hash__ = None  # type: ignore[assignment]


def size(examples: Any) -> int:
    """Return the number of examples of an array, a sparse matrix or a list."""
    return int(examples.shape[0]) if hasattr(examples, "shape") else len(examples)


def as_kernel(given: Any) -> Any:
    """Return a kernel as learners take it: one of kakari's unchanged, a user's object or "precomputed" wrapped.

    Examples
    --------
    >>> as_kernel("precomputed")
    PrecomputedKernel()
    >>> as_kernel("rbf")
    Traceback (most recent call last):
    ...
    kakari.kernels.trees.parameters.KernelError: 'rbf' is no kernel: take TreeKernel, VectorKernel, a sum of \
kernels, "precomputed", or an object with gram and diagonal
    """
    if isinstance(given, Parameters):
        return given
    if isinstance(given, str) and given == PRECOMPUTED:
        return PrecomputedKernel()
    if callable(getattr(given, "gram", None)) and callable(getattr(given, "diagonal", None)):
        return CustomKernel(given)
    raise KernelError(
        f'{given!r} is no kernel: take TreeKernel, VectorKernel, a sum of kernels, "{PRECOMPUTED}", or an object with'
        " gram and diagonal"
    )
