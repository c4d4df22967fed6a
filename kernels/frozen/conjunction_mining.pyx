"""Conjunction weights of a polynomial-kernel model, mined from its support set (PKE, 2003).

The margin  sum_i alpha_i (1 + |s_i & x|)**d  is linear in the conjunctions f of at most d features:
w(f) = c_d(|f|) * (sum of alpha_i over the s_i that hold all of f). `mine` finds every conjunction whose
weight reaches a threshold. Features are numbered by frequency and a conjunction is written from its rarest
feature to its most frequent one, so what may follow a prefix is always the part of a row to the left of a
position. PrefixSpan then needs no copies of rows: a projected database is a list of (row, position).

Positive and negative coefficients are summed apart. Neither sum can grow when a conjunction is extended,
hence a branch ends as soon as both are too small for any extension to reach its threshold. The search is
depth-first and what it finds comes out in lexical order, which is a trie laid out level by level: the
memory is that of the result, plus one projected database a level. The time is one addition for each
occurrence of a conjunction that the thresholds let through, about 5 ns each.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from kakari.kernels.hardware.arrays cimport float64_array, int32_array, int64_array
from kakari.kernels.sets.featuresets cimport FeatureSets

from math import comb, isfinite

import numpy as np

from kakari.kernels.frozen.checks import ModelError

cdef extern from "kernels/frozen/conjunction_mining.hpp" namespace "kakari" nogil:
    const int largest_degree
    const int histogram_shift
    cdef cppclass ConjunctionLevel:
        vector[int32_t] features
        vector[double] weights
        vector[int64_t] child_ends

    cdef cppclass ConjunctionMiner:
        ConjunctionMiner(const int64_t *, const int32_t *, const double *, int64_t, int64_t, int,
                         const double *) except +
        void mine(double, double, int64_t, bint, double, double) except +
        ConjunctionLevel levels[4]
        vector[int64_t] histogram


def subset_weights(degree):
    """Return c_d(0), ..., c_d(d), the weight of a conjunction by its size (Lemma 1 of the 2003 paper).

    Examples
    --------
    >>> subset_weights(3)
    [1, 7, 12, 6]
    """
    if isinstance(degree, bool) or degree not in range(1, largest_degree + 1):
        raise ModelError(f"the degree must be 1 to {largest_degree}, not {degree!r}")
    return [
        sum((-1) ** (size - m) * comb(size, m) * (1 + m) ** degree for m in range(size + 1))
        for size in range(degree + 1)
    ]


class Conjunctions:
    """Weighted conjunctions as a trie of flat levels, each written from its rarest to its most frequent feature.

    Attributes
    ----------
    ids : numpy array of int32
        The feature of each rank; levels hold ranks.
    levels : list of (features, weights, child_ends)
        One for each size: the rank of the last feature, the weight (0 if only an extension was kept), and
        where in the next level the node's children end (they begin where the last node's ended).
    constant : float
        The weight of the empty conjunction, which is never dropped.
    threshold_positive, threshold_negative : float
        The smallest positive and the largest negative weight that were kept.
    """

    def __init__(self, ids, levels, constant, threshold_positive, threshold_negative):
        self.ids, self.levels, self.constant = ids, levels, constant
        self.threshold_positive, self.threshold_negative = threshold_positive, threshold_negative

    def __len__(self):
        return sum(int(np.count_nonzero(weights)) for _, weights, _ in self.levels)

    def items(self):
        """Yield each conjunction, as a sorted tuple of feature ids, with its weight.

        Examples
        --------
        >>> from kakari.kernels.sets.featuresets import FeatureSets
        >>> found = mine(FeatureSets.from_lists([[4, 9], [9]]), [1.0, 0.5], 2)
        >>> dict(found.items()), found.constant
        ({(9,): 4.5, (4,): 3.0, (4, 9): 2.0}, 1.5)
        """
        names = [()]
        for size, (features, weights, _) in enumerate(self.levels):
            if size == 0:
                parents = np.zeros(features.size, dtype=np.int64)
            else:
                ends = self.levels[size - 1][2]
                parents = np.repeat(np.arange(ends.size), np.diff(ends, prepend=0))
            names = [(*names[p], int(self.ids[f])) for p, f in zip(parents, features)]
            for name, weight in zip(names, weights.tolist()):
                if weight:
                    yield tuple(sorted(name)), weight


def mine(FeatureSets sets not None, coefficients, degree, *, sigma=0.0, minimum_support=1, keep=None):
    """Find the conjunctions of a support set whose weights reach a threshold.

    A conjunction is kept if w >= sigma * P or w <= -sigma * (1 - P), where P is the share of support vectors
    with a positive coefficient, and if at least `minimum_support` support vectors hold it (the paper's xi). The
    thresholds are on the whole weight, as in the paper's definition 2; its own search mines positive and negative
    examples apart, and so also keeps what is heavy on one side only. With sigma 0 and minimum support 1 only
    zeros are dropped. `keep` uses the smallest sigma that leaves at most that many conjunctions instead.

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> sets = FeatureSets.from_lists([[1, 2], [1, 3]])
    >>> dict(mine(sets, [1.0, -0.25], 2, sigma=4).items())
    {(1,): 2.25, (2,): 3.0, (1, 2): 2.0}
    >>> dict(mine(sets, [1.0, -0.25], 2, keep=1).items())
    {(2,): 3.0}
    """
    alphas = checked_coefficients(sets, coefficients)
    weights = np.array(subset_weights(degree), dtype=np.float64)
    if not (isfinite(sigma) and sigma >= 0):
        raise ModelError(f"sigma must be zero or a positive number, not {sigma!r}")
    if minimum_support < 1:
        raise ModelError(f"the minimum support must be at least 1, not {minimum_support!r}")
    ranking = sets.ranking()
    cdef FeatureSets ranked = sets.ranked(ranking)
    # One side's scale is zero when all coefficients have the other sign: no weight is compared with it then.
    positive = float(np.count_nonzero(alphas > 0)) / max(1, np.count_nonzero(alphas))
    negative = 1.0 - positive
    if keep is not None:
        if keep < 0:
            raise ModelError(f"keep must be 0 or more, not {keep!r}")
        fitting = smallest_sigma(ranked, alphas, weights, len(ranking), minimum_support, keep, positive)
        sigma = max(sigma, fitting)
    levels = run(ranked, alphas, weights, len(ranking), minimum_support, sigma * positive, sigma * negative)
    return Conjunctions(ranking.ids, levels, float(alphas.sum()), sigma * positive, -sigma * negative)


def checked_coefficients(sets, coefficients):
    """Return the coefficients as finite float64 numbers, one for each set."""
    alphas = np.ascontiguousarray(coefficients, dtype=np.float64)
    if alphas.shape != (len(sets),):
        raise ModelError(f"{len(sets)} support vectors need as many coefficients, not shape {alphas.shape}")
    if not np.isfinite(alphas).all():
        raise ModelError(f"coefficient {int(np.flatnonzero(~np.isfinite(alphas))[0])} is not a finite number")
    return alphas


cdef ConjunctionMiner *new_miner(FeatureSets sets, const double[::1] alphas, const double[::1] weights,
                                 int64_t features) except NULL:
    return new ConjunctionMiner(
        &sets.offset_view[0], &sets.id_view[0] if sets.id_view.shape[0] else NULL,
        &alphas[0] if alphas.shape[0] else NULL, len(sets), features, <int>weights.shape[0] - 1, &weights[0])


cdef smallest_sigma(FeatureSets sets, alphas, weights, int64_t features, int64_t rows_at_least, keep,
                    double positive):
    """Return the smallest threshold that leaves at most `keep` weights, from a histogram of all of them."""
    cdef ConjunctionMiner *miner = new_miner(sets, alphas, weights, features)
    cdef int64_t limit = keep
    cdef int64_t total = 0
    cdef int64_t bin
    try:
        with nogil:
            miner.mine(0, 0, rows_at_least, True, positive, 1.0 - positive)
            bin = <int64_t>miner.histogram.size() - 1
            while bin >= 0 and total + miner.histogram[bin] <= limit:
                total += miner.histogram[bin]
                bin -= 1
    finally:
        del miner
    # The lower edge of the last bin that is kept whole; all bins kept means no threshold.
    if bin < 0:
        return 0.0
    return float(np.array([(bin + 1) << histogram_shift], dtype=np.uint32).view(np.float32)[0])


cdef run(FeatureSets sets, alphas, weights, int64_t features, int64_t rows_at_least, double positive,
         double negative):
    cdef ConjunctionMiner *miner = new_miner(sets, alphas, weights, features)
    cdef int size
    try:
        with nogil:
            miner.mine(positive, negative, rows_at_least, False, 1, 1)
        levels = []
        for size in range(weights.size - 1):
            levels.append(level_arrays(&miner.levels[size]))
        return levels
    finally:
        del miner


cdef level_arrays(ConjunctionLevel *level):
    features, weights = int32_array(level.features), float64_array(level.weights)
    ends = int64_array(level.child_ends)
    level.features.clear()
    level.features.shrink_to_fit()
    level.weights.clear()
    level.weights.shrink_to_fit()
    return features, weights, ends
