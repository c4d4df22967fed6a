"""Labels along sentences: decoding with linear weights or frozen kernel machines, and what these learn from.

The loops are C++ (search.hpp) without the GIL; each call has scratch memory of its own, so that many threads may use
one model. A token costs one probe a template, and one a hypothesis for templates with decisions (linear weights), or
one margin a machine (a polynomial kernel).
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from kakari.kernels.frozen.model cimport FrozenClassifier, FrozenModel
from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.kernels.hashed.weights cimport HashedLearner, HashedWeights, RowLearner
from kakari.parsers.sequences.tokens cimport TokenTable

import numpy as np

from kakari.kernels.sets.featuresets import FeatureSets

cdef extern from "parsers/sequences/features.hpp" namespace "kakari" nogil:
    cdef cppclass Templates:
        const int32_t *starts
        const int32_t *columns
        const int32_t *offsets
        int32_t count, fixed, width

    cdef cppclass Tokens:
        const uint64_t *values
        int32_t length

cdef extern from "parsers/sequences/search.hpp" namespace "kakari" nogil:
    cdef cppclass Choices:
        Choices()
        const int32_t *which
        const int32_t *starts
        const uint8_t *labels

    cdef cppclass LinearScorer[Weights]:
        LinearScorer(const Weights& weights, int32_t labels)

    cdef cppclass KernelScorer:
        KernelScorer(const vector[const FrozenClassifier *]& machines, int32_t labels, cbool pairs) except +

    cdef cppclass LabelSearch[Scorer]:
        LabelSearch(Scorer& scorer, const Templates& templates, int32_t labels, int32_t width, cbool backwards)
        void run(const Tokens& tokens, const Choices& choices, uint8_t *found) except +

    cbool learn_sentence(RowLearner& weights, LabelSearch[LinearScorer[RowLearner]]& search,
                         const Templates& templates, const Tokens& tokens, const uint8_t *gold,
                         vector[uint8_t]& found, int64_t now) except +
    void write_examples(const Templates& templates, const Tokens& tokens, const uint8_t *gold, cbool backwards,
                        vector[int32_t]& ids, vector[int64_t]& offsets) except +

cdef extern from "parsers/sequences/weight_lines.hpp" namespace "kakari" nogil:
    cdef cppclass PairLines:
        PairLines(const uint32_t *buckets, int64_t count, const uint8_t *records, int32_t labels) except +

    cdef cppclass SparseLines:
        SparseLines(const uint32_t *buckets, int64_t count, const uint8_t *records, int32_t labels) except +

cdef extern from "parsers/sequences/linear_search.hpp" namespace "kakari" nogil:
    cdef cppclass LinearSearch[Lines]:
        LinearSearch(const Lines& lines, const Templates& templates, int32_t labels, int32_t width,
                     cbool backwards) except +
        void run(const Tokens& tokens, const Choices& choices, uint8_t *found) except +

MOST_LABELS = 250


cdef class Compiled:
    """Templates as the engine reads them; keeps their arrays alive."""
    cdef Templates view
    cdef const int32_t[::1] starts, columns, offsets
    cdef cbool backwards

    def __init__(self, templates):
        self.starts, self.columns, self.offsets = templates.starts, templates.columns, templates.offsets
        self.view.starts, self.view.columns, self.view.offsets = &self.starts[0], &self.columns[0], &self.offsets[0]
        self.view.count, self.view.fixed = <int32_t>(self.starts.shape[0] - 1), templates.fixed
        self.view.width = <int32_t>len(templates.derived)
        self.backwards = templates.backwards

    cdef check(self, TokenTable table):
        if table.values.shape[1] != self.view.width:
            raise ValueError(f"the tokens have {table.values.shape[1]} columns, the templates {self.view.width}")


cdef Compiled compiled_for(templates, TokenTable table):
    compiled = Compiled(templates)
    compiled.check(table)
    return compiled


cdef class FrozenLabeller:
    """Templates and frozen weights, laid out for decoding once (linear_search.hpp); safe to use from many threads.

    Parameters
    ----------
    templates : TemplateSet
    weights : HashedWeights
    labels : int
    beam : int

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedLearner
    >>> from kakari.parsers.sequences.templates import TemplateSet
    >>> from kakari.parsers.sequences.tokens import string_table
    >>> labeller = FrozenLabeller(TemplateSet(["c0[0]"]), HashedLearner().freeze(), 2)
    >>> labeller.label(string_table([[("a",), ("b",)]], [(0, "whole", 0)])).tolist()
    [0, 0]
    """
    cdef readonly object templates
    cdef readonly HashedWeights weights
    cdef readonly int labels, beam
    cdef Compiled compiled
    cdef unique_ptr[PairLines] pair_lines
    cdef unique_ptr[SparseLines] sparse_lines

    def __init__(self, templates, HashedWeights weights not None, int labels, *, int beam=1):
        checked(labels, beam)
        self.templates, self.weights, self.labels, self.beam = templates, weights, labels, beam
        self.compiled = Compiled(templates)
        cdef const uint8_t *records = &weights.record_view[0] if weights.record_view.shape[0] else NULL
        cdef int64_t buckets = weights.bucket_view.shape[0] - 1
        if labels == 2:
            self.pair_lines.reset(new PairLines(&weights.bucket_view[0], buckets, records, labels))
        else:
            self.sparse_lines.reset(new SparseLines(&weights.bucket_view[0], buckets, records, labels))

    def __reduce__(self):
        return restored, (self.templates, self.weights, self.labels, self.beam)

    def label(self, TokenTable table not None, choices=None):
        """Return the number of each token's label; `choices` as in `label_batch`."""
        self.compiled.check(table)
        result = np.zeros(table.value_view.shape[0], dtype=np.uint8)
        cdef Chosen chosen = Chosen(choices, result.shape[0], self.labels)
        cdef uint8_t[::1] found = result
        if self.labels == 2:
            run_pairs(table, self.compiled, self.pair_lines.get()[0], self.beam, chosen.view, found)
        else:
            run_sparse(table, self.compiled, self.sparse_lines.get()[0], self.labels, self.beam, chosen.view, found)
        return result


