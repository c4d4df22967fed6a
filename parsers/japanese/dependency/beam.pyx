"""Several analyses of a sentence with their scores: shift-reduce with a beam.

A hypothesis is the stack and the attachments so far. At each bunsetsu it branches by how many of the stack's
elements take it as their head; the score is the sum of the log probabilities of these decisions, a margin m
meaning the probability 1 / (1 + exp(-2 m)). The best `beam` hypotheses over all branches go on. A step costs
at most beam x (open bunsetsu) questions and copies beam x n numbers; branches that already score below the
beam are left.

Hypotheses share most of their questions: none about a sentence is answered twice (margin_memory.hpp).

The analyses can be judged once more by classifiers that see the other side: from the right end to the left, each
bunsetsu chooses its head among the candidates that no arc forbids, knowing the structure to the right of it. A
choice's probability is the softmax of its margins. Both views err differently, so that the best sum of the two
log probabilities is right more often than either. This costs beam x n x (candidates, about 3) questions, fewer where
trees have their right parts in common or only the best is wanted. A model of whole trees can add its score as well
(`WholeTrees`, which `kakari.parsers.japanese.dependency.tree_search` implements).
"""
from libc.math cimport INFINITY, exp, log, log1p
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from kakari.kernels.hardware.arrays cimport float64_array, int32_array
from kakari.parsers.japanese.dependency.decoders cimport Decoder
from kakari.parsers.japanese.words.morphemes cimport Morphemes
from kakari.parsers.japanese.dependency.pairs cimport Around, Sentence

import numpy as np  # no-cython-lint (the functions of arrays.pxd use it)

from kakari.parsers.japanese.dependency.decoders import checked_openings

# Minus its score, the hypothesis, how many of the stack's elements it attaches.
ctypedef pair[double, pair[int32_t, int32_t]] Branch


cdef inline double log_probability(double margin) noexcept nogil:
    """Return log(1 / (1 + exp(-2 m))) without overflow."""
    return -log1p(exp(-2 * margin)) if margin > 0 else 2 * margin - log1p(exp(2 * margin))


cdef class WholeTrees:
    """A model that scores finished trees of the sentence that it has read, for one thread; this one finds all alike."""

    cdef int load(self, Sentence sentence) except -1 nogil:
        return 0

    cdef double score(self, const vector[int32_t]& heads) except? 1e300 nogil:
        return 0.0


cdef class Beam:
    cdef Decoder decoder
    cdef Sentence sentence
    cdef int32_t width
    cdef vector[vector[int32_t]] stacks, heads, newest, following, counts
    cdef vector[double] scores
    cdef vector[Branch] branches

    def __init__(self, Decoder decoder not None, int32_t width):
        self.decoder, self.sentence, self.width = decoder, decoder.sentence, width
        self.decoder.remembers = True

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
        while not self.hopeless(score):  # each further decision lowers it
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


