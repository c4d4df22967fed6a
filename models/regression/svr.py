"""ε-support vector regression: the dual of `KernelSVC` with each example twice, once for each side of its tube."""

from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight

from kakari.kernels.solvers.dual import DualError, GramCache, solve
from kakari.models.machines.exact import MOST_STEPS, KernelBlocks
from kakari.models.machines.examples import take
from kakari.models.machines.supports import KernelSum
from kakari.models.regression.regressor import KernelRegressor, Numbers


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