def restored(templates, weights, labels, beam):
    """Rebuild a pickled labeller."""
    return FrozenLabeller(templates, weights, labels, beam=beam)


cdef class Chosen:
    """The labels that tokens may have, checked; keeps its arrays alive."""
    cdef Choices view
    cdef const int32_t[::1] which, starts
    cdef const uint8_t[::1] lists

    def __init__(self, choices, int64_t tokens, int labels):
        if choices is not None and tokens:
            self.which, self.starts, self.lists = checked_choices(choices, tokens, labels)
            self.view.which, self.view.starts = &self.which[0], &self.starts[0]
            self.view.labels = &self.lists[0] if self.lists.shape[0] else NULL


cdef inline Tokens sentence_of(TokenTable table, int64_t sentence) noexcept nogil:
    cdef Tokens tokens
    cdef int64_t begin = table.start_view[sentence]
    # Not &value_view[begin, 0]: an empty sentence may stand at the end, and templates of decisions need no column.
    tokens.values = (&table.value_view[0, 0] if table.value_view.shape[0] and table.value_view.shape[1] else NULL)
    tokens.values += begin * table.value_view.shape[1]
    tokens.length = <int32_t>(table.start_view[sentence + 1] - begin)
    return tokens


def label_batch(TokenTable table not None, templates, weights, int labels, *, int beam=1, pairs=False, choices=None):
    """Return the number of each token's label.

    Parameters
    ----------
    weights : HashedWeights, HashedLearner, or sequence of FrozenModel
        Linear weights; or machines: one for two labels, one a label, or one a pair of labels (`pairs`), which vote.
    choices : (which, starts, labels), optional
        Arrays of int32, int32 and uint8: the list of labels that each token may have, -1 for all of them; where each
        list begins; the lists.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedLearner
    >>> from kakari.parsers.sequences.templates import TemplateSet
    >>> from kakari.parsers.sequences.tokens import string_table
    >>> table = string_table([[("a",), ("b",)]], [(0, "whole", 0)])
    >>> label_batch(table, TemplateSet(["c0[0]"]), HashedLearner(), 2).tolist()
    [0, 0]
    """
    checked(labels, beam)
    if isinstance(weights, HashedWeights):
        return FrozenLabeller(templates, weights, labels, beam=beam).label(table, choices)
    cdef Compiled compiled = compiled_for(templates, table)
    result = np.zeros(table.value_view.shape[0], dtype=np.uint8)
    cdef uint8_t[::1] found = result
    cdef Chosen chosen = Chosen(choices, found.shape[0], labels)
    if isinstance(weights, HashedLearner):
        run_learner(table, compiled, (<HashedLearner>weights), labels, beam, chosen.view, found)
    else:
        run_machines(table, compiled, list(weights), labels, beam, pairs, chosen.view, found)
    return result


