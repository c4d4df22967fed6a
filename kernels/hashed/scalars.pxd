# Thin classes over the C++ engine of scalars.hpp.
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libcpp.vector cimport vector


cdef extern from "kernels/hashed/scalars.hpp" namespace "kakari" nogil:
    cdef cppclass ScalarLearner:
        ScalarLearner() except +
        int64_t score(const uint64_t *hashes, int count)
        void add(uint64_t hash, int32_t amount, int64_t now) except +
        void absorb(const ScalarLearner& other) except +
        int64_t size()
        void averages(int64_t examples, vector[uint64_t]& hashes, vector[float]& values) except +

    cdef cppclass ScalarTable:
        ScalarTable() except +
        void fill(const uint8_t *counts, int64_t lines, const uint16_t *checks, const int8_t *weights) except +
        int64_t score(const uint64_t *hashes, int count)
        void add_beside(const ScalarLearner *beside)


cdef class PartLearner:
    cdef ScalarLearner weights
    cdef public int64_t examples


cdef class PartWeights:
    cdef ScalarTable weights
    cdef readonly dict arrays
    cdef readonly double unit
    cdef readonly tuple added
    cdef ScalarLearner *beside

    cdef add_beside(self, hashes, amounts)
