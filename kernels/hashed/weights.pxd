# Thin classes over the C++ engine of rows.hpp.
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector


cdef extern from "kernels/hashed/rows.hpp" namespace "kakari" nogil:
    cdef cppclass RowLearner:
        RowLearner() except +
        void score(const uint64_t *hashes, int count, int32_t *scores)
        void update(const uint64_t *hashes, int count, int32_t place, int32_t amount, int64_t now) except +
        void add(uint64_t hash, int32_t place, int32_t amount, int64_t moment) except +
        void absorb(const RowLearner& other) except +
        int64_t rows()
        void list(vector[uint64_t]& hashes, vector[int32_t]& places, vector[int32_t]& amounts,
                  vector[int64_t]& moments) except +
        void magnitudes(int64_t examples, vector[float]& out) except +
        void averages(int64_t examples, double smallest, vector[uint64_t]& hashes, vector[uint8_t]& places,
                      vector[double]& values) except +

    cdef cppclass RowTable:
        RowTable()
        RowTable(const uint32_t *buckets, int64_t count, const uint8_t *records)
        void score(const uint64_t *hashes, int count, int32_t *scores)

    void lay_out(const uint64_t *hashes, const uint8_t *places, const int8_t *amounts, size_t count,
                 vector[uint32_t]& buckets, vector[uint8_t]& records) except +

cdef extern from "kernels/hashed/lines.hpp" namespace "kakari" nogil:
    cdef cppclass RowLines:
        RowLines(const uint32_t *buckets, int64_t count, const uint8_t *records) except +
        void score(const uint64_t *hashes, int count, int32_t *scores)


cdef class HashedLearner:
    cdef RowLearner rows
    cdef public int64_t examples
    cdef magnitudes(self)


cdef class HashedWeights:
    cdef RowTable rows
    cdef unique_ptr[RowLines] lines
    cdef const RowLines *lined(self) except NULL
    cdef const uint32_t[::1] bucket_view
    cdef const uint8_t[::1] record_view
    cdef readonly dict arrays
