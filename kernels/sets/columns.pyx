"""Columns and weights of linear models over sparse features: any 32-bit ids, numbered in one open-addressed table.

Looking an id up reads one cache line; its weights for all outputs lie together. Reading is safe from many threads.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport checked_offsets, int32_array, int64_array
from kakari.kernels.stored import Contents


cdef extern from "kernels/sets/feature_index.hpp" namespace "kakari" nogil:
    cdef cppclass FeatureIndex:
        int32_t size() const
        const vector[int32_t] &ids() const
        int32_t find(int32_t id) const
        int32_t add(int32_t id) except +
        void reserve(size_t count) except +
        int64_t longest_search() const


class FeatureColumnError(ValueError):
    """Columns or weights that do not fit their features; the text says why."""


cdef class FeatureColumns:
    """Ids of features and the columns that stand for them.

    Examples
    --------
    >>> columns = FeatureColumns([900, 7])
    >>> columns.columns_of(np.array([7, 8, 900], dtype=np.int32)).tolist()
    [1, -1, 0]
    """

    cdef FeatureIndex index
    cdef vector[int64_t] seen

    def __init__(self, ids=()):
        cdef const int32_t[::1] numbers = np.ascontiguousarray(ids, dtype=np.int32)
        cdef int64_t i
        self.index.reserve(numbers.shape[0])
        for i in range(numbers.shape[0]):
            self.index.add(numbers[i])
        if self.index.size() != numbers.shape[0]:
            raise FeatureColumnError("a feature occurs twice among the columns")
        self.seen.assign(self.index.size(), 0)

    def __len__(self):
        return self.index.size()

    def contents(self):
        """Return the saved form of the columns: their ids."""
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

    def longest_search(self):
        """Return the largest number of slots that finding one of the ids reads; chosen ids do not raise it.

        Examples
        --------
        >>> FeatureColumns([900]).longest_search()
        1
        """
        return self.index.longest_search()

    @property
    def ids(self):
        """The ids, in the order of their columns."""
        return int32_array(self.index.ids())

    @property
    def counts(self):
        """Number of times that each column was counted."""
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


cdef class NumberedWeights:
    """Weights of numbered features for some outputs; those of a feature lie together.

    Parameters
    ----------
    ids : array of int32
        The features that have weights.
    counts, places, amounts : array
        How many weights each feature has (uint8), for which outputs (uint8), and what they are (int8 or float32).

    Examples
    --------
    >>> weights = NumberedWeights.of([7, 7, 900], [0, 1, 1], np.array([3, -4, 5], dtype=np.int8))
    >>> weights.sums([0, 2, 3], [7, 900, 8], 2).tolist()
    [[3.0, 1.0], [0.0, 0.0]]
    """

    cdef FeatureIndex index
    cdef const int64_t[::1] starts
    cdef const uint8_t[::1] places
    cdef const double[::1] values
    cdef int least                                   # outputs that there are weights for
    cdef readonly dict arrays

    def __init__(self, ids, counts, places, amounts):
        self.arrays = {
            "ids": np.ascontiguousarray(ids, dtype=np.int32), "counts": np.ascontiguousarray(counts, dtype=np.uint8),
            "places": np.ascontiguousarray(places, dtype=np.uint8), "amounts": np.ascontiguousarray(amounts),
        }
        starts = np.zeros(len(counts) + 1, dtype=np.int64)
        np.cumsum(counts, out=starts[1:])
        if len(ids) != len(counts) or not starts[-1] == len(places) == len(amounts):
            raise FeatureColumnError("the weights do not fit their features")
        self.starts, self.places = starts, self.arrays["places"]
        self.values = self.arrays["amounts"].astype(np.float64)
        self.least = 1 + int(self.arrays["places"].max(initial=0))
        cdef const int32_t[::1] numbers = self.arrays["ids"]
        cdef int64_t i
        self.index.reserve(numbers.shape[0])
        for i in range(numbers.shape[0]):
            self.index.add(numbers[i])
        if self.index.size() != numbers.shape[0]:
            raise FeatureColumnError("a feature occurs twice among those with weights")

    @staticmethod
    def of(ids, places, amounts):
        """Make weights from parallel lists, in which those of a feature are consecutive. None may be 0."""
        given = np.ascontiguousarray(ids, dtype=np.int32)
        firsts = np.flatnonzero(np.concatenate([[True], given[1:] != given[:-1]])) if len(given) else np.arange(0)
        counts = np.diff(np.append(firsts, len(given)))
        if counts.max(initial=0) > 255:
            raise FeatureColumnError("a feature has more than 255 weights")
        return NumberedWeights(given[firsts], counts, places, amounts)

    def __len__(self):
        return len(self.arrays["amounts"])

    def sums(self, offsets, ids, int outputs):
        """Return the sum of the weights of each example (row) for each output (column).

        Example i has the features ids[offsets[i]:offsets[i + 1]].
        """
        cdef const int32_t[::1] numbers = np.ascontiguousarray(ids, dtype=np.int32)
        cdef const int64_t[::1] starts = checked_offsets(offsets, numbers.shape[0])
        if outputs < self.least:
            raise FeatureColumnError(f"there are weights for {self.least} outputs, not {outputs}")
        result = np.zeros((starts.shape[0] - 1, outputs))
        cdef double[:, ::1] target = result
        cdef int64_t row, i, k
        cdef int32_t column
        with nogil:
            for row in range(target.shape[0]):
                for i in range(starts[row], starts[row + 1]):
                    column = self.index.find(numbers[i])
                    if column >= 0:
                        for k in range(self.starts[column], self.starts[column + 1]):
                            target[row, self.places[k]] += self.values[k]
        return result

    def contents(self):
        """Return the saved form of the weights; if all are of the first output, places are left out."""
        arrays = dict(self.arrays)
        if (arrays["counts"] == 1).all() and not arrays["places"].any():
            del arrays["counts"], arrays["places"]
        return Contents(arrays)

    @staticmethod
    def from_contents(contents, int outputs):
        """Rebuild weights for so many outputs from their `contents()`."""
        ids = contents.array("ids", np.int32)  # checked below: none may occur twice
        counts, places = np.ones(len(ids), dtype=np.uint8), np.zeros(len(ids), dtype=np.uint8)
        if contents.has_array("counts"):
            counts = contents.array("counts", np.uint8, shape=ids.shape, below=outputs + 1)
            places = contents.array("places", np.uint8, shape=(int(counts.sum(dtype=np.int64)),), below=outputs)
        amounts = contents.array("amounts", [np.int8, np.float32], shape=places.shape)
        return NumberedWeights(ids, counts, places, amounts)

    def __reduce__(self):
        return NumberedWeights, tuple(self.arrays[name] for name in ("ids", "counts", "places", "amounts"))
