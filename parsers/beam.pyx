# distutils: include_dirs = kernels
"""Several analyses of a sentence with their scores: shift-reduce with a beam.

A hypothesis is the stack and the attachments so far. At each bunsetsu it branches by how many of the stack's
elements take it as their head; the score is the sum of the log probabilities of these decisions, a margin m
meaning the probability 1 / (1 + exp(-2 m)). The best `beam` hypotheses over all branches go on. A step costs
at most beam x (open bunsetsu) questions and copies beam x n numbers; branches that already score below the
beam are left.
"""
from libc.math cimport exp, log1p
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from kakari.parsers.dependency cimport Decoder
from kakari.parsers.morphemes cimport Morphemes
from kakari.parsers.pairs cimport Around, Sentence

from kakari.parsers.dependency import checked_openings

# Minus its score, the hypothesis, how many of the stack's elements it attaches.
ctypedef pair[double, pair[int32_t, int32_t]] Branch


cdef inline double log_probability(double margin) noexcept nogil:
    """Give log(1 / (1 + exp(-2 m))) without overflow."""
    return -log1p(exp(-2 * margin)) if margin > 0 else 2 * margin - log1p(exp(2 * margin))


cdef class Beam:
    cdef Decoder decoder
    cdef Sentence sentence
    cdef int32_t width
    cdef vector[vector[int32_t]] stacks, heads, newest, following, counts
    cdef vector[double] scores
    cdef vector[Branch] branches

    def __init__(self, Decoder decoder not None, int32_t width):
        self.decoder, self.sentence, self.width = decoder, decoder.sentence, width

    cdef void exchange(self, int32_t index) noexcept nogil:
        """Swap a hypothesis's attachments with those of the sentence."""
        self.sentence.heads.swap(self.heads[index])
        self.sentence.newest_child.swap(self.newest[index])
        self.sentence.next_child.swap(self.following[index])
        self.sentence.child_count.swap(self.counts[index])

    cdef int run(self) except -1 nogil:
        cdef int32_t count = <int32_t>self.sentence.chunks.size(), head, index
        self.stacks.assign(1, vector[int32_t](1, 0))
        self.heads.assign(1, self.sentence.heads)
        self.newest.assign(1, self.sentence.newest_child)
        self.following.assign(1, self.sentence.next_child)
        self.counts.assign(1, self.sentence.child_count)
        self.scores.assign(1, 0.0)
        for head in range(1, count):
            self.branches.clear()
            for index in range(<int32_t>self.stacks.size()):
                self.branch(index, head, head == count - 1)
            sort(self.branches.begin(), self.branches.end())
            if <int32_t>self.branches.size() > self.width:
                self.branches.resize(self.width)
            self.advance(head)
        return 0

    cdef int branch(self, int32_t index, int32_t head, bint last) except -1 nogil:
        """Note what a hypothesis can become at this bunsetsu."""
        cdef int32_t attached = 0, size = <int32_t>self.stacks[index].size(), top, below
        cdef double score = self.scores[index], margin
        if last:
            self.note(score, index, size)
            return 0
        self.exchange(index)
        while True:
            if attached == size:
                self.note(score, index, attached)
                break
            top = self.stacks[index][size - 1 - attached]
            below = -1
            if attached + 1 < size:
                below = self.stacks[index][size - 2 - attached]
            margin = self.decoder.ask(top, head, Around(below, -1, -1, -1))
            self.note(score + log_probability(-margin), index, attached)
            score += log_probability(margin)
            if self.hopeless(score):
                break
            self.sentence.attach(top, head)
            attached += 1
        while attached:
            attached -= 1
            self.sentence.detach_newest(self.stacks[index][size - 1 - attached], head)
        self.exchange(index)
        return 0

    cdef int note(self, double score, int32_t index, int32_t attached) except -1 nogil:
        self.branches.push_back(Branch(-score, pair[int32_t, int32_t](index, attached)))
        return 0

    cdef bint hopeless(self, double score) noexcept nogil:
        """Say whether `width` branches score better already."""
        cdef int32_t better = 0
        cdef size_t i
        for i in range(self.branches.size()):
            better += -self.branches[i].first > score
        return better >= self.width

    cdef int advance(self, int32_t head) except -1 nogil:
        """Replace the hypotheses by the chosen branches."""
        cdef vector[vector[int32_t]] stacks, heads, newest, following, counts
        cdef vector[double] scores
        cdef size_t i
        cdef int32_t index, attached, dependent
        for i in range(self.branches.size()):
            index, attached = self.branches[i].second.first, self.branches[i].second.second
            scores.push_back(-self.branches[i].first)
            stacks.push_back(self.stacks[index])
            heads.push_back(self.heads[index])
            newest.push_back(self.newest[index])
            following.push_back(self.following[index])
            counts.push_back(self.counts[index])
            while attached:
                dependent = stacks.back().back()
                stacks.back().pop_back()
                heads.back()[dependent] = head
                following.back()[dependent] = newest.back()[head]
                newest.back()[head] = dependent
                counts.back()[head] += 1
                attached -= 1
            stacks.back().push_back(head)
        self.stacks.swap(stacks)
        self.heads.swap(heads)
        self.newest.swap(newest)
        self.following.swap(following)
        self.counts.swap(counts)
        self.scores.swap(scores)
        return 0


def parse_kbest(Morphemes morphemes not None, opens, models, Sentence sentence not None, int beam):
    """Give, for each sentence, a list of (heads, score), the best first, at most `beam` of them.

    The scores are log probabilities; the last bunsetsu's arcs, which are forced, count nothing.

    Examples
    --------
    >>> from kakari.parsers.japanese import JapaneseParser
    >>> (found,) = JapaneseParser.pretrained(beam=2).parse("本を読む。")
    >>> found.alternatives[0][0]
    (1, -1)
    """
    if beam < 1:
        raise ValueError(f"a beam has at least one hypothesis, not {beam}")
    cdef const uint8_t[::1] marks = checked_openings(morphemes, opens)
    cdef const int64_t[::1] starts = morphemes.start_view
    cdef const int32_t[:, ::1] rows = morphemes.field_view
    cdef Beam search = Beam(Decoder(sentence, models), beam)
    cdef int64_t i
    results = []
    for i in range(starts.shape[0] - 1):
        if starts[i] == starts[i + 1]:
            results.append([([], 0.0)])
            continue
        with nogil:
            sentence.load(&rows[starts[i], 0], &marks[starts[i]], <int32_t>(starts[i + 1] - starts[i]))
            search.run()
        results.append([(list(search.heads[k]), search.scores[k]) for k in range(search.scores.size())])
    return results
