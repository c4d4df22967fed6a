# What the dependency classifier sees of a sentence: its bunsetsu ("chunks"), what is attached so far, and
# the features of a pair as ids. A feature id is slot * width + value, where the width is one more than the
# largest value there can be: no table is needed in either direction.
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.vector cimport vector

from kakari.parsers.japanese.dependency.chunks cimport Chunk


cpdef enum Slot:
    # Of the dependent alone.
    D_HEAD_SURFACE
    D_HEAD_SUBPOS
    D_HEAD_FORM
    D_TAIL_SURFACE
    D_TAIL_POS
    D_TAIL_SUBPOS
    D_TAIL_FORM
    D_LAST_SURFACE
    D_BRACKET
    D_PUNCTUATION
    D_PARTICLE
    D_FIRST
    D_LEFT_LAST_SURFACE
    D_CONTENT_BASE
    D_CONTENT_FINE
    D_CONTENT_SHAPE
    D_CONTENT_CHAR
    D_CONJ_TYPE
    D_CONJ_FORM
    D_FUNCTION
    D_KINDS
    D_LEFT_FUNCTION
    # Of the candidate head alone.
    H_FIRST_SURFACE
    H_FIRST_SUBPOS
    H_HEAD_SURFACE
    H_HEAD_POS
    H_HEAD_SUBPOS
    H_HEAD_FORM
    H_TAIL_SURFACE
    H_TAIL_SUBPOS
    H_TAIL_FORM
    H_LAST_SUBPOS
    H_BRACKET
    H_PUNCTUATION
    H_PARTICLE
    H_LAST
    H_RIGHT_FIRST_SURFACE
    H_RIGHT_HEAD_SURFACE
    H_RIGHT_LAST_SURFACE
    H_CONTENT_BASE
    H_CONTENT_FINE
    H_CONTENT_SHAPE
    H_CONTENT_CHAR
    H_CONJ_TYPE
    H_CONJ_FORM
    H_FUNCTION
    H_KINDS
    H_RIGHT_FUNCTION
    H_RIGHT_KINDS
    H_RIGHT_CONTENT
    H_RIGHT2_FUNCTION
    H_RIGHT2_KINDS
    H_NEXT_PREDICATE
    H_NEXT_PREDICATE_DISTANCE
    H_REMAINING
    # Of the two together.
    SAME_LEFT_HEAD
    SAME_HEAD
    SAME_RIGHT_HEAD
    DISTANCE
    BETWEEN_BRACKETS
    CHILD_PARTICLE
    FINE_DISTANCE
    BETWEEN_COMMAS
    BETWEEN_PREDICATES
    BETWEEN_TOPICS
    SAME_FUNCTION
    SAME_RIGHT_FUNCTION
    SAME_FINE
    SAME_CHAR
    SIMILARITY
    # Of what is attached so far.
    H_CHILDREN
    H_CHILD_FUNCTION
    H_CHILD_KINDS
    H_CHILD_SAME_FUNCTION
    D_CHILDREN
    D_CHILD_FUNCTION
    D_CHILD_CONTENT
    STACK_FUNCTION
    STACK_KINDS
    STACK_PUNCTUATION
    STACK_DISTANCE
    # Of the candidates before and after the head, where the structure to the right is known.
    CHAIN
    ABOVE_FUNCTION
    ABOVE_CONTENT
    ABOVE_FORM
    ABOVE_KINDS
    ABOVE_HEAD_SUBPOS
    ABOVE_TAIL_SURFACE
    ABOVE_PUNCTUATION
    ABOVE_DISTANCE
    ABOVE_CHILDREN
    ABOVE_SAME_FUNCTION
    ABOVE_SAME_FINE
    BEFORE_FUNCTION
    BEFORE_KINDS
    BEFORE_PUNCTUATION
    BEFORE_FORM
    SLOTS


# What a decoder knows around a pair, -1 where it does not: the open bunsetsu to the left, and where heads are
# sought with the right side known, the candidates before and after this one and how many came before.
cdef struct Around:
    int32_t below, before, above, chain


cdef class Sentence:
    cdef int64_t loaded                 # how many sentences were read
    cdef const int32_t *rows            # fields of the sentence's first token
    cdef vector[Chunk] chunks
    cdef vector[int32_t] particles
    cdef vector[int32_t] heads, newest_child, next_child, child_count
    cdef vector[int32_t] commas, predicates, topics, balances    # prefix sums, one more than chunks
    cdef vector[int32_t] next_predicate
    cdef vector[int32_t] statics, dependent_starts, head_starts
    cdef int32_t bases[<int>SLOTS]      # slot * width, or -1 where the slot is switched off
    cdef int32_t width
    cdef int32_t *out
    cdef int32_t fixed                  # how many ids of the last pair depend on its two bunsetsu alone
    cdef vector[int32_t] buffer

    cdef int load(self, const int32_t *rows, const uint8_t *opens, int32_t tokens) except -1 nogil
    cdef int clear_arcs(self) except -1 nogil
    cdef void attach(self, int32_t dependent, int32_t head) noexcept nogil
    cdef void detach_newest(self, int32_t dependent, int32_t head) noexcept nogil
    cdef int32_t pair(self, int32_t dependent, int32_t head, Around around) except -1 nogil
