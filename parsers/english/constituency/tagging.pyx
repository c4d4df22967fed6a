"""Tags of English words: a beam from left to right over hashed conjunctions (tagging.hpp).

Learning is the structured perceptron's: where the best hypothesis beats the gold tags by most, the conjunctions of
the one lose and those of the other gain (Huang, Fayong and Guo 2012); weights are averaged over all examples.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport copied, int64_array
from kakari.kernels.hashed.weights cimport HashedLearner, HashedWeights, RowLearner, RowLines
from kakari.parsers.english.words.words cimport EnglishWords, Word

MOST_TAGS = 250
NO_TAG = 255
cdef int64_t MOST_DOUBT = 2 ** 62
cdef int MOST_CONJUNCTIONS = 96


def tag_batch(EnglishWords words not None, weights, int tags, int beam=4):
    """Return the number of each word's tag; `weights` are frozen, or those of a learner.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedLearner
    >>> from kakari.parsers.english.words.words import EnglishWords, WordLexicon
    >>> words = EnglishWords([["Dogs", "bark"]], WordLexicon([], []))
    >>> tag_batch(words, HashedLearner(), 2).tolist()
    [0, 0]
    """
    checked(tags, beam)
    result = np.zeros(len(words), dtype=np.uint8)
    cdef uint8_t[::1] found = result
    cdef unique_ptr[TaggerBeam[RowLines]] frozen
    cdef unique_ptr[TaggerBeam[RowLearner]] learning
    cdef int64_t i, begin
    cdef int32_t length
    if isinstance(weights, HashedLearner):
        learning.reset(new TaggerBeam[RowLearner]((<HashedLearner>weights).rows, tags, beam))
    else:
        frozen.reset(new TaggerBeam[RowLines]((<HashedWeights?>weights).lined()[0], tags, beam))
    with nogil:
        for i in range(words.start_view.shape[0] - 1):
            begin = words.start_view[i]
            length = <int32_t>(words.start_view[i + 1] - begin)
            if length == 0:
                continue
            if frozen:
                frozen.get().run(&words.words[begin], length, &found[begin])
            else:
                learning.get().run(&words.words[begin], length, &found[begin])
    return result


def tag_lists(EnglishWords words not None, HashedWeights weights not None, int tags, int beam=4,
              int64_t doubt=MOST_DOUBT):
    """Return the taggings that the beam is left with and that are behind the best by no more than `doubt`.

    Those of a sentence stand together, the best first.

    Returns
    -------
    numbers : array of uint8
        The number of each word's tag, a tagging after the other.
    scores : array of int64
        Of each tagging.
    lists : array of int64
        Where the taggings of each sentence begin and, last, where all end.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedWeights
    >>> from kakari.parsers.english.words.words import EnglishWords, WordLexicon
    >>> words = EnglishWords([["Dogs", "bark"]], WordLexicon([], []))
    >>> numbers, scores, lists = tag_lists(words, HashedWeights.of([], [], []), 2)
    >>> numbers.reshape(-1, 2).tolist(), scores.tolist(), lists.tolist()
    ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 0], [0, 4])
    """
    checked(tags, beam)
    cdef unique_ptr[TaggerBeam[RowLines]] search
    search.reset(new TaggerBeam[RowLines](weights.lined()[0], tags, beam))
    cdef vector[uint8_t] numbers
    cdef vector[int64_t] scores, lists
    cdef int64_t i, begin
    cdef int32_t length
    with nogil:
        lists.push_back(0)
        for i in range(words.start_view.shape[0] - 1):
            begin = words.start_view[i]
            length = <int32_t>(words.start_view[i + 1] - begin)
            if length:
                search.get().finals(&words.words[begin], length, doubt, numbers, scores)
            lists.push_back(<int64_t>scores.size())
    return copied(numbers.data(), numbers.size(), np.uint8), int64_array(scores), int64_array(lists)


def tag_conjunctions(EnglishWords words not None, HashedWeights weights not None, int tags, int place, before=None,
                     before2=None):
    """Return the hashes of what decides about the tag of a word of one sentence, after these two tags.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedWeights
    >>> from kakari.parsers.english.words.words import EnglishWords, WordLexicon
    >>> words = EnglishWords([["Dogs", "bark"]], WordLexicon([], []))
    >>> len(tag_conjunctions(words, HashedWeights.of([], [], []), 2, 1, 0))
    67
    """
    checked(tags, 1)
    if len(words.starts) != 2 or not 0 <= place < len(words):
        raise ValueError("a word of one sentence is explained")
    cdef unique_ptr[TaggerBeam[RowLines]] search
    search.reset(new TaggerBeam[RowLines](weights.lined()[0], tags, 1))
    cdef const Word *own = words.words.data()
    cdef int32_t length = <int32_t>len(words)
    cdef uint64_t first = NO_TAG if before is None else before, second = NO_TAG if before2 is None else before2
    cdef vector[uint64_t] hashes = vector[uint64_t](2 * MOST_CONJUNCTIONS)
    search.get().begin(own, length)
    cdef int count = search.get().window(own, length, place, hashes.data())
    count += search.get().history(own, length, place, first, second, hashes.data() + count)
    return copied(hashes.data(), count, np.uint64)


def learn_batch(EnglishWords words not None, gold, HashedLearner learner not None, int tags, order, int beam=4,
                int cost=0, HashedWeights frozen=None):
    """Visit sentences in the given order, once each; return how many of them changed the weights.

    Gold tags must beat others by `cost` for each wrong tag. With `frozen` weights it is these that search; the learner
    collects what would change them.
    """
    checked(tags, beam)
    if cost < 0:
        raise ValueError(f"a wrong tag costs at least nothing, not {cost}")
    cdef const uint8_t[::1] wanted = np.ascontiguousarray(gold, dtype=np.uint8)
    if wanted.shape[0] != <Py_ssize_t>words.words.size() or (len(gold) and np.max(gold) >= tags):
        raise ValueError("each word has one tag, a number below the number of tags")
    cdef const int64_t[::1] sentences = np.ascontiguousarray(order, dtype=np.int64)
    if len(order) and not 0 <= np.min(order) <= np.max(order) < words.start_view.shape[0] - 1:
        raise ValueError("the order names a sentence that is not there")
    cdef unique_ptr[TaggerBeam[RowLearner]] search
    cdef unique_ptr[TaggerBeam[RowLines]] fixed
    if frozen is None:
        search.reset(new TaggerBeam[RowLearner](learner.rows, tags, beam))
        search.get().set_cost(cost)
    else:
        fixed.reset(new TaggerBeam[RowLines](frozen.lined()[0], tags, beam))
        fixed.get().set_cost(cost)
    cdef vector[uint8_t] found
    cdef int64_t i, begin, changed = 0
    cdef int32_t length
    with nogil:
        for i in range(sentences.shape[0]):
            begin = words.start_view[sentences[i]]
            length = <int32_t>(words.start_view[sentences[i] + 1] - begin)
            learner.examples += 1
            if length and fixed:
                changed += learn_tags(learner.rows, fixed.get()[0], &words.words[begin], length, &wanted[begin],
                                      found, learner.examples)
            elif length:
                changed += learn_tags(learner.rows, search.get()[0], &words.words[begin], length, &wanted[begin],
                                      found, learner.examples)
    return changed


cdef checked(int tags, int beam):
    if not 1 <= tags <= MOST_TAGS:
        raise ValueError(f"there are 1 to {MOST_TAGS} tags, not {tags}")
    if beam < 1:
        raise ValueError(f"a beam has at least one hypothesis, not {beam}")
