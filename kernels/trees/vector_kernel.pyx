"""Kernels of sparse vectors: linear, polynomial, radial, sigmoid.

A vector is a row of a `scipy.sparse` matrix (or of a dense array). A block costs O(entries of b) for each row
of a, in threads without the GIL; the same bits for any number of threads, and for a, b or b, a (see
vectors.hpp).
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t

import numbers

import numpy as np

from kakari.kernels.trees.parameters import Parameters

cdef dict KINDS = {"linear": 0, "polynomial": 1, "rbf": 2, "sigmoid": 3}
HIGHEST_STORED_DEGREE = 100
cdef int64_t WIDEST = 2**22     # above this, columns are numbered again before a row is scattered


cdef extern from "kernels/trees/vectors.hpp" namespace "kakari" nogil:
    cdef enum class VectorKernelKind:
        LINEAR

    cdef cppclass VectorOptions:
        VectorKernelKind kind
        int64_t degree
        double gamma
        double constant
        double value(double dot, double norm_a, double norm_b) const

    cdef cppclass SparseRows:
        int64_t count
        const int64_t *starts
        const int32_t *columns
        const double *values
        const double *norms

    void vector_gram(const SparseRows &a, const SparseRows &b, int64_t width, const VectorOptions &options,
                     int64_t threads, double *values) except +


class VectorKernelError(ValueError):
    """Invalid options or vectors; the text says why."""


class VectorKernel(Parameters):
    """A kernel on sparse vectors.

    Parameters
    ----------
    kind : str
        ``"linear"``: a·b; ``"polynomial"``: (γ a·b + c)^degree; ``"rbf"``: exp(−γ ‖a − b‖²); ``"sigmoid"``:
        tanh(γ a·b + c).
    degree : int
    gamma : float
        γ; above 0 for ``rbf``.
    constant : float
        c.
    normalize : bool
        Divide by the root of both self-kernels; a self-kernel of 0 counts as 1.

    Examples
    --------
    >>> VectorKernel("polynomial", degree=2).gram([[1.0, 0.0], [1.0, 2.0]]).tolist()
    [[4.0, 4.0], [4.0, 36.0]]
    """

    type_name = "vector"
    takes = "vectors"

    @property
    def sums_as(self):
        """The form in which weighted sums of examples are held."""
        return "columns" if self.kind == "linear" else "examples"

    def __init__(self, kind="linear", *, degree=3, gamma=1.0, constant=1.0, normalize=False):
        if kind not in KINDS:
            raise VectorKernelError(f"there is no vector kernel {kind!r}: take one of {', '.join(KINDS)}")
        if not isinstance(degree, numbers.Integral) or degree < 1:
            raise VectorKernelError(f"the degree must be a whole number of at least 1, not {degree!r}")
        for name, value in (("gamma", gamma), ("constant", constant)):
            if not isinstance(value, numbers.Real) or not np.isfinite(value):
                raise VectorKernelError(f"{name} must be a finite number, not {value!r}")
        if kind == "rbf" and gamma <= 0:
            raise VectorKernelError(f"gamma of an rbf kernel must be above 0, not {gamma!r}")
        self.kind, self.degree, self.gamma = kind, int(degree), float(gamma)
        self.constant, self.normalize = float(constant), bool(normalize)

    @staticmethod
    def from_contents(contents):
        """Rebuild a kernel from its `contents()`.

        Examples
        --------
        >>> VectorKernel.from_contents(VectorKernel("rbf", gamma=0.5).contents())
        VectorKernel('rbf', degree=3, gamma=0.5, constant=1.0, normalize=False)
        """
        contents.choice("type", (VectorKernel.type_name,))
        return VectorKernel(
            contents.choice("kind", tuple(KINDS)), degree=contents.integer("degree", 1, HIGHEST_STORED_DEGREE),
            gamma=contents.number("gamma"), constant=contents.number("constant"), normalize=contents.flag("normalize"),
        )

    def __repr__(self):
        return (f"VectorKernel({self.kind!r}, degree={self.degree}, gamma={self.gamma},"
                f" constant={self.constant}, normalize={self.normalize})")

    def __eq__(self, other):
        return isinstance(other, VectorKernel) and repr(self) == repr(other)

    __hash__ = None

    def gram(self, a, b=None, *, threads=1):
        """Return the kernel of every row of `a` with every row of `b` (of `a` itself without it)."""
        ours = checked_rows(a)
        theirs = ours if b is None else checked_rows(b)
        if ours.shape[1] != theirs.shape[1]:
            raise VectorKernelError(f"vectors of {ours.shape[1]} and of {theirs.shape[1]} columns do not fit")
        values = raw_gram(self, ours, theirs, threads)
        if self.normalize:
            values *= self.scales(ours)[:, None]
            values *= self.scales(theirs)[None, :]
        return values

    def diagonal(self, a, *, threads=1):
        """Return the kernel of every row with itself.

        Examples
        --------
        >>> VectorKernel("linear").diagonal([[3.0, 4.0], [0.0, 0.0]]).tolist()
        [25.0, 0.0]
        """
        raw = self.self_kernels(a)
        return np.sign(raw) if self.normalize else raw

    def self_kernels(self, a):
        """Return k(a, a) of every row, never normalized."""
        squares = squared_lengths(checked_rows(a))
        cdef const double[::1] norms = squares
        cdef double[::1] values = np.empty(squares.size)
        cdef VectorOptions options = options_of(self)
        cdef int64_t i
        with nogil:
            for i in range(norms.shape[0]):
                values[i] = options.value(norms[i], norms[i], norms[i])
        return np.asarray(values)

    def scales(self, a):
        """Return what each row's values are multiplied by: 1 / √k(a, a), or 1 where nothing is normalized."""
        raw = self.self_kernels(a)
        if not self.normalize:
            return np.ones(raw.size)
        if (raw < 0).any():
            row = int(np.flatnonzero(raw < 0)[0])
            raise VectorKernelError(f"row {row} has a negative self-kernel, which cannot be normalized")
        return 1.0 / np.sqrt(np.where(raw == 0.0, 1.0, raw))


