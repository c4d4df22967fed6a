# distutils: include_dirs = kernels
"""Online learning with the polynomial kernel (1 + |s & x|)**d over feature sets.

The loop itself is C++ (learner.hpp), in pieces that each open with an account of their own: explicit weights of
conjunctions (conjunctions.hpp), the log of updates with its posting lists and bitmaps (support_log.hpp,
bitmaps.hpp), features by rank (feature_index.hpp). This file checks what comes in, hands it over without the
GIL about 50 ms at a time, and in between lets signals and the progress callback through. At those moments the
learner stands between two examples, so it can be stopped, saved, and resumed bit for bit.

A visit costs, with method "slicing", the cheaper of: one step for each update since the example's last visit;
or one access for each conjunction of its common features, plus the support vectors since then that share a rare
feature. Memory: at most about 22 MB of dense weights unless `common` asks for more, 4 bytes a feature occurrence,
40 bytes an example, and what the support vectors themselves need.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int32_t, int64_t
from libcpp.vector cimport vector

from typing import NamedTuple

import numpy as np

from kakari.kernels.checks import (
    TrainingError,
    checked_choice,
    checked_class_weights,
    checked_examples,
    checked_integer,
    checked_positive,
)
from kakari.kernels.featuresets import FeatureSets
from kakari.kernels.featuresets cimport FeatureSets as FeatureRows

RULES = ("perceptron", "pa", "pa1", "pa2")
METHODS = ("naive", "inverted", "expansion", "splitting", "slicing")
STEPS = ("features", "kernel")
STATE_FORMAT = 1
cdef double SLICE_SECONDS = 0.05


class Progress(NamedTuple):
    """Where a run stands: what the progress callback receives."""

    finished_passes: int
    passes: int       # that the run will have made at its end, counted over all runs
    examples: int     # visited in the current pass
    total: int        # examples in a pass
    updates: int      # so far, over all runs
    mistakes: int     # in the current pass, or in the one just finished


def visiting_order(int64_t examples, seed, int64_t pass_number):
    """Give the order in which a shuffled pass (counted from 0 over all runs) visits its examples.

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


