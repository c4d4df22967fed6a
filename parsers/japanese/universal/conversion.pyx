"""Words of parsed Japanese sentences as trees of Universal Dependencies.

The rules are learned (see conversion.hpp and features.hpp): hashed conjunctions answer four questions about words,
bunsetsu and arcs. This module turns `Morphemes` with their bunsetsu into trees and into training examples. Scratch
memory is allocated for each call, so many threads may use one set of weights.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.kernels.hashed.weights cimport HashedWeights
from kakari.models.vocabulary cimport Vocabulary
from kakari.parsers.japanese.words.morphemes cimport (
    BASE, CONJ_FORM, CONJ_TYPE, FINE, KINDS, POS, SUBPOS, SURFACE, Morphemes,
)


cdef extern from "kernels/hashed/rows.hpp" namespace "kakari" nogil:
    cdef cppclass Conjunctions:
        Conjunctions(uint64_t *out)
        int count

cdef extern from "parsers/japanese/universal/features.hpp" namespace "kakari::universal" nogil:
    cdef int MOST_CONJUNCTIONS

    cdef cppclass Word:
        uint64_t surface, base, pos, subpos, fine, type, form, exact_form
        int32_t kinds

    cdef cppclass UniversalSentence "kakari::universal::Sentence":
        vector[Word] words
        vector[int32_t] starts, heads, bunsetsu
        void number_words()

    void boundary_features(const UniversalSentence&, int32_t, Conjunctions&)
    void word_features(const UniversalSentence&, int32_t, Conjunctions&)
    void arc_features(const UniversalSentence&, int32_t, const vector[int32_t]&, Conjunctions&)

cdef extern from "parsers/sequences/weight_lines.hpp" namespace "kakari" nogil:
    cdef cppclass PairLines:
        PairLines(const uint32_t *buckets, int64_t count, const uint8_t *records, int32_t labels) except +

    cdef cppclass SparseLines:
        SparseLines(const uint32_t *buckets, int64_t count, const uint8_t *records, int32_t labels) except +

cdef extern from "parsers/japanese/universal/conversion.hpp" namespace "kakari::universal" nogil:
    cdef cppclass Tables:
        const PairLines *boundary
        const SparseLines *part
        const SparseLines *relation
        const SparseLines *arc

    cdef cppclass Labels:
        int32_t parts, relations, arcs, content, fixed, root

    cdef cppclass Tree:
        vector[int32_t] heads, contents
        vector[uint8_t] parts, relations

    void cut_again(UniversalSentence&, const vector[uint8_t]&) except +
    void find_boundaries(const UniversalSentence&, const PairLines&, vector[uint8_t]&) except +
    void convert(UniversalSentence&, const Tables&, const Labels&, Tree&) except +


cdef uint64_t hash_bytes(const char *text, int64_t length) noexcept nogil:
    cdef uint64_t mixed = 0xCBF29CE484222325u
    cdef int64_t i
    for i in range(length):
        mixed = (mixed ^ <uint8_t>text[i]) * 0x100000001B3u
    return mixed ^ (mixed >> 29)


cdef class WordHashes:
    """Hashes of a vocabulary's strings, whole and up to the first `-`, from which the weights' conjunctions are made.

    Examples
    --------
    >>> from kakari.models.vocabulary import Vocabulary
    >>> strings = Vocabulary()
    >>> _ = strings.add("連用形"), strings.add("連用形-一般")
    >>> hashes = WordHashes(strings)
    >>> hashes.whole_of(0) == hashes.whole_of(1), hashes.short_of(0) == hashes.short_of(1)
    (False, True)
    """

    cdef vector[uint64_t] whole, short

    def __init__(self, Vocabulary strings not None):
        cdef int64_t i, begin, end, cut
        for i in range(<int64_t>strings.starts.size() - 1):
            begin, end = strings.starts[i], strings.starts[i + 1]
            cut = begin
            while cut < end and strings.text[cut] != b"-":
                cut += 1
            self.whole.push_back(hash_bytes(strings.text.data() + begin, end - begin))
            self.short.push_back(hash_bytes(strings.text.data() + begin, cut - begin))

    def whole_of(self, int64_t number):
        """Return the hash of a string by its id; 0 for an unknown id."""
        return self.whole[number] if 0 <= number < <int64_t>self.whole.size() else 0

    def short_of(self, int64_t number):
        """Return the hash of a string up to its first `-`, by its id; 0 for an unknown id."""
        return self.short[number] if 0 <= number < <int64_t>self.short.size() else 0


cdef inline uint64_t looked_up(const vector[uint64_t]& table, int32_t number) noexcept nogil:
    return table[number] if 0 <= number < <int64_t>table.size() else 0


cdef class Bunsetsu:
    """A batch of sentences with their bunsetsu: the input of all functions below."""

    cdef Morphemes morphemes
    cdef WordHashes hashes
    cdef const uint8_t[::1] opens
    cdef const int32_t[::1] heads
    cdef object firsts              # where the bunsetsu of each sentence begin among all
    cdef const int64_t[::1] first_view

    def __init__(self, Morphemes morphemes not None, opens, heads, WordHashes hashes not None):
        self.morphemes, self.hashes = morphemes, hashes
        marks = np.array(opens, dtype=np.uint8)
        if marks.shape != (morphemes.field_view.shape[0],):
            raise ValueError("one opening mark is needed for each morpheme")
        starts = morphemes.starts
        marks[starts[:-1][np.diff(starts) > 0]] = 1
        self.opens = marks
        self.firsts = np.concatenate(([0], np.cumsum(marks, dtype=np.int64)))[starts]
        self.first_view = self.firsts
        self.heads = np.ascontiguousarray(heads, dtype=np.int32)
        self.check_heads()

    def check_heads(self):
        """Refuse heads that do not point to the right within their sentence."""
        if self.heads.shape[0] != self.firsts[len(self.firsts) - 1]:
            raise ValueError("one head is needed for each bunsetsu")
        counts = np.diff(self.firsts)
        ends = np.repeat(counts, counts)
        places = np.arange(len(ends)) - np.repeat(self.firsts[:-1], counts)
        heads = np.asarray(self.heads)
        if not np.all((heads == -1) & (places == ends - 1) | (places < heads) & (heads < ends)):
            raise ValueError("the head of a bunsetsu must be to its right, and the last of a sentence must have none")

    cdef int load(self, int64_t number, UniversalSentence& out) except -1 nogil:
        cdef int64_t begin = self.morphemes.start_view[number], end = self.morphemes.start_view[number + 1], i
        cdef const int32_t *row
        cdef Word word
        out.words.clear()
        out.starts.clear()
        out.heads.clear()
        for i in range(begin, end):
            row = &self.morphemes.field_view[i, 0]
            word.surface = looked_up(self.hashes.whole, row[<int>SURFACE])
            word.base = looked_up(self.hashes.whole, row[<int>BASE])
            word.pos = looked_up(self.hashes.whole, row[<int>POS])
            word.subpos = looked_up(self.hashes.whole, row[<int>SUBPOS])
            word.fine = looked_up(self.hashes.whole, row[<int>FINE])
            word.type = looked_up(self.hashes.short, row[<int>CONJ_TYPE])
            word.form = looked_up(self.hashes.short, row[<int>CONJ_FORM])
            word.exact_form = looked_up(self.hashes.whole, row[<int>CONJ_FORM])
            word.kinds = row[<int>KINDS]
            out.words.push_back(word)
            if self.opens[i]:
                out.starts.push_back(<int32_t>(i - begin))
        out.starts.push_back(<int32_t>(end - begin))
        for i in range(self.first_view[number], self.first_view[number + 1]):
            out.heads.push_back(self.heads[i])
        out.number_words()
        return 0


cdef class Examples:
    """Hashes of conjunctions of many questions, one after another."""

    cdef vector[uint64_t] hashes
    cdef vector[int64_t] offsets

    def __cinit__(self):
        self.offsets.push_back(0)

    cdef int add(self, const uint64_t *found, int count) except -1 nogil:
        self.hashes.insert(self.hashes.end(), found, found + count)
        self.offsets.push_back(<int64_t>self.hashes.size())
        return 0

    def arrays(self):
        """Return the offsets of the questions and all hashes."""
        hashes = np.empty(self.hashes.size(), dtype=np.uint64)
        cdef uint64_t[::1] view = hashes
        if self.hashes.size():
            memcpy(&view[0], self.hashes.data(), self.hashes.size() * sizeof(uint64_t))
        return int64_array(self.offsets), hashes


def boundary_examples(morphemes, opens, heads, hashes):
    """Return the conjunctions of the boundary decisions, for each word except the first of a sentence.

    They come as offsets and hashes: question i has the hashes offsets[i] to offsets[i + 1].
    """
    return _word_examples(Bunsetsu(morphemes, opens, heads, hashes), True)


def word_examples(morphemes, opens, heads, hashes):
    """Return the conjunctions of the questions about single words, as `boundary_examples` does, for each word."""
    return _word_examples(Bunsetsu(morphemes, opens, heads, hashes), False)


cdef _word_examples(Bunsetsu batch, bint boundaries):
    cdef UniversalSentence sentence
    cdef Examples examples = Examples()
    cdef vector[uint64_t] found = vector[uint64_t](MOST_CONJUNCTIONS)
    cdef Conjunctions *add
    cdef int64_t number
    cdef int32_t i
    for number in range(len(batch.morphemes)):
        batch.load(number, sentence)
        for i in range(1 if boundaries else 0, <int32_t>sentence.words.size()):
            add = new Conjunctions(found.data())
            if boundaries:
                boundary_features(sentence, i, add[0])
            else:
                word_features(sentence, i, add[0])
            examples.add(found.data(), add.count)
            del add
    return examples.arrays()


def arc_examples(morphemes, opens, heads, contents, hashes):
    """Return the conjunctions of the relation of each bunsetsu to its head.

    `contents` has the content word of each, counted within its sentence.
    """
    cdef Bunsetsu batch = Bunsetsu(morphemes, opens, heads, hashes)
    cdef const int32_t[::1] words = np.ascontiguousarray(contents, dtype=np.int32)
    if words.shape[0] != batch.heads.shape[0]:
        raise ValueError("one content word is needed for each bunsetsu")
    cdef UniversalSentence sentence
    cdef Examples examples = Examples()
    cdef vector[uint64_t] found = vector[uint64_t](MOST_CONJUNCTIONS)
    cdef vector[int32_t] own
    cdef Conjunctions *add
    cdef int64_t number, first
    cdef int32_t i
    for number in range(len(batch.morphemes)):
        batch.load(number, sentence)
        first = batch.first_view[number]
        own.clear()
        for i in range(<int32_t>sentence.heads.size()):
            if not sentence.starts[i] <= words[first + i] < sentence.starts[i + 1]:
                raise ValueError("a content word is outside its bunsetsu")
            own.push_back(words[first + i])
        for i in range(<int32_t>sentence.heads.size()):
            add = new Conjunctions(found.data())
            arc_features(sentence, i, own, add[0])
            examples.add(found.data(), add.count)
            del add
    return examples.arrays()


cdef class BoundaryLines:
    """The weights of boundaries, laid out for look-ups."""

    cdef unique_ptr[PairLines] lines
    cdef HashedWeights kept         # the lines borrow its arrays

    def __init__(self, HashedWeights weights not None):
        cdef const uint8_t *records = &weights.record_view[0] if weights.record_view.shape[0] else NULL
        self.lines.reset(new PairLines(&weights.bucket_view[0], weights.bucket_view.shape[0] - 1, records, 2))
        self.kept = weights


cdef class ClassLines:
    """The weights of so many classes, laid out for look-ups."""

    cdef unique_ptr[SparseLines] lines
    cdef HashedWeights kept

    def __init__(self, HashedWeights weights not None, int32_t classes):
        cdef const uint8_t *records = &weights.record_view[0] if weights.record_view.shape[0] else NULL
        self.lines.reset(
            new SparseLines(&weights.bucket_view[0], weights.bucket_view.shape[0] - 1, records, classes)
        )
        self.kept = weights


def cut_batch(morphemes, opens, heads, WordHashes hashes not None, BoundaryLines lines=None, *, boundaries=None):
    """Return opening marks of words and heads of bunsetsu by UD's standard, found with weights or given."""
    cdef Bunsetsu batch = Bunsetsu(morphemes, opens, heads, hashes)
    cdef UniversalSentence sentence
    cdef vector[uint8_t] found
    cdef vector[int32_t] new_heads
    cdef int64_t number, begin
    cdef int32_t i
    given = None if boundaries is None else np.asarray(boundaries, dtype=np.uint8)
    marks = np.zeros(batch.morphemes.field_view.shape[0], dtype=np.uint8)
    cdef uint8_t[::1] view = marks
    for number in range(len(batch.morphemes)):
        batch.load(number, sentence)
        begin = batch.morphemes.start_view[number]
        if given is None:
            find_boundaries(sentence, lines.lines.get()[0], found)
        else:
            found = list(given[begin:batch.morphemes.start_view[number + 1]])
        cut_again(sentence, found)
        for i in range(<int32_t>sentence.heads.size()):
            view[begin + sentence.starts[i]] = 1
            new_heads.push_back(sentence.heads[i])
    return marks, int32_array(new_heads)


