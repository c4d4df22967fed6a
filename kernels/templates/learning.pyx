"""Reranking of candidates by linear features and a template kernel: Algorithm 1 of the template kernel paper.

`CandidateLists` holds lists of candidates as flat arrays: the distinct parts of each list, which of them each candidate
has, linear features, losses. `RerankLearner` goes through them with passive-aggressive steps and keeps averages
(learning.hpp). Scores and coefficients are integers, so that caches and their absence give the same bits.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.templates.parts import TemplateError

from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.kernels.templates.parts cimport PartArrays, Parts, TemplateKernel
from kakari.kernels.templates.support cimport PartSupport, Support


cdef extern from "kernels/templates/learning.hpp" namespace "kakari" nogil:
    cdef cppclass CandidateArrays:
        CandidateArrays() except +
        PartArrays parts
        int64_t lists
        const int64_t *part_starts
        const int64_t *candidate_starts
        const int64_t *occurrence_starts
        const int32_t *occurrences
        const int64_t *feature_starts
        const int32_t *features
        const int32_t *values
        const int32_t *losses
        const int32_t *wanted

    cdef cppclass RerankSettings:
        RerankSettings()
        double most
        cbool cost_augmented
        cbool share
        cbool remember
        cbool expand
        cbool with_kernel
        cbool with_linear

    cdef cppclass CppLearner "kakari::RerankLearner":
        CppLearner(const CandidateArrays& lists, const vector[int32_t]& widths, int64_t features,
                   const RerankSettings& settings) except +
        cbool visit(int64_t list) except +
        int64_t examples
        int64_t updates
        PartSupport support
        vector[int64_t] weights
        vector[int64_t] moments


UNIT = 2.0**-32  # the value of an integer score, weight or coefficient of 1
LARGEST_FEATURE = 2**24


cdef class CandidateLists:
    """Lists of candidates over one array of parts.

    Parameters
    ----------
    parts : Parts
        The distinct parts of the first list, then of the second …
    part_starts, candidate_starts : arrays of int64
        Where the parts and the candidates of each list begin and, last, where all end.
    occurrence_starts, occurrences : arrays of int64 and int32
        The parts of each candidate, counted from the first one of its list, rising.
    feature_starts, features, values : arrays of int64, int32, int32
        Linear features of each candidate, rising, and their values.
    losses : array of int32
        What choosing a candidate instead of the wanted one costs.
    wanted : array of int32
        The wanted candidate of each list, counted from its first one.
    """

    cdef CandidateArrays arrays
    cdef readonly Parts parts
    cdef readonly dict columns
    cdef readonly int64_t features

    def __init__(self, Parts parts not None, *, part_starts, candidate_starts, occurrence_starts, occurrences,
                 feature_starts, features, values, losses, wanted):
        self.parts = parts
        wide = {"part_starts": part_starts, "candidate_starts": candidate_starts,
                "occurrence_starts": occurrence_starts, "feature_starts": feature_starts}
        narrow = {"occurrences": occurrences, "features": features, "values": values, "losses": losses,
                  "wanted": wanted}
        self.columns = {name: np.ascontiguousarray(array, dtype=np.int64) for name, array in wide.items()}
        self.columns.update((name, np.ascontiguousarray(array, dtype=np.int32)) for name, array in narrow.items())
        check_lists(len(parts), self.columns)
        self.features = int(self.columns["features"].max(initial=-1)) + 1
        self.arrays.parts, self.arrays.lists = parts.arrays, len(self)
        self.arrays.part_starts = pointer64(self.columns["part_starts"])
        self.arrays.candidate_starts = pointer64(self.columns["candidate_starts"])
        self.arrays.occurrence_starts = pointer64(self.columns["occurrence_starts"])
        self.arrays.feature_starts = pointer64(self.columns["feature_starts"])
        self.arrays.occurrences = pointer32(self.columns["occurrences"])
        self.arrays.features = pointer32(self.columns["features"])
        self.arrays.values = pointer32(self.columns["values"])
        self.arrays.losses = pointer32(self.columns["losses"])
        self.arrays.wanted = pointer32(self.columns["wanted"])

    def __len__(self):
        return len(self.columns["wanted"])

    def scores(self, sums, weights):
        """Return the score of each candidate: the sum of its parts' numbers and of its features' weights."""
        columns = self.columns
        candidates = np.diff(columns["candidate_starts"])
        firsts = np.repeat(columns["part_starts"][:-1], candidates)
        places = np.repeat(firsts, np.diff(columns["occurrence_starts"])) + columns["occurrences"]
        by_part = np.add.reduceat(np.append(np.asarray(sums)[places], 0), columns["occurrence_starts"][:-1])
        by_part[np.diff(columns["occurrence_starts"]) == 0] = 0
        linear = np.append(np.asarray(weights)[columns["features"]] * columns["values"].astype(np.int64), 0)
        by_feature = np.add.reduceat(linear, columns["feature_starts"][:-1])
        by_feature[np.diff(columns["feature_starts"]) == 0] = 0
        return by_part + by_feature

    def best(self, scores):
        """Return the best candidate of each list, the first of equal ones."""
        starts = self.columns["candidate_starts"]
        return np.array([np.argmax(scores[begin:end]) for begin, end in zip(starts[:-1], starts[1:])], dtype=np.int64)


cdef const int64_t *pointer64(array):
    cdef const int64_t[::1] view = array
    return &view[0] if view.shape[0] else NULL


cdef const int32_t *pointer32(array):
    cdef const int32_t[::1] view = array
    return &view[0] if view.shape[0] else NULL


def check_lists(parts, columns):
    """Refuse arrays that do not fit together."""
    lists = len(columns["wanted"])
    candidates = len(columns["losses"])
    ends = {"part_starts": (lists, parts), "candidate_starts": (lists, candidates),
            "occurrence_starts": (candidates, len(columns["occurrences"])),
            "feature_starts": (candidates, len(columns["features"]))}
    for name, (rows, end) in ends.items():
        own = columns[name]
        if own.shape != (rows + 1,) or own[0] != 0 or own[-1] != end or (np.diff(own) < 0).any():
            raise TemplateError(f"{name} does not rise from 0 to {end} in {rows} steps")
    sizes = np.diff(columns["candidate_starts"])
    if (sizes < 1).any() or (columns["wanted"] < 0).any() or (columns["wanted"] >= sizes).any():
        raise TemplateError("the wanted candidate of each list is one of its candidates")
    own_parts = np.repeat(np.repeat(np.diff(columns["part_starts"]), sizes), np.diff(columns["occurrence_starts"]))
    if (columns["occurrences"] < 0).any() or (columns["occurrences"] >= own_parts).any():
        raise TemplateError("a candidate has a part that its list has not")
    if (columns["features"] < 0).any() or columns["features"].shape != columns["values"].shape:
        raise TemplateError("each feature has a number from 0 on and a value")
    if (np.abs(columns["values"].astype(np.int64)) > LARGEST_FEATURE).any():
        raise TemplateError(f"values of features are at most {LARGEST_FEATURE}")
    for name, starts in (("occurrences", "occurrence_starts"), ("features", "feature_starts")):
        rising = np.diff(columns[name].astype(np.int64)) > 0
        inside = np.ones(max(0, len(columns[name]) - 1), dtype=bool)
        cuts = columns[starts][1:-1]
        inside[cuts[(cuts > 0) & (cuts < len(columns[name]))] - 1] = False
        if not rising[inside].all():
            raise TemplateError(f"{name} of a candidate do not rise")


cdef class RerankLearner:
    """Passive-aggressive reranking with averages.

    Parameters
    ----------
    lists : CandidateLists
    C : float
        The longest step. Steps are about one over the squared distance of two candidates, which is what parts
        have in common with themselves: thousands.
    start : mapping of int to float, optional
        Weights of linear features that are not 0 at the beginning.
    cost_augmented : bool
        Whether the candidate to learn from is the one whose score and loss together are largest, or the best-scored.
    share, remember, expand : bool
        How sums over the support are computed; the result is the same. `share`: once for each distinct part of a list;
        `remember`: only over additions since the last visit; `expand`: by combinations instead of support parts.
    kernel, linear : bool
        Which of the two parts of the score is used.
    """

    cdef readonly CandidateLists lists
    cdef unique_ptr[CppLearner] own
    cdef object first_weights

    def __init__(self, CandidateLists lists not None, *, double C=1e-4, start=None, cbool cost_augmented=False,
                 cbool share=True, cbool remember=True, cbool expand=False, cbool kernel=True, cbool linear=True):
        if not C > 0:
            raise TemplateError("C, the longest step, must be above 0")
        self.lists = lists
        cdef RerankSettings settings
        settings.most, settings.cost_augmented, settings.share = C, cost_augmented, share
        settings.remember, settings.expand = remember, expand
        settings.with_kernel, settings.with_linear = kernel, linear
        self.own.reset(new CppLearner(lists.arrays, lists.parts.kernel.own_widths, lists.features, settings))
        self.first_weights = np.zeros(lists.features, dtype=np.int64)
        for feature, weight in (start or {}).items():
            if not 0 <= feature < lists.features:
                raise TemplateError(f"there is no feature {feature}")
            self.first_weights[feature] = round(weight / UNIT)
            self.own.get().weights[feature] = self.first_weights[feature]

    @property
    def examples(self):
        """Number of lists visited."""
        return self.own.get().examples

    @property
    def updates(self):
        """Number of steps made."""
        return self.own.get().updates

    @property
    def support_parts(self):
        """Number of distinct parts in the support."""
        return self.own.get().support.size()

    def visit(self, order):
        """Visit lists in this order; return how often another candidate than the wanted one was best."""
        cdef const int64_t[::1] lists = np.ascontiguousarray(order, dtype=np.int64)
        if len(order) and not 0 <= np.min(order) <= np.max(order) < len(self.lists):
            raise TemplateError("the order has the number of a list that does not exist")
        cdef int64_t i, wrong = 0
        with nogil:
            for i in range(lists.shape[0]):
                wrong += self.own.get().visit(lists[i])
        return wrong

    def averaged(self):
        """Return the support and the linear weights, averaged over all visits, in units of `UNIT`."""
        parts, amounts, moments = self.listed()
        support = Support(parts.kernel)
        support.add(parts, averages(amounts, moments, self.examples))
        weights = int64_array(self.own.get().weights) - self.first_weights
        found = averages(weights, int64_array(self.own.get().moments), self.examples) + self.first_weights
        return support, found

    def last(self):
        """Return the support and the linear weights as they are now."""
        parts, amounts, _ = self.listed()
        support = Support(parts.kernel)
        support.add(parts, amounts)
        return support, int64_array(self.own.get().weights)

    cdef listed(self):
        """Return the support as parts, their coefficients, and the sums of steps times their examples."""
        cdef vector[int32_t] kinds, rows
        cdef vector[int64_t] amounts, moments
        cdef TemplateKernel kernel = self.lists.parts.kernel
        self.own.get().support.list(kinds, rows, amounts, moments)
        tables = [int32_array(self.own.get().support.table(i).values()) for i in range(len(kernel.widths))]
        parts = Parts(kernel, tables, int32_array(kinds), int32_array(rows))
        return parts, int64_array(amounts), int64_array(moments)


def averages(amounts, moments, examples):
    """Return sums of steps, averaged over all examples; `moments` are the sums of step times example number.

    A step at example t of T counts (T - t + 1) / T.

    Examples
    --------
    >>> averages(np.array([8, 8]), np.array([8, 32]), 4).tolist()
    [8, 2]
    """
    total = max(1, examples)
    return (amounts * (total + 1) - moments + total // 2) // total
