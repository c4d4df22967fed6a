"""The loops of the online learners, over kernel values that the caller has computed for a run of examples.

`AdditiveRun` adds examples with coefficients: perceptrons, passive-aggressive, Stoptron (additive.hpp; O(run)
an update). `BudgetedRun` keeps a support set: randomised budget, Forgetrons, Projectrons (budgeted.hpp;
O(members²) a projection, O(members) otherwise). Both work with any kernel, record the curve of mistakes and
support as they go, and are saved as flat arrays.
"""
from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.stored import Contents
from kakari.kernels.hardware.arrays cimport float64_array, int64_array


cdef extern from "kernels/solvers/additive.hpp" namespace "kakari" nogil:
    cdef enum class AdditiveRule:
        PERCEPTRON

    cdef cppclass AdditiveLearner:
        AdditiveRule rule
        double aggressiveness
        int64_t budget
        bint by_norm
        int64_t seen
        int64_t mistakes
        int64_t updates
        double squared_norm
        double clock
        void run(int64_t count, const double *labels, const double *gram, double *values,
                 double *coefficients, double *clocks, int64_t *mistake_curve, int64_t *support_curve)
        void run_numbers(int64_t count, const double *targets, double epsilon, const double *gram, double *values,
                         double *coefficients, double *clocks)


cdef extern from "kernels/solvers/budgeted.hpp" namespace "kakari" nogil:
    cdef enum class BudgetRule:
        FORGETRON

    cdef cppclass BudgetedLearner:
        BudgetRule rule
        int64_t budget
        double eta
        bint dynamic_eta
        uint64_t random_state
        int64_t seen
        int64_t mistakes
        double damage
        int64_t size() const
        const vector[int64_t] &members() const
        const vector[double] &coefficients() const
        void set_member(int64_t i, int64_t name)
        double value(int64_t i) const
        double gram(int64_t i, int64_t j) const
        double factor(int64_t i, int64_t j) const
        int64_t removals() const
        void restore(int64_t count, const double *coefficients, const double *values, const double *gram,
                     const double *factor, int64_t removals) except +
        void run(int64_t count, int64_t width, const double *labels, const double *kernel, double *values,
                 int64_t *mistake_curve, int64_t *support_curve) except +


ADDITIVE_RULES = {"perceptron": 0, "pa": 1, "pa-1": 2, "pa-2": 3, "dynamic-pa-1": 4}
BUDGET_RULES = {
    "random-budget": 0, "forgetron": 1, "self-tuned-forgetron": 2, "greedy-forgetron": 3, "projectron": 4,
    "projectron++": 5, "forgetful-projectron": 6,
}


MOST_SEEN = 2**62


class OnlineError(ValueError):
    """Options or arrays that do not fit an online learner; the text says why."""


