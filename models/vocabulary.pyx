"""The feature vocabulary: strings to ids 0, 1, 2, … in the order of their first appearance.

It grows until it is frozen; from then on unknown strings are left out. The state is three flat arrays (see
the .pxd) and no Python dict, so a frozen vocabulary can be used without the GIL from many threads. A file holds
only the strings: the table of slots is never read from a file that may be hostile. A string of n bytes is found in
O(n), even if an attacker chose the strings: the hash has a secret key for each table (secrets.hpp).
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport int32_array

from kakari.kernels.stored import Contents

cdef int64_t LARGEST_SIZE = 2**31 - 1


class VocabularyError(ValueError):
    """A vocabulary that cannot do what was asked; the text says why."""


cdef class Vocabulary:
    """Strings and their ids.

    Examples
    --------
    >>> vocabulary = Vocabulary()
    >>> vocabulary.encode([["pos=名詞", "last=は"], ["pos=名詞"]]).tolist()
    [[0, 1], [0]]
    >>> vocabulary.freeze()
    >>> vocabulary.encode([["last=は", "never seen"]]).tolist()
    [[1]]
    >>> vocabulary[0], vocabulary.id_of("last=は"), "never seen" in vocabulary
    ('pos=名詞', 1, False)
    """

    def __cinit__(self):
        self.starts.push_back(0)
        self.slots.assign(16, -1)
        self.frozen = False

    cdef int32_t find(self, const char *string, int64_t length) noexcept nogil:
        """Return the string's id, or -1."""
        return self.slots[find_slot(self, string, length)]

    cdef int32_t find_or_add(self, const char *string, int64_t length) except -2 nogil:
        """Return the string's id, adding the string if it is new; -1 if it is unknown and the vocabulary is frozen."""
        cdef int64_t slot = find_slot(self, string, length)
        if self.slots[slot] >= 0 or self.frozen:
            return self.slots[slot]
        cdef int64_t number = <int64_t>self.starts.size() - 1
        if number >= LARGEST_SIZE:
            with gil:
                raise VocabularyError("a vocabulary holds at most 2**31 - 1 strings")
        self.text.insert(self.text.end(), string, string + length)
        self.starts.push_back(self.text.size())
        self.slots[slot] = <int32_t>number
        if 3 * (number + 1) > 2 * <int64_t>self.slots.size():
            grow_slots(self)
        return <int32_t>number

    def __len__(self):
        return self.starts.size() - 1

    def __contains__(self, str string):
        return self.id_of(string) is not None

    def __getitem__(self, int64_t number):
        """Return the string of an id."""
        if not 0 <= number < len(self):
            raise IndexError(f"id {number} of a vocabulary of {len(self)}")
        return self.text.data()[self.starts[number]:self.starts[number + 1]].decode("utf-8", "surrogatepass")

    def id_of(self, str string):
        """Return a string's id, or None if it is unknown."""
        raw = utf8(string)
        cdef int32_t number = self.find(raw, len(raw))
        return None if number < 0 else number

    def add(self, str string):
        """Return a string's id, adding the string if it is new.

        Examples
        --------
        >>> vocabulary = Vocabulary()
        >>> vocabulary.add("a"), vocabulary.add("b"), vocabulary.add("a")
        (0, 1, 0)
        """
        raw = utf8(string)
        cdef int32_t number = self.find_or_add(raw, len(raw))
        if number < 0:
            raise VocabularyError(f"the vocabulary is frozen and does not know {string!r}")
        return number

    def longest_search(self):
        """Return the largest number of slots that finding one of the strings reads; chosen strings do not raise it.

        Examples
        --------
        >>> vocabulary = Vocabulary()
        >>> _ = vocabulary.add("a")
        >>> vocabulary.longest_search()
        1
        """
        cdef int64_t mask = <int64_t>self.slots.size() - 1, longest = 0, number, slot, start
        cdef uint64_t home
        for slot in range(mask + 1):
            number = self.slots[slot]
            if number >= 0:
                start = self.starts[number]
                home = self.hash_of(self.text.data() + start, self.starts[number + 1] - start)
                longest = max(longest, ((slot - <int64_t>home) & mask) + 1)
        return longest

    def freeze(self):
        """Add no more strings from now on."""
        self.frozen = True

    def encode(self, rows):
        """Turn rows of strings into feature sets; new strings are added unless the vocabulary is frozen."""
        cdef vector[int32_t] ids
        cdef int32_t number
        offsets = [0]
        for index, row in enumerate(rows):
            if isinstance(row, str):
                raise VocabularyError(f"row {index} is one string, not several: {row!r}")
            for string in row:
                if not isinstance(string, str):
                    raise VocabularyError(f"row {index}: {string!r} is not a string")
                raw = utf8(string)
                number = self.find_or_add(raw, len(raw))
                if number >= 0:
                    ids.push_back(number)
            offsets.append(ids.size())
        from kakari.kernels.sets.featuresets import FeatureSets
        return FeatureSets.from_arrays(offsets, int32_array(ids))

    def contents(self):
        """Return the saved form of the vocabulary: the bytes of its strings, and where each begins.

        Examples
        --------
        >>> vocabulary = Vocabulary()
        >>> _ = vocabulary.add("ab")
        >>> contents = vocabulary.contents()
        >>> bytes(contents.arrays["text"]), Vocabulary.from_contents(contents).id_of("ab")
        (b'ab', 0)
        """
        return Contents({
            "text": np.frombuffer(self.text.data()[:self.text.size()], dtype=np.uint8),
            "starts": np.array(self.starts, dtype=np.int64),
        })

    @staticmethod
    def from_contents(contents):
        """Make a frozen vocabulary from its `contents()`; the table of slots is made again."""
        cdef Vocabulary self = Vocabulary()
        cdef const unsigned char[::1] text = contents.array("text", np.uint8)
        cdef const int64_t[::1] starts = contents.offsets("starts", text.shape[0])
        cdef int64_t count = starts.shape[0] - 1
        if count > LARGEST_SIZE:
            raise VocabularyError("a vocabulary holds at most 2**31 - 1 strings")
        if text.shape[0]:
            self.text.assign(<const char *>&text[0], <const char *>&text[0] + text.shape[0])
        self.starts.assign(&starts[0], &starts[0] + starts.shape[0])
        check_strings(contents, np.asarray(text), np.asarray(starts))
        while 2 * <int64_t>self.slots.size() < 3 * count:
            self.slots.resize(2 * self.slots.size())
        if not fill_slots(self):
            raise VocabularyError("a string occurs twice in a vocabulary")
        self.frozen = True
        return self

    def __reduce__(self):
        return restore, (self.contents(), self.frozen)