cdef run_learner(TokenTable table, Compiled compiled, HashedLearner weights, int labels, int beam, Choices chosen,
                 uint8_t[::1] found):
    cdef unique_ptr[LinearScorer[RowLearner]] scorer
    cdef unique_ptr[LabelSearch[LinearScorer[RowLearner]]] search
    scorer.reset(new LinearScorer[RowLearner](weights.rows, labels))
    search.reset(new LabelSearch[LinearScorer[RowLearner]](
        scorer.get()[0], compiled.view, labels, beam, compiled.backwards))
    cdef int64_t sentence
    with nogil:
        for sentence in range(table.start_view.shape[0] - 1):
            if table.start_view[sentence] < table.start_view[sentence + 1]:
                search.get().run(sentence_of(table, sentence), moved(chosen, table.start_view[sentence]),
                                 &found[table.start_view[sentence]])


cdef run_pairs(TokenTable table, Compiled compiled, const PairLines& lines, int beam, Choices chosen,
               uint8_t[::1] found):
    cdef unique_ptr[LinearSearch[PairLines]] search
    search.reset(new LinearSearch[PairLines](lines, compiled.view, 2, beam, compiled.backwards))
    cdef int64_t sentence
    with nogil:
        for sentence in range(table.start_view.shape[0] - 1):
            if table.start_view[sentence] < table.start_view[sentence + 1]:
                search.get().run(sentence_of(table, sentence), moved(chosen, table.start_view[sentence]),
                                 &found[table.start_view[sentence]])


cdef run_sparse(TokenTable table, Compiled compiled, const SparseLines& lines, int labels, int beam, Choices chosen,
                uint8_t[::1] found):
    cdef unique_ptr[LinearSearch[SparseLines]] search
    search.reset(new LinearSearch[SparseLines](lines, compiled.view, labels, beam, compiled.backwards))
    cdef int64_t sentence
    with nogil:
        for sentence in range(table.start_view.shape[0] - 1):
            if table.start_view[sentence] < table.start_view[sentence + 1]:
                search.get().run(sentence_of(table, sentence), moved(chosen, table.start_view[sentence]),
                                 &found[table.start_view[sentence]])


cdef run_machines(TokenTable table, Compiled compiled, list models, int labels, int beam, bint pairs, Choices chosen,
                  uint8_t[::1] found):
    needed = 1 if labels == 2 else labels * (labels - 1) // 2 if pairs else labels
    if len(models) != needed:
        raise ValueError(f"{labels} labels need {needed} machines, not {len(models)}")
    cdef vector[const FrozenClassifier *] machines
    for model in models:
        machines.push_back((<FrozenModel?>model).classifier)
    cdef unique_ptr[KernelScorer] scorer
    cdef unique_ptr[LabelSearch[KernelScorer]] search
    scorer.reset(new KernelScorer(machines, labels, pairs))
    search.reset(new LabelSearch[KernelScorer](scorer.get()[0], compiled.view, labels, beam, compiled.backwards))
    cdef int64_t sentence
    with nogil:
        for sentence in range(table.start_view.shape[0] - 1):
            if table.start_view[sentence] < table.start_view[sentence + 1]:
                search.get().run(sentence_of(table, sentence), moved(chosen, table.start_view[sentence]),
                                 &found[table.start_view[sentence]])


