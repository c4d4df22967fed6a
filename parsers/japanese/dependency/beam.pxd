from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from kakari.parsers.japanese.dependency.pairs cimport Sentence


cdef class WholeTrees:
    # Reads the loaded sentence, whose trees are scored next.
    cdef int load(self, Sentence sentence) except -1 nogil
    cdef double score(self, const vector[int32_t]& heads) except? 1e300 nogil