def sip_hash(const unsigned char[::1] data not None, uint64_t first, uint64_t second):
    """Return the hash of some bytes under two numbers; a vocabulary draws its own.

    Examples
    --------
    >>> hex(sip_hash(b"abc", 1, 2))
    '0x27dfc47cf121981a'
    """
    cdef int64_t length = data.shape[0]
    return SipHash(first, second)(<const char *>&data[0] if length else NULL, length)


def restore(contents, frozen):
    """Rebuild a pickled vocabulary."""
    cdef Vocabulary vocabulary = Vocabulary.from_contents(contents)
    vocabulary.frozen = frozen
    return vocabulary


cdef check_strings(contents, text, starts):
    """Refuse strings that are not UTF-8, lone surrogates allowed."""
    begins = starts[:starts.size - 1]
    begins = begins[begins < text.size]
    try:
        text.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise contents.refuse("the strings are not UTF-8") from None
    if ((text[begins] & 0xC0) == 0x80).any():
        raise contents.refuse("a string begins inside a character")


cdef bytes utf8(str string):
    # Lone surrogates come from undecodable input and must not end a run; they are encoded as they are.
    return string.encode("utf-8", "surrogatepass")


cdef int64_t find_slot(Vocabulary self, const char *string, int64_t length) noexcept nogil:
    """Return the slot that holds the string, or the free one where it belongs."""
    cdef int64_t mask = <int64_t>self.slots.size() - 1
    cdef int64_t slot = <int64_t>(self.hash_of(string, length) & <uint64_t>mask)
    cdef int64_t number, start
    while True:
        number = self.slots[slot]
        if number < 0:
            return slot
        start = self.starts[number]
        if self.starts[number + 1] - start == length:
            if length == 0 or memcmp(self.text.data() + start, string, length) == 0:  # null is no string for memcmp
                return slot
        slot = (slot + 1) & mask


cdef void grow_slots(Vocabulary self) noexcept nogil:
    self.slots.resize(2 * self.slots.size())
    fill_slots(self)


cdef bint fill_slots(Vocabulary self) noexcept nogil:
    """Put every string into its slot; return whether all of them differ."""
    cdef int64_t number, start, slot
    self.slots.assign(self.slots.size(), -1)
    for number in range(<int64_t>self.starts.size() - 1):
        start = self.starts[number]
        slot = find_slot(self, self.text.data() + start, self.starts[number + 1] - start)
        if self.slots[slot] >= 0:
            return False
        self.slots[slot] = <int32_t>number
    return True
