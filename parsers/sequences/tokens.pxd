from libc.stdint cimport int64_t, uint64_t


cdef class TokenTable:
    cdef readonly object starts, values
    cdef const int64_t[::1] start_view
    cdef const uint64_t[:, ::1] value_view
