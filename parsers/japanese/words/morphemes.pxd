# A morpheme, to the decoders, is one row of 32-bit numbers: the ids of its strings in the lexicon's
# vocabulary (-1 for a string that the lexicon does not know) and what can be told from its characters and
# part of speech.
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from kakari.models.vocabulary cimport Vocabulary


cpdef enum Field:
    SURFACE
    BASE
    POS             # the first level
    SUBPOS          # the first two
    FINE            # all levels
    CONJ_TYPE
    CONJ_FORM
    LAST_CHAR       # of the surface
    FIRST_CHAR
    SHAPE           # kinds of the first and of the last character, and the length: a small number, no string
    KINDS           # bits of `Kind`
    IDENTITY        # a hash of the surface: equal words have equal numbers, known or not
    FIELDS


cpdef enum Kind:
    PERIOD = 1
    COMMA = 2
    OPENS = 4
    CLOSES = 8
    MARK = 16           # any punctuation or symbol
    PARTICLE = 32
    AUXILIARY = 64
    SUFFIX = 128
    NOUN = 256
    VERB = 512
    ADJECTIVE = 1024
    ADVERB = 2048
    ADNOMINAL = 4096
    CONJUNCTION = 8192
    PREFIX = 16384
    SPACE_AFTER = 32768
    COPULA = 65536
    TOPIC = 131072


cdef class Lexicon:
    cdef readonly Vocabulary strings
    cdef readonly str tagset
    cdef dict rows                  # word type -> packed row
    cdef dict words                 # Sudachi's surface and number -> [packed row, record or what it holds]
    cdef dict tokens                # mixed hashes of a spaCy token -> packed row
    cdef bytes row(self, tuple key)


cdef class Morphemes:
    cdef readonly object fields         # int32, morphemes x FIELDS
    cdef readonly object begins         # int32, characters of the sentence's text
    cdef readonly object ends
    cdef readonly object starts         # int64, one more than there are sentences
    cdef readonly object texts          # of the sentences, or None
    cdef const int32_t[:, ::1] field_view
    cdef const int64_t[::1] start_view


cdef class MorphemeBatch:
    cdef Lexicon lexicon
    cdef vector[int32_t] values, begins, ends
    cdef vector[int64_t] starts
    cdef int push(self, bytes packed, int32_t begin, int32_t end) except -1
    cdef list remember(self, tuple key, morpheme, list tags)
    cdef int32_t gap_begin(self, int32_t begin) noexcept


cpdef check_end(morphemes, Py_ssize_t characters)
