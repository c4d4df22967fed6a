"""Two deterministic decoders over one classifier: does this bunsetsu depend on that one?

Shift-reduce (Sassano 2004) keeps the bunsetsu whose heads are not found yet on a stack and asks about its top
and the next bunsetsu: fewer than 2n questions. Cascaded chunking (Kudo and Matsumoto 2002) asks about all
neighbours, removes those that found their head and begins again: n questions a pass, usually few passes. In
both, whatever stands between the two of a pair is already attached, so they share features and classifier.

With gold heads instead of a classifier the same loops visit the pairs that a perfect parser would ask about:
these are the training examples. A question costs what `Sentence.pair` and one margin cost.
"""
from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from kakari.kernels.frozen.model cimport FrozenModel, Workspace
from kakari.kernels.hardware.arrays cimport float64_array, int32_array, int64_array
from kakari.parsers.japanese.words.morphemes cimport Morphemes
from kakari.parsers.japanese.dependency.pairs cimport Around, Sentence

import numpy as np

from kakari.kernels.sets.featuresets import FeatureSets

DECODERS = ("shift-reduce", "cascade", "backward")


cdef class Decoder:
    """The decoders and their scratch memory; for one thread."""

    def __init__(self, Sentence sentence not None, models=(), adaptive=False):
        self.sentence = sentence
        self.models = tuple(models)
        # As in segmentation.pyx, prefixes of pairs of features are not worth a table.
        self.workspaces = tuple(model.workspace(adaptive=adaptive and model.degree > 2) for model in self.models)
        for model, workspace in zip(self.models, self.workspaces):
            self.classifiers.push_back((<FrozenModel?>model).classifier)
            self.scratches.push_back((<Workspace?>workspace).scratch)
        self.gold = NULL
        self.offsets.push_back(0)

    cdef int rank_statics(self) except -1 nogil:
        """Look up what each classifier calls the features of single bunsetsu: most pairs share them."""
        cdef size_t i, k, size = self.sentence.statics.size()
        self.static_ranks.resize(self.classifiers.size())
        for i in range(self.classifiers.size()):
            self.static_ranks[i].resize(size)
            for k in range(size):
                self.static_ranks[i][k] = <int32_t>self.classifiers[i].rank_of(self.sentence.statics[k])
        self.ranked = self.sentence.loaded
        return 0

    cdef double sum_margins(self, int32_t dependent, int32_t head, int32_t count) except? -1e300 nogil:
        """Return the sum of margins of the pair whose features `Sentence.pair` has written."""
        cdef int32_t first = self.sentence.dependent_starts[dependent], k
        cdef int32_t size = self.sentence.head_starts[dependent] - first
        cdef int32_t second = self.sentence.head_starts[head], fixed = self.sentence.fixed
        cdef double margin = 0.0
        cdef size_t i
        if self.ranked != self.sentence.loaded:
            self.rank_statics()
        if <int32_t>self.ranks.size() < count:
            self.ranks.resize(2 * count)
        for i in range(self.classifiers.size()):
            memcpy(self.ranks.data(), &self.static_ranks[i][first], size * sizeof(int32_t))
            memcpy(&self.ranks[size], &self.static_ranks[i][second], (fixed - size) * sizeof(int32_t))
            for k in range(fixed, count):
                self.ranks[k] = <int32_t>self.classifiers[i].rank_of(self.sentence.out[k])
            margin += self.classifiers[i].margin_of_ranks(self.ranks.data(), count, self.scratches[i][0])
        return margin

    cdef double ask(self, int32_t dependent, int32_t head, Around around) except? -1e300 nogil:
        """Return the sum of margins of a pair, positive for "depends"; with gold heads, note the example."""
        cdef int32_t count = self.sentence.pair(dependent, head, around)
        cdef double margin
        cdef int32_t fixed = self.sentence.fixed, number = -1
        cdef cbool known = False
        if self.gold == NULL:
            if self.remembers:
                number = self.memory.find(dependent, head, self.sentence.out + fixed, count - fixed, known)
                if known:
                    return self.memory.margin(number)
            margin = self.sum_margins(dependent, head, count)
            if self.remembers:
                self.memory.set(number, margin)
            return margin
        self.ids.insert(self.ids.end(), self.sentence.out, self.sentence.out + count)
        self.offsets.push_back(<int64_t>self.ids.size())
        cdef int32_t label = 1 if self.gold[dependent] == head else -1
        self.labels.push_back(label)
        return label

    cdef int shift_reduce(self) except -1 nogil:
        cdef int32_t count = <int32_t>self.sentence.chunks.size(), head, top, below
        cdef double margin
        self.margins.assign(count, INFINITY)
        self.stack.clear()
        if count:
            self.stack.push_back(0)
        for head in range(1, count):
            while self.stack.size():
                top = self.stack.back()
                if head < count - 1:
                    below = -1
                    if self.stack.size() > 1:
                        below = self.stack[self.stack.size() - 2]
                    margin = self.ask(top, head, Around(below, -1, -1, -1))
                    self.margins[top] = min(self.margins[top], fabs(margin))
                    if margin <= 0:
                        break
                self.sentence.attach(top, head)
                self.stack.pop_back()
            self.stack.push_back(head)
        return 0

    cdef int cascade(self) except -1 nogil:
        cdef int32_t count = <int32_t>self.sentence.chunks.size(), i, kept, left, below
        cdef double margin
        self.margins.assign(count, INFINITY)
        self.active.resize(count)
        for i in range(count):
            self.active[i] = i
        while self.active.size() > 1:
            left = <int32_t>self.active.size()
            # The one before last can only depend on the last.
            self.marks.assign(left, 1)
            below = -1
            for i in range(left - 2):
                margin = self.ask(self.active[i], self.active[i + 1], Around(below, -1, -1, -1))
                self.margins[self.active[i]] = min(self.margins[self.active[i]], fabs(margin))
                self.marks[i] = margin > 0
                below = self.active[i]
            kept = 0
            for i in range(left):
                if i < left - 1 and self.marks[i] and (i == 0 or not self.marks[i - 1]):
                    self.sentence.attach(self.active[i], self.active[i + 1])
                else:
                    self.active[kept] = self.active[i]
                    kept += 1
            self.active.resize(kept)
        return 0

    cdef int backward(self) except -1 nogil:
        cdef int32_t count = <int32_t>self.sentence.chunks.size()
        cdef int32_t dependent, candidate, before, above, best, chain
        cdef double margin, highest, second
        self.margins.assign(count, INFINITY)
        for dependent in range(count - 2, -1, -1):
            candidate, before, best, chain = dependent + 1, -1, -1, 0
            highest = second = -INFINITY
            while candidate >= 0:
                if chain == 0 and candidate == count - 1:
                    best = candidate
                    break
                above = self.sentence.heads[candidate]
                margin = self.ask(dependent, candidate, Around(-1, before, above, chain))
                if best < 0 or margin > highest:
                    best, second, highest = candidate, highest, margin
                else:
                    second = max(second, margin)
                before, candidate = candidate, above
                chain += 1
            self.sentence.attach(dependent, best)
            if chain > 1:
                self.margins[dependent] = highest - second
        return 0

    cdef int decode(self, int decoder) except -1 nogil:
        if decoder == 0:
            return self.shift_reduce()
        return self.cascade() if decoder == 1 else self.backward()


