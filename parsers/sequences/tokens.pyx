"""Tokens of some sentences as features see them: a row of 64-bit hashes for each, no strings.

A column is a string's value: the whole, in small letters, a prefix, a suffix, its shape (values.hpp). A string's
characters are read once, where they lie, and hashed for all of its columns; no other object is made of it.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libcpp.vector cimport vector

import numpy as np

cdef extern from "parsers/sequences/values.hpp" namespace "kakari" nogil:
    uint64_t value_of(const uint32_t *text, int64_t length, int32_t kind, int32_t size)
    uint64_t KAKARI_ABSENT "kakari::ABSENT"

ABSENT = int(KAKARI_ABSENT)
KINDS = ("whole", "lower", "prefix", "suffix", "shape")


cdef class TokenTable:
    """Rows of hashes, one a token.

    Parameters
    ----------
    starts : array of int64
        Where each sentence begins and, last, where all end.
    values : array of uint64, tokens x columns

    Examples
    --------
    >>> table = TokenTable([0, 2, 2], np.zeros((2, 3), dtype=np.uint64))
    >>> len(table), table.values.shape
    (2, (2, 3))
    """

    def __init__(self, starts, values):
        self.starts = np.ascontiguousarray(starts, dtype=np.int64)
        self.values = np.ascontiguousarray(values, dtype=np.uint64)
        if self.values.ndim != 2 or self.starts.ndim != 1 or not self.starts.size:
            raise ValueError("a table has starts of sentences and a row of values for each token")
        if self.starts[0] != 0 or self.starts[-1] != len(self.values) or (np.diff(self.starts) < 0).any():
            raise ValueError("the sentences of a table do not follow each other")
        if len(self.starts) > 1 and np.diff(self.starts).max() >= 2**31 - 256:
            raise ValueError("a sentence has too many tokens")
        self.start_view, self.value_view = self.starts, self.values

    def __len__(self):
        return self.starts.size - 1


def string_table(sentences, derived):
    """Return the table of sentences whose tokens are tuples of strings.

    Parameters
    ----------
    sentences : sequence of sequences of tuples of str
    derived : sequence of (field, kind, size)
        For each column the number of its string, one of `KINDS`, and how many characters a prefix or suffix has.

    Examples
    --------
    >>> table = string_table([[("Dogs", "NNS"), ("dogs", "NNS")]], [(0, "whole", 0), (0, "lower", 0), (1, "whole", 0)])
    >>> [bool(first == second) for first, second in table.values.T]
    [False, True, True]
    """
    fields = [[[token[field] for token in sentence] for sentence in sentences] for field in range(1 + max(
        (field for field, _, _ in derived), default=0))]
    return column_table(fields, derived)


def column_table(fields, derived):
    """Return the table of sentences whose tokens are given field by field: `fields[field][sentence][token]`.

    Examples
    --------
    >>> table = column_table([[["a", "dog"]], [["DT", "NN"]]], [(0, "whole", 0), (1, "whole", 0)])
    >>> rows = string_table([[("a", "DT"), ("dog", "NN")]], [(0, "whole", 0), (1, "whole", 0)])
    >>> bool((table.values == rows.values).all())
    True
    """
    starts = np.zeros(len(fields[0]) + 1, dtype=np.int64)
    np.cumsum([len(sentence) for sentence in fields[0]], out=starts[1:])
    values = np.empty((int(starts[-1]), len(derived)), dtype=np.uint64)
    for field in sorted({field for field, _, _ in derived}):
        columns = [(column, KINDS.index(kind), size)
                   for column, (own, kind, size) in enumerate(derived) if own == field]
        fill_columns(fields[field], columns, values)
    return TokenTable(starts, values)


cdef fill_columns(sentences, columns, values):
    """Hash the values of strings into columns, given as (column, kind, size)."""
    cdef const int32_t[:, ::1] wanted = np.array(columns, dtype=np.int32).reshape(-1, 3)
    cdef uint64_t[:, ::1] out = values
    cdef vector[uint32_t] text
    cdef int64_t token = 0
    cdef Py_ssize_t k
    cdef str string
    cdef Py_UCS4 character
    for sentence in sentences:
        if token + len(sentence) > out.shape[0]:
            raise ValueError("a sentence has more tokens in one field than in another")
        for string in sentence:
            text.clear()
            for character in string:
                text.push_back(<uint32_t>character)
            for k in range(wanted.shape[0]):
                out[token, wanted[k, 0]] = value_of(text.data(), <int64_t>text.size(), wanted[k, 1], wanted[k, 2])
            token += 1
    if token != out.shape[0]:
        raise ValueError("a sentence has fewer tokens in one field than in another")
