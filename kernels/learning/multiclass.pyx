"""Online learning of several classes at once with the polynomial kernel (1 + |s & x|)**d over feature sets.

One model holds k weights for each conjunction, side by side, and one walk over the conjunctions of an example gives
all k margins (multiclass.hpp, class_weights.hpp). An update moves two classes: the right one towards the example,
the strongest wrong one away from it (Crammer and Singer; the passive-aggressive algorithms' multi-class form). A
visit costs k additions for each conjunction of the common features, or a step for each update since the last visit.
Memory: about 67 MB of dense weights at most unless `common` asks for more, 16 k bytes an example up to 128 MB in
all (beyond it nothing is remembered between visits), and a support vector with 2 k coefficients where one is made.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport float64_array, int32_array, int64_array
from kakari.kernels.sets.checks import TrainingError, checked_classes, checked_integer
from kakari.kernels.sets.featuresets import FeatureSets  # no-cython-lint (for the examples)
from kakari.kernels.learning.saved_state cimport refuse_other_examples, restore_support, support_arrays
from kakari.kernels.learning.passes import RULES, STEPS, checked_options
from kakari.kernels.learning.passes cimport OnlineLearner

STATE_FORMAT = 2


cdef class MulticlassLearner(OnlineLearner):
    """Perceptron and passive-aggressive learners of k classes with a polynomial kernel.

    Parameters
    ----------
    classes : int
        How many; labels are numbers from 0 to `classes` - 1.
    degree : int
        Of the kernel, 1 to 4.
    learner : {"perceptron", "pa", "pa1", "pa2"}
        With m the margin of the right class minus that of the strongest wrong one (the first, where several
        are equal), the perceptron updates by 1 when `m <= 0`; the others when `m < 1`, by loss / norm, that but
        at most `cost`, and loss / (norm + 1 / (2 cost)).
    cost : float
        The aggressiveness C of "pa1" and "pa2". Weights of examples multiply it, or the perceptron's update;
        "pa" only leaves examples of weight 0 out.
    step : {"kernel", "features"}
        The norm is 2 k(x, x), or twice the number of features (at least 1).
    common : int or "auto"
        How many of the most frequent features have explicit weights for their conjunctions. It changes time
        and memory, not the model.
    memory_limit : int, optional
        In bytes; when reached, `common` is halved.
    seed : int, optional
        Visit the examples in an order drawn anew for each pass; without it, in the given order.

    Notes
    -----
    One object trains in one thread at a time; different objects are independent.

    Examples
    --------
    >>> learner = MulticlassLearner(3, degree=2, learner="perceptron")
    >>> sets = FeatureSets.from_lists([[1, 2], [1], [2], []])
    >>> learner.fit(sets, [2, 1, 1, 0], passes=20).mistakes[-1]
    0
    >>> learner.support().tolist(), learner.coefficients().sum(axis=1).tolist()
    ([[1, 2], [1], [2], []], [0.0, 0.0, 0.0, 0.0])
    """

    def __init__(self, classes, degree=2, *, learner="pa1", cost=1.0, step="kernel", common="auto",
                 memory_limit=None, seed=None):
        self.options = {
            "classes": checked_integer("classes", classes, 2, 2**20),
            **checked_options(degree, learner, cost, step, common, memory_limit, seed),
        }
        self.reset()

    cdef reset(self):
        self.engine = make_multiclass_learner(self.options["degree"])
        cdef MulticlassBase *engine = self.engine.get()
        self.runs = engine
        self.set_options(&engine.step)
        engine.classes = self.options["classes"]

    cdef tuple checked(self, sets, labels, weights):
        return checked_classes(sets, labels, weights, self.options["classes"])

    def coefficients(self, *, averaged=False, after=0):
        """Return the coefficients, a row a support vector and a column a class.

        They are of the last model, or averaged over all visits, or over those after a pass, as in
        `KernelLearner.coefficients`.
        """
        cdef MulticlassBase *engine = self.engine.get()
        last = self.table(engine.coefficients)
        if not averaged:
            return last
        skipped = self.visits_before(after)
        return last - self.table(engine.moments(skipped)) / (engine.visits - skipped + 1.0)

    cdef table(self, const vector[double]& values):
        return float64_array(values).reshape(-1, self.options["classes"])

    def state(self):
        """Return everything that is needed to go on, as flat numpy arrays by name; see `from_state`."""
        cdef MulticlassBase *engine = self.engine.get()
        options = self.options
        return {
            "format": np.array([STATE_FORMAT], dtype=np.int64),
            "settings": np.array([
                options["classes"], options["degree"], RULES.index(options["learner"]),
                STEPS.index(options["step"]), -1 if options["common"] == "auto" else options["common"],
                options["memory_limit"] or 0, -1 if options["seed"] is None else options["seed"],
            ], dtype=np.int64),
            "costs": np.array([options["cost"]], dtype=np.float64),
            **self.run_state(),
            **support_arrays(engine),
            "update_vectors": int32_array(engine.log.entry_vectors()),
            "update_rights": int32_array(engine.rights),
            "update_wrongs": int32_array(engine.wrongs),
            "update_amounts": float64_array(engine.log.entry_coefficients()),
            "update_visits": int64_array(engine.visits_of),
            "remembered_margins": self.table(engine.margins),
            "remembered_rare": self.table(engine.rare_parts),
            "remembered_places": np.stack([int32_array(engine.margins_at), int32_array(engine.rare_at),
                                           int32_array(engine.vectors)]),
        }

    @staticmethod
    def from_state(state, sets=None, labels=None, *, weights=None):
        """Rebuild a learner from its `state()`; if that was taken in the middle of a run, `resume` goes on.

        A run needs its examples again, the same ones as before: they are not part of the state.

        Examples
        --------
        >>> sets, labels = FeatureSets.from_lists([[1], [2], [1, 2]]), [0, 1, 2]
        >>> whole = MulticlassLearner(3).fit(sets, labels, passes=4)
        >>> half = MulticlassLearner(3)
        >>> _ = half.fit(sets, labels, passes=4, progress=lambda at: at.finished_passes == 2)
        >>> resumed = MulticlassLearner.from_state(half.state(), sets, labels).resume()
        >>> bool((resumed.coefficients() == whole.coefficients()).all())
        True
        """
        if int(state["format"][0]) != STATE_FORMAT:
            raise TrainingError(f"a state of format {int(state['format'][0])}, not {STATE_FORMAT}")
        classes, degree, rule, step, common, limit, seed = (int(value) for value in state["settings"])
        cdef MulticlassLearner learner = MulticlassLearner(
            classes, degree, learner=RULES[rule], cost=float(state["costs"][0]), step=STEPS[step],
            common="auto" if common < 0 else common, memory_limit=limit or None, seed=None if seed < 0 else seed,
        )
        learner.restore_updates(state)
        if state["progress"][0]:
            if sets is None or labels is None:
                raise TrainingError("the state was taken in the middle of a run: its examples are needed")
            learner.start(learner.checked(sets, labels, weights), 0)
            learner.restore_memory(state)
        learner.restore_progress(state)
        return learner

    cdef restore_updates(self, state):
        cdef MulticlassBase *engine = self.engine.get()
        cdef const int32_t[::1] vectors = np.ascontiguousarray(state["update_vectors"], dtype=np.int32)
        cdef const int32_t[::1] rights = np.ascontiguousarray(state["update_rights"], dtype=np.int32)
        cdef const int32_t[::1] wrongs = np.ascontiguousarray(state["update_wrongs"], dtype=np.int32)
        cdef const double[::1] amounts = np.ascontiguousarray(state["update_amounts"], dtype=np.float64)
        cdef const int64_t[::1] visits = np.ascontiguousarray(state["update_visits"], dtype=np.int64)
        cdef int64_t i
        if not restore_support(engine, state):
            return
        with nogil:
            for i in range(vectors.shape[0]):
                engine.repeat(vectors[i], rights[i], wrongs[i], amounts[i], visits[i])

    cdef restore_memory(self, state):
        cdef MulticlassBase *engine = self.engine.get()
        refuse_other_examples(engine, state)
        cdef const double[::1] margins = np.ascontiguousarray(state["remembered_margins"], dtype=np.float64).ravel()
        cdef const double[::1] rare = np.ascontiguousarray(state["remembered_rare"], dtype=np.float64).ravel()
        cdef const int32_t[:, ::1] places = np.ascontiguousarray(state["remembered_places"], dtype=np.int32)
        cdef int64_t i
        if margins.shape[0] != <int64_t>engine.margins.size() or places.shape[1] != engine.rows():
            raise TrainingError("the state does not hold what the examples of the run remember")
        for i in range(margins.shape[0]):
            engine.margins[i] = margins[i]
            engine.rare_parts[i] = rare[i]
        for i in range(places.shape[1]):
            engine.margins_at[i] = places[0, i]
            engine.rare_at[i] = places[1, i]
            engine.vectors[i] = places[2, i]
