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
from kakari.kernels.learning.saved_state cimport (
    check_remembered, refuse_other_examples, restore_support, support_arrays,
)
from kakari.kernels.learning.passes import checked_options, stored_options
from kakari.kernels.stored import Contents
from kakari.kernels.learning.passes cimport OnlineLearner

MOST_CLASSES = 2**20

cdef class MulticlassLearner(OnlineLearner):
    """Perceptron and passive-aggressive learners of k classes with a polynomial kernel.

    Parameters
    ----------
    classes : int
        Number of classes; labels are numbers from 0 to `classes` - 1.
    degree : int
        Of the kernel, 1 to 4.
    learner : {"perceptron", "pa", "pa1", "pa2"}
        With m the margin of the right class minus that of the strongest wrong one (the first of equal ones), the
        perceptron updates by 1 when `m <= 0`. The others update when `m < 1`: "pa" by loss / norm, "pa1" by the
        same but at most `cost`, "pa2" by loss / (norm + 1 / (2 cost)).
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
        Visit the examples in a new random order each pass; without it, in the given order.

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
            "classes": checked_integer("classes", classes, 2, MOST_CLASSES),
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

    def contents(self):
        """Return the saved form of the learner: everything needed to continue training."""
        cdef MulticlassBase *engine = self.engine.get()
        arrays = {
            **self.run_arrays(),
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
        return Contents(arrays, self.run_settings())

    @staticmethod
    def from_contents(contents, sets=None, labels=None, *, weights=None):
        """Rebuild a learner from its `contents()`; if they were taken in the middle of a run, `resume` continues it.

        A run needs its examples again, the same ones as before: they are not part of the contents.

        Examples
        --------
        >>> sets, labels = FeatureSets.from_lists([[1], [2], [1, 2]]), [0, 1, 2]
        >>> whole = MulticlassLearner(3).fit(sets, labels, passes=4)
        >>> half = MulticlassLearner(3)
        >>> _ = half.fit(sets, labels, passes=4, progress=lambda at: at.finished_passes == 2)
        >>> resumed = MulticlassLearner.from_contents(half.contents(), sets, labels).resume()
        >>> bool((resumed.coefficients() == whole.coefficients()).all())
        True
        """
        cdef MulticlassLearner learner = MulticlassLearner(
            contents.integer("classes", 2, MOST_CLASSES), **stored_options(contents)
        )
        learner.restore_updates(contents)
        if contents.flag("running"):
            if sets is None or labels is None:
                raise TrainingError("the state was taken in the middle of a run: its examples are needed")
            learner.start(learner.checked(sets, labels, weights), 0)
            learner.restore_memory(contents)
        else:
            for name in ("remembered_margins", "remembered_rare"):
                contents.array(name, np.float64, shape=(0, learner.options["classes"]))
            contents.array("remembered_places", np.int32, shape=(3, 0))
        learner.restore_progress(contents)
        return learner

    cdef restore_updates(self, contents):
        cdef MulticlassBase *engine = self.engine.get()
        update_vectors = contents.array("update_vectors", np.int32, minimum=0)
        shape = update_vectors.shape
        cdef const int32_t[::1] vectors = update_vectors
        below = self.options["classes"]
        cdef const int32_t[::1] rights = contents.array("update_rights", np.int32, shape=shape, minimum=0, below=below)
        cdef const int32_t[::1] wrongs = contents.array("update_wrongs", np.int32, shape=shape, minimum=0, below=below)
        cdef const double[::1] amounts = contents.array("update_amounts", np.float64, shape=shape)
        cdef const int64_t[::1] visits = contents.array("update_visits", np.int64, shape=shape, minimum=0)
        cdef int64_t i
        if not restore_support(engine, contents):
            return
        if update_vectors.size and update_vectors.max() >= <int64_t>engine.examples.size():
            raise contents.refuse("an update is of an unknown support vector")
        newest = np.maximum.accumulate(np.concatenate([[-1], update_vectors]))[:update_vectors.size]
        if (update_vectors > newest + 1).any():
            raise contents.refuse("support vectors do not appear in the order of their numbers")
        with nogil:
            for i in range(vectors.shape[0]):
                engine.repeat(vectors[i], rights[i], wrongs[i], amounts[i], visits[i])

    cdef restore_memory(self, contents):
        cdef MulticlassBase *engine = self.engine.get()
        refuse_other_examples(engine, contents)
        classes = self.options["classes"]
        count = engine.margins.size() // classes  # none if that would take too much memory
        rows = engine.vectors.size()
        cdef const double[:, ::1] margins = contents.array("remembered_margins", np.float64, shape=(count, classes))
        cdef const double[:, ::1] rare = contents.array("remembered_rare", np.float64, shape=(count, classes))
        stored = contents.array("remembered_places", np.int32, shape=(3, rows), minimum=-1)
        check_remembered(contents, stored[:2], stored[2], engine)
        cdef const int32_t[:, ::1] places = stored
        cdef int64_t i, j, at = 0
        for i in range(margins.shape[0]):
            for j in range(margins.shape[1]):
                engine.margins[at] = margins[i, j]
                engine.rare_parts[at] = rare[i, j]
                at += 1
        for i in range(places.shape[1]):
            engine.margins_at[i] = places[0, i]
            engine.rare_at[i] = places[1, i]
            engine.vectors[i] = places[2, i]
