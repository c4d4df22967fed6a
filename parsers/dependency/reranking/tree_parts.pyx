"""Lists of trees as lists of candidates of a template kernel machine, and the choice of a tree (tree_parts.hpp).

Lists come as flat arrays: property rows of all words, trees one behind the other, the figures of each tree (what the
base parser and the relations' classifier say of it) as integers.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.pair cimport pair
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.templates.learning import CandidateLists
from kakari.kernels.templates.parts import Parts, TemplateKernel

from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.kernels.templates.parts cimport PartArrays, TemplateKernel as CoreKernel
from kakari.kernels.templates.support cimport CombinationScratch, CombinationWeights, sum_of_part


cdef extern from "parsers/dependency/reranking/tree_parts.hpp" namespace "kakari" nogil:
    cdef cppclass PartLayout:
        PartLayout()
        int32_t own
        int32_t tag
        int32_t coarse
        int32_t relations
        int32_t tags
        int32_t coarses
        int32_t features
        int32_t word_width()
        int32_t edge_width()

    cdef cppclass ListedSentence:
        ListedSentence()
        const int32_t *own
        int32_t length
        const int32_t *heads
        const uint8_t *relations
        int32_t trees

    cdef cppclass ListedArc "kakari::TreeParts::Arc":
        int32_t head
        int32_t modifier

    cdef cppclass TreeParts:
        TreeParts(const PartLayout& layout) except +
        void run(const ListedSentence& sentence) except +
        vector[int32_t] words
        vector[int32_t] edges
        vector[ListedArc] arcs
        vector[int32_t] occurrences
        vector[int64_t] starts
        void linear(int32_t part, int32_t *to)

    void tree_features(const TreeParts& parts, int32_t tree, const int32_t *figures,
                       vector[pair[int32_t, int32_t]]& to) except +


cdef enum:
    FIRST = 6
    EMPHASIS = 10
    LINEAR = 30

FIGURES = FIRST  # see figures_of in reranker.py
AROUND = ("tag-1", "tag+1", "coarse-2", "coarse+2", "coarse-1,+1", "lemma+1")
EDGE = (
    "relation", "direction", "distance", "relation,direction", "head's relation,relation", "grandparent's coarse",
    "sibling's relation,relation", "sibling's coarse", "modifiers of the modifier", "modifiers of the head", "rank",
    "end", "relation,span", "relation,coarse behind the span", "relation,coarse before the span",
    "relation,equal tags",
)  # fmt: skip
TAG, COARSE = 2, 3


cdef class Layout:
    """Layout of words and edges as rows of properties.

    Parameters
    ----------
    own : int
        Properties of a word by itself: form, lemma, tag, coarse tag, features.
    relations, tags, coarses : int
        How many there are.
    features : int
        Into how many numbers linear features are hashed.

    Examples
    --------
    >>> Layout(own=6, relations=40, tags=50, coarses=17, features=1000).kernel()
    TemplateKernel([12, 33], [[(0, 1, False), (0, 1, False), (1, 1, True)]])
    """

    cdef PartLayout layout

    def __init__(self, *, int own, int relations, int tags, int coarses, int features):
        if min(own - COARSE, relations, tags, coarses, features) < 1:
            raise ValueError("there is at least one of everything")
        self.layout.own, self.layout.tag, self.layout.coarse = own, TAG, COARSE
        self.layout.relations, self.layout.tags, self.layout.coarses = relations, tags, coarses
        self.layout.features = features

    @property
    def features(self):
        """Number of linear features, with those of the figures."""
        return FIGURES + self.layout.features

    def kernel(self, *, int head_degree=1, int modifier_degree=1, int edge_degree=1):
        """Return the kernel over arcs: head, modifier, and the edge or not."""
        slots = [(0, head_degree, False), (0, modifier_degree, False), (1, edge_degree, True)]
        return TemplateKernel([self.layout.word_width(), self.layout.edge_width()], [slots])


cdef class Gathered:
    """Growing arrays of many lists."""

    cdef vector[int32_t] words, edges, slots, occurrences, features, values
    cdef vector[int64_t] part_starts, occurrence_starts, feature_starts

    def __init__(self):
        self.part_starts.push_back(0)
        self.occurrence_starts.push_back(0)
        self.feature_starts.push_back(0)

    cdef void add(self, const TreeParts& parts, int32_t trees, const int32_t *figures, PartLayout& layout,
                  bint hashed) noexcept nogil:
        cdef int32_t first_word = <int32_t>(self.words.size() / layout.word_width())
        cdef int32_t first_edge = <int32_t>(self.edges.size() / layout.edge_width())
        cdef size_t i
        cdef int32_t t
        cdef vector[pair[int32_t, int32_t]] found
        cdef int64_t before = self.occurrences.size()
        self.words.insert(self.words.end(), parts.words.begin(), parts.words.end())
        self.edges.insert(self.edges.end(), parts.edges.begin(), parts.edges.end())
        for i in range(parts.arcs.size()):
            self.slots.push_back(first_word + parts.arcs[i].head)
            self.slots.push_back(first_word + parts.arcs[i].modifier)
            self.slots.push_back(first_edge + <int32_t>i)
        self.part_starts.push_back(self.slots.size() // 3)
        self.occurrences.insert(self.occurrences.end(), parts.occurrences.begin(), parts.occurrences.end())
        for t in range(trees):
            self.occurrence_starts.push_back(before + parts.starts[t + 1])
            tree_features(parts, t, figures + t * FIRST, found)
            for i in range(found.size()):
                if not hashed and found[i].first >= FIRST:
                    break
                self.features.push_back(found[i].first)
                self.values.push_back(found[i].second)
            self.feature_starts.push_back(self.features.size())


cdef class TreeBatch:
    """Sentences with their trees.

    Parameters
    ----------
    layout : Layout
    starts : array of int64
        Where the words of each sentence begin and, last, where all end.
    own : array of int32
        The property numbers of each word, -1 where one is absent; tags begin with 1.
    lists : dict of arrays
        `counts`, `heads` and `relations`, as `best_lists` gives them.
    figures : array of int32
        FIGURES numbers for each tree.
    """

    cdef Layout layout
    cdef readonly object starts
    cdef readonly object counts
    cdef const int64_t[::1] start_view, tree_view, head_view
    cdef const int32_t[::1] count_view, heads
    cdef const int32_t[:, ::1] own, figures
    cdef const uint8_t[::1] relations

    def __init__(self, Layout layout not None, starts, own, lists, figures):
        self.layout = layout
        self.starts = np.ascontiguousarray(starts, dtype=np.int64)
        self.counts = np.ascontiguousarray(lists["counts"], dtype=np.int32)
        lengths = np.diff(self.starts)
        rows = np.ascontiguousarray(own, dtype=np.int32).reshape(-1, layout.layout.own)
        heads = np.ascontiguousarray(lists["heads"], dtype=np.int32)
        relations = np.ascontiguousarray(lists["relations"], dtype=np.uint8)
        told = np.ascontiguousarray(figures, dtype=np.int32).reshape(-1, FIGURES)
        by_tree = np.repeat(np.repeat(lengths, self.counts), np.repeat(lengths, self.counts))
        if self.counts.shape != lengths.shape or (self.counts < 1).any() or self.starts[len(lengths)] != len(rows):
            raise ValueError("each sentence has a tree, each word a row of properties")
        if not len(heads) == len(relations) == len(by_tree) or len(told) != self.counts.sum():
            raise ValueError("each tree has as many heads and relations as its sentence has words, and its figures")
        if (heads < 0).any() or (heads > by_tree).any() or (relations >= layout.layout.relations).any():
            raise ValueError("a head or a relation is out of range")
        if rows.size and (rows.min() < -1 or rows[:, TAG].max() > layout.layout.tags
                          or rows[:, COARSE].max() > layout.layout.coarses):
            raise ValueError("a property is out of range")
        self.start_view, self.count_view, self.own = self.starts, self.counts, rows
        self.heads, self.relations, self.figures = heads, relations, told
        self.tree_view = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        self.head_view = np.concatenate([[0], np.cumsum(self.counts * lengths, dtype=np.int64)])

    cdef ListedSentence sentence(self, int64_t i) noexcept nogil:
        cdef ListedSentence found
        found.length = <int32_t>(self.start_view[i + 1] - self.start_view[i])
        found.trees = self.count_view[i]
        if found.length:
            found.own = &self.own[self.start_view[i], 0]
            found.heads, found.relations = &self.heads[self.head_view[i]], &self.relations[self.head_view[i]]
        return found

    def candidate_lists(self, kernel, losses, wanted, *, bint linear=True):
        """Return the lists as a template kernel machine learns from them, with hashed linear features or not."""
        cdef TreeParts *parts = new TreeParts(self.layout.layout)
        cdef Gathered all = Gathered()
        cdef int64_t i
        try:
            with nogil:
                for i in range(self.count_view.shape[0]):
                    parts.run(self.sentence(i))
                    all.add(parts[0], self.count_view[i], &self.figures[self.tree_view[i], 0], self.layout.layout,
                            linear)
        finally:
            del parts
        count = all.slots.size() // 3
        made = Parts(kernel, [int32_array(all.words), int32_array(all.edges)], np.zeros(count), int32_array(all.slots))
        return CandidateLists(
            made, part_starts=int64_array(all.part_starts), candidate_starts=np.asarray(self.tree_view),
            occurrence_starts=int64_array(all.occurrence_starts), occurrences=int32_array(all.occurrences),
            feature_starts=int64_array(all.feature_starts), features=int32_array(all.features),
            values=int32_array(all.values), losses=losses, wanted=wanted,
        )

    def choose(self, CombinationWeights weights, linear, int64_t scale):
        """Return the best tree of each sentence, the first of equal ones.

        `linear` weights and those of combinations, times `scale`, are integers in the same unit; without combinations,
        the linear ones alone decide.
        """
        cdef const int64_t[::1] own = np.ascontiguousarray(linear, dtype=np.int64)
        if own.shape[0] != self.layout.features:
            raise ValueError(f"there are {self.layout.features} linear features, not {own.shape[0]}")
        result = np.zeros(len(self.counts), dtype=np.int32)
        cdef int32_t[::1] chosen = result
        cdef TreeParts *parts = new TreeParts(self.layout.layout)
        cdef CombinationScratch scratch
        cdef vector[int64_t] sums
        cdef int32_t hashed[LINEAR]
        cdef PartArrays arrays
        cdef vector[int32_t] slots
        cdef vector[uint8_t] kinds
        cdef CoreKernel kernel
        cdef bint with_kernel = weights is not None, with_hashed = np.any(np.asarray(own)[FIRST:])
        cdef int64_t i, score, best, k
        cdef int32_t t, j
        if with_kernel:
            kernel = weights.kernel
            arrays.kinds, arrays.most = kernel.own_kinds, 3
            arrays.tables.resize(2)
        try:
            with nogil:
                for i in range(chosen.shape[0]):
                    if self.count_view[i] == 1:
                        continue
                    parts.run(self.sentence(i))
                    sums.assign(parts.arcs.size(), 0)
                    if with_kernel:
                        scratch.forget()
                        fill(arrays, parts[0], self.layout.layout, slots, kinds)
                        for k in range(<int64_t>sums.size()):
                            sums[k] = scale * sum_of_part(weights.table, arrays, k, scratch)
                    if with_hashed:
                        for k in range(<int64_t>sums.size()):
                            parts.linear(<int32_t>k, hashed)
                            for j in range(LINEAR):
                                sums[k] += own[hashed[j]] * EMPHASIS
                    best = 0
                    for t in range(self.count_view[i]):
                        score = 0
                        for j in range(FIRST):
                            score += own[j] * self.figures[self.tree_view[i] + t, j]
                        for k in range(parts.starts[t], parts.starts[t + 1]):
                            score += sums[parts.occurrences[k]]
                        if t == 0 or score > best:
                            best, chosen[i] = score, t
        finally:
            del parts
        return result


cdef void fill(PartArrays& to, TreeParts& parts, PartLayout& layout, vector[int32_t]& slots,
               vector[uint8_t]& kinds) noexcept nogil:
    cdef size_t i
    slots.clear()
    kinds.assign(parts.arcs.size(), 0)
    for i in range(parts.arcs.size()):
        slots.push_back(parts.arcs[i].head)
        slots.push_back(parts.arcs[i].modifier)
        slots.push_back(<int32_t>i)
    to.tables[0].values, to.tables[0].width = parts.words.data(), layout.word_width()
    to.tables[1].values, to.tables[1].width = parts.edges.data(), layout.edge_width()
    to.tables[0].rows = parts.words.size() / layout.word_width()
    to.tables[1].rows = parts.arcs.size()
    to.kind_of, to.slots, to.count = kinds.data(), slots.data(), parts.arcs.size()
