"""Frozen models: polynomial-kernel classifiers over flat, read-only arrays.

A model is a dictionary of numpy arrays and one of plain settings; the classifier borrows the arrays, which
may be mapped from a file. An example's features are ranked through a hash table and sorted from frequent to
rare. The head, the most frequent features, is a simplex array for each conjunction size: the places of the
pairs (triples, ...) seen so far are kept in a list, and what a further feature brings is one gather along it,
about half a nanosecond an item. The tail goes through posting lists (one popcount of masked bits and one
multiply a support vector) or through a trie whose leaves are stored apart from its inner nodes (three bytes each
with byte weights).

An adaptive table of prefixes, one a thread, holds running totals and fills as it goes, so that an example starts
where a known prefix ends. Sums have one order, so neither tables nor threads change a bit of a margin. Where only
the sign matters, the tail is left as soon as its bounds cannot turn it.

Thread safety: a model never changes after it was made; each thread has a workspace of its own.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from kakari.kernels.sets.featuresets cimport FeatureSets

import numpy as np

from kakari.kernels.frozen import checks
from kakari.kernels.stored import Contents

ADAPTIVE_SLOTS = 1 << 16        # of a thread's prefix table: 1 MB


cdef class Workspace:
    """The scratch memory of one thread, made by `FrozenModel.workspace`."""

    def __cinit__(self, FrozenModel model not None, int64_t adaptive_slots=0):
        self.model = model
        self.scratch = new FrozenScratch()
        self.scratch.prefix_keys.resize(adaptive_slots)
        self.scratch.prefix_totals.resize(adaptive_slots)

    def __dealloc__(self):
        del self.scratch


cdef class FrozenModel:
    """A classifier made by `freeze`, or from the contents of an earlier one.

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> from kakari.kernels.frozen.freezing import freeze
    >>> sets = FeatureSets.from_lists([[1, 2], [3]])
    >>> model = freeze(sets, [1.0, -1.0], 3)
    >>> again = FrozenModel.from_contents(model.contents())
    >>> again.margins(sets).tolist(), again.signs(sets).tolist()
    ([26.0, -7.0], [1, -1])
    """

    def __cinit__(self, contents):
        self.settings, self.arrays = checks.checked(contents)
        fill_view(self)
        set_bounds(self)
        weight_bytes = {"float64": 8, "float32": 4, "int16": 2, "int8": 1}[self.settings["weights"]]
        self.classifier = new_classifier(self.view, weight_bytes, checks.index_bytes(self.arrays))

    def __dealloc__(self):
        del self.classifier

    def contents(self):
        """Return the saved form of the model."""
        return Contents(self.arrays, self.settings)

    @staticmethod
    def from_contents(contents):
        """Rebuild a model from its `contents()`; the arrays are borrowed, not copied."""
        return FrozenModel(contents)

    def __reduce__(self):
        return FrozenModel, (self.contents(),)

    def __repr__(self):
        return (f"<frozen {self.settings['kind']}, degree {self.degree}, {self.view.features} features,"
                f" {self.nbytes / 1e6:.2f} MB>")

    @property
    def degree(self):
        """The degree of the kernel."""
        return self.settings["degree"]

    @property
    def nbytes(self):
        """Size of all arrays in bytes, as in a file."""
        return sum(array.nbytes for array in self.arrays.values())

    def longest_search(self):
        """Return the largest number of slots that finding one of the features reads; 1 if no table is needed."""
        cdef int64_t mask = <int64_t>self.view.slots.size() - 1, longest = 1, slot, rank
        for slot in range(mask + 1):
            rank = self.view.slots[slot]
            if rank >= 0:
                longest = max(longest, ((slot - <int64_t>self.view.slot_of(self.view.ids[rank])) & mask) + 1)
        return longest

    def workspace(self, *, adaptive=False):
        """Make scratch memory for one thread of a decoder."""
        return Workspace(self, ADAPTIVE_SLOTS if adaptive else 0)

    cdef double margin_of(self, const int32_t *ids, int64_t length,
                          FrozenScratch *scratch) except? -1e300 nogil:
        return self.classifier.margin(ids, length, scratch[0])

    def margin(self, ids, Workspace workspace not None):
        """Return the margin of one example, with the scratch memory of an earlier call.

        Examples
        --------
        >>> from kakari.kernels.sets.featuresets import FeatureSets
        >>> from kakari.kernels.frozen.freezing import freeze
        >>> model = freeze(FeatureSets.from_lists([[1, 2], [3]]), [1.0, -1.0], 3)
        >>> model.margin([2, 1], model.workspace())
        26.0
        """
        if workspace.model is not self:
            raise ValueError("this workspace belongs to another model")
        cdef const int32_t[::1] view = np.ascontiguousarray(ids, dtype=np.int32)
        cdef int64_t length = view.shape[0]
        cdef const int32_t *first = &view[0] if length else NULL
        cdef double margin
        with nogil:
            margin = self.margin_of(first, length, workspace.scratch)
        return margin

    def margins(self, FeatureSets sets not None, *, threads=1, adaptive=False):
        """Return the margin of each set, the same bits for any number of threads.

        With `adaptive`, each thread remembers running totals of the feature prefixes it has met.
        """
        return run(self, sets, threads, adaptive, False)

    def signs(self, FeatureSets sets not None, *, threads=1, adaptive=False, early_stop=True):
        """Return 1 where the margin is positive and -1 elsewhere, as int8.

        With `early_stop` the tail of an example is left as soon as it cannot change the sign.
        """
        return np.where(run(self, sets, threads, adaptive, early_stop) > 0, 1, -1).astype(np.int8)

    def ranked(self, ids):
        """Return the ranks of an example's known features, ascending."""
        cdef const int32_t[::1] view = np.ascontiguousarray(ids, dtype=np.int32)
        cdef FrozenScratch scratch
        cdef int64_t known = self.classifier.rank_features(
            &view[0] if view.shape[0] else NULL, view.shape[0], scratch)
        return [scratch.ranks[i] for i in range(known)]


