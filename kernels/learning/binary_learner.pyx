"""Online learning with the polynomial kernel (1 + |s & x|)**d over feature sets.

The loop itself is C++ (binary.hpp), in pieces that each open with an account of their own: runs over examples
(passes.hpp), steps (steps.hpp), explicit weights of conjunctions (conjunctions.hpp), the log of updates with its
posting lists and bitmaps (support_log.hpp, bitmaps.hpp), features by rank (feature_index.hpp), and vectors with a
linear kernel in addition to the sets (linear_part.hpp). This file checks options; passes.pyx runs, stops and resumes
the training.

A visit costs, with method "slicing", the cheaper of: one step for each update since the example's last visit;
or one access for each conjunction of its common features, plus the support vectors since then that share a
rare feature. Memory: about 22 MB of dense weights at most unless `common` asks for more, 4 bytes a feature
occurrence, 50 bytes an example, and what the support vectors themselves need.
"""
from libc.stdint cimport int32_t, int64_t

import numpy as np

from kakari.kernels.hardware.arrays cimport float64_array
from kakari.kernels.sets.checks import (
    TrainingError, checked_choice, checked_class_weights, checked_examples, checked_integer, checked_vectors,
)
from kakari.kernels.sets.featuresets import FeatureSets  # no-cython-lint (for the examples)
from kakari.kernels.learning.binary cimport LearnerBase, Method, make_learner
from kakari.kernels.learning.saved_state cimport (
    model_arrays, restore_model, restore_run, restore_vector_weights,
)
from kakari.kernels.learning.passes import RULES, STEPS, Progress, visiting_order  # no-cython-lint
from kakari.kernels.learning.passes import checked_options, stored_options
from kakari.kernels.stored import Contents
from kakari.kernels.learning.passes cimport OnlineLearner

METHODS = ("naive", "inverted", "expansion", "splitting", "slicing")


