"""A model of whole trees: each bunsetsu chooses its head, all choices being learned together (tree_search.hpp).

It sees what the classifiers of single pairs do not: the head's head, the other dependents, the candidates passed over.
Alone it is weaker than they are, but it errs elsewhere, so that its score helps to choose among their best analyses.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hashed.weights cimport HashedLearner, HashedWeights, RowLearner
from kakari.parsers.japanese.dependency.chunks cimport Chunk, kind_class
from kakari.parsers.japanese.words.morphemes cimport (
    BASE, CONJ_FORM, FIELDS, FINE, IDENTITY, KINDS, LAST_CHAR, PARTICLE, SHAPE, SUBPOS, Morphemes,
)
from kakari.parsers.japanese.dependency.pairs cimport Sentence

from kakari.parsers.japanese.dependency.decoders import checked_openings, chunk_counts

cdef uint32_t FORMS = 1 << 30, PARTS = 1 << 31     # apart from particles, which are numbers of strings


cdef inline uint32_t field(Sentence sentence, int32_t token, int32_t name) noexcept nogil:
    return <uint32_t>sentence.rows[token * <int32_t>FIELDS + name]


cdef int show(Sentence sentence, ShownSentence& out) except -1 nogil:
    """Write what the bunsetsu of the loaded sentence show."""
    cdef int32_t count = <int32_t>sentence.chunks.size(), index, i, end
    cdef Chunk chunk
    cdef ShownBunsetsu shown
    out.clear()
    for index in range(count):
        chunk = sentence.chunks[index]
        shown.head, shown.head_pos = field(sentence, chunk.head, IDENTITY), field(sentence, chunk.head, SUBPOS)
        shown.head_form = field(sentence, chunk.head, CONJ_FORM)
        shown.content, shown.fine = field(sentence, chunk.content, BASE), field(sentence, chunk.content, FINE)
        shown.last_char = field(sentence, chunk.content, LAST_CHAR)
        shown.shape = field(sentence, chunk.content, SHAPE)
        shown.function, shown.closing = <uint32_t>chunk.function, closing(sentence, chunk)
        shown.tail_pos, shown.tail_form = field(sentence, chunk.tail, SUBPOS), field(sentence, chunk.tail, CONJ_FORM)
        shown.form = field(sentence, chunk.conj, CONJ_FORM) if chunk.conj >= 0 else <uint32_t>-1
        shown.first, shown.last = field(sentence, chunk.begin, IDENTITY), field(sentence, chunk.end - 1, IDENTITY)
        shown.kinds, shown.punctuation = <uint32_t>kind_class(chunk), <uint32_t>chunk.punctuation
        shown.bracket, shown.balance = <uint32_t>chunk.bracket, chunk.balance
        shown.predicate, shown.topic = chunk.predicate, chunk.topic
        shown.particles.clear()
        end = <int32_t>sentence.particles.size()
        if index + 1 < count:
            end = sentence.chunks[index + 1].particle_start
        for i in range(chunk.particle_start, end):
            shown.particles.push_back(<uint32_t>sentence.particles[i])
        out.bunsetsu.push_back(shown)
    out.finish()
    return 0


cdef uint32_t closing(Sentence sentence, Chunk chunk) noexcept nogil:
    """Return a number for how a bunsetsu ends: its last particle, its conjugation form, or a part of speech."""
    if field(sentence, chunk.tail, KINDS) & <uint32_t>PARTICLE:
        return field(sentence, chunk.tail, BASE)
    if chunk.conj == chunk.tail:
        return FORMS + field(sentence, chunk.conj, CONJ_FORM)
    return PARTS + field(sentence, chunk.tail, SUBPOS)


cdef class TreeScorer(WholeTrees):
    """Scores trees with frozen weights, of which one is worth `unit`; for one thread.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedLearner
    >>> TreeScorer(HashedLearner().freeze(), 0.5).unit
    0.5
    """

    def __init__(self, HashedWeights weights not None, double unit):
        self.weights, self.unit = weights, unit
        self.chooser.reset(new HeadChooser[RowTable](weights.rows))

    cdef int load(self, Sentence sentence) except -1 nogil:
        return show(sentence, self.shown)

    cdef double score(self, const vector[int32_t]& heads) except? 1e300 nogil:
        return self.unit * <double>self.chooser.get().score(self.shown, heads.data())


cdef class Batch:
    """Sentences one after another, with their bunsetsu; what training and searching share."""
    cdef Morphemes morphemes
    cdef Sentence sentence
    cdef const uint8_t[::1] marks
    cdef object places                  # where the bunsetsu of each sentence begin
    cdef const int64_t[::1] place_view
    cdef ShownSentence shown

    def __init__(self, Morphemes morphemes not None, opens, Sentence sentence not None):
        self.morphemes, self.sentence = morphemes, sentence
        self.marks = checked_openings(morphemes, opens)
        self.places = np.concatenate(([0], np.cumsum(chunk_counts(morphemes, opens))))
        self.place_view = self.places

    cdef int load(self, int64_t number) except -1 nogil:
        cdef int64_t begin = self.morphemes.start_view[number], end = self.morphemes.start_view[number + 1]
        self.shown.clear()
        if begin < end:
            self.sentence.load(&self.morphemes.field_view[begin, 0], &self.marks[begin], <int32_t>(end - begin))
            show(self.sentence, self.shown)
        return 0


def learn_pass(Morphemes morphemes not None, opens, heads, Sentence sentence not None, HashedLearner learner not None,
               order, *, int beam=8, int bonus=10):
    """Visit sentences in the given order, once each; return how many of them changed the weights."""
    cdef Batch batch = Batch(morphemes, opens, sentence)
    cdef const int32_t[::1] gold = np.ascontiguousarray(heads, dtype=np.int32)
    if gold.shape[0] != batch.places[len(batch.places) - 1]:
        raise ValueError("one head is needed for each bunsetsu")
    cdef const int64_t[::1] numbers = np.ascontiguousarray(order, dtype=np.int64)
    if len(order) and not 0 <= np.min(order) <= np.max(order) < len(morphemes):
        raise ValueError("the order names a sentence that is not there")
    if beam < 1:
        raise ValueError(f"a beam has at least one hypothesis, not {beam}")
    cdef unique_ptr[HeadChooser[RowLearner]] chooser
    chooser.reset(new HeadChooser[RowLearner](learner.rows))
    cdef int64_t i, changed = 0
    with nogil:
        for i in range(numbers.shape[0]):
            batch.load(numbers[i])
            learner.examples += 1
            if batch.shown.bunsetsu.size() > 2:
                changed += learn_choices(learner.rows, chooser.get()[0], batch.shown,
                                         &gold[batch.place_view[numbers[i]]], beam, bonus, learner.examples)
    return changed


def search_trees(Morphemes morphemes not None, opens, HashedWeights weights not None, Sentence sentence not None,
                 int beam=8):
    """Return for each sentence the best trees that the weights alone find, as lists of heads with their scores."""
    cdef Batch batch = Batch(morphemes, opens, sentence)
    cdef HeadChooser[RowTable] *chooser = new HeadChooser[RowTable](weights.rows)
    cdef vector[PartialTree] found
    cdef PartialTree unused, other
    cdef PartialTree *tree
    results = []
    try:
        for number in range(len(morphemes)):
            batch.load(number)
            chooser.search(batch.shown, beam, NULL, 0, found, unused, other)
            trees = []
            for i in range(found.size()):
                tree = &found[i]
                trees.append((list(tree.heads), tree.score))
            results.append(trees)
    finally:
        del chooser
    return results


def score_trees(Morphemes morphemes not None, opens, heads, HashedWeights weights not None,
                Sentence sentence not None):
    """Return the score of each sentence's tree."""
    cdef Batch batch = Batch(morphemes, opens, sentence)
    cdef TreeScorer scorer = TreeScorer(weights, 1.0)
    cdef const int32_t[::1] arcs = np.ascontiguousarray(heads, dtype=np.int32)
    cdef vector[int32_t] own
    if arcs.shape[0] != batch.places[len(batch.places) - 1]:
        raise ValueError("one head is needed for each bunsetsu")
    scores = []
    for number in range(len(morphemes)):
        batch.load(number)
        scorer.shown = batch.shown
        own = list(arcs[batch.places[number]:batch.places[number + 1]])
        scores.append(scorer.score(own))
    return scores