cdef class KernelLearner:
    """Perceptron and passive-aggressive learners with a polynomial kernel.

    Parameters
    ----------
    degree : int
        Of the kernel, 1 to 4.
    learner : {"perceptron", "pa", "pa1", "pa2"}
        The perceptron updates by 1 when `y m <= 0`; the others when `y m < 1`, by loss / norm, that but at most
        `cost`, and loss / (norm + 1 / (2 cost)).
    cost : float
        The aggressiveness C of "pa1" and "pa2". Weights of examples and classes multiply it, or the
        perceptron's update; "pa" only leaves examples of weight 0 out.
    step : {"kernel", "features"}
        The norm is k(x, x), or the number of features (at least 1).
    method : {"slicing", "splitting", "expansion", "inverted", "naive"}
        How margins are computed. All give the same model, apart from rounding.
    reuse : bool
        Whether "slicing" remembers margins from visit to visit; if not, it stops as soon as a margin above 1 is
        certain.
    common : int or "auto"
        How many of the most frequent features have explicit weights for their conjunctions.
    memory_limit : int, optional
        In bytes; when reached, `common` is halved.
    seed : int, optional
        Visit the examples in an order drawn anew for each pass; without it, in the given order.
    class_weights : dict, optional
        Weights of the labels 1 and -1.

    Notes
    -----
    One object trains in one thread at a time; different objects are independent.

    Examples
    --------
    >>> learner = KernelLearner(degree=2, learner="perceptron")
    >>> sets = FeatureSets.from_lists([[1, 2], [1], [2], []])
    >>> learner.fit(sets, [1, -1, -1, 1], passes=10).mistakes[-1]
    0
    >>> learner.support().tolist()
    [[1, 2], [1], [2], []]
    """

    def __init__(self, degree=2, *, learner="pa1", cost=1.0, step="kernel", method="slicing", reuse=True,
                 common="auto", memory_limit=None, seed=None, class_weights=None):
        self.options = {
            "degree": checked_integer("degree", degree, 1, 4),
            "learner": checked_choice("learner", learner, RULES),
            "cost": checked_positive("cost", cost),
            "step": checked_choice("step", step, STEPS),
            "method": checked_choice("method", method, METHODS),
            "reuse": bool(reuse),
            "common": common if isinstance(common, str) and common == "auto"
            else checked_integer("common", common, 0, 2**31 - 1),
            "memory_limit": memory_limit if memory_limit is None
            else checked_integer("memory_limit", memory_limit, 1, 2**62),
            "seed": seed if seed is None else checked_integer("seed", seed, 0, 2**63 - 1),
            "class_weights": checked_class_weights(class_weights),
        }
        self.reset()

    cdef reset(self):
        self.engine = make_learner(self.options["degree"])
        self.mistakes = []
        self.passes_left = 0
        cdef LearnerOptions *target = &self.engine.get().options
        target.rule = RULES.index(self.options["learner"])
        target.method = METHODS.index(self.options["method"])
        target.reuse = self.options["reuse"]
        target.kernel_step = self.options["step"] == "kernel"
        target.cost = self.options["cost"]
        target.common = -1 if self.options["common"] == "auto" else self.options["common"]
        target.memory_limit = self.options["memory_limit"] or 0
        target.shuffle = self.options["seed"] is not None
        target.seed = self.options["seed"] or 0

    def fit(self, sets, labels, *, passes=1, weights=None, progress=None, every=None):
        """Train a new model; see `partial_fit` for the parameters."""
        rows = checked_examples(sets, labels, weights, self.options["class_weights"])
        passes = checked_integer("passes", passes, 0, 2**31 - 1)
        self.reset()
        return self.start(rows, passes).resume(progress=progress, every=every)

    def partial_fit(self, sets, labels, *, passes=1, weights=None, progress=None, every=None):
        """Go on from the current model with new examples.

        Parameters
        ----------
        sets : FeatureSets
        labels : array of 1 and -1
        passes : int
        weights : array of float, optional
            One for each example, not negative.
        progress : callable, optional
            Called with a `Progress` after each pass and after `every` examples. A true answer stops the run,
            as an exception or Ctrl-C does: between two examples, from where `resume` goes on.
        every : int, optional
        """
        if self.engine.get().running():
            raise TrainingError("a run was stopped in the middle: resume it, or fit anew")
        rows = checked_examples(sets, labels, weights, self.options["class_weights"])
        passes = checked_integer("passes", passes, 0, 2**31 - 1)
        return self.start(rows, passes).resume(progress=progress, every=every)

    cdef start(self, tuple examples, int64_t passes):
        cdef FeatureRows sets = examples[0]
        cdef const int64_t[::1] first = sets.duplicates()
        cdef const int8_t[::1] labels = examples[1]
        cdef const double[::1] weights = examples[2]
        cdef int64_t count = len(sets)
        cdef const int64_t *offsets = &sets.offset_view[0]
        cdef const int32_t *ids = &sets.id_view[0] if sets.id_view.shape[0] else NULL
        cdef const int64_t *first_rows = &first[0] if count else NULL
        cdef const int8_t *label_values = &labels[0] if count else NULL
        cdef const double *weight_values = &weights[0] if weights is not None and count else NULL
        with nogil:
            self.engine.get().begin(offsets, ids, count, first_rows, label_values, weight_values)
        self.passes_left = passes
        return self

    def resume(self, *, progress=None, every=None):
        """Finish a run that was stopped in the middle; nothing happens if there is none."""
        cdef LearnerBase *engine = self.engine.get()
        cdef int64_t pause = 2**62 if every is None else checked_integer("every", every, 1, 2**62)
        cdef int64_t wanted, done = 0
        if progress is not None and not callable(progress):
            raise TrainingError("progress must be callable")
        while engine.running() and self.passes_left > 0:
            wanted = min(pause - engine.position % pause, engine.rows() - engine.position)
            with nogil:
                done = engine.run(wanted, SLICE_SECONDS)
            mistakes = engine.mistakes_in_pass
            finished = engine.position == engine.rows()
            if finished:
                self.finish_pass()
            if progress is not None and (finished or done == wanted) and progress(self.whereabouts(mistakes)):
                break
            PyErr_CheckSignals()
        if engine.running() and self.passes_left == 0:
            engine.end()
        return self

    cdef finish_pass(self):
        self.mistakes.append(self.engine.get().mistakes_in_pass)
        self.engine.get().finish_pass()
        self.passes_left -= 1

    cdef whereabouts(self, mistakes):
        cdef LearnerBase *engine = self.engine.get()
        return Progress(engine.passes, engine.passes + self.passes_left, engine.position, engine.rows(),
                        engine.updates.size(), mistakes)

    @property
    def updates(self):
        """How many updates were made."""
        return self.engine.get().updates.size()

    @property
    def peak_bytes(self):
        """The most memory that the engine held at a time, above the examples as they were given."""
        return self.engine.get().peak_bytes

    @property
    def common(self):
        """How many features have explicit conjunctions now."""
        return self.engine.get().common()

    @property
    def running(self):
        """Whether a run was stopped in the middle."""
        return self.engine.get().running()

    @property
    def support_rows(self):
        """The example of each support vector, counted over all calls of `fit` and `partial_fit`."""
        return copied_int64(self.engine.get().examples)

    def support(self):
        """Give the support vectors, each once, in the order in which they first came."""
        offsets, ranks = self.support_ranks()
        return FeatureSets.from_arrays(offsets, self.feature_ids()[ranks])

    cdef support_ranks(self):
        offsets = copied_int64(self.engine.get().log.vector_offsets())
        return (offsets if offsets.size else np.zeros(1, dtype=np.int64),
                copied_int32(self.engine.get().log.vector_ranks()))

    cdef feature_ids(self):
        return copied_int32(self.engine.get().index.ids())

    def coefficients(self, *, averaged=False):
        """Give the coefficient of each support vector, of the last model or averaged over all visits.

        The average is Daumé's: over the model before the first visit and the one after each visit, that is
        the sum of a vector's updates minus the sum of (update times visit, counted from one) / (visits + 1).
        """
        cdef LearnerBase *engine = self.engine.get()
        last = copied_doubles(engine.coefficients)
        if not averaged:
            return last
        return last - copied_doubles(engine.moments) / (engine.visits + 1.0)

    def state(self):
        """Give everything that is needed to go on, as flat numpy arrays by name; see `from_state`."""
        cdef LearnerBase *engine = self.engine.get()
        offsets, ranks = self.support_ranks()
        options = self.options
        updates = split_updates(engine.updates)
        remembered = split_remembered(engine.remembered)
        fingerprint = engine.fingerprint() if engine.running() else 0
        return {
            "format": np.array([STATE_FORMAT], dtype=np.int64),
            "settings": np.array([
                options["degree"], RULES.index(options["learner"]), STEPS.index(options["step"]),
                METHODS.index(options["method"]), options["reuse"],
                -1 if options["common"] == "auto" else options["common"], options["memory_limit"] or 0,
                -1 if options["seed"] is None else options["seed"],
            ], dtype=np.int64),
            "costs": np.array([options["cost"], *options["class_weights"]], dtype=np.float64),
            "layout": np.array([engine.laid_out(), engine.common(), engine.dense(), engine.bitmapped()],
                               dtype=np.int64),
            "progress": np.array([
                engine.running(), self.passes_left, engine.position, engine.passes, engine.visits,
                engine.mistakes_in_pass, engine.examples_before, engine.peak_bytes,
            ], dtype=np.int64),
            "fingerprint": np.array([fingerprint], dtype=np.uint64),
            "mistakes": np.array(self.mistakes, dtype=np.int64),
            "feature_ids": self.feature_ids(),
            "support_offsets": offsets,
            "support_ranks": ranks,
            "support_rows": self.support_rows,
            **updates,
            **remembered,
        }

    @staticmethod
    def from_state(state, sets=None, labels=None, *, weights=None):
        """Rebuild a learner from its `state()`; if that was taken in the middle of a run, `resume` goes on.

        A run needs its examples again, the same ones as before: they are not part of the state.

        Examples
        --------
        >>> sets, labels = FeatureSets.from_lists([[1], [2], [1, 2]]), [1, -1, -1]
        >>> whole = KernelLearner(degree=2).fit(sets, labels, passes=4)
        >>> half = KernelLearner(degree=2).fit(sets, labels, passes=4, progress=lambda at: at.finished_passes == 2)
        >>> resumed = KernelLearner.from_state(half.state(), sets, labels).resume()
        >>> bool((resumed.coefficients() == whole.coefficients()).all())
        True
        """
        if int(state["format"][0]) != STATE_FORMAT:
            raise TrainingError(f"a state of format {int(state['format'][0])}, not {STATE_FORMAT}")
        degree, rule, step, method, reuse, common, limit, seed = (int(value) for value in state["settings"])
        cost, positive, negative = (float(value) for value in state["costs"])
        cdef KernelLearner learner = KernelLearner(
            degree, learner=RULES[rule], cost=cost, step=STEPS[step], method=METHODS[method], reuse=bool(reuse),
            common="auto" if common < 0 else common, memory_limit=limit or None,
            seed=None if seed < 0 else seed, class_weights={1: positive, -1: negative},
        )
        if state["layout"][0]:
            learner.restore_model(state)
        if state["progress"][0]:
            if sets is None or labels is None:
                raise TrainingError("the state was taken in the middle of a run: its examples are needed")
            learner.start(checked_examples(sets, labels, weights, learner.options["class_weights"]), 0)
        learner.restore_progress(state)
        return learner

    cdef restore_model(self, state):
        cdef LearnerBase *engine = self.engine.get()
        cdef int32_t feature
        for feature in np.asarray(state["feature_ids"], dtype=np.int32):
            engine.index.add(feature)
        _, common, dense, bitmapped = (int(value) for value in state["layout"])
        engine.lay_out_as(common, dense, bitmapped)
        cdef const int64_t[::1] offsets = np.ascontiguousarray(state["support_offsets"], dtype=np.int64)
        cdef const int32_t[::1] ranks = np.ascontiguousarray(state["support_ranks"], dtype=np.int32)
        cdef const int32_t[::1] vectors = np.ascontiguousarray(state["update_vectors"], dtype=np.int32)
        cdef const double[::1] amounts = np.ascontiguousarray(state["update_amounts"], dtype=np.float64)
        cdef const int64_t[::1] visits = np.ascontiguousarray(state["update_visits"], dtype=np.int64)
        cdef int64_t i
        for i in range(offsets.shape[0] - 1):
            engine.log.add_vector(&ranks[0] + offsets[i] if ranks.shape[0] else NULL,
                                  <int>(offsets[i + 1] - offsets[i]))
        for i in range(vectors.shape[0]):
            engine.repeat(vectors[i], amounts[i], visits[i])
        for row in state["support_rows"]:
            engine.examples.push_back(row)

    cdef restore_progress(self, state):
        cdef LearnerBase *engine = self.engine.get()
        if engine.running():
            if engine.fingerprint() != int(state["fingerprint"][0]):
                raise TrainingError("these are not the examples of the run that was stopped")
            join_remembered(state, engine.remembered)
        (_, self.passes_left, engine.position, engine.passes, engine.visits, engine.mistakes_in_pass,
         engine.examples_before, peak) = (int(value) for value in state["progress"])
        engine.peak_bytes = max(engine.peak_bytes, <int64_t>peak)
        self.mistakes = [int(value) for value in state["mistakes"]]
        engine.start_pass()


