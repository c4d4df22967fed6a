# Hash functions of numbers, see mixing.hpp.
from libc.stdint cimport uint64_t


cdef extern from "kernels/hardware/mixing.hpp" namespace "kakari" nogil:
    uint64_t mix(uint64_t hash)
    uint64_t join(uint64_t hash, uint64_t part)
