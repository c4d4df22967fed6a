from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from kakari.kernels.hashed.weights cimport RowLearner
from kakari.parsers.english.words.words cimport Word


cdef extern from "parsers/english/constituency/shift_reduce.hpp" namespace "kakari" nogil:
    cdef cppclass ActionSet:
        void set(int action)

    cdef enum class ActionKind:
        SHIFT

    cdef cppclass Action "kakari::Grammar::Action":
        ActionKind kind
        uint8_t symbol
        vector[uint8_t] chain

    cdef cppclass Grammar:
        vector[Action] actions
        vector[uint8_t] plain
        vector[uint8_t] traits
        ActionSet joins
        vector[ActionSet] seen
        vector[ActionSet] seen_tops

    cdef cppclass Step:
        int64_t score

    cdef cppclass ParserSentence:
        const Word *words
        const uint8_t *tags
        int32_t length

    cdef cppclass Narrowing:
        int32_t width
        int64_t margin

    cdef cppclass Tagging:
        const uint8_t *tags
        int64_t score

    cdef cppclass ParserBeam[Weights]:
        ParserBeam(const Weights& weights, const Grammar& grammar, int32_t width) except +
        ParserBeam(const Weights& weights, const Grammar& grammar, int32_t width, Narrowing narrowing) except +
        const Step& run(const ParserSentence& sentence) except +
        const Step& run(ParserSentence sentence, const vector[Tagging]& taggings, size_t& chosen) except +
        size_t finals(const ParserSentence& sentence) except +
        const Step *left(size_t number)

    void constituents(const Grammar& grammar, const Step& root, vector[int32_t]& out) except +
    int64_t derivation_score[Weights](const Weights& weights, const ParserSentence& sentence, const Grammar& grammar,
                                      const Step& last) except +
    cbool learn_tree[Searched](RowLearner& weights, ParserBeam[Searched]& beam, const ParserSentence& sentence,
                               const uint8_t *gold, int64_t now) except +


cdef class TreeGrammar:
    cdef Grammar table
    cdef readonly tuple tags
    cdef readonly tuple labels
    cdef readonly tuple actions
    cdef readonly object seen
    cdef readonly tuple symbols

    cdef add_action(self, int number, str name, dict numbers)
    cdef add_seen(self, int left, int right, int action)
