"""What regressors over kernels share: reading examples with numbers, and predicting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import assert_all_finite, column_or_1d

from kakari.kernels.trees.given_kernel import as_kernel
from kakari.models.machines.examples import ExampleReader, count
from kakari.models.machines.validation import NotLearntError, checked_for_learning, kernel_tags

Numbers = NDArray[np.float64]


class KernelRegressor(RegressorMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """What regressors over kernels share: reading examples, and predicting.

    Examples
    --------
    >>> from kakari import KernelSVR, VectorKernel
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

    @abstractmethod
    def _values(self, data: Any) -> Numbers:
        """Return the values of examples that were read."""

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
