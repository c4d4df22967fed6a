"""Passive-aggressive regression: an example is added when its value leaves the tube around its target."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kakari.kernels.solvers.online import AdditiveRun, OnlineError
from kakari.kernels.trees.given_kernel import as_kernel
from kakari.models.machines.examples import take
from kakari.models.machines.supports import KernelSum
from kakari.models.regression.regressor import KernelRegressor, Numbers

RULES = ("pa", "pa-1", "pa-2")


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
