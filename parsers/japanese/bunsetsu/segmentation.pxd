from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from kakari.kernels.frozen.model cimport FrozenModel, Workspace


cdef extern from "kernels/hardware/secrets.hpp" namespace "kakari" nogil:
    cdef cppclass SecretHash:
        pass


cpdef enum SegmentSlot:
    S2_SURFACE
    S2_SUBPOS
    S2_FORM
    S1_SURFACE
    S1_POS
    S1_SUBPOS
    S1_FORM
    S0_SURFACE
    S0_POS
    S0_SUBPOS
    S0_FORM
    T1_SURFACE
    T2_SURFACE
    S1_BASE
    S1_FINE
    S1_TYPE
    S1_SHAPE
    S1_KINDS
    S0_BASE
    S0_FINE
    S0_TYPE
    S0_SHAPE
    S0_CHAR
    T1_SUBPOS
    T1_FORM
    T1_FINE
    T1_SHAPE
    T2_SUBPOS
    S2_FINE
    S3_SUBPOS
    SINCE               # tokens since the last boundary
    CHUNK_FIRST_SUBPOS
    CHUNK_KINDS
    CHUNK_FIRST_BASE
    BRACKETS
    LAST_LENGTH
    S1_CHAR
    S0_FIRST_CHAR
    T1_FIRST_CHAR
    POINT               # the decision after the last mark in the sentence that is not a bracket, comma or period
    POINT_AHEAD         # the distance of the next mark of this kind
    SEGMENT_SLOTS


cdef class Segmenter:
    cdef int32_t bases[<int>SEGMENT_SLOTS]
    cdef int32_t width
    cdef const int32_t *rows
    cdef int32_t tokens
    cdef int32_t out[64]
    cdef int32_t opened, before, brackets, point
    cdef unordered_map[int64_t, uint8_t, SecretHash] certain  # subpos of t - 1 * width + that of t -> opens?

    cdef int known(self, int32_t token) noexcept nogil
    cdef void begin(self, const int32_t *rows, int32_t tokens) noexcept nogil
    cdef int32_t features(self, int32_t token) noexcept nogil
    cdef void decide(self, int32_t token, bint opens) noexcept nogil
