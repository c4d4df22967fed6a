"""The relations of words to their heads, in trees that are found (labelling.hpp).

From the root down, each word gets the relation with the largest sum of weights; learning is the averaged perceptron's,
in gold trees.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.memory cimport unique_ptr

import numpy as np

from kakari.kernels.hashed.weights cimport HashedLearner, HashedWeights, RowLearner, RowTable
from kakari.parsers.dependency.tokens cimport TokenBatch, TokenView

MOST_LABELS = 250
NO_LABEL = 255


cdef extern from "parsers/dependency/labelling.hpp" namespace "kakari" nogil:
    cdef cppclass Labeller[Weights]:
        Labeller(const Weights& weights, int32_t labels) except +
        void run(const TokenView& tokens, const int32_t *heads, uint8_t *found) except +
        int32_t learn(RowLearner& weights, const TokenView& tokens, const int32_t *heads, const uint8_t *gold,
                      int64_t now) except +


def label_batch(TokenBatch batch not None, heads, HashedWeights weights not None, int labels):
    """Return the number of each token's relation; tokens that lead to no root have 0.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedLearner
    >>> from kakari.parsers.dependency.tokens import TokenBatch
    >>> label_batch(TokenBatch([[("a", "a", "X", "X", "_")]]), [0], HashedLearner().freeze(), 3).tolist()
    [0]
    """
    result = np.zeros(len(batch), dtype=np.uint8)
    cdef uint8_t[::1] found = result
    cdef const int32_t[::1] own = checked(batch, heads, labels)
    cdef unique_ptr[Labeller[RowTable]] labeller
    labeller.reset(new Labeller[RowTable](weights.rows, labels))
    cdef unique_ptr[TokenView] view
    cdef int64_t i, begin
    cdef int32_t length
    with nogil:
        for i in range(batch.start_view.shape[0] - 1):
            begin = batch.start_view[i]
            length = <int32_t>(batch.start_view[i + 1] - begin)
            if length:
                view.reset(new TokenView(&batch.tokens[begin], length))
                labeller.get().run(view.get()[0], &own[begin], &found[begin])
    return result


def learn_labels(TokenBatch batch not None, heads, gold, HashedLearner learner not None, int labels, order):
    """Visit sentences in the given order, once each; return how many relations were wrong at the visit.

    A word whose relation is NO_LABEL (its head is wrong in a tree that was found) teaches nothing.
    """
    cdef const int32_t[::1] own = checked(batch, heads, labels)
    cdef const uint8_t[::1] wanted = np.ascontiguousarray(gold, dtype=np.uint8)
    numbers = np.asarray(wanted)
    if wanted.shape[0] != own.shape[0] or ((numbers >= labels) & (numbers != NO_LABEL)).any():
        raise ValueError("each token has one relation, a number below the number of relations")
    cdef const int64_t[::1] sentences = np.ascontiguousarray(order, dtype=np.int64)
    if len(order) and not 0 <= np.min(order) <= np.max(order) < batch.start_view.shape[0] - 1:
        raise ValueError("the order names a sentence that is not there")
    cdef unique_ptr[Labeller[RowLearner]] labeller
    labeller.reset(new Labeller[RowLearner](learner.rows, labels))
    cdef unique_ptr[TokenView] view
    cdef int64_t i, begin, wrong = 0
    cdef int32_t length
    with nogil:
        for i in range(sentences.shape[0]):
            begin = batch.start_view[sentences[i]]
            length = <int32_t>(batch.start_view[sentences[i] + 1] - begin)
            learner.examples += 1
            if length:
                view.reset(new TokenView(&batch.tokens[begin], length))
                wrong += labeller.get().learn(learner.rows, view.get()[0], &own[begin], &wanted[begin],
                                              learner.examples)
    return wrong


cdef checked(TokenBatch batch, heads, int labels):
    if not 1 <= labels <= MOST_LABELS:
        raise ValueError(f"there are 1 to {MOST_LABELS} relations, not {labels}")
    own = np.ascontiguousarray(heads, dtype=np.int32)
    lengths = np.repeat(np.diff(batch.starts), np.diff(batch.starts))
    if len(own) != len(batch) or not ((own >= 0) & (own <= lengths)).all():
        raise ValueError("each token has one head, of its own sentence")
    return own
