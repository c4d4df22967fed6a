"""The attributes of tagged words: values are classes of hashed rows, those of one attribute beside each other.

Learning is the averaged perceptron's with a margin, attribute by attribute (attributes.hpp). With a attributes and c
values in all, a word has a row of a numbers below c.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hashed.weights cimport HashedLearner, HashedWeights
from kakari.parsers.english.words.words cimport EnglishWords, Word

MOST_VALUES = 250


cdef extern from "parsers/dependency/words/attributes.hpp" namespace "kakari" nogil:
    int attribute_conjunctions(const Word *words, const uint8_t *tags, int32_t length, int32_t i, uint64_t *out)
    int32_t strongest_rival(const int32_t *scores, int32_t begin, int32_t end, int32_t gold)
    void choose_values(const int32_t *scores, const vector[int32_t]& ends, uint8_t *found)


def attribute_batch(EnglishWords words not None, tags, HashedWeights weights not None, ends):
    """Return the value of each attribute of each word, a row a word; `ends` are those of the runs of values.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedLearner
    >>> from kakari.parsers.english.words.words import EnglishWords, WordLexicon
    >>> words = EnglishWords([["Dogs", "bark"]], WordLexicon([], []))
    >>> attribute_batch(words, [0, 1], HashedLearner().freeze(), [2, 5]).tolist()
    [[0, 2], [0, 2]]
    """
    cdef vector[int32_t] runs = checked_ends(ends)
    cdef const uint8_t[::1] own = checked_tags(words, tags)
    result = np.zeros((len(words), len(ends)), dtype=np.uint8)
    cdef uint8_t[:, ::1] found = result
    cdef int64_t i, begin
    cdef int32_t length, k, c
    cdef int32_t scores[256]
    cdef uint64_t hashes[64]
    if not len(ends):
        return result
    with nogil:
        for i in range(words.start_view.shape[0] - 1):
            begin = words.start_view[i]
            length = <int32_t>(words.start_view[i + 1] - begin)
            for k in range(length):
                for c in range(256):
                    scores[c] = 0
                weights.rows.score(hashes, attribute_conjunctions(&words.words[begin], &own[begin], length, k, hashes),
                                   scores)
                choose_values(scores, runs, &found[begin + k, 0])
    return result


def learn_attributes(EnglishWords words not None, tags, gold, HashedLearner learner not None, ends, order):
    """Visit sentences in the given order, once each; return how many values were wrong at the visit."""
    cdef vector[int32_t] runs = checked_ends(ends)
    cdef const uint8_t[::1] own = checked_tags(words, tags)
    cdef const uint8_t[:, ::1] wanted = np.ascontiguousarray(gold, dtype=np.uint8)
    if wanted.shape[0] != <Py_ssize_t>words.words.size() or wanted.shape[1] != len(ends):
        raise ValueError("each word has one value of each attribute")
    cdef const int64_t[::1] sentences = np.ascontiguousarray(order, dtype=np.int64)
    if len(order) and not 0 <= np.min(order) <= np.max(order) < words.start_view.shape[0] - 1:
        raise ValueError("the order names a sentence that is not there")
    cdef int64_t i, begin, wrong = 0
    cdef int32_t length, k, c, want, rival
    cdef int count
    cdef size_t a, attributes = runs.size()
    cdef int32_t scores[256]
    cdef uint8_t found[256]
    cdef uint64_t hashes[64]
    with nogil:
        for i in range(sentences.shape[0]):
            begin = words.start_view[sentences[i]]
            length = <int32_t>(words.start_view[sentences[i] + 1] - begin)
            learner.examples += 1
            for k in range(length):
                for c in range(256):
                    scores[c] = 0
                count = attribute_conjunctions(&words.words[begin], &own[begin], length, k, hashes)
                learner.rows.score(hashes, count, scores)
                choose_values(scores, runs, found)
                for a in range(attributes):
                    want = wanted[begin + k, a]
                    wrong += found[a] != want
                    rival = strongest_rival(scores, runs[a - 1] if a else 0, runs[a], want)
                    # The gold value must win by as much as one update gives it.
                    if scores[want] - scores[rival] < count and rival != want:
                        learner.rows.update(hashes, count, want, 1, learner.examples)
                        learner.rows.update(hashes, count, rival, -1, learner.examples)
    return wrong


cdef vector[int32_t] checked_ends(ends) except *:
    cdef vector[int32_t] runs
    before = 0
    for end in ends:
        if not before < end <= MOST_VALUES:
            raise ValueError(f"attributes have at least one value, and at most {MOST_VALUES} together")
        runs.push_back(end)
        before = end
    return runs


cdef checked_tags(EnglishWords words, tags):
    own = np.ascontiguousarray(tags, dtype=np.uint8)
    if len(own) != len(words):
        raise ValueError("each word has one tag")
    return own
