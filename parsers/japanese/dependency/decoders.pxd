from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from kakari.kernels.frozen.model cimport FrozenClassifier, FrozenScratch
from kakari.parsers.japanese.dependency.pairs cimport Around, Sentence

cdef extern from "parsers/japanese/dependency/margin_memory.hpp" namespace "kakari" nogil:
    cdef cppclass MarginMemory:
        void clear()
        int32_t find(int32_t dependent, int32_t head, const int32_t *ids, int64_t count, cbool& known) except +
        double margin(int32_t number)
        void set(int32_t number, double margin)


cdef class Decoder:
    cdef tuple models, workspaces       # keep what the two vectors point to
    cdef vector[FrozenClassifier *] classifiers
    cdef vector[FrozenScratch *] scratches
    cdef Sentence sentence
    cdef bint remembers                 # margins of the sentence's questions, until `memory.clear()`
    cdef MarginMemory memory
    cdef int64_t ranked                 # the sentence whose fixed features have these ranks, for each classifier
    cdef vector[vector[int32_t]] static_ranks
    cdef vector[int32_t] ranks          # of one question
    cdef const int32_t *gold            # heads to follow instead of the classifier, or NULL
    cdef vector[int32_t] ids            # of the pairs visited on the way of the gold heads
    cdef vector[int64_t] offsets
    cdef vector[int32_t] labels
    cdef vector[int32_t] stack, active
    cdef vector[uint8_t] marks
    cdef vector[double] margins         # of the weakest decision about each bunsetsu; infinite without one

    cdef int rank_statics(self) except -1 nogil
    cdef double sum_margins(self, int32_t dependent, int32_t head, int32_t count) except? -1e300 nogil
    cdef double ask(self, int32_t dependent, int32_t head, Around around) except? -1e300 nogil
    cdef int shift_reduce(self) except -1 nogil
    cdef int cascade(self) except -1 nogil
    cdef int backward(self) except -1 nogil
    cdef int decode(self, int decoder) except -1 nogil