def convert_batch(morphemes, opens, heads, WordHashes hashes not None, lines, labels):
    """Convert a batch of sentences.

    Parameters
    ----------
    lines : (BoundaryLines, ClassLines, ClassLines, ClassLines)
        For boundaries, parts of speech, relations within a bunsetsu, relations between bunsetsu.
    labels : sequence of int
        How many classes the last three have; the numbers of `content` and `fixed` among the relations within, and of
        `root` among those between bunsetsu.

    Returns
    -------
    parts, heads, relations, contents : numpy arrays
        Of each word: the number of its part of speech, its head within the sentence (-1 for the root), the number
        of its relation, and whether it is the content word of a bunsetsu (its relation is then one between bunsetsu).
    """
    cdef Bunsetsu batch = Bunsetsu(morphemes, opens, heads, hashes)
    cdef BoundaryLines boundary
    cdef ClassLines part, relation, arc
    boundary, part, relation, arc = lines
    cdef Tables tables
    tables.boundary, tables.part = boundary.lines.get(), part.lines.get()
    tables.relation, tables.arc = relation.lines.get(), arc.lines.get()
    cdef Labels known
    known.parts, known.relations, known.arcs, known.content, known.fixed, known.root = labels
    cdef int64_t count = batch.morphemes.field_view.shape[0], number, begin, size
    parts, relations = np.zeros(count, dtype=np.uint8), np.zeros(count, dtype=np.uint8)
    found, contents = np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.uint8)
    cdef uint8_t[::1] part_view = parts, relation_view = relations, content_view = contents
    cdef int32_t[::1] head_view = found
    cdef UniversalSentence sentence
    cdef Tree tree
    cdef size_t k
    with nogil:
        for number in range(batch.morphemes.start_view.shape[0] - 1):
            batch.load(number, sentence)
            begin, size = batch.morphemes.start_view[number], <int64_t>sentence.words.size()
            if size == 0:
                continue
            convert(sentence, tables, known, tree)
            memcpy(&part_view[begin], tree.parts.data(), size)
            memcpy(&relation_view[begin], tree.relations.data(), size)
            memcpy(&head_view[begin], tree.heads.data(), size * sizeof(int32_t))
            for k in range(tree.contents.size()):
                content_view[begin + tree.contents[k]] = 1
    return parts, found, relations, contents
