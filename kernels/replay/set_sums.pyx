"""Sums over sets under the kernel (1 + |s & x|)**d, for machines that change all their coefficients in each iteration.

Sets are added once, the same set never twice, and keep their numbers. A query brings the coefficients of all sets
with it, and costs one pass of wide adders over the sets' bitmaps for each x (see set_sums.hpp): about a nanosecond a
set. Memory: a bit for each set and frequent feature, four bytes for any other feature of a set.
"""
from libc.stdint cimport int32_t, int64_t

import numpy as np

from kakari.kernels.sets.checks import TrainingError, checked_coefficients, checked_integer, checked_sets
from kakari.kernels.sets.featuresets cimport FeatureSets

cdef double SHARE = 1.0 / 256   # a feature in at least this share of the sets is counted by bitmap ...
cdef int64_t MOST_BITMAPS = 1024   # ... but no more features than these


cdef extern from "kernels/replay/set_sums.hpp" namespace "kakari" nogil:
    cdef cppclass DistinctSets:
        void reset(int degree, const int32_t *rank_of, int64_t features, int32_t bitmapped) except +
        int64_t size()
        int64_t features()
        void add(const int64_t *offsets, const int32_t *ids, int64_t rows, int64_t *numbers) except +
        void evaluate(const int64_t *offsets, const int32_t *ids, int64_t rows, const double *coefficients,
                      double *values) except +
        void respond(const int64_t *offsets, const int32_t *ids, int64_t rows, const double *weights,
                     double *totals) except +
        int64_t set_length(int64_t number)
        void write(int64_t number, int32_t *ids)


cdef class SetSums:
    """Distinct sets, and sums of kernels with them.

    Parameters
    ----------
    degree : int
        Of the kernel, 1 to 4.
    frequencies : array of int
        The number of examples in which each feature occurs; features are numbered from 0.
    examples : int
        The number of examples that were counted.

    Notes
    -----
    Many threads may ask at once and get the same bits as one thread; sets are added by one thread while none asks.

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> sums = SetSums(2, [2, 1, 1], examples=2)
    >>> sums.add(FeatureSets.from_lists([[0, 1], [0, 2], [0, 1]])).tolist()
    [0, 1, 0]
    >>> sums.evaluate(FeatureSets.from_lists([[0, 1], []]), [1.0, 0.5]).tolist()
    [11.0, 1.5]
    >>> sums.respond(FeatureSets.from_lists([[0, 1], []]), [1.0, 0.5]).tolist()
    [9.5, 4.5]
    """

    cdef DistinctSets engine
    cdef readonly int degree

    def __init__(self, degree, frequencies, examples):
        self.degree = checked_integer("degree", degree, 1, 4)
        counts = np.ascontiguousarray(frequencies, dtype=np.int64)
        order = np.argsort(-counts, kind="stable")
        ranks = np.empty(counts.size + 1, dtype=np.int32)   # one more, so that even an empty array has an address
        ranks[order] = np.arange(counts.size)
        cdef int64_t frequent = np.count_nonzero(counts >= max(1.0, SHARE * examples))
        cdef const int32_t[::1] rank_of = ranks
        self.engine.reset(self.degree, &rank_of[0], counts.size, min(frequent, MOST_BITMAPS))

    def __len__(self):
        return self.engine.size()

    cdef FeatureSets checked(self, sets):
        cdef FeatureSets rows = checked_sets(sets)
        if rows.id_view.shape[0] and np.asarray(rows.id_view).max() >= self.engine.features():
            raise TrainingError(f"features are numbered below {self.engine.features()}")
        return rows

    def add(self, sets):
        """Add sets; return the number of each. Equal sets have one number."""
        cdef FeatureSets rows = self.checked(sets)
        cdef int64_t count = len(rows)
        numbers = np.empty(count, dtype=np.int64)
        cdef int64_t[::1] view = numbers
        cdef const int64_t *offsets = &rows.offset_view[0]
        cdef const int32_t *ids = &rows.id_view[0] if rows.id_view.shape[0] else NULL
        if count:
            with nogil:
                self.engine.add(offsets, ids, count, &view[0])
        return numbers

    def evaluate(self, sets, coefficients):
        """Return for each x the sum over the sets of coefficient times kernel."""
        cdef FeatureSets rows = self.checked(sets)
        cdef const double[::1] factors = checked_coefficients(coefficients, len(self))
        cdef int64_t count = len(rows)
        values = np.zeros(count)
        cdef double[::1] view = values
        cdef const int64_t *offsets = &rows.offset_view[0]
        cdef const int32_t *ids = &rows.id_view[0] if rows.id_view.shape[0] else NULL
        if count and factors.shape[0]:
            with nogil:
                self.engine.evaluate(offsets, ids, count, &factors[0], &view[0])
        return values

    def respond(self, sets, weights):
        """Return for each of the sets the sum over x of weight times kernel."""
        cdef FeatureSets rows = self.checked(sets)
        cdef const double[::1] factors = checked_coefficients(weights, len(rows))
        cdef int64_t count = len(rows)
        totals = np.zeros(len(self))
        cdef double[::1] view = totals
        cdef const int64_t *offsets = &rows.offset_view[0]
        cdef const int32_t *ids = &rows.id_view[0] if rows.id_view.shape[0] else NULL
        if count and view.shape[0]:
            with nogil:
                self.engine.respond(offsets, ids, count, &factors[0], &view[0])
        return totals

    def sets(self):
        """Return the sets, in the order of their numbers."""
        from kakari.kernels.sets.featuresets import FeatureSets as Sets

        cdef int64_t i, size = self.engine.size()
        offsets = np.zeros(size + 1, dtype=np.int64)
        cdef int64_t[::1] ends = offsets
        for i in range(size):
            ends[i + 1] = ends[i] + self.engine.set_length(i)
        ids = np.empty(offsets[size] + 1, dtype=np.int32)
        cdef int32_t[::1] view = ids
        with nogil:
            for i in range(size):
                self.engine.write(i, &view[ends[i]])
        return Sets.from_arrays(offsets, ids[:offsets[size]])
