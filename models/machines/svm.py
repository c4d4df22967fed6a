"""Batch support vector machines over tree kernels, vector kernels and their combinations.

All machines of a classifier learn from one Gram cache: the kernel of two examples is computed once, however many
classes there are. The result is one weighted sum of kernels with an output for each machine.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from kakari.kernels.trees.tree_kernel import TreeKernel  # noqa: F401  (for the examples)
from kakari.models.machines.batch import BatchClassifier
from kakari.models.machines.exact import ExactOptions, Progress, train_machines

if TYPE_CHECKING:
    from kakari.models.polynomial.classifier import Classifier


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
        options = self._options()
        options.check()
        lesson = self._read(X, y, sample_weight, finite=False)  # the cache looks at all kernel values
        trained = train_machines(lesson, options, progress)
        if late := trained.late():
            warnings.warn(late, ConvergenceWarning, stacklevel=2)
        self.support_ = trained.numbers
        self.support_examples_, self.dual_coef_ = trained.support.examples, trained.support.coefficients
        self.kernel_evaluations_ = trained.evaluations
        self.intercept_ = trained.machines.intercepts
        self.objectives_ = np.array([one["objective"] for one in trained.found])
        self.steps_ = np.array([one["steps"] for one in trained.found])
        self._finish(trained.machines)
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

    def _options(self) -> ExactOptions:
        return ExactOptions(**{one.name: getattr(self, one.name) for one in fields(ExactOptions)})
