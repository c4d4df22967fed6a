"""Margins by the definition: intersect each set with every support vector (PKB of Kudo and Matsumoto, 2003).

A margin costs one look at each feature of each support vector. Faster methods are measured against it.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

from kakari.kernels.sets.checks import checked_coefficients, checked_integer, checked_sets
from kakari.kernels.sets.featuresets cimport FeatureSets


def naive_margins(sets, support, coefficients, degree):
    """Return for each set the sum over the support vectors s of coefficient times (1 + |s & set|)**degree.

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> sets, support = FeatureSets.from_lists([[1, 2], [4, 9], []]), FeatureSets.from_lists([[1, 2, 3], [2, 4]])
    >>> naive_margins(sets, support, [0.5, -1.0], degree=2).tolist()
    [0.5, -3.5, -0.5]
    """
    cdef FeatureSets asked = checked_sets(sets), known = checked_sets(support)
    cdef const double[::1] factors = checked_coefficients(coefficients, len(known))
    features, places = np.unique(np.concatenate([asked.ids, known.ids]), return_inverse=True)
    cdef const int64_t[::1] offsets = asked.offset_view, starts = known.offset_view
    cdef const int32_t[::1] columns = places.astype(np.int32)
    cdef uint8_t[::1] marks = np.zeros(features.size, dtype=np.uint8)
    cdef const double[::1] kernels = (1.0 + np.arange(known.row_lengths().max(initial=0) + 1)) ** checked_integer(
        "degree", degree, 1, 4)
    margins = np.zeros(len(asked))
    cdef double[::1] totals = margins
    cdef int64_t row, vector, i, shared, behind = asked.ids.size
    with nogil:
        for row in range(totals.shape[0]):
            for i in range(offsets[row], offsets[row + 1]):
                marks[columns[i]] = 1
            for vector in range(factors.shape[0]):
                shared = 0
                for i in range(starts[vector], starts[vector + 1]):
                    shared += marks[columns[behind + i]]
                totals[row] += factors[vector] * kernels[shared]
            for i in range(offsets[row], offsets[row + 1]):
                marks[columns[i]] = 0
    return margins