cdef class AdditiveRun:
    """The state of an additive learner.

    Examples
    --------
    >>> learner = AdditiveRun("perceptron")
    >>> run = learner.run([1, -1], [[1.0, 0.5], [0.5, 1.0]], [0.0, 0.0])
    >>> run["coefficients"].tolist(), run["values"].tolist(), learner.mistakes
    ([1.0, -1.0], [0.0, 0.5], 2)
    """

    cdef AdditiveLearner learner
    cdef readonly str rule

    def __init__(self, str rule, *, double aggressiveness=1.0, int64_t budget=-1, bint by_norm=False):
        if rule not in ADDITIVE_RULES:
            raise OnlineError(f"there is no additive rule {rule!r}: take one of {', '.join(ADDITIVE_RULES)}")
        self.rule, self.learner.rule = rule, <AdditiveRule><int>ADDITIVE_RULES[rule]
        self.learner.aggressiveness, self.learner.budget = aggressiveness, budget
        self.learner.by_norm = by_norm

    def run(self, labels, gram, values):
        """Learn from a run of examples; `values` are those of the model before it.

        Returns for each example: its value before its own update, the coefficient that it is added with, the clock
        of the average before its step, and the numbers of mistakes and updates after it.
        """
        cdef int64_t count = len(labels)
        cdef const double[::1] signs = checked(labels, (count,))
        cdef const double[:, ::1] kernel = checked(gram, (count, count))
        found = {
            "values": np.array(checked(values, (count,))), "coefficients": np.zeros(count),
            "clocks": np.zeros(count), "mistakes": np.zeros(count, dtype=np.int64),
            "support": np.zeros(count, dtype=np.int64),
        }
        if count == 0:
            return found
        cdef double[::1] value_view = found["values"], coefficients = found["coefficients"]
        cdef double[::1] clocks = found["clocks"]
        cdef int64_t[::1] mistakes = found["mistakes"], support = found["support"]
        with nogil:
            self.learner.run(count, &signs[0], &kernel[0, 0], &value_view[0], &coefficients[0], &clocks[0],
                             &mistakes[0], &support[0])
        return found

    def run_numbers(self, targets, gram, values, *, double epsilon):
        """Learn numbers from a run of examples: passive-aggressive regression with a tube of ε.

        Gives, of each example: its value at its own turn, the coefficient that it is added with, and the clock of the
        average before its step.

        Examples
        --------
        >>> AdditiveRun("pa").run_numbers([2.0, -1.0], np.eye(2), [0.0, 0.0], epsilon=0.5)["coefficients"].tolist()
        [1.5, -0.5]
        """
        cdef int64_t count = len(targets)
        cdef const double[::1] wanted = checked(targets, (count,))
        cdef const double[:, ::1] kernel = checked(gram, (count, count))
        found = {
            "values": np.array(checked(values, (count,))), "coefficients": np.zeros(count), "clocks": np.zeros(count),
        }
        if count == 0:
            return found
        if self.rule == "perceptron":
            raise OnlineError("a perceptron learns signs, not numbers: take pa, pa-1 or pa-2")
        cdef double[::1] value_view = found["values"], coefficients = found["coefficients"], clocks = found["clocks"]
        with nogil:
            self.learner.run_numbers(count, &wanted[0], epsilon, &kernel[0, 0], &value_view[0], &coefficients[0],
                                     &clocks[0])
        return found

    @property
    def mistakes(self):
        """Number of mistakes made."""
        return self.learner.mistakes

    @property
    def updates(self):
        """Number of examples added."""
        return self.learner.updates

    @property
    def clock(self):
        """The clock of the average: number of steps made, each weighted by 1 / ‖v‖ if `by_norm`."""
        return self.learner.clock

    def contents(self):
        """Return the saved form of the learner."""
        return Contents(settings={
            "rule": self.rule, "aggressiveness": self.learner.aggressiveness, "budget": self.learner.budget,
            "by_norm": bool(self.learner.by_norm), "seen": self.learner.seen, "mistakes": self.learner.mistakes,
            "updates": self.learner.updates, "squared_norm": self.learner.squared_norm, "clock": self.learner.clock,
        })

    @staticmethod
    def from_contents(contents):
        """Rebuild a learner from its `contents()`."""
        cdef AdditiveRun made = AdditiveRun(
            contents.choice("rule", tuple(ADDITIVE_RULES)), aggressiveness=contents.number("aggressiveness"),
            budget=contents.integer("budget", -1, MOST_SEEN), by_norm=contents.flag("by_norm"),
        )
        made.learner.seen = contents.integer("seen", 0, MOST_SEEN)
        made.learner.mistakes = contents.integer("mistakes", 0, MOST_SEEN)
        made.learner.updates = contents.integer("updates", 0, MOST_SEEN)
        made.learner.squared_norm, made.learner.clock = contents.number("squared_norm"), contents.number("clock")
        return made

    def __reduce__(self):
        return AdditiveRun.from_contents, (self.contents(),)


