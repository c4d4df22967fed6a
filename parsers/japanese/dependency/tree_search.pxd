from libc.stdint cimport int32_t, int64_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from kakari.kernels.hashed.weights cimport HashedWeights, RowLearner, RowTable
from kakari.parsers.japanese.dependency.beam cimport WholeTrees


cdef extern from "parsers/japanese/dependency/tree_search.hpp" namespace "kakari" nogil:
    cdef cppclass ShownBunsetsu:
        uint32_t head, head_pos, head_form, content, fine, last_char, shape, function, closing
        uint32_t tail_pos, tail_form, form, first, last, kinds, punctuation, bracket
        int32_t balance
        cbool predicate, topic
        vector[uint32_t] particles

    cdef cppclass ShownSentence:
        vector[ShownBunsetsu] bunsetsu
        void clear()
        void finish() except +

    cdef cppclass PartialTree:
        vector[int32_t] heads
        int64_t score

    cdef cppclass HeadChooser[Weights]:
        HeadChooser(const Weights& weights) except +
        int64_t score(const ShownSentence& sentence, const int32_t *heads) except +
        cbool search(const ShownSentence& sentence, int32_t width, const int32_t *gold, int32_t bonus,
                     vector[PartialTree]& beam, PartialTree& found, PartialTree& right) except +

    cbool learn_choices(RowLearner& weights, HeadChooser[RowLearner]& chooser, const ShownSentence& sentence,
                        const int32_t *gold, int32_t width, int32_t bonus, int64_t now) except +


cdef class TreeScorer(WholeTrees):
    cdef readonly HashedWeights weights
    cdef readonly double unit
    cdef unique_ptr[HeadChooser[RowTable]] chooser
    cdef ShownSentence shown