cdef class Judge:
    """Scores finished trees by choices from right to left, with classifiers of the backward decoder's pairs.

    A choice depends on the arcs to its right alone: a tree is scored from where it leaves one that was scored before.
    """
    cdef Decoder decoder
    cdef Sentence sentence
    cdef double scale
    cdef vector[double] margins         # of the candidates of one bunsetsu
    cdef vector[vector[int32_t]] trees  # of the sentence, as they were scored
    cdef vector[vector[double]] totals  # log probabilities of the choices from each bunsetsu on
    cdef vector[vector[double]] leads   # of each bunsetsu's head before its best rival

    def __init__(self, Decoder decoder not None, double scale):
        self.decoder, self.sentence, self.scale = decoder, decoder.sentence, scale
        self.decoder.remembers = True

    cdef void clear(self) noexcept nogil:
        """Begin another sentence."""
        self.decoder.memory.clear()
        self.trees.clear()
        self.totals.clear()
        self.leads.clear()

    cdef double score(self, const vector[int32_t]& heads, double base=0.0, double weight=1.0, double more=0.0,
                      double least=-INFINITY) except? 1.0 nogil:
        """Return the log probability of another tree of the sentence.

        Choices only lower it. As soon as `base` + `weight` x what it can still be + `more` is below `least`, the tree
        is left: what is returned then is below that as well, and nothing is noted.
        """
        cdef int32_t count = <int32_t>heads.size(), known = count, dependent, here, i
        cdef int32_t like = -1
        cdef double total = 0.0
        for i in range(<int32_t>self.trees.size()):
            here = count
            while here > 0 and self.trees[i][here - 1] == heads[here - 1]:
                here -= 1
            if here < known:
                known, like = here, i
        self.sentence.clear_arcs()
        self.trees.push_back(heads)
        self.totals.push_back(vector[double](count, 0.0))
        self.leads.push_back(vector[double](count, INFINITY))
        for dependent in range(count - 2, -1, -1):
            if dependent >= known:
                total = self.totals[like][dependent]
                self.leads.back()[dependent] = self.leads[like][dependent]
            elif dependent < count - 2:
                total += self.choice(dependent, heads[dependent])
            if base + weight * total + more < least:
                self.trees.pop_back()
                self.totals.pop_back()
                self.leads.pop_back()
                return total
            self.totals.back()[dependent] = total
            self.sentence.attach(dependent, heads[dependent])
        return total

    cdef double choice(self, int32_t dependent, int32_t chosen) except? 1.0 nogil:
        """Return the log probability that a bunsetsu chooses this head, and note the head's lead."""
        cdef int32_t candidate = dependent + 1, before = -1, above, chain = 0
        cdef double best = -1e300, rival = -1e300, mine = -1e300, total = 0.0, margin
        cdef size_t i
        self.margins.clear()
        while candidate >= 0:
            above = self.sentence.heads[candidate]
            margin = self.scale * self.decoder.ask(dependent, candidate, Around(-1, before, above, chain))
            self.margins.push_back(margin)
            best = max(best, margin)
            if candidate == chosen:
                mine = margin
            else:
                rival = max(rival, margin)
            before, candidate = candidate, above
            chain += 1
        for i in range(self.margins.size()):
            total += exp(self.margins[i] - best)
        if self.margins.size() > 1:
            self.leads.back()[dependent] = (mine - rival) / self.scale
        return mine - best - log(total)


cdef class Search:
    """Beam search over one sentence after another, and the judge's view where there is one."""
    cdef Beam beam
    cdef Judge judge
    cdef WholeTrees trees
    cdef double weight, tree_weight
    cdef vector[pair[double, int32_t]] order        # minus the score, and the hypothesis
    cdef int32_t judged                             # the best analysis among those that were judged to the end

    def __init__(self, Sentence sentence not None, models, int32_t width, rankers, double weight, double scale,
                 WholeTrees trees, double tree_weight):
        if width < 1:
            raise ValueError(f"a beam has at least one hypothesis, not {width}")
        self.beam = Beam(Decoder(sentence, models), width)
        self.judge = Judge(Decoder(sentence, rankers), scale) if rankers else None
        self.trees = trees
        self.weight, self.tree_weight = weight, tree_weight

    cdef int run(self) except -1 nogil:
        """Search the loaded sentence; `order` tells the analyses, the best first."""
        cdef int32_t index
        cdef double score
        self.begin()
        for index in range(<int32_t>self.beam.scores.size()):
            score = self.beam.scores[index]
            if self.judge is not None:
                score += self.weight * self.judge.score(self.beam.heads[index])
            if self.trees is not None:
                score += self.tree_weight * self.trees.score(self.beam.heads[index])
            self.order.push_back(pair[double, int32_t](-score, index))
        sort(self.order.begin(), self.order.end())
        self.judged = self.order[0].second
        return 0

    cdef int run_for_best(self) except -1 nogil:
        """Search the loaded sentence for the first one of `order` alone: what cannot be the best is not judged."""
        cdef int32_t index
        cdef double score, more = 0.0, best = -INFINITY
        if self.judge is None or self.weight <= 0:
            return self.run()
        self.begin()
        for index in range(<int32_t>self.beam.scores.size()):
            score = self.beam.scores[index]
            if self.trees is not None:
                more = self.tree_weight * self.trees.score(self.beam.heads[index])
            score += self.weight * self.judge.score(self.beam.heads[index], score, self.weight, more, best)
            score += more
            if index == 0 or score > best:
                best = score
                self.order.assign(1, pair[double, int32_t](-score, index))
                self.judged = <int32_t>self.judge.trees.size() - 1
        return 0

    cdef int begin(self) except -1 nogil:
        self.beam.run()
        self.order.clear()
        if self.judge is not None:
            self.judge.clear()
        if self.trees is not None:
            self.trees.load(self.beam.sentence)
        return 0


