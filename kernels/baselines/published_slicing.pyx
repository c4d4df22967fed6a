"""The learner of the 2010 paper, PA-I with kernel slicing as published: partial margins in a trie of feature prefixes.

For the figures of that paper; `kernels.learning.KernelLearner` makes the same updates faster (published_slicing.hpp
says how the two differ).
"""
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as flag
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.sets.checks import TrainingError, checked_choice, checked_integer, checked_sets
from kakari.kernels.sets.featuresets cimport FeatureSets

STEPS = ("kernel", "features")
CHUNK = 1000  # visits between two reports


cdef extern from "kernels/learning/steps.hpp" namespace "kakari" nogil:
    cdef struct StepOptions:
        flag kernel_step
        double cost


cdef extern from "kernels/baselines/published_slicing.hpp" namespace "kakari" nogil:
    cdef struct SliceUpdate:
        int64_t row
        double amount
        int64_t visit
    cdef cppclass SlicerBase:
        void visit(const int32_t *ranks, int length, int label, int64_t row) except +
        double margin(const int32_t *ranks, int length) except +
        int64_t bytes()
        StepOptions step
        flag reuse
        flag terminate
        int32_t common
        vector[SliceUpdate] updates
        int64_t visits
        int64_t ended_early
    SlicerBase *new_slicer(int degree, int64_t features) except +


cdef class PublishedSlicing:
    """PA-I with kernel slicing; N (`common`) features have explicit conjunctions.

    Parameters
    ----------
    common : int
        N, the number of most frequent features with explicit conjunctions.
    reuse, terminate : bool
        Keep partial margins of prefixes; end a margin when its loss is zero whatever the rest adds.
    step : {"features", "kernel"}
        Divide the loss by the number of features, as the authors' program, or by the kernel, as the paper says.

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> sets = FeatureSets.from_lists([[1, 2], [1], [2], []])
    >>> learner = PublishedSlicing(2, common=2, step="kernel").fit(sets, [-1, 1, 1, -1], passes=20)
    >>> (learner.margins(sets) > 0).tolist()
    [False, True, True, False]
    """

    cdef unique_ptr[SlicerBase] engine
    cdef readonly int degree
    cdef readonly bint running
    cdef dict options
    cdef object ranked                      # the rows as increasing ranks, which the engine points into
    cdef object ranking

    def __init__(self, degree=3, *, common=0, cost=1.0, step="features", reuse=True, terminate=True):
        self.degree = checked_integer("degree", degree, 1, 4)
        self.options = {
            "common": checked_integer("common", common, 0, 2**31 - 1), "cost": float(cost),
            "step": checked_choice("step", step, STEPS), "reuse": bool(reuse), "terminate": bool(terminate)}
        if not cost > 0:
            raise TrainingError(f"cost must be above 0, not {cost!r}")

    @property
    def update_count(self):
        """Number of updates made."""
        return self.engine.get().updates.size() if self.engine else 0

    @property
    def ended_early(self):
        """Number of margins that were not computed to the end, because bounds decided."""
        return self.engine.get().ended_early if self.engine else 0

    @property
    def peak_bytes(self):
        """Size of the model in bytes. It only grows, so this is also the peak."""
        return self.engine.get().bytes() if self.engine else 0

    def fit(self, sets, labels, *, passes=1, progress=None):
        """Train in the order of the rows; `progress` is called with the passes done; True stops the run."""
        cdef FeatureSets asked = checked_sets(sets)
        signs = np.ascontiguousarray(labels, dtype=np.int32)
        if signs.shape != (len(asked),) or not np.isin(signs, (-1, 1)).all():
            raise TrainingError("labels must be 1 or -1, one for each set")
        self.ranking = asked.ranking()
        cdef FeatureSets rows = asked.ranked(self.ranking)
        self.ranked = rows
        self.engine.reset(new_slicer(self.degree, len(self.ranking)))
        cdef SlicerBase *engine = self.engine.get()
        engine.step.kernel_step = self.options["step"] == "kernel"
        engine.step.cost = self.options["cost"]
        engine.reuse, engine.terminate = self.options["reuse"], self.options["terminate"]
        engine.common = self.options["common"]
        cdef const int32_t[::1] sign_view = signs
        cdef int64_t row, begin, end, examples = len(rows), chunk = CHUNK
        cdef const int32_t *ids = &rows.id_view[0] if rows.id_view.shape[0] else NULL
        self.running = True
        for done in range(passes):
            for begin in range(0, examples, chunk):
                end = min(begin + chunk, examples)
                with nogil:
                    for row in range(begin, end):
                        engine.visit(ids + rows.offset_view[row],
                                     <int>(rows.offset_view[row + 1] - rows.offset_view[row]), sign_view[row], row)
                if progress is not None and progress(done + <double>end / examples):
                    return self
        self.running = False
        return self

    def margins(self, sets):
        """Return the margins by the model as it is after the last update, not averaged."""
        cdef FeatureSets asked = checked_sets(sets)
        if self.ranking is None:
            raise TrainingError("the learner is not trained yet")
        known = np.isin(asked.ids, self.ranking.ids)
        kept = np.concatenate([[0], np.cumsum(known)])
        cdef FeatureSets rows = FeatureSets.from_arrays(kept[asked.offsets], asked.ids[known]).ranked(self.ranking)
        found = np.zeros(len(rows))
        cdef double[::1] sums = found
        cdef SlicerBase *engine = self.engine.get()
        cdef int64_t row
        cdef const int32_t *ids = &rows.id_view[0] if rows.id_view.shape[0] else NULL
        for row in range(sums.shape[0]):
            sums[row] = engine.margin(
                ids + rows.offset_view[row], <int>(rows.offset_view[row + 1] - rows.offset_view[row]))
        return found

    def updates(self):
        """Return the updates in their order: rows, signed amounts, and the visits (from 1) at which they were made."""
        cdef int64_t count = self.update_count, i
        rows, amounts, visits = np.zeros(count, dtype=np.int64), np.zeros(count), np.zeros(count, dtype=np.int64)
        cdef int64_t[::1] row_view = rows, visit_view = visits
        cdef double[::1] amount_view = amounts
        for i in range(count):
            row_view[i] = self.engine.get().updates[i].row
            amount_view[i] = self.engine.get().updates[i].amount
            visit_view[i] = self.engine.get().updates[i].visit
        return rows, amounts, visits