cdef run(FrozenModel model, FeatureSets sets, threads, bint adaptive, bint signs):
    cdef int workers = threads
    if workers < 1:
        raise ValueError(f"at least one thread is needed, not {threads!r}")
    margins = np.empty(len(sets), dtype=np.float64)
    cdef double[::1] out = margins
    cdef int64_t rows = len(sets), slots = ADAPTIVE_SLOTS if adaptive else 0
    cdef const int32_t *ids = &sets.id_view[0] if sets.id_view.shape[0] else NULL
    if rows:
        with nogil:
            model.classifier.run(&sets.offset_view[0], ids, rows, &out[0], workers, signs, slots)
    return margins


cdef const void *address(dict arrays, name) except? NULL:
    """Return the address of an array's data; NULL if the model has no array of that name."""
    array = arrays.get(name)
    if array is None or array.size == 0:
        return NULL
    return <const void *><size_t>array.ctypes.data


cdef int fill_view(FrozenModel model) except -1:
    """Point the classifier's view at the arrays, which the model keeps alive."""
    cdef FrozenArrays *view = &model.view
    cdef int size
    arrays, settings = model.arrays, model.settings
    view.degree, view.constant = settings["degree"], settings["constant"]
    view.features, view.common = arrays["ids"].size, settings["common"]
    view.ids = <const int32_t *>address(arrays, "ids")
    model.direct = checks.direct_ranks(arrays["ids"])
    view.direct = <const int32_t *>address({"direct": model.direct}, "direct")
    view.direct_size = model.direct.size
    if view.direct == NULL and not view.fill_slots():
        raise checks.ModelError("a feature occurs twice among the ids")
    view.kernel_tail = "postings" in arrays
    if view.kernel_tail:
        view.rows, view.words = arrays["rows"].shape[0], arrays["rows"].shape[1] - 1
        view.posting_starts = <const int64_t *>address(arrays, "posting_starts")
        view.postings = address(arrays, "postings")
        view.table = <const uint64_t *>address(arrays, "rows")
    for size in range(view.degree):
        view.scale[size] = settings["scales"][size]
        view.head[size] = address(arrays, f"head_{size + 1}")
        view.inner_labels[size] = address(arrays, f"inner_labels_{size + 1}")
        view.inner_weights[size] = address(arrays, f"inner_weights_{size + 1}")
        view.inner_starts[size] = <const uint32_t *>address(arrays, f"inner_starts_{size + 1}")
        view.leaf_labels[size] = address(arrays, f"leaf_labels_{size + 1}")
        view.leaf_weights[size] = address(arrays, f"leaf_weights_{size + 1}")
        view.leaf_starts[size] = <const uint32_t *>address(arrays, f"leaf_starts_{size + 1}")
    return 0


cdef set_bounds(FrozenModel model):
    """Compute for each rare feature the most that it can add to and take from a margin."""
    positive, negative = checks.tail_bounds(model.settings, model.arrays)
    cdef FrozenArrays *view = &model.view
    view.tail_positive = <const double *><size_t>positive.ctypes.data
    view.tail_negative = <const double *><size_t>negative.ctypes.data
    model.bounds = (positive, negative)
