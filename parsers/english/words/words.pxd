from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libcpp.vector cimport vector


cdef extern from "parsers/english/words/words.hpp" namespace "kakari" nogil:
    cdef cppclass Word:
        uint64_t form
        uint64_t lower

    cdef cppclass Lexicon:
        const uint64_t *forms
        const uint16_t *kinds
        int64_t size

    Word word_of(const uint32_t *text, int64_t length, int& quotations)
    void look_up(const Lexicon& lexicon, Word& word)


cdef class WordLexicon:
    cdef Lexicon table
    cdef const uint64_t[::1] form_view
    cdef const uint16_t[::1] kind_view
    cdef readonly dict arrays


cdef class EnglishWords:
    cdef vector[Word] words
    cdef readonly object starts
    cdef const int64_t[::1] start_view
