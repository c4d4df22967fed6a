"""Regression over any kernel: ε-support vectors in a batch, and passive-aggressive from a stream.

Values within ε of their target cost nothing. The batch machine solves the dual of `KernelSVC` with each example twice,
once for each side of its tube; the online one adds an example when its value leaves the tube.
"""

from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.validation import _check_sample_weight

from kakari.kernels.solvers.dual import DualError, GramCache, solve
from kakari.kernels.solvers.online import AdditiveRun, OnlineError
from kakari.kernels.trees.given_kernel import as_kernel
from kakari.models.machines.examples import ExampleReader, count, take
from kakari.models.machines.supports import KernelSum
from kakari.models.machines.svm import MOST_STEPS, KernelBlocks
from kakari.models.machines.validation import NotLearntError, checked_for_learning, kernel_tags

Numbers = NDArray[np.float64]
RULES = ("pa", "pa-1", "pa-2")


class KernelRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """What regressors over kernels share: reading examples, and predicting.

    Examples
    --------
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> KernelSVR(VectorKernel("linear")).predict([[1.0]])
    Traceback (most recent call last):
        ...
    kakari.models.machines.validation.NotLearntError: this regressor has learnt nothing yet
    """

    kernel: Any
    threads: int = 1

    def __sklearn_tags__(self) -> Any:
        return kernel_tags(super().__sklearn_tags__(), self.kernel)

    def predict(self, X: Any) -> Numbers:
        """Return the value of every example."""
        if not self.__sklearn_is_fitted__():
            raise NotLearntError("this regressor has learnt nothing yet")
        data = self._reader.read(checked_for_learning(self, X, reset=False))
        return self._values(data)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_sum")

    def _values(self, data: Any) -> Numbers:
        raise NotImplementedError

    def _read(self, X: Any, y: ArrayLike, *, fresh: bool) -> tuple[Any, Numbers]:
        if fresh:
            self._reader = ExampleReader(as_kernel(self.kernel))
        data = self._reader.read(checked_for_learning(self, X, reset=fresh), learn=True)
        if y is None:
            raise ValueError("this regressor requires y to be passed, but the target y is None")
        targets: Numbers = column_or_1d(y, dtype=np.float64, warn=True)
        assert_all_finite(targets, input_name="y")
        if targets.shape != (count(data),):
            raise ValueError(f"{count(data)} examples, but targets of the shape {targets.shape}")
        return data, targets


