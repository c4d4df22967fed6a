"""Columns of a linear model over sparse features: any 32-bit ids, numbered by appearance in one open-addressed table.

Looking an id up reads one cache line, so a margin is as many of them as there are features. Reading is safe from many
threads.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.kernels.sets.featuresets import FeatureSetError
from kakari.kernels.stored import Contents


cdef extern from "kernels/sets/feature_index.hpp" namespace "kakari" nogil:
    cdef cppclass FeatureIndex:
        int32_t size() const
        const vector[int32_t] &ids() const
        int32_t find(int32_t id) const
        int32_t add(int32_t id) except +


cdef class FeatureColumns:
    """Ids of features and the columns that stand for them.

    Examples
    --------
    >>> columns = FeatureColumns([900, 7])
    >>> columns.columns_of(np.array([7, 8, 900], dtype=np.int32)).tolist()
    [1, -1, 0]
    >>> columns.margins([0, 2, 3], [7, 900, 8], [1.0, 0.5]).tolist()
    [1.5, 0.0]
    """

    cdef FeatureIndex index
    cdef vector[int64_t] seen

    def __init__(self, ids=()):
        cdef const int32_t[::1] numbers = np.ascontiguousarray(ids, dtype=np.int32)
        cdef int64_t i
        for i in range(numbers.shape[0]):
            self.index.add(numbers[i])
        if self.index.size() != numbers.shape[0]:
            raise FeatureSetError("a feature stands twice among the columns")
        self.seen.assign(self.index.size(), 0)

    def __len__(self):
        return self.index.size()

    def contents(self):
        """Return what a file holds of the columns: their ids."""
        return Contents({"ids": self.ids})

    @staticmethod
    def from_contents(contents):
        """Rebuild columns from their `contents()`; counts are not kept.

        Examples
        --------
        >>> FeatureColumns.from_contents(FeatureColumns([900, 7]).contents()).ids.tolist()
        [900, 7]
        """
        return FeatureColumns(contents.array("ids", np.int32))

    def __reduce__(self):
        return FeatureColumns.from_contents, (self.contents(),)

    @property
    def ids(self):
        """The ids, in the order of their columns."""
        return int32_array(self.index.ids())

    @property
    def counts(self):
        """How often each column was counted."""
        return int64_array(self.seen)

    def count(self, ids):
        """Count features; those that are new get the next columns.

        Examples
        --------
        >>> columns = FeatureColumns()
        >>> columns.count([5, 9, 5])
        >>> columns.ids.tolist(), columns.counts.tolist()
        ([5, 9], [2, 1])
        """
        cdef const int32_t[::1] numbers = np.ascontiguousarray(ids, dtype=np.int32)
        cdef int64_t i
        cdef int32_t column
        with nogil:
            for i in range(numbers.shape[0]):
                column = self.index.add(numbers[i])
                if column == <int32_t>self.seen.size():
                    self.seen.push_back(0)
                self.seen[column] = self.seen[column] + 1

    def columns_of(self, ids):
        """Return the column of each id, -1 where it has none."""
        cdef const int32_t[::1] numbers = np.ascontiguousarray(ids, dtype=np.int32)
        found = np.empty(numbers.shape[0], dtype=np.int32)
        cdef int32_t[::1] view = found
        cdef int64_t i
        with nogil:
            for i in range(numbers.shape[0]):
                view[i] = self.index.find(numbers[i])
        return found

    def margins(self, offsets, ids, weights):
        """Return the sum of the weights of each row's features; row i is ids[offsets[i]:offsets[i + 1]]."""
        cdef const int64_t[::1] starts = np.ascontiguousarray(offsets, dtype=np.int64)
        cdef const int32_t[::1] numbers = np.ascontiguousarray(ids, dtype=np.int32)
        given = np.ascontiguousarray(weights, dtype=np.float64)
        if given.shape != (len(self),):
            raise FeatureSetError(f"there should be {len(self)} weights, not {given.shape}")
        if not starts.shape[0] or starts[0] != 0 or starts[starts.shape[0] - 1] != numbers.shape[0]:
            raise FeatureSetError("the offsets do not fit the features")
        cdef const double[::1] values = given
        sums = np.zeros(starts.shape[0] - 1)
        cdef double[::1] view = sums
        cdef int64_t row, i
        cdef int32_t column
        with nogil:
            for row in range(view.shape[0]):
                for i in range(starts[row], starts[row + 1]):
                    column = self.index.find(numbers[i])
                    if column >= 0:
                        view[row] += values[column]
        return sums