def parse_kbest(Morphemes morphemes not None, opens, models, Sentence sentence not None, int beam,
                rankers=(), double weight=1.0, double scale=1.0, WholeTrees trees=None, double tree_weight=0.0):
    """Return for each sentence a list of (heads, score), the best first, at most `beam` of them.

    The scores are log probabilities; the last bunsetsu's arcs, which are forced, count nothing. `rankers` are
    classifiers of the backward decoder's pairs: their log probability, with margins times `scale`, is added
    `weight` times; so is the score of `trees`, `tree_weight` times.

    Examples
    --------
    >>> from kakari.parsers.japanese.parser import JapaneseParser
    >>> (found,) = JapaneseParser.pretrained(beam=2).parse("本を読む。")
    >>> found.alternatives[0][0]
    (1, -1)
    """
    cdef const uint8_t[::1] marks = checked_openings(morphemes, opens)
    cdef const int64_t[::1] starts = morphemes.start_view
    cdef const int32_t[:, ::1] rows = morphemes.field_view
    cdef Search search = Search(sentence, models, beam, rankers, weight, scale, trees, tree_weight)
    cdef int64_t i
    results = []
    for i in range(starts.shape[0] - 1):
        if starts[i] == starts[i + 1]:
            results.append([([], 0.0)])
            continue
        with nogil:
            sentence.load(&rows[starts[i], 0], &marks[starts[i]], <int32_t>(starts[i + 1] - starts[i]))
            search.beam.decoder.memory.clear()
            search.run()
        results.append([(list(search.beam.heads[entry.second]), -entry.first) for entry in search.order])
    return results


cdef double squeezed(double lead, double limit) noexcept nogil:
    """Return a lead as a number between 0 and `limit`, infinite ones as they are."""
    return lead if lead == INFINITY else limit / (1 + exp(-lead))


def parse_reranked(Morphemes morphemes not None, opens, models, Sentence sentence not None, int beam,
                   rankers, double weight, double scale, WholeTrees trees=None, double tree_weight=0.0,
                   double sure=INFINITY):
    """Return the best analysis of each sentence in the form of `parse_batch`; see `parse_kbest`.

    A sentence whose every decision the shift-reduce decoder takes with a margin of at least `sure` is not searched: its
    arcs have these margins. The margin of an arc of another is what the head is ahead of the best other candidate, to
    the rankers; if there is a limit `sure`, as a number between 0 and it.
    """
    cdef const uint8_t[::1] marks = checked_openings(morphemes, opens)
    cdef const int64_t[::1] starts = morphemes.start_view
    cdef const int32_t[:, ::1] rows = morphemes.field_view
    cdef Search search = Search(sentence, models, beam, rankers, weight, scale, trees, tree_weight)
    cdef vector[int32_t] heads
    cdef vector[double] margins
    cdef Decoder greedy = search.beam.decoder
    cdef double weakest, lead
    cdef int32_t best
    cdef int64_t i
    cdef size_t k
    with nogil:
        for i in range(starts.shape[0] - 1):
            if starts[i] == starts[i + 1]:
                continue
            sentence.load(&rows[starts[i], 0], &marks[starts[i]], <int32_t>(starts[i + 1] - starts[i]))
            greedy.memory.clear()
            if sure < INFINITY:
                greedy.shift_reduce()
                weakest = INFINITY
                for k in range(greedy.margins.size()):
                    weakest = min(weakest, greedy.margins[k])
                if weakest >= sure:
                    heads.insert(heads.end(), sentence.heads.begin(), sentence.heads.end())
                    margins.insert(margins.end(), greedy.margins.begin(), greedy.margins.end())
                    continue
                sentence.clear_arcs()
            search.run_for_best()
            best = search.order[0].second
            heads.insert(heads.end(), search.beam.heads[best].begin(), search.beam.heads[best].end())
            for k in range(search.judge.leads[search.judged].size()):
                lead = search.judge.leads[search.judged][k]
                margins.push_back(squeezed(lead, sure) if sure < INFINITY else lead)
    return int32_array(heads), float64_array(margins)
