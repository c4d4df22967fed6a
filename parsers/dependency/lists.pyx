"""Lists of the k best trees of the sentences of a batch, with relations, as flat arrays (lists.hpp).

Tree t of a list is a run of as many heads as the sentence has words; the trees of a sentence lie one behind the other.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport copied, int32_array, int64_array
from kakari.kernels.hashed.scalars cimport PartWeights, ScalarTable
from kakari.kernels.hashed.weights cimport HashedWeights, RowTable
from kakari.parsers.dependency.tokens cimport TokenBatch, TokenView


cdef extern from "parsers/dependency/lists.hpp" namespace "kakari" nogil:
    cdef cppclass SearchSettings:
        int32_t order
        int32_t heads
        cbool one_root
        cbool projective
        int64_t reach

    cdef cppclass TreeSearch:
        TreeSearch(const SearchSettings& settings) except +

    cdef cppclass ListLabeller:
        ListLabeller(const RowTable& weights, int32_t labels) except +

    cdef cppclass TreeLists:
        vector[int32_t] heads
        vector[uint8_t] relations
        vector[int64_t] scores
        vector[int64_t] leads
        vector[int64_t] label_scores
        vector[int64_t] light
        vector[double] consensus
        int32_t add(const TokenView& tokens, const ScalarTable& light, const ScalarTable& full, int32_t k,
                    TreeSearch& search, double unit, ListLabeller& labeller) except +


def best_lists(TokenBatch batch not None, int k, PartWeights light not None, PartWeights full not None, settings,
               HashedWeights labels not None, int relations):
    """Return the k best trees of every sentence.

    Returns
    -------
    dict of arrays
        `counts`, how many trees each sentence has (an empty sentence has one, without words); `heads` (int32) and
        `relations` (uint8) of all trees; of each tree its `scores`, and the sums of its relations' `leads` over
        the second-best ones and of their own scores, `label_scores`, the sum of its arcs' scores in the first pass,
        `light`, and how many of its heads are expected to be right by the other trees, `consensus`.

    Examples
    --------
    >>> from kakari.kernels.hashed.scalars import PartLearner
    >>> from kakari.kernels.hashed.weights import HashedLearner
    >>> from kakari.parsers.dependency.parsing import TreeSettings
    >>> from kakari.parsers.dependency.tokens import TokenBatch
    >>> batch = TokenBatch([[("a", "a", "X", "X", "_")] * 2, []])
    >>> weights = PartLearner().freeze()
    >>> found = best_lists(batch, 5, weights, weights, TreeSettings(), HashedLearner().freeze(), 3)
    >>> found["counts"].tolist(), sorted(found["heads"].reshape(-1, 2).tolist())
    ([2, 1], [[0, 1], [2, 0]])
    """
    if k < 1 or relations < 1:
        raise ValueError("at least one tree and one relation")
    cdef SearchSettings search_settings
    search_settings.order, search_settings.heads = settings.as_dict()["order"], settings.as_dict()["heads"]
    search_settings.one_root = settings.as_dict()["one_root"]
    search_settings.projective = settings.as_dict()["projective"]
    search_settings.reach = settings.as_dict()["reach"]
    cdef unique_ptr[TreeSearch] search
    search.reset(new TreeSearch(search_settings))
    cdef unique_ptr[ListLabeller] labeller
    labeller.reset(new ListLabeller(labels.rows, relations))
    cdef unique_ptr[TokenView] view
    cdef TreeLists lists
    result = np.zeros(batch.start_view.shape[0] - 1, dtype=np.int32)
    cdef int32_t[::1] counts = result
    cdef int64_t i, begin
    cdef double unit = full.unit
    with nogil:
        for i in range(counts.shape[0]):
            begin = batch.start_view[i]
            view.reset(new TokenView(batch.tokens.data() + begin, <int32_t>(batch.start_view[i + 1] - begin)))
            counts[i] = lists.add(view.get()[0], light.weights, full.weights, k, search.get()[0], unit,
                                  labeller.get()[0])
    return {
        "counts": result,
        "heads": int32_array(lists.heads),
        "relations": copied(lists.relations.data(), lists.relations.size(), np.uint8),
        "scores": int64_array(lists.scores),
        "leads": int64_array(lists.leads),
        "label_scores": int64_array(lists.label_scores),
        "light": int64_array(lists.light),
        "consensus": copied(lists.consensus.data(), lists.consensus.size(), np.float64),
    }
