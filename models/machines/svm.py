"""Batch support vector machines over tree kernels, vector kernels and their combinations.

All machines of a classifier learn from one Gram cache: the kernel of two examples is computed once, however many
classes there are. The result is one weighted sum of kernels with an output for each machine.
"""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import assert_all_finite

from kakari.kernels.solvers.dual import DualError, GramCache, solve
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.given_kernel import GramRows
from kakari.kernels.trees.parameters import SumKernel, of, weighted
from kakari.kernels.trees.tree_kernel import TreeColumns, TreeKernel
from kakari.models.machines.batch import BatchClassifier, Lesson, Progress, machine_progress
from kakari.models.machines.examples import count, kept, take
from kakari.models.machines.kernel_classifier import KernelClassifier, Support
from kakari.models.voting import binary_problems, machines_needed

if TYPE_CHECKING:
    from kakari.models.polynomial.classifier import Classifier


MOST_STEPS = 10_000_000  # of one machine


class KernelSVC(BatchClassifier):
    """A support vector classifier over any kernel, with scikit-learn's interface.

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel, a sum or product of these, an object with `gram` and `diagonal`, or "precomputed"
    C : float
        The cost of an error: the largest coefficient of an example.
    multiclass : {"ovr", "ovo"}
        For three and more classes: each against the rest, or votes over all pairs.
    class_weight : dict, "balanced" or None
        Factors of C for errors on examples of each class.
    cost_factor : float
        Factor of C for errors on the positive side of each machine: SVM-light's `-j`.
    bias : bool
        Whether each machine learns a constant too.
    tolerance : float
        How far from optimal a gradient may be.
    warm_start : bool
        Whether each machine of "ovr" starts from the coefficients that its examples had in the one before, with the
        signs of its own. The optimum is the same. (Six question classes took a sixth more steps with it, so it is
        off by default.)
    max_steps : int or None
        Stop a machine after this many steps, with a warning; None stops it after ten million, or a hundred for each
        example if that is more. Kernel values are held in single precision, so that a tolerance far below 1e-6 times
        the largest of them cannot be reached: scale your data.
    cache_limit : int
        Bytes of memory for kernel values (4 a pair of examples).
    threads : int
        Threads for kernel values; the result is the same.

    Attributes
    ----------
    classes_ : array
    support_ : array of int
        Examples with a coefficient in some machine; `support_examples_` are these examples.
    dual_coef_ : array, one row for each of them, one column a machine
    intercept_, objectives_, steps_ : arrays, one entry a machine
    kernel_evaluations_ : int

    Examples
    --------
    >>> trees = ["(S (N dogs) (V bark))", "(S (N cats) (V purr))", "(Q (W who))", "(Q (W what))"]
    >>> svc = KernelSVC(TreeKernel("stk"), C=10).fit(trees, ["told", "told", "asked", "asked"])
    >>> svc.predict(["(Q (W where))", "(S (N birds) (V sing))"]).tolist()
    ['asked', 'told']
    """

    def __init__(
        self,
        kernel: Any,
        *,
        C: float = 1.0,
        multiclass: str = "ovr",
        class_weight: Mapping[Any, float] | str | None = None,
        cost_factor: float = 1.0,
        bias: bool = True,
        tolerance: float = 1e-3,
        warm_start: bool = False,
        max_steps: int | None = None,
        cache_limit: int = 2**30,
        threads: int = 1,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.multiclass = multiclass
        self.class_weight = class_weight
        self.cost_factor = cost_factor
        self.bias = bias
        self.tolerance = tolerance
        self.warm_start = warm_start
        self.max_steps = max_steps
        self.cache_limit = cache_limit
        self.threads = threads

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        progress: Progress | None = None,
    ) -> KernelSVC:
        """Train all machines.

        Parameters
        ----------
        X
            Trees, vectors or a pair of both, as the kernel takes them (`models/machines/examples`).
        y : array
            The class of each example.
        sample_weight : array, optional
            Factor of C for errors on each example.
        progress : callable, optional
            Called with the machine's number, how many there are, its steps so far, and its largest violation.
        """
        self._check_options()
        lesson = self._read(X, y, sample_weight, finite=False)  # the cache looks at all kernel values
        order = np.arange(lesson.class_numbers.size)
        if self.multiclass == "ovo" and lesson.classes.size > 2:  # a machine of two classes reads rows in two pieces
            order = np.argsort(lesson.class_numbers, kind="stable")
        coefficients = np.empty((order.size, machines_needed(lesson.classes.size, self.multiclass)))
        cache = self._cache(lesson, order)
        coefficients[order] = self._train(cache, lesson.class_numbers[order], lesson.costs[order], progress)
        self.support_ = np.flatnonzero(coefficients.any(axis=1))
        self.support_examples_ = kept(lesson.data, self.support_)
        self.dual_coef_ = coefficients[self.support_]
        self.kernel_evaluations_ = cache.evaluations
        support = Support(self.support_examples_, self.dual_coef_)
        self._finish(
            KernelClassifier.from_support(
                lesson.kernel, support, self.intercept_, lesson.classes, self.multiclass, lesson.treebank
            )
        )
        return self

    def freeze(self, *, kind: str = "expansion", **options: Any) -> Classifier:
        """Return the trained machines frozen, if they have a polynomial kernel over binary features.

        Options are those of `kakari.freeze`: `sigma`, `minimum_support` and `keep` prune mined conjunctions, and
        `weights` says how they are stored. The result takes feature sets.

        Examples
        --------
        >>> from kakari.kernels.sets.featuresets import FeatureSets
        >>> from kakari.kernels.trees.vector_kernel import VectorKernel
        >>> X = [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
        >>> svc = KernelSVC(VectorKernel("polynomial", degree=2), C=100).fit(X, ["same", "other", "other", "same"])
        >>> svc.freeze().predict(FeatureSets.from_lists([[0, 1], [0]]))
        ['same', 'other']
        """
        from kakari.models.machines.polynomial_form import polynomial_form

        return polynomial_form(self.finished()).shrunk(kind=kind, **options)

    def _check_options(self) -> None:
        for name, value in (("C", self.C), ("cost_factor", self.cost_factor), ("tolerance", self.tolerance)):
            if not isinstance(value, numbers.Real) or not 0 < value < float("inf"):
                raise DualError(f"{name} must be above 0, not {value!r}")

    def _cache(self, lesson: Lesson, order: NDArray[np.int64]) -> GramCache:
        """Return a cache of kernel values of the examples in this order."""
        if isinstance(lesson.data, GramRows):
            values = lesson.data.values
            cache = GramCache(
                lesson.kernel.diagonal(lesson.data)[order],
                lambda rows, first: values[np.ix_(order[rows], order[first:])],
                limit=self.cache_limit,
                matrix=values,
                order=order,
            )
            if not cache.complete:  # it will look at some rows only
                assert_all_finite(values)
            return cache
        data = lesson.data if np.array_equal(order, np.arange(order.size)) else take(lesson.data, order)
        return GramCache(
            lesson.kernel.diagonal(data, threads=self.threads),
            KernelBlocks(lesson.kernel, data, self.threads),
            limit=self.cache_limit,
            # rows of trees cost little one by one
            lazy=lesson.classes.size == 2 and isinstance(lesson.kernel, TreeKernel),
        )

    def _train(
        self,
        cache: GramCache,
        class_numbers: NDArray[np.int64],
        costs: NDArray[np.float64],
        progress: Progress | None,
    ) -> NDArray[np.float64]:
        problems = binary_problems(class_numbers, int(class_numbers.max()) + 1, self.multiclass)
        coefficients = np.zeros((len(cache), len(problems)))
        found: list[dict[str, Any]] = []
        for machine, (members, signs) in enumerate(problems):
            rows = np.arange(len(cache)) if members is None else members
            start = None
            if self.warm_start and members is None and machine:
                start = np.abs(found[-1]["coefficients"]) * signs
            found.append(
                solve(
                    cache,
                    signs,
                    costs[rows] * np.where(signs > 0, self.cost_factor, 1.0),
                    members=rows,
                    start=start,
                    bias=self.bias,
                    tolerance=self.tolerance,
                    max_steps=max(MOST_STEPS, 100 * rows.size) if self.max_steps is None else self.max_steps,
                    progress=machine_progress(progress, machine, len(problems)),
                )
            )
            coefficients[rows, machine] = found[-1]["coefficients"]
        late = [one for one in found if not one["converged"]]
        if late:
            reason = f"{len(late)} machines stopped after {max(one['steps'] for one in late)} steps, up to"
            warnings.warn(
                f"{reason} {max(one['gap'] for one in late):.2g} from optimal", ConvergenceWarning, stacklevel=3
            )
        self.intercept_ = np.array([one["bias"] for one in found])
        self.objectives_ = np.array([one["objective"] for one in found])
        self.steps_ = np.array([one["steps"] for one in found])
        return coefficients


class KernelBlocks:
    """Computes blocks of a Gram matrix for a `GramCache`.

    For single rows, the distinct subtrees of the columns are found once and kept.

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
        if isinstance(kernel, TreeKernel) and rows.size < count(examples) - first and first == 0:
            if repr(kernel) not in self._columns:
                self._columns[repr(kernel)] = TreeColumns(kernel)
                self._columns[repr(kernel)].extend(examples)
            return self._columns[repr(kernel)].rows(take(examples, rows), threads=self.threads)
        columns = examples if first == 0 else take(examples, np.arange(first, count(examples)))
        values: NDArray[np.float64] = kernel.gram(take(examples, rows), columns, threads=self.threads)
        return values
