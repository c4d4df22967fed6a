"""Sets of feature ids: the form in which every learner of the engine takes its examples.

`FeatureSets` holds many sets of 32-bit ids in compressed sparse rows (see the .pxd). Rows are sorted and
free of duplicates by construction: O(total log longest row) once, after which an intersection is a merge.
`FrequencyRanking` numbers features from the most frequent to the rarest, the order in which tries and
simplex arrays are walked; it is a pair of sorted arrays, so ids up to 2**31 - 1 cost nothing.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.algorithm cimport lower_bound, sort, unique
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.stored import Contents

cdef extern from "kernels/hardware/secrets.hpp" namespace "kakari" nogil:
    cdef cppclass SecretHash:
        uint64_t begin(uint64_t length) const
        uint64_t join(uint64_t hash, uint64_t part) const

cdef int64_t LARGEST_ID = 2**31 - 1


class FeatureSetError(ValueError):
    """Input that is not a collection of sets of feature ids; the text names the row and what is wrong."""


cdef class FeatureSets:
    """An immutable collection of feature sets.

    Made by `from_lists`, `from_arrays` or `from_sparse`; never directly.

    Examples
    --------
    >>> sets = FeatureSets.from_lists([[3, 1, 3], [], [1]])
    >>> len(sets), sets[0].tolist(), sets.row_lengths().tolist()
    (3, [1, 3], [2, 0, 1])
    """

    def __init__(self):
        raise TypeError("use FeatureSets.from_lists, from_arrays or from_sparse")

    @staticmethod
    def from_arrays(offsets, ids):
        """From compressed rows: row i is ids[offsets[i]:offsets[i+1]], in any order, repeats allowed.

        Examples
        --------
        >>> FeatureSets.from_arrays([0, 3, 3], [9, 2, 9]).tolist()
        [[2, 9], []]
        """
        starts = checked_offsets(offsets)
        numbers = np.asarray(ids)
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise FeatureSetError("feature ids must be a one-dimensional array of whole numbers")
        end = starts[starts.size - 1]
        if end != numbers.size:
            raise FeatureSetError(f"the offsets end at {end}, but there are {numbers.size} feature ids")
        refuse_bad_ids(starts, numbers)
        return sorted_rows(starts, np.array(numbers, dtype=np.int32))

    @staticmethod
    def from_lists(rows):
        """From an iterable of iterables of ids.

        Examples
        --------
        >>> FeatureSets.from_lists([]).tolist()
        []
        >>> FeatureSets.from_lists([[-1]])
        Traceback (most recent call last):
        ...
        kakari.kernels.sets.featuresets.FeatureSetError: row 0: feature id -1 is not between 0 and 2147483647
        """
        lengths, numbers = [0], []
        for number, row in enumerate(rows):
            before = len(numbers)
            numbers.extend(row)
            for value in numbers[before:]:
                if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
                    raise FeatureSetError(f"row {number}: {value!r} is not a feature id (a whole number)")
                if not 0 <= value <= LARGEST_ID:
                    raise bad_id(number, value)
            lengths.append(len(numbers))
        return sorted_rows(np.array(lengths, dtype=np.int64), np.array(numbers, dtype=np.int32))

    @staticmethod
    def from_sparse(matrix, *, binarize=False):
        """From a `scipy.sparse` matrix: a row's set is its columns with value 1.

        Stored zeros are not members. A value other than 0 or 1 is refused with its row and column, unless
        `binarize` is True, which counts every value other than zero as 1.

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> FeatureSets.from_sparse(csr_array([[0, 1, 1], [1, 0, 0]])).tolist()
        [[1, 2], [0]]
        """
        if not hasattr(matrix, "tocsr"):
            raise FeatureSetError(f"not a scipy.sparse matrix: {type(matrix).__name__}")
        rows = matrix.tocsr()
        if not rows.has_canonical_format:  # values of one cell given in parts are added up, as scipy does
            rows = rows.copy()
            rows.sum_duplicates()
        values = rows.data
        if not binarize:
            wrong = np.flatnonzero((values != 0) & (values != 1))
            if wrong.size:
                place = int(wrong[0])
                row = int(np.searchsorted(rows.indptr, place, side="right")) - 1
                raise FeatureSetError(
                    f"row {row}, column {int(rows.indices[place])}: the value {values[place].item()!r} is"
                    " neither 0 nor 1 (binarize=0.0 counts values above 0 as 1)"
                )
        if (values == 0).any():
            rows = rows.copy()
            rows.eliminate_zeros()
        return FeatureSets.from_arrays(rows.indptr, rows.indices)

    def __len__(self):
        return self.offset_view.shape[0] - 1

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        cdef int64_t row = index
        if row < 0:
            row += len(self)
        if not 0 <= row < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        return self.ids[self.offset_view[row]:self.offset_view[row + 1]]

    def __eq__(self, other):
        if not isinstance(other, FeatureSets):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.ids, other.ids)

    __hash__ = None

    def __repr__(self):
        return f"<{len(self)} feature sets, {self.ids.size} ids>"

    def contents(self):
        """Return the saved form of the sets: what `from_arrays` takes.

        Examples
        --------
        >>> sets = FeatureSets.from_lists([[3, 1], []])
        >>> FeatureSets.from_contents(sets.contents()) == sets
        True
        """
        return Contents({"offsets": self.offsets, "ids": self.ids})

    @staticmethod
    def from_contents(contents):
        """Rebuild sets from their `contents()`."""
        ids = contents.array("ids", np.int32, minimum=0)
        return FeatureSets.from_arrays(contents.offsets("offsets", ids.size), ids)

    def __reduce__(self):
        return FeatureSets.from_contents, (self.contents(),)

    def tolist(self):
        """Return the sets as plain lists."""
        return [self[row].tolist() for row in range(len(self))]

    def row_lengths(self):
        """Return the number of features of each set."""
        return np.diff(self.offsets)

    def take(self, rows):
        """Return the sets of the given row numbers, in that order.

        Examples
        --------
        >>> FeatureSets.from_lists([[1], [2], [3]]).take([2, 0]).tolist()
        [[3], [1]]
        """
        wanted = np.ascontiguousarray(rows, dtype=np.int64)
        if wanted.size and not (0 <= wanted.min() and wanted.max() < len(self)):
            raise IndexError(f"row numbers must be between 0 and {len(self) - 1}")
        offsets = np.zeros(wanted.size + 1, dtype=np.int64)
        np.cumsum(self.row_lengths()[wanted], out=offsets[1:])
        ids = np.empty(offsets[wanted.size], dtype=np.int32)
        copy_rows(self.offset_view, self.id_view, wanted, offsets, ids)
        return wrap(offsets, ids)

    def ranking(self):
        """Rank the features from the most frequent to the rarest; equals go by their id.

        Examples
        --------
        >>> ranking = FeatureSets.from_lists([[5, 7], [7], [2, 7]]).ranking()
        >>> ranking.ids.tolist(), ranking.counts.tolist()
        ([7, 2, 5], [3, 1, 1])
        """
        ids, counts = np.unique(self.ids, return_counts=True)
        order = np.lexsort((ids, -counts))
        return FrequencyRanking(ids[order], counts[order])

    def ranked(self, ranking):
        """Replace ids by their ranks; features that the ranking does not know are left out.

        Examples
        --------
        >>> sets = FeatureSets.from_lists([[5, 7], [7], [2, 7]])
        >>> sets.ranked(sets.ranking()).tolist()
        [[0, 2], [0], [0, 1]]
        """
        ranks = ranking.ranks_of(self.ids)
        known = ranks >= 0
        offsets = np.zeros(len(self) + 1, dtype=np.int64)
        before = np.zeros(self.ids.size + 1, dtype=np.int64)
        np.cumsum(known, out=before[1:])
        offsets[:] = before[self.offsets]
        return sorted_rows(offsets, ranks[known])

    def duplicates(self):
        """Return for each row the first row with exactly the same features (its own number if there is no earlier one).

        Candidates are found by a 64-bit hash and compared id by id, so the answer is exact.

        Examples
        --------
        >>> FeatureSets.from_lists([[1, 2], [3], [2, 1], [], []]).duplicates().tolist()
        [0, 1, 0, 3, 3]
        """
        first = np.empty(len(self), dtype=np.int64)
        find_duplicates(self.offset_view, self.id_view, first)
        return first


class FrequencyRanking:
    """Features from the most frequent to the rarest.

    Attributes
    ----------
    ids : numpy array of int32
        `ids[r]` is the feature of rank r.
    counts : numpy array of int64
        In how many sets it occurs.

    Examples
    --------
    >>> FrequencyRanking([40, 10], [9, 5]).ranks_of([10, 40, 99]).tolist()
    [1, 0, -1]
    """

    def __init__(self, ids, counts):
        self.ids = np.array(ids, dtype=np.int32)
        self.counts = np.array(counts, dtype=np.int64)
        if self.ids.shape != self.counts.shape or self.ids.ndim != 1:
            raise FeatureSetError("a ranking needs one count for each feature id")
        self._order = np.argsort(self.ids, kind="stable").astype(np.int32)
        self._sorted = self.ids[self._order]
        if (np.diff(self._sorted) == 0).any():
            raise FeatureSetError("a feature id occurs twice in the ranking")

    def __len__(self):
        return self.ids.size

    def ranks_of(self, ids):
        """Return the rank of each id, -1 for one that is not ranked."""
        wanted = np.ascontiguousarray(ids, dtype=np.int32)
        ranks = np.empty(wanted.size, dtype=np.int32)
        find_ranks(self._sorted, self._order, wanted, ranks)
        return ranks


cdef FeatureSets wrap(offsets, ids):
    """Make a collection from arrays that are known to be sorted."""
    cdef FeatureSets sets = FeatureSets.__new__(FeatureSets)
    offsets.flags.writeable = False
    ids.flags.writeable = False
    sets.offsets, sets.ids = offsets, ids
    sets.offset_view, sets.id_view = offsets, ids
    return sets


cdef bad_id(row, value):
    return FeatureSetError(f"row {row}: feature id {value} is not between 0 and {LARGEST_ID}")


cdef checked_offsets(offsets):
    given = np.asarray(offsets)
    if given.ndim != 1 or given.size == 0 or given.dtype.kind not in "iu":
        raise FeatureSetError("offsets must be a one-dimensional array of whole numbers that starts with 0")
    starts = np.array(given, dtype=np.int64)
    if starts[0] != 0 or (np.diff(starts) < 0).any():
        raise FeatureSetError("offsets must start with 0 and never fall")
    return starts


cdef refuse_bad_ids(starts, numbers):
    wrong = np.flatnonzero((numbers < 0) | (numbers > LARGEST_ID))
    if wrong.size:
        row = int(np.searchsorted(starts, wrong[0], side="right")) - 1
        raise bad_id(row, int(numbers[wrong[0]]))


cdef FeatureSets sorted_rows(offsets, ids):
    """Sort each row and drop its repeats, in place, then close the gaps."""
    cdef int64_t[::1] starts = offsets
    cdef int32_t[::1] numbers = ids
    cdef int64_t row, kept = 0, begin, end, place
    cdef int32_t *base = &numbers[0] if numbers.shape[0] else NULL
    with nogil:
        begin = 0
        for row in range(starts.shape[0] - 1):
            end = starts[row + 1]
            if end > begin:
                sort(base + begin, base + end)
                place = unique(base + begin, base + end) - base
                while begin < place:
                    base[kept] = base[begin]
                    kept += 1
                    begin += 1
            begin = end
            starts[row + 1] = kept
    return wrap(offsets, ids[:kept].copy() if kept < ids.size else ids)


cdef void copy_rows(const int64_t[::1] offsets, const int32_t[::1] ids, const int64_t[::1] rows,
                    const int64_t[::1] new_offsets, int32_t[::1] new_ids) noexcept nogil:
    cdef int64_t i, j, source, target
    for i in range(rows.shape[0]):
        source = offsets[rows[i]]
        target = new_offsets[i]
        for j in range(new_offsets[i + 1] - target):
            new_ids[target + j] = ids[source + j]


cdef int find_ranks(const int32_t[::1] known, const int32_t[::1] order, const int32_t[::1] wanted,
                    int32_t[::1] ranks) except -1 nogil:
    cdef int64_t i
    cdef const int32_t *begin
    cdef const int32_t *end
    cdef const int32_t *found
    if known.shape[0] == 0:
        for i in range(wanted.shape[0]):
            ranks[i] = -1
        return 0
    begin = &known[0]
    end = begin + known.shape[0]
    for i in range(wanted.shape[0]):
        found = lower_bound(begin, end, wanted[i])
        ranks[i] = order[found - begin] if found != end and found[0] == wanted[i] else -1
    return 0


cdef int find_duplicates(const int64_t[::1] offsets, const int32_t[::1] ids,
                         int64_t[::1] first) except -1 nogil:
    # Rows with one hash form a chain through `next_of`, headed by the newest.
    cdef unordered_map[uint64_t, int64_t] newest
    cdef unordered_map[uint64_t, int64_t].iterator seen
    cdef vector[int64_t] next_of
    cdef SecretHash secret
    cdef int64_t rows = offsets.shape[0] - 1, row, other
    cdef uint64_t key
    next_of.resize(rows)
    newest.reserve(rows)
    for row in range(rows):
        key = hash_row(secret, offsets, ids, row)
        seen = newest.find(key)
        other = -1 if seen == newest.end() else newest[key]
        next_of[row] = other
        first[row] = row
        while other >= 0:
            if equal_rows(offsets, ids, row, other):
                first[row] = other
                break
            other = next_of[other]
        if first[row] == row:
            newest[key] = row
    return 0


cdef uint64_t hash_row(const SecretHash &secret, const int64_t[::1] offsets, const int32_t[::1] ids,
                       int64_t row) noexcept nogil:
    cdef uint64_t mixed = secret.begin(offsets[row + 1] - offsets[row])
    cdef int64_t i
    for i in range(offsets[row], offsets[row + 1]):
        mixed = secret.join(mixed, ids[i])
    return mixed


cdef bint equal_rows(const int64_t[::1] offsets, const int32_t[::1] ids, int64_t a, int64_t b) noexcept nogil:
    cdef int64_t length = offsets[a + 1] - offsets[a], i
    if offsets[b + 1] - offsets[b] != length:
        return False
    for i in range(length):
        if ids[offsets[a] + i] != ids[offsets[b] + i]:
            return False
    return True