cdef class BudgetedRun:
    """The state of a learner with a support set.

    Examples
    --------
    >>> learner = BudgetedRun("forgetron", budget=1)
    >>> run = learner.run([1, -1], [[1.0, 0.5], [0.5, 1.0]])
    >>> run["members"].tolist(), run["support"].tolist(), run["coefficients"].round(3).tolist()
    ([1], [1, 1], [-0.425])
    """

    cdef BudgetedLearner learner
    cdef readonly str rule

    def __init__(self, str rule, *, int64_t budget=-1, double eta=0.1, bint dynamic_eta=False, seed=0):
        if rule not in BUDGET_RULES:
            raise OnlineError(f"there is no budgeted rule {rule!r}: take one of {', '.join(BUDGET_RULES)}")
        self.rule, self.learner.rule = rule, <BudgetRule><int>BUDGET_RULES[rule]
        self.learner.budget, self.learner.eta = budget, eta
        self.learner.dynamic_eta, self.learner.random_state = dynamic_eta, seed

    def run(self, labels, kernel):
        """Learn from a run of examples.

        `kernel` has a row for each; its columns are those that `name_members` gave the members, then the run itself.
        Returns for each example its value before its own update, and the numbers of mistakes and of members after
        it; then the columns of the members, oldest first, and their coefficients.
        """
        cdef int64_t count = len(labels), width = np.shape(kernel)[1] if count else 0
        cdef const double[::1] signs = checked(labels, (count,))
        found = {
            "values": np.zeros(count), "mistakes": np.zeros(count, dtype=np.int64),
            "support": np.zeros(count, dtype=np.int64),
        }
        cdef double[::1] values = found["values"]
        cdef int64_t[::1] mistakes = found["mistakes"], support = found["support"]
        cdef const double[:, ::1] rows
        if count:
            rows = checked(kernel, (count, width))
            if width < count or any(name >= width - count for name in self.learner.members()):
                raise OnlineError(f"a kernel of {width} columns lacks those of the members or of the run")
            with nogil:
                self.learner.run(count, width, &signs[0], &rows[0, 0], &values[0], &mistakes[0], &support[0])
        return found | {"members": self.members(), "coefficients": self.coefficients()}

    def members(self):
        """Return the columns of the members, oldest first."""
        return int64_array(self.learner.members())

    def coefficients(self):
        """Return the signed coefficients of the members, oldest first."""
        return float64_array(self.learner.coefficients())

    def name_members(self, names):
        """Set the columns of the next kernel in which the members are."""
        cdef int64_t i
        if len(names) != self.learner.size():
            raise OnlineError(f"{len(names)} names for {self.learner.size()} members")
        for i in range(self.learner.size()):
            self.learner.set_member(i, names[i])

    def contents(self):
        """Return the saved form of the learner."""
        cdef int64_t size = self.learner.size(), i, j
        gram, factor = np.zeros((size, size)), np.zeros((size, size))
        cdef double[:, ::1] gram_view = gram, factor_view = factor
        for i in range(size):
            for j in range(size):
                gram_view[i, j] = self.learner.gram(i, j)
                if j <= i:
                    factor_view[i, j] = self.learner.factor(i, j)
        arrays = {
            "members": self.members(), "coefficients": self.coefficients(), "gram": gram, "factor": factor,
            "values": np.array([self.learner.value(i) for i in range(size)], dtype=np.float64),
        }
        settings = {
            "rule": self.rule, "budget": self.learner.budget, "eta": self.learner.eta,
            "dynamic_eta": bool(self.learner.dynamic_eta), "seen": self.learner.seen,
            "mistakes": self.learner.mistakes, "damage": self.learner.damage,
            "random_state": self.learner.random_state, "removals": self.learner.removals(),
        }
        return Contents(arrays, settings)

    @staticmethod
    def from_contents(contents):
        """Rebuild a learner from its `contents()`."""
        cdef BudgetedRun made = BudgetedRun(
            contents.choice("rule", tuple(BUDGET_RULES)), budget=contents.integer("budget", -1, MOST_SEEN),
            eta=contents.number("eta"), dynamic_eta=contents.flag("dynamic_eta"),
            seed=contents.integer("random_state", 0, 2**64 - 1),
        )
        made.fill(contents)
        made.learner.seen = contents.integer("seen", 0, MOST_SEEN)
        made.learner.mistakes = contents.integer("mistakes", 0, MOST_SEEN)
        made.learner.damage = contents.number("damage")
        return made

    cdef fill(self, contents):
        members = contents.array("members", np.int64, minimum=0)
        size = members.size
        cdef const double[::1] coefficients = contents.array("coefficients", np.float64, shape=(size,))
        cdef const double[::1] values = contents.array("values", np.float64, shape=(size,))
        cdef const double[:, ::1] gram = contents.array("gram", np.float64, shape=(size, size))
        cdef const double[:, ::1] factor = contents.array("factor", np.float64, shape=(size, size))
        removals = contents.integer("removals", 0, MOST_SEEN)
        if size:
            self.learner.restore(size, &coefficients[0], &values[0], &gram[0, 0], &factor[0, 0], removals)
        self.name_members(members)

    def __reduce__(self):
        return BudgetedRun.from_contents, (self.contents(),)


cdef checked(given, shape):
    array = np.ascontiguousarray(given, dtype=np.float64)
    if array.shape != shape:
        raise OnlineError(f"an array should have the shape {shape}, not {array.shape}")
    if array.size and not np.isfinite(array.min() + array.max()):
        raise OnlineError("kernel values, labels and weights must be finite numbers")
    return array
