"""The exact support vector machine without an estimator around it: all machines of a classifier from one Gram cache.

`KernelSVC` and the command line train by the same function. This module does not import scikit-learn, which would take
more memory than the kernel values of some thousand examples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.solvers.dual import DualError, GramCache, solve
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.given_kernel import GramRows
from kakari.kernels.trees.parameters import SumKernel, of, weighted
from kakari.kernels.trees.tree_kernel import TreeColumns, TreeKernel
from kakari.models.machines.examples import count, kept, take
from kakari.models.machines.kernel_classifier import SCHEMES, KernelClassifier, Support
from kakari.models.treebank import Treebank
from kakari.models.voting import binary_problems, machines_needed

Progress = Callable[[int, int, int, float], object]
MOST_STEPS = 10_000_000  # of one machine


@dataclass(frozen=True)
class Lesson:
    """Training data: examples as their kernel takes them, the class number of each, and the cost of an error on it."""

    data: Any
    class_numbers: NDArray[np.int64]
    classes: NDArray[Any]
    costs: NDArray[np.float64]
    treebank: Treebank | None
    kernel: Any


@dataclass(frozen=True)
class ExactOptions:
    """Options of the exact machine, as `KernelSVC` explains them."""

    C: float = 1.0
    multiclass: str = "ovr"
    cost_factor: float = 1.0
    bias: bool = True
    tolerance: float = 1e-3
    warm_start: bool = False
    max_steps: int | None = None
    cache_limit: int = 2**30
    threads: int = 1

    def check(self) -> None:
        """Raise an error if an option has no meaning."""
        for name, value in (("C", self.C), ("cost_factor", self.cost_factor), ("tolerance", self.tolerance)):
            if not isinstance(value, Real) or not 0 < value < float("inf"):
                raise DualError(f"{name} must be above 0, not {value!r}")
        if self.multiclass not in SCHEMES:
            raise DualError(f"multiclass is one of {', '.join(SCHEMES)}, not {self.multiclass!r}")


@dataclass(frozen=True)
class Trained:
    """Trained machines: the finished classifier, its support with their numbers, and how training went."""

    machines: KernelClassifier
    numbers: NDArray[np.int64]
    support: Support
    found: list[dict[str, Any]]
    evaluations: int

    def late(self) -> str:
        """Return what to warn of: machines that stopped before their optimum; empty if there are none.

        Examples
        --------
        >>> found = [{"converged": True, "steps": 9, "gap": 0.0}]
        >>> Trained(None, np.zeros(0), None, found, 0).late()
        ''
        """
        late = [one for one in self.found if not one["converged"]]
        if not late:
            return ""
        reason = f"{len(late)} machines stopped after {max(one['steps'] for one in late)} steps, up to"
        return f"{reason} {max(one['gap'] for one in late):.2g} from optimal"


def train_machines(lesson: Lesson, options: ExactOptions, progress: Progress | None = None) -> Trained:
    """Train the machines of all classes, or of all pairs.

    Examples
    --------
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> from scipy import sparse
    >>> rows, numbers = sparse.csr_array([[1.0], [-1.0]]), np.array([1, 0])
    >>> lesson = Lesson(rows, numbers, np.array(["no", "yes"]), np.ones(2), None, VectorKernel("linear"))
    >>> train_machines(lesson, ExactOptions()).machines.predict([[3.0], [-2.0]]).tolist()
    ['yes', 'no']
    """
    options.check()
    order = np.arange(lesson.class_numbers.size)
    if options.multiclass == "ovo" and lesson.classes.size > 2:  # a machine of two classes reads rows in two pieces
        order = np.argsort(lesson.class_numbers, kind="stable")
    coefficients = np.empty((order.size, machines_needed(lesson.classes.size, options.multiclass)))
    cache = _cache(lesson, order, options)
    coefficients[order], found = _solved(cache, lesson.class_numbers[order], lesson.costs[order], options, progress)
    evaluations = cache.evaluations
    del cache  # the finished machines need its memory
    numbers = np.flatnonzero(coefficients.any(axis=1))
    support = Support(kept(lesson.data, numbers), coefficients[numbers])
    intercepts = np.array([one["bias"] for one in found])
    machines = KernelClassifier.from_support(
        lesson.kernel,
        support,
        intercepts,
        lesson.classes,
        options.multiclass,
        lesson.treebank,
    )
    return Trained(machines, numbers, support, found, evaluations)


def _cache(lesson: Lesson, order: NDArray[np.int64], options: ExactOptions) -> GramCache:
    """Return a cache of kernel values of the examples in this order."""
    if isinstance(lesson.data, GramRows):
        values = lesson.data.values
        cache = GramCache(
            lesson.kernel.diagonal(lesson.data)[order],
            lambda rows, first: values[np.ix_(order[rows], order[first:])],
            limit=options.cache_limit,
            matrix=values,
            order=order,
        )
        if not cache.complete:  # it will look at some rows only
            from sklearn.utils import assert_all_finite

            assert_all_finite(values)
        return cache
    data = lesson.data if np.array_equal(order, np.arange(order.size)) else take(lesson.data, order)
    return GramCache(
        lesson.kernel.diagonal(data, threads=options.threads),
        KernelBlocks(lesson.kernel, data, options.threads),
        limit=options.cache_limit,
        # rows of trees cost little one by one
        lazy=lesson.classes.size == 2 and isinstance(lesson.kernel, TreeKernel),
    )


def _solved(
    cache: GramCache,
    class_numbers: NDArray[np.int64],
    costs: NDArray[np.float64],
    options: ExactOptions,
    progress: Progress | None,
) -> tuple[NDArray[np.float64], list[dict[str, Any]]]:
    """Return coefficients, a row an example and a column a machine, and what the solver tells of each machine."""
    problems = binary_problems(class_numbers, int(class_numbers.max()) + 1, options.multiclass)
    coefficients = np.zeros((len(cache), len(problems)))
    found: list[dict[str, Any]] = []
    for machine, (members, signs) in enumerate(problems):
        rows = np.arange(len(cache)) if members is None else members
        start = None
        if options.warm_start and members is None and machine:
            start = np.abs(coefficients[:, machine - 1]) * signs
        one = solve(
            cache,
            signs,
            costs[rows] * np.where(signs > 0, options.cost_factor, 1.0),
            members=rows,
            start=start,
            bias=options.bias,
            tolerance=options.tolerance,
            max_steps=max(MOST_STEPS, 100 * rows.size) if options.max_steps is None else options.max_steps,
            progress=machine_progress(progress, machine, len(problems)),
        )
        coefficients[rows, machine] = one.pop("coefficients")
        found.append(one)
    return coefficients, found


class KernelBlocks:
    """Computes blocks of a Gram matrix for a `GramCache`.

    The distinct subtrees of the columns are found once and kept.

    Examples
    --------
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> from scipy import sparse
    >>> KernelBlocks(VectorKernel("linear"), sparse.csr_array([[1.0], [2.0]]), 1)(np.array([1]), 0).tolist()
    [[2.0, 4.0]]
    """

    def __init__(self, kernel: Any, examples: Any, threads: int) -> None:
        self.kernel, self.examples, self.threads = kernel, examples, threads
        self._columns: dict[str, TreeColumns] = {}  # of each tree kernel

    def __call__(self, rows: NDArray[np.int64], first: int) -> NDArray[np.float64]:
        """Return the kernel of these examples with all from `first` on."""
        return self._block(self.kernel, self.examples, rows, first)

    def _block(self, kernel: Any, examples: Any, rows: NDArray[np.int64], first: int) -> NDArray[np.float64]:
        if isinstance(kernel, CombinedKernel):
            trees = kernel.tree_weight * self._block(kernel.tree, examples[0], rows, first)
            vectors = self._block(kernel.vector, examples[1], rows, first)
            return trees + vectors if kernel.operation == "+" else trees * vectors
        if isinstance(kernel, SumKernel):
            each = [self._block(own, of(examples, kernel.part_of(own)), rows, first) for own in kernel.kernels]
            return weighted(each, kernel.factors())
        if isinstance(kernel, TreeKernel) and rows.size < count(examples):
            if repr(kernel) not in self._columns:
                self._columns[repr(kernel)] = TreeColumns(kernel)
                self._columns[repr(kernel)].extend(examples)
            return self._columns[repr(kernel)].rows(take(examples, rows), first=first, threads=self.threads)
        columns = examples if first == 0 else take(examples, np.arange(first, count(examples)))
        values: NDArray[np.float64] = kernel.gram(take(examples, rows), columns, threads=self.threads)
        return values


def machine_progress(progress: Progress | None, machine: int, machines: int) -> Callable[[int, float], object] | None:
    """Forward the progress of one machine (steps, distance from the optimum) to a listener of all machines.

    Examples
    --------
    >>> machine_progress(print, 0, 6)(10, 0.5)
    0 6 10 0.5
    """
    return None if progress is None else lambda steps, gap: progress(machine, machines, steps, gap)
