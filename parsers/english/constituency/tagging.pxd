from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from kakari.kernels.hashed.weights cimport RowLearner
from kakari.parsers.english.words.words cimport Word


cdef extern from "parsers/english/constituency/tagging.hpp" namespace "kakari" nogil:
    cdef cppclass TaggerBeam[Weights]:
        TaggerBeam(const Weights& weights, int32_t tags, int32_t width) except +
        void set_cost(int32_t cost)
        void begin(const Word *words, int32_t length)
        int window(const Word *words, int32_t length, int32_t i, uint64_t *out)
        int history(const Word *words, int32_t length, int32_t i, uint64_t t1, uint64_t t2, uint64_t *out)
        void run(const Word *words, int32_t length, uint8_t *result) except +
        void finals(const Word *words, int32_t length, int64_t doubt, vector[uint8_t]& tags,
                    vector[int64_t]& scores) except +

    cbool learn_tags[Searched](RowLearner& weights, TaggerBeam[Searched]& beam, const Word *words, int32_t length,
                               const uint8_t *gold, vector[uint8_t]& found, int64_t now) except +