cdef int number_of(decoder) except -1:
    if decoder not in DECODERS:
        raise ValueError(f"the decoder is one of {', '.join(DECODERS)}, not {decoder!r}")
    return DECODERS.index(decoder)


def checked_openings(Morphemes morphemes not None, opens):
    """Return opening marks as bytes, after making sure that there is one for each morpheme."""
    view = np.ascontiguousarray(opens, dtype=np.uint8)
    if view.shape != (morphemes.field_view.shape[0],):
        raise ValueError("one opening mark is needed for each morpheme")
    return view


def chunk_counts(Morphemes morphemes not None, opens):
    """Return the number of bunsetsu of each sentence: its opening marks, the first morpheme counting as one.

    Examples
    --------
    >>> from kakari.parsers.japanese.words.morphemes import Lexicon, MorphemeBatch
    >>> from kakari.models.vocabulary import Vocabulary
    >>> batch = MorphemeBatch(Lexicon(Vocabulary(), "juman"))
    >>> for place in range(3):
    ...     batch.add("木", "木", ("名詞",), "", "", place, place + 1)
    >>> batch.end_sentence()
    >>> chunk_counts(batch.finish(), [0, 0, 1]).tolist()
    [2]
    """
    cdef const uint8_t[::1] marks = checked_openings(morphemes, opens)
    cdef const int64_t[::1] starts = morphemes.start_view
    counts = np.zeros(starts.shape[0] - 1, dtype=np.int64)
    cdef int64_t[::1] view = counts
    cdef int64_t sentence, token
    for sentence in range(view.shape[0]):
        for token in range(starts[sentence], starts[sentence + 1]):
            view[sentence] += token == starts[sentence] or marks[token] != 0
    return counts