cdef inline Choices moved(Choices choices, int64_t begin) noexcept nogil:
    """Let choices begin at a sentence's first token."""
    if choices.which != NULL:
        choices.which += begin
    return choices


def learn_batch(TokenTable table not None, templates, gold, HashedLearner learner not None, int labels, order, *,
                int beam=1):
    """Visit sentences in the given order, once each; return how many of them changed the weights."""
    checked(labels, beam)
    cdef Compiled compiled = compiled_for(templates, table)
    cdef const uint8_t[::1] wanted = checked_gold(table, gold, labels)
    cdef const int64_t[::1] sentences = np.ascontiguousarray(order, dtype=np.int64)
    if len(order) and not 0 <= np.min(order) <= np.max(order) < len(table):
        raise ValueError("the order names a sentence that is not there")
    cdef unique_ptr[LinearScorer[RowLearner]] scorer
    cdef unique_ptr[LabelSearch[LinearScorer[RowLearner]]] search
    scorer.reset(new LinearScorer[RowLearner](learner.rows, labels))
    search.reset(new LabelSearch[LinearScorer[RowLearner]](
        scorer.get()[0], compiled.view, labels, beam, compiled.backwards))
    cdef vector[uint8_t] found
    cdef int64_t i, begin, changed = 0
    with nogil:
        for i in range(sentences.shape[0]):
            learner.examples += 1
            begin = table.start_view[sentences[i]]
            if begin < table.start_view[sentences[i] + 1]:
                changed += learn_sentence(learner.rows, search.get()[0], compiled.view,
                                          sentence_of(table, sentences[i]), &wanted[begin], found, learner.examples)
    return changed


def feature_sets(TokenTable table not None, templates, gold):
    """Return the features of each token, with the gold labels as earlier decisions, for the polynomial engine.

    Examples
    --------
    >>> from kakari.parsers.sequences.templates import TemplateSet
    >>> from kakari.parsers.sequences.tokens import string_table
    >>> table = string_table([[("a",), ("a",)]], [(0, "whole", 0)])
    >>> sets = feature_sets(table, TemplateSet(["c0[0]", "label[-1]"]), [0, 1])
    >>> sets.row_lengths().tolist(), len(set(sets.ids.tolist()))
    ([2, 2], 3)
    """
    cdef Compiled compiled = compiled_for(templates, table)
    cdef const uint8_t[::1] wanted = checked_gold(table, gold, MOST_LABELS)
    cdef vector[int32_t] ids
    cdef vector[int64_t] offsets
    cdef int64_t sentence
    offsets.push_back(0)
    with nogil:
        for sentence in range(table.start_view.shape[0] - 1):
            if table.start_view[sentence] < table.start_view[sentence + 1]:
                write_examples(compiled.view, sentence_of(table, sentence), &wanted[table.start_view[sentence]],
                               compiled.backwards, ids, offsets)
    return FeatureSets.from_arrays(int64_array(offsets), int32_array(ids))


cdef checked(int labels, int beam):
    if not 2 <= labels <= MOST_LABELS:
        raise ValueError(f"there are 2 to {MOST_LABELS} labels, not {labels}")
    if beam < 1:
        raise ValueError(f"a beam has at least one hypothesis, not {beam}")


cdef checked_gold(TokenTable table, gold, int labels):
    result = np.ascontiguousarray(gold, dtype=np.uint8)
    if result.shape != (table.value_view.shape[0],) or (result.size and result.max() >= labels):
        raise ValueError("each token has one label, a number below the number of labels")
    return result


cdef checked_choices(choices, int64_t tokens, int labels):
    which, starts, lists = (np.ascontiguousarray(array, dtype=dtype)
                            for array, dtype in zip(choices, (np.int32, np.int32, np.uint8)))
    fine = (
        which.shape == (tokens,) and which.max(initial=-1) < starts.size - 1
        and starts.size > 0 and starts[0] == 0 and starts[starts.size - 1] == lists.size and (np.diff(starts) > 0).all()
        and lists.max(initial=0) < labels
    )
    if not fine:
        raise ValueError("these choices are not lists of labels, at least one label each")
    return which, starts, lists
