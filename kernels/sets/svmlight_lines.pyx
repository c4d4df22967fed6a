"""A fast reader of svmlight lines with binary features, from bytes to arrays: `+1 3:1 11:1` and nothing else.

Nearly every file has only these lines, and one pass over its bytes reads it. At the first byte of anything else
(another value, a comment, a query, a blank line, a carriage return) it returns None: the reader of the whole format
then reads the file from its beginning, so that all errors are raised in one place. O(bytes).
"""
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

import numpy as np  # no-cython-lint (the functions of arrays.pxd use it)

from kakari.kernels.hardware.arrays cimport int32_array, int64_array

cdef int LONGEST = 9        # digits: a number of 9 digits fits into 32 bits


def binary_lines(bytes data):
    """Return labels, offsets and feature ids of all lines, or None if some line is not of the plain kind.

    Examples
    --------
    >>> labels, offsets, ids = binary_lines(b"+1 3:1 11:1\\n-1\\n")
    >>> labels.tolist(), offsets.tolist(), ids.tolist()
    ([1, -1], [0, 2, 2], [3, 11])
    >>> binary_lines(b"+1 3:0.5\\n") is None
    True
    """
    cdef const char *text = data
    cdef int64_t length = len(data)
    cdef vector[int64_t] labels, offsets
    cdef vector[int32_t] ids
    cdef cbool plain
    with nogil:
        plain = read_lines(text, length, labels, offsets, ids)
    return (int64_array(labels), int64_array(offsets), int32_array(ids)) if plain else None


cdef cbool read_lines(const char *text, int64_t length, vector[int64_t]& labels, vector[int64_t]& offsets,
                      vector[int32_t]& ids) except? False nogil:
    cdef int64_t place = 0, value = 0
    cdef cbool negative
    offsets.push_back(0)
    while place < length:
        negative = text[place] == b"-"
        if negative or text[place] == b"+":
            place += 1
        place = number_end(text, length, place, &value)
        if place < 0 or (negative and value == 0):
            return False
        labels.push_back(-value if negative else value)
        while place < length and text[place] == b" ":
            place += 1
            if place == length or text[place] == b" " or text[place] == b"\n":
                continue
            place = number_end(text, length, place, &value)
            if place < 0 or place + 1 >= length or text[place] != b":" or text[place + 1] != b"1":
                return False
            place += 2
            ids.push_back(<int32_t>value)
        if place < length and text[place] != b"\n":
            return False
        place += 1
        offsets.push_back(ids.size())
    return True


cdef int64_t number_end(const char *text, int64_t length, int64_t place, int64_t *value) noexcept nogil:
    """Read a whole number of few digits; return where it ends, or -1 if there is none."""
    cdef int64_t start = place
    value[0] = 0
    while place < length and b"0" <= text[place] <= b"9":
        value[0] = 10 * value[0] + (text[place] - 48)
        place += 1
        if place - start > LONGEST:
            return -1
    return place if place > start else -1
