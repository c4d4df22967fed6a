"""Base of batch learners over kernels: reading labelled examples, and the finished machines."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from kakari.kernels.solvers.dual import DualError
from kakari.kernels.trees.given_kernel import as_kernel
from kakari.models.machines.exact import Lesson
from kakari.models.machines.examples import ExampleReader
from kakari.models.machines.kernel_classifier import SCHEMES, KernelClassifier
from kakari.models.machines.validation import NotLearntError, checked_for_learning, checked_labels, kernel_tags
from kakari.models.polynomial.estimator import example_weights
from kakari.models.voting import decide


class BatchClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that learns from all examples at once: `KernelSVC` and `SDAG` derive from it.

    Examples
    --------
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> from kakari.models.machines.svm import KernelSVC
    >>> KernelSVC(TreeKernel("stk")).predict(["(S (N dogs))"])
    Traceback (most recent call last):
        ...
    kakari.models.machines.validation.NotLearntError: this classifier has learnt nothing yet
    """

    kernel: Any
    C: float
    multiclass: str
    class_weight: Mapping[Any, float] | str | None
    threads: int = 1

    def __sklearn_tags__(self) -> Any:
        return kernel_tags(super().__sklearn_tags__(), self.kernel)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_finished")

    def decision_function(self, X: Any, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the value of every example: one number for two classes, else one for each class."""
        machines = self.finished()
        data = checked_for_learning(self, X, reset=False)
        return machines.decision_function(data, threads=self.threads if threads is None else threads)

    def predict(self, X: Any, *, threads: int | None = None) -> NDArray[Any]:
        """Return the class of every example."""
        return np.take(self.finished().classes, decide(self.decision_function(X, threads=threads)))

    def finished(self) -> KernelClassifier:
        """Return the trained machines alone, as a model that predicts and can be saved."""
        if not hasattr(self, "_finished"):
            raise NotLearntError("this classifier has learnt nothing yet")
        return self._finished

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the trained machines to a file; `KernelClassifier.load` reads it."""
        self.finished().save(path)

    def _read(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, *, finite: bool = True) -> Lesson:
        if self.multiclass not in SCHEMES:
            raise DualError(f"multiclass is one of {', '.join(SCHEMES)}, not {self.multiclass!r}")
        kernel = as_kernel(self.kernel)
        reader = ExampleReader(kernel)
        data = reader.read(checked_for_learning(self, X, finite=finite), learn=True)
        names = checked_labels(y, data)
        classes, class_numbers = np.unique(names, return_inverse=True)
        if classes.size < 2:
            raise DualError(f"learning needs examples of two classes, but there is {classes.size} class")
        weights = example_weights(names, classes, sample_weight, self.class_weight)
        costs = self.C * (np.ones(names.size) if weights is None else weights)
        return Lesson(data, class_numbers, classes, costs, reader.treebank, kernel)

    def _finish(self, machines: KernelClassifier) -> None:
        self.classes_, self.treebank_ = machines.classes, machines.treebank
        self._finished = machines
