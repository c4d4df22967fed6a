"""Dependency trees of a batch of sentences, and how their weights are learned (search.hpp, learning.hpp).

The light weights score every arc of a sentence and keep a few candidate heads of each word; the full weights score the
parts of trees that these make, and the chart finds the best trees. The first are learned by log-linear choice of heads,
the second by passive-aggressive steps.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.stored import Contents

from kakari.kernels.hashed.scalars cimport PartLearner, PartWeights, ScalarLearner
from kakari.parsers.dependency.tokens cimport TokenBatch, TokenView


cdef extern from "parsers/dependency/learning.hpp" namespace "kakari" nogil:
    int32_t longest_searched "kakari::LONGEST_SEARCHED"
    int32_t block "kakari::BLOCK"

    cdef cppclass SearchSettings:
        int32_t order
        int32_t heads
        cbool one_root
        cbool projective
        int64_t reach

    cdef cppclass FoundTree:
        int64_t score
        vector[int32_t] heads

    cdef cppclass TreeSearch:
        TreeSearch(const SearchSettings& settings) except +
        const vector[FoundTree]& run[Light, Full](const TokenView& tokens, const Light& light, const Full& full,
                                                  int32_t k) except +

    cdef cppclass Arc:
        int32_t head
        int32_t modifier

    cdef cppclass ArcScores:
        ArcScores() except +

    cdef cppclass Candidates:
        Candidates() except +
        vector[Arc] arcs

    void score_arcs[Weights](const TokenView& tokens, const Weights& weights, ArcScores& arcs) except +
    double head_share(const ArcScores& arcs, int32_t head, int32_t modifier, double unit)
    void arc_tree(const ArcScores& arcs, const SearchSettings& settings, int32_t *heads) except +
    void choose_candidates(const ArcScores& arcs, const SearchSettings& settings, const int32_t *given,
                           Candidates& to) except +

    cdef cppclass Difference:
        Difference() except +

    int light_arc(const TokenView& tokens, int32_t head, int32_t modifier, uint64_t between, uint64_t *out)
    int MOST_CONJUNCTIONS
    void tree_conjunctions(const TokenView& tokens, const int32_t *heads, int32_t order, vector[uint64_t]& to) except +

    int32_t learn_arcs(const TokenView& tokens, const int32_t *gold, double rate, int64_t now,
                       ScalarLearner& weights, ArcScores& arcs) except +
    int32_t learn_tree[Light](const TokenView& tokens, const int32_t *gold, const SearchSettings& settings,
                              const Light& light, double most, int64_t now, ScalarLearner& weights,
                              TreeSearch& search, Difference& difference) except +


MOST_HEADS = 1024  # of a file
LONGEST_SEARCHED = longest_searched  # words of a sentence; the tree of a longer one is found in parts


cdef class TreeSettings:
    """Settings of the search for trees.

    Parameters
    ----------
    order : int
        1: arcs alone; 2: siblings and grandparents too; 3: also grand-siblings and tri-siblings.
    heads : int
        Candidate heads that the first pass keeps of each word.
    one_root : bool
        Whether a tree has one root, as in Universal Dependencies.
    projective : bool
        Whether arcs may not cross.
    reach : int
        A candidate's score in the first pass is lower than the best one's by no more than this; 0: by anything.

    Examples
    --------
    >>> TreeSettings(order=2)
    TreeSettings(order=2, heads=8, one_root=True, projective=True, reach=0)
    """

    cdef SearchSettings settings

    def __init__(self, *, int order=3, int heads=8, bint one_root=True, bint projective=True,
                 int64_t reach=0):
        if not 1 <= order <= 3:
            raise ValueError(f"the order is 1, 2 or 3, not {order}")
        if heads < 1:
            raise ValueError(f"a word has at least one candidate head, not {heads}")
        self.settings.order, self.settings.heads = order, heads
        if reach < 0:
            raise ValueError(f"scores reach at least as far as 0, not {reach}")
        self.settings.one_root, self.settings.projective, self.settings.reach = one_root, projective, reach

    def as_dict(self):
        """Return the settings by name."""
        return {
            "order": self.settings.order,
            "heads": self.settings.heads,
            "one_root": bool(self.settings.one_root),
            "projective": bool(self.settings.projective),
            "reach": self.settings.reach,
        }

    def contents(self):
        """Return the saved form of the settings."""
        return Contents(settings=self.as_dict())

    @staticmethod
    def from_contents(contents):
        """Rebuild settings from their `contents()`."""
        return TreeSettings(
            order=contents.integer("order", 1, 3), heads=contents.integer("heads", 1, MOST_HEADS),
            one_root=contents.flag("one_root"), projective=contents.flag("projective"),
            reach=contents.integer("reach", 0, 2**62),
        )

    def __repr__(self):
        return f"TreeSettings({', '.join(f'{name}={value}' for name, value in self.as_dict().items())})"

    def __reduce__(self):
        return TreeSettings.from_contents, (self.contents(),)


def parse_batch(TokenBatch batch not None, PartWeights light not None, PartWeights full not None,
                TreeSettings settings not None):
    """Return the head of each token, 0 for a root, counted from 1 within its sentence."""
    result = np.zeros(len(batch), dtype=np.int32)
    cdef int32_t[::1] heads = result
    cdef unique_ptr[TreeSearch] search
    search.reset(new TreeSearch(settings.settings))
    cdef unique_ptr[TokenView] view
    cdef int64_t i, begin, m
    cdef int32_t length
    cdef const vector[FoundTree] *found
    with nogil:
        for i in range(batch.start_view.shape[0] - 1):
            begin = batch.start_view[i]
            length = <int32_t>(batch.start_view[i + 1] - begin)
            if length == 0:
                continue
            view.reset(new TokenView(&batch.tokens[begin], length))
            found = &search.get().run(view.get()[0], light.weights, full.weights, 1)
            for m in range(length):
                heads[begin + m] = found[0][0].heads[m]
    return result


def best_trees(TokenBatch batch not None, int64_t number, int k, light, full, TreeSettings settings not None):
    """Return the k best trees of one sentence as (score, heads), the best first.

    Weights are frozen, or both those of learners; then scores are in units of 2^-20.
    """
    if k < 1 or not 0 <= number < batch.start_view.shape[0] - 1:
        raise ValueError("at least one tree, of a sentence of the batch")
    cdef int64_t begin = batch.start_view[number]
    cdef int32_t length = <int32_t>(batch.start_view[number + 1] - begin)
    cdef unique_ptr[TreeSearch] search
    search.reset(new TreeSearch(settings.settings))
    cdef unique_ptr[TokenView] view
    view.reset(new TokenView(batch.tokens.data() + begin, length))
    cdef const vector[FoundTree] *found
    if isinstance(light, PartLearner):
        found = &search.get().run((view.get()[0]), (<PartLearner>light).weights, (<PartLearner?>full).weights, k)
    else:
        found = &search.get().run((view.get()[0]), (<PartWeights?>light).weights, (<PartWeights?>full).weights, k)
    return [(found[0][i].score, [found[0][i].heads[m] for m in range(length)]) for i in range(found.size())]


def candidate_heads(TokenBatch batch not None, PartWeights light not None, TreeSettings settings not None):
    """Return the arcs that the first pass keeps, as rows (token, head), and the head of each token in its best tree.

    Tokens are counted from 0 over the batch, heads from 1 within the sentence.
    """
    trees = np.zeros(len(batch), dtype=np.int32)
    cdef int32_t[::1] tree = trees
    cdef ArcScores arcs
    cdef Candidates kept
    cdef unique_ptr[TokenView] view
    cdef vector[int64_t] rows
    cdef int64_t i, begin
    cdef int32_t length
    cdef size_t a
    with nogil:
        for i in range(batch.start_view.shape[0] - 1):
            begin = batch.start_view[i]
            length = <int32_t>(batch.start_view[i + 1] - begin)
            if length == 0:
                continue
            view.reset(new TokenView(&batch.tokens[begin], length))
            score_arcs(view.get()[0], light.weights, arcs)
            arc_tree(arcs, settings.settings, &tree[begin])
            choose_candidates(arcs, settings.settings, NULL, kept)
            for a in range(kept.arcs.size()):
                rows.push_back(begin + kept.arcs[a].modifier - 1)
                rows.push_back(kept.arcs[a].head)
    return np.array(rows, dtype=np.int64).reshape(-1, 2), trees


def head_shares(TokenBatch batch not None, heads, PartWeights light not None):
    """Return the probability of each token's head by the first pass, a log-linear choice among all heads.

    In a sentence that is searched in parts it is a choice among the heads of a part, and a head outside is its root.
    """
    result = np.zeros(len(batch), dtype=np.float64)
    cdef double[::1] shares = result
    cdef const int32_t[::1] own = np.ascontiguousarray(heads, dtype=np.int32)
    lengths = np.repeat(np.diff(batch.starts), np.diff(batch.starts))
    if len(own) != len(batch) or not ((np.asarray(own) >= 0) & (np.asarray(own) <= lengths)).all():
        raise ValueError("each token has one head, of its own sentence")
    cdef ArcScores arcs
    cdef unique_ptr[TokenView] view
    cdef int64_t i, begin, end
    cdef int32_t m, before, length, head
    cdef double unit = light.unit
    with nogil:
        for i in range(batch.start_view.shape[0] - 1):
            begin, end = batch.start_view[i], batch.start_view[i + 1]
            before = 0  # words of the sentence whose parts are done
            while begin < end:
                length = <int32_t>(end - begin)
                if before or length > longest_searched:
                    length = min(length, block)
                view.reset(new TokenView(&batch.tokens[begin], length))
                score_arcs(view.get()[0], light.weights, arcs)
                for m in range(length):
                    head = own[begin + m] - before
                    if head < 0 or head > length:
                        head = 0
                    shares[begin + m] = head_share(arcs, head, m + 1, unit)
                begin += length
                before += length
    return result


def conjunctions_of(TokenBatch batch not None, int64_t number, heads, int order=3):
    """Return the hashed conjunctions of a tree of one sentence, part by part; its score is the sum of their weights."""
    cdef const int32_t[::1] own = np.ascontiguousarray(heads, dtype=np.int32)
    cdef int64_t begin = batch.start_view[number]
    cdef int32_t length = <int32_t>(batch.start_view[number + 1] - begin)
    if own.shape[0] != length or not all(0 <= head <= length and head != m + 1 for m, head in enumerate(own)):
        raise ValueError("each token has one head")
    cdef unique_ptr[TokenView] view
    view.reset(new TokenView(batch.tokens.data() + begin, length))
    cdef vector[uint64_t] found
    if length:
        tree_conjunctions(view.get()[0], &own[0], order, found)
    return np.array(found, dtype=np.uint64)


def light_conjunctions(TokenBatch batch not None, int64_t number, int head, int modifier):
    """Return the hashed conjunctions of an arc of one sentence in the first pass; words are counted from 1.

    Examples
    --------
    >>> from kakari.parsers.dependency.tokens import TokenBatch
    >>> batch = TokenBatch([[("a", "a", "X", "X", "_")]])
    >>> len(light_conjunctions(batch, 0, 0, 1)) > 20
    True
    """
    cdef int64_t begin = batch.start_view[number]
    cdef int32_t length = <int32_t>(batch.start_view[number + 1] - begin)
    if not (0 <= head <= length and 1 <= modifier <= length and head != modifier):
        raise ValueError("an arc has two words of the sentence")
    cdef unique_ptr[TokenView] view
    view.reset(new TokenView(batch.tokens.data() + begin, length))
    cdef vector[uint64_t] found
    found.resize(MOST_CONJUNCTIONS)
    found.resize(light_arc(view.get()[0], head, modifier, view.get().between(head, modifier), found.data()))
    return np.array(found, dtype=np.uint64)


def learn_batch(TokenBatch batch not None, gold, PartLearner learner not None, PartWeights light,
                TreeSettings settings not None, order, double most=0.1):
    """Visit sentences in the given order, once each; return how many heads were wrong at the visit.

    Without `light` weights, the learner's own are light ones, and `most` is their learning rate; else they score the
    parts of what the light ones keep, and `most` is the longest step.
    """
    cdef const int32_t[::1] wanted = np.ascontiguousarray(gold, dtype=np.int32)
    cdef const int64_t[::1] sentences = np.ascontiguousarray(order, dtype=np.int64)
    if wanted.shape[0] != <Py_ssize_t>batch.tokens.size():
        raise ValueError("each token has one head")
    if len(order) and not 0 <= np.min(order) <= np.max(order) < batch.start_view.shape[0] - 1:
        raise ValueError("the order names a sentence that is not there")
    lengths = np.repeat(np.diff(batch.starts), np.diff(batch.starts))
    if len(lengths) and not ((np.asarray(gold) >= 0) & (np.asarray(gold) <= lengths)).all():
        raise ValueError("a head is out of range")
    cdef unique_ptr[TreeSearch] search
    search.reset(new TreeSearch(settings.settings))
    cdef unique_ptr[TokenView] view
    cdef Difference difference
    cdef ArcScores arcs
    cdef int64_t i, begin, wrong = 0
    cdef int32_t length
    cdef bint is_light = light is None
    with nogil:
        for i in range(sentences.shape[0]):
            begin = batch.start_view[sentences[i]]
            length = <int32_t>(batch.start_view[sentences[i] + 1] - begin)
            learner.examples += 1
            if length == 0:
                continue
            view.reset(new TokenView(&batch.tokens[begin], length))
            if is_light:
                wrong += learn_arcs(view.get()[0], &wanted[begin], most, learner.examples, learner.weights, arcs)
            else:
                wrong += learn_tree(view.get()[0], &wanted[begin], settings.settings, light.weights, most,
                                    learner.examples, learner.weights, search.get()[0], difference)
    return wrong
