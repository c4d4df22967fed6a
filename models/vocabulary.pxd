# Strings to ids in three flat arrays: `text` holds the UTF-8 bytes of all strings one after another, string i
# is text[starts[i]:starts[i + 1]], and `slots` is an open-addressing hash table of string numbers (-1: free),
# its size a power of two and at most two thirds of it taken. Finding a string is one hash of its bytes, a
# short walk, and one comparison of bytes, so that no two strings are ever taken for one.
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector


cdef extern from "kernels/hardware/secrets.hpp" namespace "kakari" nogil:
    cdef cppclass SipHash:
        SipHash()
        SipHash(uint64_t first, uint64_t second)
        uint64_t operator()(const char *bytes, int64_t length) const


cdef class Vocabulary:
    cdef vector[char] text
    cdef vector[int64_t] starts
    cdef vector[int32_t] slots
    cdef SipHash hash_of
    cdef readonly bint frozen

    cdef int32_t find(self, const char *string, int64_t length) noexcept nogil
    cdef int32_t find_or_add(self, const char *string, int64_t length) except -2 nogil
