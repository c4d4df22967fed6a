"""Margins m(x) = sum of alpha_i (1 + |s_i & x|)**d of a fixed support set, by five exact methods.

naive       intersects x with every support vector: O(features of the support set);
inverted    counts along the posting lists of x's features: O(their lengths + support vectors);
expansion   sums explicit weights of all conjunctions of x up to order d: O(|x|**d), memory for all of them;
splitting   does so among the `common` most frequent features, and reads the support vectors that share a
            rarer one;
slicing     goes from the most frequent feature to the rarest and adds what each brings, by either way;
            margins of prefixes are reused within a call, and signs are told as soon as they are certain.

All give the same numbers up to rounding. The structures are those of the learner (see margins.hpp).
"""
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as cbool

import numpy as np

from kakari.kernels.sets.checks import checked_choice, checked_coefficients, checked_integer, checked_sets
from kakari.kernels.sets.featuresets cimport FeatureSets

METHODS = ("naive", "inverted", "expansion", "splitting", "slicing")


cdef class SupportMargins:
    """The margin function of a support set.

    Parameters
    ----------
    support : FeatureSets
    coefficients : array of float
        One for each support vector, with the sign of its class.
    degree : int
        Of the kernel, 1 to 4.
    method : {"slicing", "splitting", "expansion", "inverted", "naive"}
    common : int, optional
        How many of the most frequent features have explicit conjunctions ("splitting" and "slicing"); by
        default as many as dense arrays of about 22 MB hold.
    reuse : bool
        Whether "slicing" remembers the margins of prefixes from one set to the next of a call.
    ranking : FrequencyRanking, optional
        The order of the features; by default by their frequency in the support set.

    Notes
    -----
    Many threads may ask one object at once; each call has its own scratch memory and runs without the GIL.

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> support = FeatureSets.from_lists([[1, 2, 3], [2, 4]])
    >>> function = SupportMargins(support, [0.5, -1.0], degree=2)
    >>> function.margins(FeatureSets.from_lists([[1, 2], [4, 9], []])).tolist()
    [0.5, -3.5, -0.5]
    >>> function.margins(FeatureSets.from_lists([[1, 2], [4, 9], []]), signs_only=True).tolist()
    [1.0, -1.0, -1.0]
    """

    def __init__(self, support, coefficients, degree, *, method="slicing", common=None, reuse=True,
                 ranking=None):
        cdef FeatureSets rows = checked_sets(support)
        self.degree = checked_integer("degree", degree, 1, 4)
        self.method = checked_choice("method", method, METHODS)
        self.reuse = bool(reuse)
        cdef const double[::1] values = checked_coefficients(coefficients, len(rows))
        cdef const int32_t[::1] ranked = np.empty(0, dtype=np.int32) if ranking is None else ranking.ids
        self.engine = make_margins(self.degree)
        cdef MarginsBase *engine = self.engine.get()
        engine.method = METHODS.index(method)
        engine.reuse = self.reuse
        engine.common = -1 if common is None else checked_integer("common", common, 0, 2**31 - 1)
        cdef int64_t count = len(rows)
        cdef const int64_t *offsets = &rows.offset_view[0]
        cdef const int32_t *ids = &rows.id_view[0] if rows.id_view.shape[0] else NULL
        cdef const double *numbers = &values[0] if count else NULL
        cdef const int32_t *ranks = &ranked[0] if ranked.shape[0] else NULL
        with nogil:
            engine.build(offsets, ids, count, numbers, ranks, ranked.shape[0])

    def margins(self, sets, *, signs_only=False):
        """Return the margin of each set, or with `signs_only` just its sign: -1, 0 or 1."""
        cdef FeatureSets rows = checked_sets(sets)
        cdef int64_t count = len(rows)
        result = np.empty(count, dtype=np.float64)
        cdef double[::1] view = result
        cdef const int64_t *offsets = &rows.offset_view[0]
        cdef const int32_t *ids = &rows.id_view[0] if rows.id_view.shape[0] else NULL
        cdef double *target = &view[0] if count else NULL
        cdef cbool signs = signs_only
        with nogil:
            self.engine.get().margins(offsets, ids, count, signs, target)
        return result

    @property
    def common(self):
        """How many features have explicit conjunctions."""
        return self.engine.get().common

    @property
    def bytes(self):
        """The memory that the function holds."""
        return self.engine.get().bytes()