def checked_rows(given):
    """Return vectors as sorted sparse rows of float64; what is not finite is refused with its place.

    Examples
    --------
    >>> checked_rows([[0.0, float("nan")]])
    Traceback (most recent call last):
    ...
    kakari.kernels.trees.vector_kernel.VectorKernelError: row 0, column 1: nan is not a finite number
    """
    from scipy import sparse

    dense = None if sparse.issparse(given) else np.atleast_2d(np.asarray(given, dtype=float))
    rows = sparse.csr_array(given if dense is None else dense)
    if rows.dtype != np.float64:
        rows = rows.astype(np.float64)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    wrong = np.flatnonzero(~np.isfinite(rows.data))
    if wrong.size:
        place = int(wrong[0])
        row = int(np.searchsorted(rows.indptr, place, side="right")) - 1
        raise VectorKernelError(
            f"row {row}, column {int(rows.indices[place])}: {rows.data[place]} is not a finite number"
        )
    return rows


cdef VectorOptions options_of(kernel):
    cdef VectorOptions options
    options.kind, options.degree = <VectorKernelKind><int>KINDS[kernel.kind], kernel.degree
    options.gamma, options.constant = kernel.gamma, kernel.constant
    return options


cdef squared_lengths(rows):
    """Sum in the order in which a dot product does, so that a row is at distance 0 from itself."""
    cdef const int64_t[::1] starts = rows.indptr.astype(np.int64)
    cdef const double[::1] values = np.ascontiguousarray(rows.data)
    cdef double[::1] squares = np.zeros(starts.shape[0] - 1)
    cdef int64_t i, k
    with nogil:
        for i in range(squares.shape[0]):
            for k in range(starts[i], starts[i + 1]):
                squares[i] += values[k] * values[k]
    return np.asarray(squares)


cdef raw_gram(kernel, ours, theirs, int64_t threads):
    from kakari.kernels.hardware.turns import turns

    values = np.empty((ours.shape[0], theirs.shape[0]))
    if values.size == 0:
        return values
    cdef double[:, ::1] view = values
    columns_a, columns_b, width = ours.indices, theirs.indices, ours.shape[1]
    if width > WIDEST:
        known, numbered = np.unique(np.concatenate([columns_a, columns_b]), return_inverse=True)
        columns_a, columns_b, width = numbered[:columns_a.size], numbered[columns_a.size:], known.size
    cdef const int64_t[::1] starts_a = ours.indptr.astype(np.int64), starts_b = theirs.indptr.astype(np.int64)
    cdef const int32_t[::1] numbers_a = padded(columns_a, np.int32), numbers_b = padded(columns_b, np.int32)
    cdef const double[::1] entries_a = padded(ours.data, np.float64)
    cdef const double[::1] entries_b = padded(theirs.data, np.float64)
    cdef const double[::1] norms_a = squared_lengths(ours), norms_b = squared_lengths(theirs)
    cdef SparseRows a, b
    a.count, a.starts, a.columns = ours.shape[0], &starts_a[0], &numbers_a[0]
    a.values, a.norms = &entries_a[0], &norms_a[0]
    b.count, b.starts, b.columns = theirs.shape[0], &starts_b[0], &numbers_b[0]
    b.values, b.norms = &entries_b[0], &norms_b[0]
    cdef VectorOptions options = options_of(kernel)
    cdef int64_t columns = width
    cdef SparseRows part = a
    cdef int64_t begin, end
    for begin, end in turns(ours.shape[0], threads):
        part.count, part.starts, part.norms = end - begin, a.starts + begin, a.norms + begin
        with nogil:
            vector_gram(part, b, columns, options, threads, &view[begin, 0])
        PyErr_CheckSignals()
    return values


cdef padded(array, kind):
    """Return the array with one more entry, so that even an empty one has an address."""
    return np.append(array, np.zeros(1, dtype=kind)).astype(kind, copy=False)
