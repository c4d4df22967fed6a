"""New weights for the conjunctions that mining kept.

Pruning a model (sigma, xi, keep) drops many small weights whose sum is not small. So the rest is trained again:
passive-aggressive passes (PA-I) over examples, in which only the kept conjunctions have weights, each scaled
as in the kernel, and the mean over all visits at the end. The result has the same conjunctions, so a model of the
same size, and comes much closer to the exact one.

An example's conjunctions are found by walking the trie of `mine`, looking up each child's label in a table of
the example's features: about 15 microseconds an example with a million conjunctions. Memory: three numbers a
conjunction. The loop runs without the GIL, a few thousand examples at a time, and checks for signals in between.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t

from kakari.kernels.sets.featuresets cimport FeatureSets

import numpy as np

from kakari.kernels.sets.checks import checked_examples, checked_integer, checked_positive
from kakari.kernels.sets.featuresets import FrequencyRanking
from kakari.kernels.frozen.conjunction_mining import Conjunctions, subset_weights

cdef extern from "kernels/frozen/refitting.hpp" namespace "kakari" nogil:
    cdef struct RefittedLevel:
        const int32_t *features
        const int64_t *child_ends
        const uint8_t *kept
        double *weights
        double *drift
        double subset_weight

    cdef cppclass Refitter:
        Refitter(int, const RefittedLevel *, int64_t, int64_t, double) except +
        void visit(const int64_t *, const int32_t *, const int32_t *, int64_t, int64_t, double) except +
        void average(const int64_t *)
        double constant
        int64_t updates

cdef int64_t STRETCH = 4096      # examples between two checks for signals


def refit(found, sets, labels, *, cost, passes=10, fresh=False):
    """Train the weights of mined conjunctions again.

    Parameters
    ----------
    found : Conjunctions
        From `mine`; left as it is.
    sets : FeatureSets
    labels : array of 1 and -1
    cost : float
        The largest step, C of PA-I with step "features". Half of the C of the model's own training is a good choice.
    passes : int
    fresh : bool
        Start from zero rather than from the mined weights.

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> from kakari.kernels.frozen.conjunction_mining import mine
    >>> sets = FeatureSets.from_lists([[1, 2], [1], [2], []])
    >>> found = mine(sets, [1.0, -1.0, -1.0, 1.0], 2, sigma=3)
    >>> sorted(name for name, _ in refit(found, sets, [1, -1, -1, 1], cost=1.0).items())
    [(1, 2)]
    """
    rows, signs, _ = checked_examples(sets, labels, None, (1.0, 1.0))
    cost = checked_positive("cost", cost)
    passes = checked_integer("passes", passes, 0, 2**31 - 1)
    ranks = FrequencyRanking(found.ids, np.zeros(found.ids.size, dtype=np.int64)).ranks_of(rows.ids)
    weights = [np.zeros_like(level[1]) if fresh else level[1].copy() for level in found.levels]
    constant = run(found, weights, rows, np.ascontiguousarray(ranks, dtype=np.int32), signs, cost, passes,
                   0.0 if fresh else found.constant)
    levels = [(features, new, ends) for (features, _, ends), new in zip(found.levels, weights)]
    return Conjunctions(found.ids, levels, constant, found.threshold_positive, found.threshold_negative)


cdef run(found, list weights, FeatureSets rows, const int32_t[::1] ranks, const int32_t[::1] signs, double cost,
         int64_t passes, double constant):
    """Train the weights in place; return the constant."""
    cdef RefittedLevel levels[4]
    cdef int64_t sizes[4]
    cdef int degree = len(weights), level
    cdef const int32_t[::1] features
    cdef const int64_t[::1] ends
    cdef const uint8_t[::1] kept
    cdef double[::1] own, drift
    alive = []                  # keeps the arrays that the pointers point into
    factors = subset_weights(degree)
    for level in range(degree):
        features, mined, ends = found.levels[level]
        kept = (mined != 0).astype(np.uint8)
        own, drift = weights[level], np.zeros_like(mined)
        alive.append((features, ends, kept, own, drift))
        sizes[level] = features.shape[0]
        levels[level].features = &features[0] if features.shape[0] else NULL
        levels[level].child_ends = &ends[0] if ends.shape[0] else NULL
        levels[level].kept = &kept[0] if kept.shape[0] else NULL
        levels[level].weights = &own[0] if own.shape[0] else NULL
        levels[level].drift = &drift[0] if drift.shape[0] else NULL
        levels[level].subset_weight = factors[level + 1]
    cdef Refitter *refitter = new Refitter(degree, levels, sizes[0], len(found.ids), constant)
    cdef int64_t begin, end, count = len(rows), _turn
    cdef const int32_t *first = &ranks[0] if ranks.shape[0] else NULL
    try:
        for _turn in range(passes):
            for begin in range(0, count, STRETCH):
                end = min(begin + STRETCH, count)
                with nogil:
                    refitter.visit(&rows.offset_view[0], first, &signs[0], begin, end, cost)
                PyErr_CheckSignals()
        refitter.average(sizes)
        return refitter.constant
    finally:
        del refitter