cdef copied_int32(const vector[int32_t]& values):
    result = np.empty(values.size(), dtype=np.int32)
    cdef int32_t[::1] view = result
    cdef int64_t i
    for i in range(view.shape[0]):
        view[i] = values[i]
    return result


cdef copied_int64(const vector[int64_t]& values):
    result = np.empty(values.size(), dtype=np.int64)
    cdef int64_t[::1] view = result
    cdef int64_t i
    for i in range(view.shape[0]):
        view[i] = values[i]
    return result


cdef copied_doubles(const vector[double]& values):
    result = np.empty(values.size(), dtype=np.float64)
    cdef double[::1] view = result
    cdef int64_t i
    for i in range(view.shape[0]):
        view[i] = values[i]
    return result


cdef dict split_updates(const vector[Update]& updates):
    cdef int64_t count = updates.size(), i
    cdef int32_t[::1] vectors = np.empty(count, dtype=np.int32)
    cdef double[::1] amounts = np.empty(count, dtype=np.float64)
    cdef int64_t[::1] visits = np.empty(count, dtype=np.int64)
    for i in range(count):
        vectors[i] = updates[i].vector
        amounts[i] = updates[i].amount
        visits[i] = updates[i].visit
    return {"update_vectors": vectors.base, "update_amounts": amounts.base, "update_visits": visits.base}


cdef dict split_remembered(const vector[Remembered]& remembered):
    cdef int64_t count = remembered.size(), i
    cdef double[:, ::1] margins = np.empty((count, 2), dtype=np.float64)
    cdef int32_t[:, ::1] places = np.empty((count, 3), dtype=np.int32)
    for i in range(count):
        margins[i, 0] = remembered[i].margin
        margins[i, 1] = remembered[i].rare
        places[i, 0] = remembered[i].margin_at
        places[i, 1] = remembered[i].rare_at
        places[i, 2] = remembered[i].vector
    return {"remembered_margins": margins.base, "remembered_places": places.base}


cdef int join_remembered(state, vector[Remembered]& remembered) except -1:
    cdef const double[:, ::1] margins = np.ascontiguousarray(state["remembered_margins"], dtype=np.float64)
    cdef const int32_t[:, ::1] places = np.ascontiguousarray(state["remembered_places"], dtype=np.int32)
    cdef int64_t i
    for i in range(<int64_t>remembered.size()):
        remembered[i].margin = margins[i, 0]
        remembered[i].rare = margins[i, 1]
        remembered[i].margin_at = places[i, 0]
        remembered[i].rare_at = places[i, 1]
        remembered[i].vector = places[i, 2]
    return 0