cdef class KernelLearner(OnlineLearner):
    """Perceptron and passive-aggressive learners with a polynomial kernel.

    Parameters
    ----------
    degree : int
        Of the kernel, 1 to 4.
    learner : {"perceptron", "pa", "pa1", "pa2"}
        The perceptron updates by 1 when `y m <= 0`. The others update when `y m < 1`: "pa" by loss / norm, "pa1" by
        the same but at most `cost`, "pa2" by loss / (norm + 1 / (2 cost)).
    cost : float
        The aggressiveness C of "pa1" and "pa2". Weights of examples and classes multiply it, or the
        perceptron's update; "pa" only leaves examples of weight 0 out.
    step : {"kernel", "features"}
        The norm is k(x, x), or the number of features (at least 1).
    method : {"slicing", "splitting", "expansion", "inverted", "naive"}
        How margins are computed. All give the same model, apart from rounding.
    reuse : bool
        Whether "slicing" remembers margins from visit to visit; if not, it stops as soon as a margin above 1
        is certain.
    common : int or "auto"
        How many of the most frequent features have explicit weights for their conjunctions.
    memory_limit : int, optional
        In bytes; when reached, `common` is halved.
    seed : int, optional
        Visit the examples in a new random order each pass; without it, in the given order.
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
        self.faster, self.largest_count = 1.0, 32767
        self.options = {
            **checked_options(degree, learner, cost, step, common, memory_limit, seed),
            "method": checked_choice("method", method, METHODS),
            "reuse": bool(reuse),
            "class_weights": checked_class_weights(class_weights),
        }
        self.reset()

    cdef reset(self):
        self.engine = make_learner(self.options["degree"])
        cdef LearnerBase *engine = self.engine.get()
        self.runs = engine
        self.set_options(&engine.step)
        engine.method = <Method><int>METHODS.index(self.options["method"])
        engine.reuse = self.options["reuse"]
        engine.pretend(self.faster, self.largest_count)

    @property
    def common(self):
        """Number of features with explicit conjunctions: those laid out at first, and more as the support grew."""
        return self.engine.get().explicit_features()

    def _pretend(self, double faster, int32_t largest_count=32767):
        """Use explicit weights earlier and drop counts sooner than is best, so that tests see both on little data."""
        self.faster, self.largest_count = faster, largest_count
        self.engine.get().pretend(faster, largest_count)
        return self

    cdef tuple checked(self, sets, labels, weights):
        return checked_examples(sets, labels, weights, self.options["class_weights"])

    def fit(self, sets, labels, *, passes=1, weights=None, vectors=None, progress=None, every=None):
        """Train a new model; see `partial_fit` for the parameters."""
        rows = self.checked(sets, labels, weights)
        passes = checked_integer("passes", passes, 0, 2**31 - 1)
        held = checked_vectors(vectors, len(sets))
        self.reset()
        return self.begin(rows, passes, held).resume(progress=progress, every=every)

    def partial_fit(self, sets, labels, *, passes=1, weights=None, vectors=None, progress=None, every=None):
        """Continue training the current model with new examples.

        Parameters
        ----------
        sets : FeatureSets
        labels : array of 1 and -1
        passes : int
        weights : array of float, optional
            One for each example, not negative.
        vectors : sparse matrix, optional
            A row for each example, under a linear kernel that is added to the polynomial one. A step moves both by the
            same amount, so longer vectors count for more. `vector_weights` returns the weights of their columns. The
            step must be "features", since k(x, x) is that of the sets.
        progress : callable, optional
            Called with a `Progress` after each pass and after `every` examples. If it returns True, the run stops
            between two examples, as it does on an exception or Ctrl-C; `resume` continues it.
        every : int, optional

        Examples
        --------
        >>> from scipy import sparse
        >>> sets, signs = FeatureSets.from_lists([[1], [1]]), [1, -1]  # only their vectors differ
        >>> learner = KernelLearner(degree=1, step="features", cost=0.25)
        >>> learner.fit(sets, signs, vectors=sparse.csr_array([[2.0], [-2.0]]), passes=9).mistakes[-1]
        0
        >>> learner.vector_weights().tolist()
        [1.0]
        """
        if self.runs.running():
            raise TrainingError("a run was stopped in the middle: resume it, or fit again")
        rows = self.checked(sets, labels, weights)
        passes = checked_integer("passes", passes, 0, 2**31 - 1)
        held = checked_vectors(vectors, len(sets))
        return self.begin(rows, passes, held).resume(progress=progress, every=every)

    cdef begin(self, tuple examples, int64_t passes, vectors):
        if vectors is not None and self.options["step"] == "kernel":
            raise TrainingError("with vectors, the step must be 'features': k(x, x) would be that of the sets alone")
        self.start(examples, passes)
        if vectors is None:
            return self
        cdef const int64_t[::1] offsets = vectors.indptr.astype(np.int64)
        cdef const int32_t[::1] columns = np.append(vectors.indices, 0).astype(np.int32)
        cdef const float[::1] values = np.append(vectors.data, 0).astype(np.float32)
        cdef int64_t count = vectors.shape[0], width = vectors.shape[1]
        with nogil:
            self.engine.get().linear.begin(&offsets[0], &columns[0], &values[0], count, width)
        return self

    def coefficients(self, *, averaged=False, after=0):
        """Return the coefficient of each support vector, of the last model or averaged over all visits.

        The average is Daumé's: over the model before the first visit and the one after each visit, that is
        the sum of a vector's updates minus the sum of (update times visit, counted from one) / (visits + 1). It may
        leave out the models of the first passes: it then begins with the one at the end of pass `after`. The weights of
        vectors are averaged over all visits only, so that with vectors `after` is refused.
        """
        cdef LearnerBase *engine = self.engine.get()
        last = float64_array(engine.coefficients)
        if not averaged:
            return last
        if after and engine.linear.weights.size():
            raise TrainingError("with vectors, the average is over all visits: 'after' must be 0")
        skipped = self.visits_before(after)
        return last - float64_array(engine.moments(skipped)) / (engine.visits - skipped + 1.0)

    def vector_weights(self, *, averaged=False):
        """Return the weight of each column of the examples' vectors, of the last model or averaged over all visits."""
        cdef LearnerBase *engine = self.engine.get()
        last = float64_array(engine.linear.weights)
        if not averaged:
            return last
        return last - float64_array(engine.linear.moments) / (engine.visits + 1.0)

    def contents(self):
        """Return the saved form of the learner: everything needed to continue training."""
        cdef LearnerBase *engine = self.engine.get()
        arrays = {
            **self.run_arrays(),
            **model_arrays(engine),
            "vector_weights": float64_array(engine.linear.weights),
            "vector_moments": float64_array(engine.linear.moments),
        }
        return Contents(arrays, self.run_settings())

    @staticmethod
    def from_contents(contents, sets=None, labels=None, *, weights=None, vectors=None):
        """Rebuild a learner from its `contents()`; if they were taken in the middle of a run, `resume` continues it.

        A run needs its examples again, the same ones as before: they are not part of the contents.

        Examples
        --------
        >>> sets, labels = FeatureSets.from_lists([[1], [2], [1, 2]]), [1, -1, -1]
        >>> whole = KernelLearner(degree=2).fit(sets, labels, passes=4)
        >>> half = KernelLearner(degree=2)
        >>> _ = half.fit(sets, labels, passes=4, progress=lambda at: at.finished_passes == 2)
        >>> resumed = KernelLearner.from_contents(half.contents(), sets, labels).resume()
        >>> bool((resumed.coefficients() == whole.coefficients()).all())
        True
        """
        positive, negative = contents.numbers("class_weights", 2)
        cdef KernelLearner learner = KernelLearner(
            **stored_options(contents), method=contents.choice("method", METHODS), reuse=contents.flag("reuse"),
            class_weights={1: positive, -1: negative},
        )
        cdef LearnerBase *engine = learner.engine.get()
        restore_model(engine, contents)
        restore_vector_weights(engine, contents)
        if contents.flag("running"):
            if sets is None or labels is None:
                raise TrainingError("the state was taken in the middle of a run: its examples are needed")
            learner.begin(learner.checked(sets, labels, weights), 0, checked_vectors(vectors, len(sets)))
            restore_run(engine, contents)
        else:
            contents.array("remembered_margins", np.float64, shape=(0, 2))
            contents.array("remembered_places", np.int32, shape=(0, 3))
        learner.restore_progress(contents)
        return learner