class KernelSVR(KernelRegressor):
    """ε-support vector regression over any of our kernels, with scikit-learn's interface.

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel, a sum or product of such, an object with `gram` and `diagonal`, or "precomputed"
    C : float
        The largest coefficient of an example: what being outside of the tube costs.
    epsilon : float
        Half the width of the tube within which nothing is lost.
    bias : bool
        Whether a constant is learnt, too.
    tolerance, max_steps, cache_limit, threads
        As of `KernelSVC`.

    Attributes
    ----------
    support_ : array of int
        Examples with a coefficient.
    dual_coef_ : array, one number for each of them
    intercept_ : float

    Examples
    --------
    How many words a sentence has, learnt from trees:

    >>> from kakari import KernelSVR, TreeKernel
    >>> trees = ["(S (N we))", "(S (N we) (V go))", "(S (N we) (V go) (A on))"]
    >>> svr = KernelSVR(TreeKernel("ptk", normalize=False), C=1000, epsilon=0.01).fit(trees, [1, 2, 3])
    >>> svr.predict(trees).round(1).tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(
        self,
        kernel: Any,
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
        bias: bool = True,
        tolerance: float = 1e-3,
        max_steps: int | None = None,
        cache_limit: int = 2**30,
        threads: int = 1,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.bias = bias
        self.tolerance = tolerance
        self.max_steps = max_steps
        self.cache_limit = cache_limit
        self.threads = threads

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> KernelSVR:
        """Train; `sample_weight` says what being outside of the tube costs for each example, times C."""
        for name, value, low in (("C", self.C, 0), ("tolerance", self.tolerance, 0), ("epsilon", self.epsilon, -1)):
            if not isinstance(value, numbers.Real) or not low < value < float("inf") or value < 0:
                raise DualError(f"{name} must be {'at least' if low else 'above'} 0, not {value!r}")
        data, targets = self._read(X, y, fresh=True)
        weights = np.ones(targets.size)
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, targets, dtype=np.float64, ensure_non_negative=True)
        kernel = self._reader.kernel
        cache = GramCache(
            kernel.diagonal(data, threads=self.threads),
            KernelBlocks(kernel, data, self.threads),
            limit=self.cache_limit,
        )
        rows = np.arange(targets.size)
        found = solve(
            cache,
            np.repeat([1.0, -1.0], targets.size),
            self.C * np.concatenate([weights, weights]),
            members=np.concatenate([rows, rows]),
            targets=np.concatenate([targets - self.epsilon, targets + self.epsilon]),
            bias=self.bias,
            tolerance=self.tolerance,
            max_steps=max(MOST_STEPS, 100 * targets.size) if self.max_steps is None else self.max_steps,
        )
        if not found["converged"]:
            reason = f"the machine stopped after {found['steps']} steps, {found['gap']:.2g} from optimal"
            warnings.warn(reason, ConvergenceWarning, stacklevel=2)
        coefficients = found["coefficients"].reshape(2, targets.size).sum(axis=0)
        self.support_ = np.flatnonzero(coefficients)
        self.dual_coef_, self.intercept_ = coefficients[self.support_], float(found["bias"])
        self.objective_, self.steps_ = float(found["objective"]), int(found["steps"])
        self._sum = KernelSum(kernel, 1)
        self._sum.add(take(data, self.support_), self.dual_coef_[:, None])
        return self

    def _values(self, data: Any) -> Numbers:
        return self._sum.evaluate(data, threads=self.threads)[:, 0] + self.intercept_


class OnlineRegressor(KernelRegressor):
    """Passive-aggressive regression over any of our kernels, from a stream.

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel, a sum or product of such, or an object with `gram` and `diagonal`
    algorithm : {"pa-1", "pa-2", "pa"}
    C : float
        Aggressiveness of ``pa-1`` and ``pa-2``.
    epsilon : float
        Half the width of the tube within which nothing is learnt.
    averaged : bool
        Predict by the average of all models that there were.
    run_length : int
        Examples whose Gram matrix is worked out at a time; changes speed and rounding only.

    Attributes
    ----------
    support_size_ : int
        Examples that the model holds.

    Examples
    --------
    >>> from kakari import OnlineRegressor, VectorKernel
    >>> learner = OnlineRegressor(VectorKernel("linear"), epsilon=0.0, averaged=False)
    >>> for x in [1.0, -2.0, 3.0]:
    ...     learner = learner.partial_fit([[x]], [2 * x])
    >>> learner.predict([[5.0]]).tolist()
    [10.0]
    """

    def __init__(
        self,
        kernel: Any,
        algorithm: str = "pa-1",
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
        averaged: bool = True,
        run_length: int = 256,
    ) -> None:
        self.kernel = kernel
        self.algorithm = algorithm
        self.C = C
        self.epsilon = epsilon
        self.averaged = averaged
        self.run_length = run_length

    def fit(self, X: Any, y: ArrayLike, *, passes: int = 1) -> OnlineRegressor:
        """Learn from nothing, in the given order, in one pass or several."""
        data, targets = self._read(X, y, fresh=True)
        self._start()
        for _ in range(passes):
            self._learn(data, targets)
        return self

    def partial_fit(self, X: Any, y: ArrayLike) -> OnlineRegressor:
        """Learn from more examples."""
        if as_kernel(self.kernel).takes == "kernel values":
            raise OnlineError("a stream has no matrix of kernel values: call fit")
        fresh = not self.__sklearn_is_fitted__()
        data, targets = self._read(X, y, fresh=fresh)
        if fresh:
            self._start()
        self._learn(data, targets)
        return self

    @property
    def support_size_(self) -> int:
        """Examples that the model holds."""
        return self._run.updates

    def _start(self) -> None:
        if self.algorithm not in RULES:
            raise OnlineError(f"there is no learner {self.algorithm!r}: take one of {', '.join(RULES)}")
        for name, value, least in (("C", self.C, np.finfo(float).tiny), ("epsilon", self.epsilon, 0.0)):
            if not isinstance(value, numbers.Real) or not least <= value < float("inf"):
                raise OnlineError(f"{name} must be {'above' if least else 'at least'} 0, not {value!r}")
        self._run = AdditiveRun(self.algorithm, aggressiveness=float(self.C))
        self._sum = KernelSum(self._reader.kernel, 2)  # the model, and what was added late

    def _learn(self, data: Any, targets: Numbers) -> None:
        for start in range(0, targets.size, self.run_length):
            rows = np.arange(start, min(start + self.run_length, targets.size))
            part = take(data, rows)
            values = self._sum.evaluate(part)[:, 0]
            gram = self._reader.kernel.gram(part)
            found = self._run.run_numbers(targets[rows], gram, values, epsilon=float(self.epsilon))
            added = np.flatnonzero(found["coefficients"])
            own = found["coefficients"][added]
            self._sum.add(take(part, added), np.stack([own, own * found["clocks"][added]], axis=1))

    def _values(self, data: Any) -> Numbers:
        values = self._sum.evaluate(data)
        if not self.averaged:
            return values[:, 0]
        clock = self._run.clock
        return np.asarray(values[:, 0] - values[:, 1] / (clock or 1.0))