def parse_batch(Morphemes morphemes not None, opens, models, Sentence sentence not None,
                decoder="shift-reduce"):
    """Return each bunsetsu's head (counted within its sentence, -1 for the last) and the margin of its arc.

    All sentences one after another; `chunk_counts` tells where one ends. The margin is the absolute one of the weakest
    decision about the bunsetsu, of the arc's own or of one against a nearer head; without a decision it is infinite.
    """
    cdef int way = number_of(decoder)
    cdef const uint8_t[::1] marks = checked_openings(morphemes, opens)
    cdef const int64_t[::1] starts = morphemes.start_view
    cdef const int32_t[:, ::1] rows = morphemes.field_view
    cdef Decoder scratch = Decoder(sentence, models, adaptive=len(morphemes) >= 200)
    cdef vector[int32_t] heads
    cdef vector[double] margins
    cdef int64_t i
    cdef int32_t length
    with nogil:
        for i in range(starts.shape[0] - 1):
            if starts[i] < starts[i + 1]:
                length = <int32_t>(starts[i + 1] - starts[i])
                scratch.sentence.load(&rows[starts[i], 0], &marks[starts[i]], length)
                scratch.decode(way)
                heads.insert(heads.end(), scratch.sentence.heads.begin(), scratch.sentence.heads.end())
                margins.insert(margins.end(), scratch.margins.begin(), scratch.margins.end())
    return int32_array(heads), float64_array(margins)


def training_pairs(Morphemes morphemes not None, opens, gold_heads, Sentence sentence not None,
                   decoder="shift-reduce"):
    """Return the pairs that a perfect parser would ask about, as feature sets and labels 1 and -1."""
    cdef int way = number_of(decoder)
    cdef const uint8_t[::1] marks = checked_openings(morphemes, opens)
    cdef const int32_t[::1] gold = np.ascontiguousarray(gold_heads, dtype=np.int32)
    cdef const int64_t[::1] starts = morphemes.start_view
    cdef const int32_t[:, ::1] rows = morphemes.field_view
    cdef Decoder scratch = Decoder(sentence)
    cdef int64_t i, place = 0
    cdef int32_t length
    if int(chunk_counts(morphemes, opens).sum()) != gold.shape[0]:
        raise ValueError("one head is needed for each bunsetsu")
    with nogil:
        for i in range(starts.shape[0] - 1):
            if starts[i] < starts[i + 1]:
                length = <int32_t>(starts[i + 1] - starts[i])
                scratch.sentence.load(&rows[starts[i], 0], &marks[starts[i]], length)
                scratch.gold = &gold[place]
                scratch.decode(way)
                place += <int64_t>scratch.sentence.chunks.size()
    scratch.gold = NULL
    sets = FeatureSets.from_arrays(int64_array(scratch.offsets), int32_array(scratch.ids))
    return sets, int32_array(scratch.labels).astype(np.int8)


def arc_examples(Morphemes morphemes not None, opens, heads, Sentence sentence not None):
    """Return the features of each arc of finished trees, roots left out, for classifiers of arc types."""
    cdef const uint8_t[::1] marks = checked_openings(morphemes, opens)
    cdef const int32_t[::1] arcs = np.ascontiguousarray(heads, dtype=np.int32)
    cdef const int64_t[::1] starts = morphemes.start_view
    cdef const int32_t[:, ::1] rows = morphemes.field_view
    cdef vector[int32_t] ids
    cdef vector[int64_t] offsets
    cdef int64_t i, place = 0
    cdef int32_t dependent, count, size
    if int(chunk_counts(morphemes, opens).sum()) != arcs.shape[0]:
        raise ValueError("one head is needed for each bunsetsu")
    offsets.push_back(0)
    with nogil:
        for i in range(starts.shape[0] - 1):
            if starts[i] == starts[i + 1]:
                continue
            sentence.load(&rows[starts[i], 0], &marks[starts[i]], <int32_t>(starts[i + 1] - starts[i]))
            count = <int32_t>sentence.chunks.size()
            # From right to left, so that each head has the dependents that stand nearer to it.
            for dependent in range(count - 1, -1, -1):
                if dependent < arcs[place + dependent] < count:
                    sentence.attach(dependent, arcs[place + dependent])
            for dependent in range(count):
                if arcs[place + dependent] < 0:
                    continue
                size = sentence.pair(dependent, arcs[place + dependent], Around(-1, -1, -1, -1))
                ids.insert(ids.end(), sentence.out, sentence.out + size)
                offsets.push_back(<int64_t>ids.size())
            place += count
    return FeatureSets.from_arrays(int64_array(offsets), int32_array(ids))


def first_askings(questions):
    """Return for each question (dependent, head, ids) the place of the first one like it, as `MarginMemory` finds it.

    Examples
    --------
    >>> first_askings([(0, 1, [5, 6]), (0, 2, [5, 6]), (0, 1, [5, 6]), (0, 1, [5])])
    [0, 1, 0, 3]
    """
    cdef MarginMemory memory
    cdef vector[int32_t] ids
    cdef cbool known = False
    cdef int32_t number
    places = []
    for place, (dependent, head, own) in enumerate(questions):
        ids = own
        number = memory.find(dependent, head, ids.data(), <int64_t>ids.size(), known)
        if not known:
            memory.set(number, place)
        places.append(int(memory.margin(number)))
    return places
