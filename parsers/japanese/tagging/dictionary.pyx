"""Words of a dictionary, and tables of characters and words for the segmenter and the tagger.

Stored, the words are sorted and front-coded: each has the number of characters that it shares with the one before, and
the others. In memory they are a hash table of words and prefixes (characters.hpp), made when a model is loaded.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

import numpy as np

from kakari.parsers.sequences.tokens import TokenTable

cdef extern from "parsers/japanese/tagging/characters.hpp" namespace "kakari" nogil:
    cdef cppclass WordTable:
        cppclass Slot:
            int32_t entry
            uint16_t kind
        void insert(const uint32_t *text, int64_t length, int32_t entry, uint16_t kind) except +
        const Slot *find(uint64_t prefix)

    uint32_t full_width(uint32_t)
    uint64_t next_prefix(uint64_t, uint32_t)
    void write_characters(const WordTable& words, const uint32_t *text, int64_t length, uint64_t *out)
    const WordTable.Slot *write_word(const WordTable& words, const uint64_t *characters, int64_t begin, int64_t end,
                                     uint64_t *out)
    const int CHARACTER_WIDTH "kakari::CHARACTER_COLUMNS"
    const int WORD_WIDTH "kakari::WORD_COLUMNS"
    const int64_t MOST_CHARACTERS "kakari::LONGEST_WORD"

CHARACTER_COLUMNS = (
    "char", "type", "beginning", "ending", "spanning", "first_kind", "last_kind", "first_length", "last_length",
)
WORD_COLUMNS = ("surface", "kind", "length", "first", "last", "last_two", "shape")
LONGEST_WORD = int(MOST_CHARACTERS)


def normalized(str text):
    """Return a text with full-width characters for half-width ones, character by character.

    Examples
    --------
    >>> normalized("ABC 1ｱ")
    'ＡＢＣ　１ア'
    """
    return "".join([chr(full_width(ord(character))) for character in text])


cdef class WordDictionary:
    """Words with kinds, which are numbers from 1 on.

    Parameters
    ----------
    shared, added : arrays of uint8
        How many characters each word shares with the one before, and how many others it has.
    characters : array of uint32
        These others, one word after another.
    kinds : array of uint16

    Examples
    --------
    >>> dictionary = WordDictionary.of_words({"本": 1, "本屋": 2})
    >>> dictionary.kinds_of(["本屋", "屋"])
    [2, 0]
    """
    cdef WordTable table
    cdef readonly dict arrays

    def __init__(self, shared, added, characters, kinds):
        self.arrays = {"shared": shared, "added": added, "characters": characters, "kinds": kinds}
        cdef const uint8_t[::1] same = np.ascontiguousarray(shared, dtype=np.uint8)
        cdef const uint8_t[::1] other = np.ascontiguousarray(added, dtype=np.uint8)
        cdef const uint32_t[::1] text = np.ascontiguousarray(characters, dtype=np.uint32)
        cdef const uint16_t[::1] own = np.ascontiguousarray(kinds, dtype=np.uint16)
        cdef uint32_t word[256]
        cdef int64_t i, at = 0, length = 0
        cdef int k
        fits = same.shape[0] == other.shape[0] == own.shape[0] and np.sum(added, dtype=np.int64) == text.shape[0]
        if not fits or (own.shape[0] and np.min(kinds) < 1):
            raise ValueError("these arrays are not a dictionary")
        for i in range(own.shape[0]):
            if same[i] > length or not 0 < same[i] + other[i] <= MOST_CHARACTERS:
                raise ValueError("the front-coded words of the dictionary are damaged")
            for k in range(other[i]):
                word[same[i] + k] = text[at + k]
            at += other[i]
            length = same[i] + other[i]
            self.table.insert(word, length, <int32_t>i, own[i])

    @staticmethod
    def of_words(words):
        """Make a dictionary of a mapping from words to kinds; words that are too long are left out."""
        fitting = sorted(word for word in words if 0 < len(word) <= LONGEST_WORD)
        shared, added, text, last = [], [], [], ""
        for word in fitting:
            same = 0
            while same < min(len(word) - 1, len(last)) and word[same] == last[same]:
                same += 1
            shared.append(same)
            added.append(len(word) - same)
            text.append(word[same:])
            last = word
        characters = np.frombuffer("".join(text).encode("utf-32-le"), dtype=np.uint32)
        return WordDictionary(
            np.array(shared, dtype=np.uint8), np.array(added, dtype=np.uint8), characters,
            np.array([words[word] for word in fitting], dtype=np.uint16),
        )

    def words(self):
        """Return all words, in order."""
        text = self.arrays["characters"].astype("<u4").tobytes().decode("utf-32-le")
        found, at, last = [], 0, ""
        for same, other in zip(self.arrays["shared"].tolist(), self.arrays["added"].tolist()):
            last = last[:same] + text[at:at + other]
            at += other
            found.append(last)
        return found

    def kinds_of(self, words):
        """Return the kind of each word, 0 if it is not in the dictionary."""
        table = character_table(words, self)
        found = word_table(table, np.zeros(len(table.values), dtype=np.uint8), self).table
        # A text without marks is one word, and none if it is empty.
        return [int(found.values[first, 1]) if first < end else 0
                for first, end in zip(found.starts.tolist(), found.starts[1:].tolist())]


def character_table(texts, WordDictionary dictionary not None):
    """Return the characters of texts as a table, a sentence each."""
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=starts[1:])
    joined = "".join(texts).encode("utf-32-le", "surrogatepass")
    cdef const uint32_t[::1] content = np.frombuffer(joined, dtype=np.uint32)
    values = np.empty((int(starts[-1]), CHARACTER_WIDTH), dtype=np.uint64)
    cdef uint64_t[:, ::1] out = values
    cdef const int64_t[::1] begins = starts
    cdef int64_t i
    with nogil:
        for i in range(begins.shape[0] - 1):
            if begins[i] < begins[i + 1]:
                write_characters(dictionary.table, &content[begins[i]], begins[i + 1] - begins[i], &out[begins[i], 0])
    return TokenTable(starts, values)


class Words:
    """Words of texts: a table of their columns, where each ends in its text, and its entry in the dictionary or -1."""

    def __init__(self, table, ends, entries):
        self.table, self.ends, self.entries = table, ends, entries


def word_table(characters, marks, WordDictionary dictionary not None):
    """Return the words of texts, which begin at characters with a mark of 1, and at the first of each text."""
    cdef const int64_t[::1] starts = characters.starts
    cdef const uint64_t[:, ::1] rows = characters.values
    cdef const uint8_t[::1] begins = np.ascontiguousarray(marks, dtype=np.uint8)
    if begins.shape[0] != rows.shape[0]:
        raise ValueError("each character has one mark")
    first = np.zeros(rows.shape[0] + 1, dtype=bool)
    first[characters.starts] = True
    count = int(np.count_nonzero(np.asarray(marks, dtype=bool) | first[:-1])) if rows.shape[0] else 0
    values = np.empty((count, WORD_WIDTH), dtype=np.uint64)
    word_ends, word_entries = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    word_starts = np.zeros(starts.shape[0], dtype=np.int64)
    cdef uint64_t[:, ::1] out = values
    cdef int32_t[::1] ends = word_ends, entries = word_entries
    cdef int64_t[::1] sentence_starts = word_starts
    cdef int64_t i, begin, end, at = 0, length
    cdef const WordTable.Slot *slot
    with nogil:
        for i in range(starts.shape[0] - 1):
            length, begin = starts[i + 1] - starts[i], 0
            while begin < length:
                end = begin + 1
                while end < length and not begins[starts[i] + end]:
                    end += 1
                slot = write_word(dictionary.table, &rows[starts[i], 0], begin, end, &out[at, 0])
                ends[at] = <int32_t>end
                entries[at] = slot.entry if slot != NULL else -1
                at += 1
                begin = end
            sentence_starts[i + 1] = at
    return Words(TokenTable(word_starts, values), word_ends, word_entries)
