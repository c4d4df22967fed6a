"""An averaged perceptron over independent examples, each a list of hashed conjunctions and a class.

Decoders train their weights in their own loops; this is for classifiers whose decisions are independent. Updates are
whole numbers and the order of visits is drawn from a seed, so that the same examples give the same weights everywhere.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from kakari.kernels.hashed.weights cimport HashedLearner, RowLearner

from kakari.kernels.hashed.weights import MOST_CLASSES


def fit_examples(offsets, hashes, classes, *, int passes=8, seed=0):
    """Train a learner on examples; those whose class is negative are skipped.

    Parameters
    ----------
    offsets, hashes : arrays of int64 and uint64
        Example i has the hashes offsets[i] to offsets[i + 1].
    classes : array of int
        The class of each example, less than 256.

    Examples
    --------
    >>> learner = fit_examples([0, 1, 2], [17, 23], [0, 1], passes=2)
    >>> int(learner.scores([17], 2).argmax()), int(learner.scores([23], 2).argmax())
    (0, 1)
    """
    cdef const int64_t[::1] places = np.ascontiguousarray(offsets, dtype=np.int64)
    cdef const uint64_t[::1] found = np.ascontiguousarray(hashes, dtype=np.uint64)
    cdef const int32_t[::1] gold = np.ascontiguousarray(classes, dtype=np.int32)
    if places.shape[0] != gold.shape[0] + 1 or np.any(np.diff(offsets) < 0) or places[0] != 0:
        raise ValueError("offsets start at 0, do not fall, and are one more than the classes")
    if places[places.shape[0] - 1] != found.shape[0]:
        raise ValueError("the last offset is the number of hashes")
    if gold.shape[0] and np.max(classes) >= MOST_CLASSES:
        raise ValueError(f"there are at most {MOST_CLASSES} classes")
    cdef HashedLearner learner = HashedLearner()
    known = np.flatnonzero(np.asarray(gold) >= 0)
    cdef int32_t count = int(np.max(classes)) + 1 if len(known) else 0
    random = np.random.default_rng(seed)
    cdef const int64_t[::1] order
    cdef int _turn
    for _turn in range(passes):
        order = random.permutation(known)
        seen = learner.examples
        with nogil:
            seen = visit(&learner.rows, places, found, gold, order, count, seen)
        learner.examples = seen
    return learner


cdef int64_t visit(RowLearner *rows, const int64_t[::1] places, const uint64_t[::1] found, const int32_t[::1] gold,
                   const int64_t[::1] order, int32_t count, int64_t seen) except -1 nogil:
    """Visit examples in the given order; return how many have been seen in all."""
    cdef int32_t scores[256]
    cdef int64_t i, example
    cdef int32_t k, best, right
    cdef int size
    cdef const uint64_t *own
    for i in range(order.shape[0]):
        example = order[i]
        size = <int>(places[example + 1] - places[example])
        own = &found[places[example]] if size else NULL
        right = gold[example]
        for k in range(count):
            scores[k] = 0
        rows.score(own, size, scores)
        best = -1
        for k in range(count):
            if k != right and (best < 0 or scores[k] > scores[best]):
                best = k
        if best >= 0 and scores[best] >= scores[right]:
            rows.update(own, size, right, 1, seen)
            rows.update(own, size, best, -1, seen)
        seen += 1
    return seen
