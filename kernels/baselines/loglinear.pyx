"""A log-linear model over all conjunctions of up to three features, with an l1 penalty that makes most weights zero.

Trained by stochastic gradient descent with cumulative penalty (loglinear.hpp), which keeps the conjunctions of all
examples: the time of a pass and the memory grow with the third power of the features of an example.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.memory cimport unique_ptr

import numpy as np

from kakari.kernels.sets.checks import TrainingError, checked_integer, checked_sets
from kakari.kernels.sets.featuresets cimport FeatureSets

CHUNK = 1000  # visits between two reports


cdef extern from "kernels/learning/passes.hpp" namespace "kakari" nogil:
    void visiting_order(int64_t examples, uint64_t seed, uint64_t visited, int64_t *order)


cdef extern from "kernels/baselines/loglinear.hpp" namespace "kakari" nogil:
    const int64_t LARGEST_FEATURE
    cdef cppclass LogLinear:
        LogLinear(int degree, double cost, double rate, double decay) except +
        int64_t conjunctions()
        int64_t bytes()
        int64_t active()
        void begin(const int32_t *ids, const int64_t *offsets, int64_t rows) except +
        void visit(const int64_t *order, int64_t count, const int32_t *labels)
        void end()
        double margin(const int32_t *ids, int length)


cdef class ExpandedLogLinear:
    """A log-linear model of conjunctions.

    Parameters
    ----------
    degree : int
        The most features in a conjunction, 1 to 3.
    cost : float
        The weight C of the penalty: the log-likelihood of all examples less C times the sum of absolute weights is
        maximised.
    rate, decay : float
        The step is `rate * decay ** p` after p passes.
    seed : int
        Random seed for the order of the examples in each pass.

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> sets = FeatureSets.from_lists([[1, 2], [1], [2], []])
    >>> model = ExpandedLogLinear(2, cost=0.01, rate=0.5, decay=1.0).fit(sets, [-1, 1, 1, -1], passes=300)
    >>> (model.margins(sets) > 0).tolist(), model.conjunctions
    ([False, True, True, False], 4)
    """

    cdef unique_ptr[LogLinear] model
    cdef readonly int degree
    cdef readonly int64_t peak_bytes
    cdef readonly bint running
    cdef dict options

    def __init__(self, degree=2, *, cost=1.0, rate=0.1, decay=0.85, seed=0):
        self.degree = checked_integer("degree", degree, 1, 3)
        for name, value, high in (("cost", cost, np.inf), ("rate", rate, np.inf), ("decay", decay, 1.0)):
            if not 0 <= value <= high or (value == 0 and name != "cost"):
                raise TrainingError(f"{name} must be above 0{'' if high > 1 else ' and at most 1'}, not {value!r}")
        self.options = {"cost": float(cost), "rate": float(rate), "decay": float(decay), "seed": int(seed)}
        self.reset()

    cdef reset(self):
        options = self.options
        self.model.reset(new LogLinear(self.degree, options["cost"], options["rate"], options["decay"]))

    @property
    def conjunctions(self):
        """Number of conjunctions that occur in the examples."""
        return self.model.get().conjunctions()

    @property
    def active(self):
        """Number of conjunctions with a weight other than 0."""
        return self.model.get().active()

    def fit(self, sets, labels, *, passes=20, progress=None):
        """Train a new model on sets with labels 1 and -1; `progress` is called with the passes done; True stops it."""
        cdef FeatureSets rows = checked_sets(sets)
        if rows.ids.size and int(rows.ids.max()) > LARGEST_FEATURE:
            raise TrainingError(f"features up to {LARGEST_FEATURE:,} can be expanded, not {int(rows.ids.max()):,}")
        signs = np.ascontiguousarray(labels, dtype=np.int32)
        if signs.shape != (len(rows),) or not np.isin(signs, (-1, 1)).all():
            raise TrainingError("labels must be 1 or -1, one for each set")
        cdef const int32_t[::1] sign_view = signs
        cdef int64_t[::1] order = np.zeros(len(rows), dtype=np.int64)
        cdef int64_t begin, count, chunk = CHUNK, examples = len(rows)
        self.reset()
        cdef LogLinear *model = self.model.get()
        cdef uint64_t seed = self.options["seed"], visited
        self.running = True
        if examples:
            with nogil:
                model.begin(&rows.id_view[0] if rows.id_view.shape[0] else NULL, &rows.offset_view[0], examples)
        self.peak_bytes = model.bytes()
        for visited in range(passes if examples else 0):
            visiting_order(examples, seed, visited, &order[0])
            for begin in range(0, examples, chunk):
                count = min(chunk, examples - begin)
                with nogil:
                    model.visit(&order[begin], count, &sign_view[0])
                if progress is not None and progress(visited + <double>(begin + count) / examples):
                    return self
        with nogil:
            model.end()
        self.running = False
        return self

    def margins(self, sets):
        """Return the sum of the weights of each set's conjunctions."""
        cdef FeatureSets rows = checked_sets(sets)
        found = np.zeros(len(rows))
        cdef double[::1] sums = found
        cdef LogLinear *model = self.model.get()
        cdef int64_t row
        with nogil:
            for row in range(sums.shape[0]):
                sums[row] = model.margin(
                    &rows.id_view[0] + rows.offset_view[row] if rows.id_view.shape[0] else NULL,
                    <int>(rows.offset_view[row + 1] - rows.offset_view[row]))
        return found
