"""Sudachi's morphemes to the attributes of spaCy's tokens, a word being looked at once.

A `WordTable` numbers the words it has met and keeps the hashes that are their attributes. It is only ever added to, so
that a number holds for as long as its table; its owner begins a new one when it has grown large. A `TokenBatch` holds
the tokens of some texts as these numbers. Words that Sudachi's number does not identify (unknown words, joined
numerals, white space) are in a table of the batch itself and have numbers below 0. A token costs one look-up in a
dictionary and one in a table of pairs of words and tags, for its part of speech.
"""
from cython.operator cimport dereference
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from kakari.kernels.hardware.arrays cimport int32_array
from kakari.parsers.japanese.words.morphemes cimport check_end

import numpy as np

# Of a word, besides its tag's number: a token's columns, except for the blank behind it and the part of speech.
WORD_COLUMNS = (Column.LENGTH, Column.ORTH, Column.LEMMA, Column.TAG, Column.MORPH, Column.NORM)
cdef int WIDTH = 6
cdef int32_t NOTHING_FOLLOWS = -1


cdef class WordTable:
    """Words and their attributes, by number.

    Examples
    --------
    >>> table = WordTable()
    >>> table.add("本", "名詞-普通名詞-一般", (1, 11, 12, 13, 14, 15)), len(table)
    (0, 1)
    >>> table.rows_of(np.array([0, 0], dtype=np.int32)).tolist()
    [[1, 11, 12, 13, 14, 15], [1, 11, 12, 13, 14, 15]]
    """
    cdef dict known                             # surface and Sudachi's number -> number
    cdef list names                             # surface and tag
    cdef vector[uint64_t] rows                  # WIDTH numbers each
    cdef vector[int32_t] tags                   # numbers of tags
    cdef dict tag_numbers
    cdef list tag_names
    cdef unordered_map[uint64_t, int32_t] parts  # word and next tag -> part of speech + 256 * the next word's, if known

    def __init__(self, WordTable tags=None):
        self.known, self.names = {}, []
        self.tag_numbers, self.tag_names = ({}, []) if tags is None else (tags.tag_numbers, tags.tag_names)

    def __len__(self):
        return len(self.names)

    def add(self, surface, tag, row, key=None):
        """Add a word with its `WORD_COLUMNS`, under a key if it is to be found again; return its number."""
        number = len(self.names)
        if tag not in self.tag_numbers:
            self.tag_numbers[tag] = len(self.tag_names)
            self.tag_names.append(tag)
        cdef uint64_t value
        for value in row:
            self.rows.push_back(value)
        self.tags.push_back(self.tag_numbers[tag])
        self.names.append((surface, tag))
        if key is not None:
            self.known[key] = number
        return number

    def rows_of(self, const int32_t[::1] numbers):
        """Return the columns of words."""
        rows = np.empty((numbers.shape[0], WIDTH), dtype=np.uint64)
        cdef uint64_t[:, ::1] out = rows
        cdef Py_ssize_t i
        for i in range(numbers.shape[0]):
            if not 0 <= numbers[i] < <int32_t>self.tags.size():
                raise IndexError(f"there is no word {numbers[i]}")
            memcpy(&out[i, 0], &self.rows[numbers[i] * WIDTH], WIDTH * sizeof(uint64_t))
        return rows


