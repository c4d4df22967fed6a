from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector


cdef extern from "parsers/dependency/tokens.hpp" namespace "kakari" nogil:
    cdef cppclass Token:
        uint64_t form
        uint64_t lemma
        uint64_t tag
        uint64_t coarse
        uint64_t features[14]
        int32_t count

    cdef cppclass TokenView:
        TokenView(const Token *tokens, int32_t length) except +
        uint64_t between(int32_t one, int32_t other)


cdef class TokenBatch:
    cdef vector[Token] tokens
    cdef readonly object starts
    cdef const int64_t[::1] start_view
