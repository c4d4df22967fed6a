"""Base of all online learners: passes over examples that can be watched, stopped and resumed.

The loops are C++ (passes.hpp and the learners' own headers). This file hands examples over without the GIL about
50 ms at a time, and in between lets signals and the progress callback through. At those moments a learner stands
between two examples, so it can be stopped, saved, and resumed bit for bit.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t

from typing import NamedTuple

import numpy as np

from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.kernels.sets.checks import TrainingError, checked_choice, checked_integer, checked_positive
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.sets.featuresets cimport FeatureSets as FeatureRows

RULES = ("perceptron", "pa", "pa1", "pa2")
STEPS = ("features", "kernel")
MOST_VISITS = 2**62
cdef double SLICE_SECONDS = 0.05


class Progress(NamedTuple):
    """Progress of a run, as its callback receives it."""

    finished_passes: int
    passes: int       # at the end of this run, counted over all runs
    examples: int     # visited in the current pass
    total: int        # examples in a pass
    updates: int      # so far, over all runs
    mistakes: int     # in the current pass, or in the one just finished


def visiting_order(int64_t examples, seed, int64_t pass_number):
    """Return the order in which a shuffled pass (counted from 0 over all runs) visits its examples.

    Examples
    --------
    >>> sorted(visiting_order(4, 7, 0).tolist())
    [0, 1, 2, 3]
    """
    order = np.empty(examples, dtype=np.int64)
    cdef int64_t[::1] view = order
    if examples:
        draw_order(examples, seed, pass_number, &view[0])
    return order


def checked_options(degree, learner, cost, step, common, memory_limit, seed):
    """Return the options that all learners share, after checking each."""
    return {
        "degree": checked_integer("degree", degree, 1, 4),
        "learner": checked_choice("learner", learner, RULES),
        "cost": checked_positive("cost", cost),
        "step": checked_choice("step", step, STEPS),
        "common": common if isinstance(common, str) and common == "auto"
        else checked_integer("common", common, 0, 2**31 - 1),
        "memory_limit": memory_limit if memory_limit is None
        else checked_integer("memory_limit", memory_limit, 1, 2**62),
        "seed": seed if seed is None else checked_integer("seed", seed, 0, 2**63 - 1),
    }


def stored_options(contents):
    """Return the options that all learners share, from the saved form of one."""
    common = contents.optional_integer("common", 0)
    return {
        "degree": contents.integer("degree", 1, 4),
        "learner": contents.choice("learner", RULES),
        "cost": contents.number("cost"),
        "step": contents.choice("step", STEPS),
        "common": "auto" if common is None else common,
        "memory_limit": contents.optional_integer("memory_limit", 1, 2**62),
        "seed": contents.optional_integer("seed", 0, 2**63 - 1),
    }


cdef class OnlineLearner:
    """Base class of the online learners: passes over examples. Use a subclass."""

    cdef reset(self):
        raise TypeError("use one of the learners made of this class")

    cdef tuple checked(self, sets, labels, weights):
        raise TypeError("use one of the learners made of this class")

    cdef set_options(self, StepOptions *step):
        step.rule = <Rule><int>RULES.index(self.options["learner"])
        step.kernel_step = self.options["step"] == "kernel"
        step.cost = self.options["cost"]
        self.runs.wanted_common = -1 if self.options["common"] == "auto" else self.options["common"]
        self.runs.memory_limit = self.options["memory_limit"] or 0
        self.runs.shuffle = self.options["seed"] is not None
        self.runs.seed = self.options["seed"] or 0
        self.mistakes = []
        self.pass_ends = []
        self.passes_left = 0

    def fit(self, sets, labels, *, passes=1, weights=None, progress=None, every=None):
        """Train a new model; see `partial_fit` for the parameters."""
        rows = self.checked(sets, labels, weights)
        passes = checked_integer("passes", passes, 0, 2**31 - 1)
        self.reset()
        return self.start(rows, passes).resume(progress=progress, every=every)

    def partial_fit(self, sets, labels, *, passes=1, weights=None, progress=None, every=None):
        """Continue training the current model with new examples.

        Parameters
        ----------
        sets : FeatureSets
        labels : array
            1 and -1 for a binary learner, class numbers from 0 for a multi-class one.
        passes : int
        weights : array of float, optional
            One for each example, not negative.
        progress : callable, optional
            Called with a `Progress` after each pass and after `every` examples. If it returns True, the run stops
            between two examples, as it does on an exception or Ctrl-C; `resume` continues it.
        every : int, optional
        """
        if self.runs.running():
            raise TrainingError("a run was stopped in the middle: resume it, or fit again")
        rows = self.checked(sets, labels, weights)
        passes = checked_integer("passes", passes, 0, 2**31 - 1)
        return self.start(rows, passes).resume(progress=progress, every=every)

    cdef start(self, tuple examples, int64_t passes):
        cdef FeatureRows sets = examples[0]
        cdef const int64_t[::1] first = sets.duplicates()
        cdef const int32_t[::1] labels = examples[1]
        cdef const double[::1] weights = examples[2]
        cdef int64_t count = len(sets)
        cdef const int64_t *offsets = &sets.offset_view[0]
        cdef const int32_t *ids = &sets.id_view[0] if sets.id_view.shape[0] else NULL
        cdef const int64_t *first_rows = &first[0] if count else NULL
        cdef const int32_t *label_values = &labels[0] if count else NULL
        cdef const double *weight_values = &weights[0] if weights is not None and count else NULL
        with nogil:
            self.runs.begin(offsets, ids, count, first_rows, label_values, weight_values)
        self.passes_left = passes
        return self

    def resume(self, *, progress=None, every=None):
        """Finish a run that was stopped in the middle; do nothing if no run was stopped."""
        cdef ExampleRuns *runs = self.runs
        cdef int64_t pause = 2**62 if every is None else checked_integer("every", every, 1, 2**62)
        cdef int64_t wanted, done = 0
        if progress is not None and not callable(progress):
            raise TrainingError("progress must be callable")
        while runs.running() and self.passes_left > 0:
            wanted = min(pause - runs.position % pause, runs.rows() - runs.position)
            with nogil:
                done = runs.run(wanted, SLICE_SECONDS)
            if runs.diverged:
                raise TrainingError("training diverges, steps overshoot: lower the cost, or take the learner pa1 or "
                                    "the step 'kernel'")
            mistakes = runs.mistakes_in_pass
            finished = runs.position == runs.rows()
            if finished:
                self.finish_pass()
            if progress is not None and (finished or done == wanted) and progress(self.whereabouts(mistakes)):
                break
            PyErr_CheckSignals()
        if runs.running() and self.passes_left == 0:
            runs.end()
        return self

    cdef finish_pass(self):
        self.mistakes.append(self.runs.mistakes_in_pass)
        self.pass_ends.append(self.runs.visits)
        self.runs.finish_pass()
        self.passes_left -= 1

    cdef int64_t visits_before(self, after) except -1:
        """Return how many visits there were when pass `after` ended, or the last one if there were fewer."""
        passes = min(checked_integer("after", after, 0, 2**62), len(self.pass_ends))
        return self.pass_ends[passes - 1] if passes else 0

    cdef whereabouts(self, mistakes):
        cdef ExampleRuns *runs = self.runs
        return Progress(runs.passes, runs.passes + self.passes_left, runs.position, runs.rows(),
                        runs.update_count(), mistakes)

    @property
    def updates(self):
        """Number of updates made."""
        return self.runs.update_count()

    @property
    def peak_bytes(self):
        """Peak memory of the engine in bytes, without the examples as they were given."""
        return self.runs.peak_bytes

    @property
    def common(self):
        """Number of features with explicit conjunctions."""
        return self.runs.common()

    @property
    def running(self):
        """True if a run was stopped in the middle."""
        return self.runs.running()

    @property
    def support_rows(self):
        """The example of each support vector, counted over all calls of `fit` and `partial_fit`."""
        return int64_array(self.runs.examples)

    def support(self):
        """Return the support vectors, each once, in the order in which they first came."""
        ids = int32_array(self.runs.index.ids())
        return FeatureSets.from_arrays(int64_array(self.runs.log.vector_offsets()),
                                       ids[int32_array(self.runs.log.vector_ranks())])

    cdef dict run_arrays(self):
        """Return the saved form of the passes and the run, besides settings."""
        cdef ExampleRuns *runs = self.runs
        return {
            "mistakes": np.array(self.mistakes, dtype=np.int64),
            "pass_ends": np.array(self.pass_ends, dtype=np.int64),
            "fingerprint": np.array([runs.fingerprint() if runs.running() else 0], dtype=np.uint64),
        }

    cdef dict run_settings(self):
        """Return options and progress, which JSON can hold."""
        cdef ExampleRuns *runs = self.runs
        options = {**self.options, "common": None if self.options["common"] == "auto" else self.options["common"]}
        return {
            **options, "running": bool(runs.running()), "passes_left": self.passes_left,
            "position": runs.position, "passes": runs.passes, "visits": runs.visits,
            "mistakes_in_pass": runs.mistakes_in_pass, "examples_before": runs.examples_before,
            "peak_bytes": runs.peak_bytes,
        }

    cdef restore_progress(self, contents):
        cdef ExampleRuns *runs = self.runs
        self.passes_left = contents.integer("passes_left", 0, MOST_VISITS)
        runs.position = contents.integer("position", 0, runs.rows() if runs.running() else MOST_VISITS)
        runs.passes = contents.integer("passes", 0, MOST_VISITS)
        runs.visits = contents.integer("visits", 0, MOST_VISITS)
        runs.mistakes_in_pass = contents.integer("mistakes_in_pass", 0, MOST_VISITS)
        runs.examples_before = contents.integer("examples_before", 0, MOST_VISITS)
        runs.peak_bytes = max(runs.peak_bytes, <int64_t>contents.integer("peak_bytes", 0, MOST_VISITS))
        runs.start_pass()
        contents.array("fingerprint", np.uint64, shape=(1,))
        self.mistakes = contents.array("mistakes", np.int64, minimum=0).tolist()
        self.pass_ends = contents.array("pass_ends", np.int64, minimum=0).tolist()