cdef class TokenBatch:
    """The tokens of texts.

    Parameters
    ----------
    table : WordTable
    owner
        Describes words and white space: `owner.describe(morpheme, surface)` gives a tag, a row and whether to remember
        them, `owner.describe_gap(text)` a tag and a row, `owner.universal_part(surface, tag, next tag)` the part of
        speech and the next word's, or None.
    """
    cdef readonly WordTable table, passing
    cdef object owner
    cdef vector[int32_t] words, ends, universal
    cdef vector[uint8_t] blanks
    cdef Py_ssize_t place, begin                # in the open text; of its first token

    def __init__(self, WordTable table not None, owner):
        self.table, self.passing, self.owner = table, WordTable(table), owner

    def add(self, str text not None, morphemes, Py_ssize_t offset):
        """Add what Sudachi found in the part of a text that begins at `offset`."""
        cdef Py_ssize_t begin, end = offset
        cdef dict known = self.table.known
        cdef str surface
        for morpheme in morphemes:
            surface = morpheme.surface()
            begin, end = end, end + len(surface)
            key = surface, morpheme.word_id()
            number = known.get(key)
            if number is None:
                if not surface or surface.isspace():
                    continue
                number = self.describe(key, morpheme)
            if begin > self.place:
                self.fill_gap(text, begin)
            self.words.push_back(number)
            self.blanks.push_back(0)
            self.place = end
        check_end(morphemes, end - offset)

    cdef describe(self, tuple key, morpheme):
        tag, row, remembered = self.owner.describe(morpheme, key[0])
        if remembered:
            return self.table.add(key[0], tag, row, key)
        return -1 - self.passing.add(key[0], tag, row)

    cdef int fill_gap(self, str text, Py_ssize_t end) except -1:
        """Add the white space between two words: one blank to the word before, the rest as a word."""
        if <Py_ssize_t>self.words.size() > self.begin and text[self.place] == " ":
            self.blanks[self.blanks.size() - 1] = 1
            self.place += 1
        if self.place < end:
            gap = text[self.place:end]
            self.words.push_back(-1 - self.passing.add(gap, *self.owner.describe_gap(gap)))
            self.blanks.push_back(0)
        self.place = end
        return 0

    def end_text(self, str text not None):
        """Close a text."""
        if self.place < len(text):
            self.fill_gap(text, len(text))
        cdef Py_ssize_t i, end = self.words.size()
        cdef int32_t found = 0
        for i in range(self.begin, end):
            # Some parts of speech were told by the word before.
            found = found >> 8 if found >> 8 else self.part_of(i, end)
            self.universal.push_back(found & 255)
        self.ends.push_back(<int32_t>end)
        self.begin, self.place = end, 0

    cdef int32_t part_of(self, Py_ssize_t token, Py_ssize_t end) except -1:
        """Return a token's part of speech, and 256 times the next one's where it is told as well."""
        cdef int32_t word = self.words[token], following = NOTHING_FOLLOWS
        if token + 1 < end:
            following = self.tag_of(self.words[token + 1])
        cdef uint64_t key = <uint64_t><uint32_t>word << 32 | <uint32_t>following
        cdef unordered_map[uint64_t, int32_t].iterator known
        if word >= 0:
            known = self.table.parts.find(key)
            if known != self.table.parts.end():
                return dereference(known).second
        names = self.table.names[word] if word >= 0 else self.passing.names[-1 - word]
        following_name = None if following == NOTHING_FOLLOWS else self.table.tag_names[following]
        own, other = self.owner.universal_part(*names, following_name)
        cdef int32_t found = own + 256 * (other or 0)
        if word >= 0:
            self.table.parts[key] = found
        return found

    cdef int32_t tag_of(self, int32_t word) noexcept:
        return self.table.tags[word] if word >= 0 else self.passing.tags[-1 - word]

    @property
    def numbers(self):
        """The number of each token's word; -1 - i for word i of `passing`."""
        return int32_array(self.words)

    @property
    def bounds(self):
        """First token of each text, and last the number of tokens."""
        return np.concatenate(([0], int32_array(self.ends))).astype(np.int64)

    def attributes(self):
        """Return the columns of all tokens, see `Column`."""
        cdef Py_ssize_t i, count = self.words.size()
        table = np.empty((count, COLUMNS), dtype=np.uint64)
        cdef uint64_t[:, ::1] out = table
        cdef const uint64_t *row
        for i in range(count):
            if self.words[i] >= 0:
                row = &self.table.rows[self.words[i] * WIDTH]
            else:
                row = &self.passing.rows[(-1 - self.words[i]) * WIDTH]
            out[i, <int>LENGTH], out[i, <int>SPACE_BEHIND] = row[0], self.blanks[i]
            memcpy(&out[i, <int>ORTH], row + 1, (WIDTH - 1) * sizeof(uint64_t))
            out[i, <int>POS] = self.universal[i]
        return table
