"""Online learners over tree kernels, vector kernels and their combinations.

`OnlineClassifier` reads a stream in runs of a few hundred examples. Of a run it needs the Gram matrix and the
values under the model so far, which all classes share; the updates themselves are loops over these numbers
(`kakari.kernels.solvers.online`). Additive learners over trees grow a forest DAG, the others keep their support set.
"""

from __future__ import annotations

import numbers
import os
import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from kakari.kernels.solvers.online import OnlineError
from kakari.kernels.trees.given_kernel import as_kernel
from kakari.models.machines.examples import ExampleReader, take
from kakari.models.machines.kernel_classifier import SCHEMES, KernelClassifier, Support
from kakari.models.machines.online_machines import (
    ADDITIVE,
    ALGORITHMS,
    FORGETTING,
    PROJECTING,
    AdditiveMachine,
    BudgetedMachine,
    algorithm_named,
)
from kakari.models.machines.validation import NotLearntError, checked_for_learning, checked_labels, kernel_tags
from kakari.models.voting import binary_problems, decide, machines_needed, multiclass_margins


class OnlineClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that learns from a stream; all classes share kernel evaluations.

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel, a sum or product of these, an object with `gram` and `diagonal`, or "precomputed"
        With "precomputed", `fit` takes the kernel of each example with each as X; `partial_fit` is not possible.
    algorithm : str
        One of `ALGORITHMS`, or SVM-Light-TK's name of one (``pai``, ``paii``, ``tunedforgetron``,
        ``greedyforgetron``). ``dynamic-pa-1`` sets its own aggressiveness: C (1 − e) / √(1 + e t) after t
        examples of which the share e was mistaken. ``forgetful-projectron`` always keeps the newest example
        and projects the oldest onto the others.
    C : float
        Aggressiveness of ``pa-1``, ``pa-2`` and ``dynamic-pa-1``.
    budget : int, optional
        The most members of a class's support set, at every step. The Projectrons do not need one.
    eta : float or "dynamic"
        η of the Projectrons: how far from the span of the members an example may be to be projected;
        "dynamic" derives it from the budget at every step.
    multiclass : {"ovr", "ovo"}
        For three and more classes: each against the rest, or votes over all pairs.
    seed : int
        For ``random-budget``, and for shuffling.
    run_length : int
        Number of examples whose Gram matrix is computed at a time; changes speed and rounding only.
    record : bool
        Keep the curve of the stream in `curve_`.
    keep_support : bool
        Whether additive learners keep the examples of their updates, too, so that `finished()` can be written for
        SVM-Light-TK. Others keep theirs anyway.

    Attributes
    ----------
    classes_ : array
    mistakes_, support_sizes_ : arrays of int
        One entry for each machine (one for two classes, else one a class or one a pair).
    curve_ : dict of lists
        With `record`, an entry a run: arrays `mistakes` and `support` (examples by machines), and `seconds` (CPU).

    Examples
    --------
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> learner = OnlineClassifier(VectorKernel("linear"), "averaged")
    >>> learner = learner.fit([[1.0, 0.0], [0.0, 1.0], [1.0, 0.5]], ["a", "b", "a"])
    >>> learner.predict([[2.0, 0.0], [0.0, 2.0]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self,
        kernel: Any,
        algorithm: str = "averaged",
        *,
        C: float = 1.0,
        budget: int | None = None,
        eta: float | str = 0.1,
        multiclass: str = "ovr",
        seed: int = 0,
        run_length: int = 256,
        record: bool = False,
        keep_support: bool = False,
    ) -> None:
        self.kernel = kernel
        self.algorithm = algorithm
        self.C = C
        self.budget = budget
        self.eta = eta
        self.multiclass = multiclass
        self.seed = seed
        self.run_length = run_length
        self.record = record
        self.keep_support = keep_support

    def __sklearn_tags__(self) -> Any:
        return kernel_tags(super().__sklearn_tags__(), self.kernel)

    def fit(self, X: Any, y: ArrayLike, *, passes: int = 1, shuffle: bool = False) -> OnlineClassifier:
        """Train a new model in one pass or several, in the given order unless `shuffle`."""
        if hasattr(self, "classes_"):
            del self.classes_
        self._reader = ExampleReader(as_kernel(self.kernel))
        data = self._reader.read(checked_for_learning(self, X), learn=True)
        names = checked_labels(y, data)
        order = np.random.default_rng(self.seed)
        for _ in range(passes):
            turn = order.permutation(names.size) if shuffle else np.arange(names.size)
            self._stream(take(data, turn) if shuffle else data, names[turn], np.unique(names))
        return self

    def partial_fit(self, X: Any, y: ArrayLike, classes: ArrayLike | None = None) -> OnlineClassifier:
        """Learn from more examples; the first call must name all classes, by `classes` or by its labels."""
        fresh = not hasattr(self, "_reader")
        if as_kernel(self.kernel).takes == "kernel values":
            raise OnlineError("a stream has no matrix of kernel values: call fit")
        if fresh:
            self._reader = ExampleReader(as_kernel(self.kernel))
        data = self._reader.read(checked_for_learning(self, X, reset=fresh), learn=True)
        return self._stream(data, checked_labels(y, data), classes)

    def _stream(self, data: Any, names: NDArray[Any], classes: ArrayLike | None) -> OnlineClassifier:
        if not hasattr(self, "classes_"):
            self._start(np.unique(names if classes is None else classes))
        unknown = np.setdiff1d(names, self.classes_)
        if unknown.size:
            raise OnlineError(f"the label {unknown[0]!r} is none of the classes")
        for start in range(0, names.size, self.run_length):
            rows = np.arange(start, min(start + self.run_length, names.size))
            self._learn(take(data, rows), np.searchsorted(self.classes_, names[rows]))
        return self

    def decision_function(self, X: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the value of every example: one number for two classes, else one for each class."""
        self._check_fitted()
        values = self._machine.decide(self._reader.read(checked_for_learning(self, X, reset=False)), threads)
        return multiclass_margins(list(values.T), self.classes_.size, self.multiclass)

    def predict(self, X: Any, *, threads: int = 1) -> NDArray[Any]:
        """Return the class of every example."""
        values = self.decision_function(X, threads=threads)
        return np.take(self.classes_, decide(values))

    def finished(self) -> KernelClassifier:
        """Return the current model, which predicts and can be saved, without the state that further learning needs."""
        self._check_fitted()
        total = self._machine.finished()
        kept = self._machine.support() if self.keep_support else None
        return KernelClassifier(
            self._reader.kernel,
            total,
            np.zeros(total.outputs),
            self.classes_,
            self.multiclass,
            self._reader.treebank,
            None if kept is None else Support(*kept),
            {"algorithm": algorithm_named(self.algorithm)},
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as it is now to a file; `KernelClassifier.load` reads it."""
        self.finished().save(path)

    @property
    def mistakes_(self) -> NDArray[np.int64]:
        """Mistakes of each machine, on the examples as they came."""
        return self._machine.totals("mistakes")

    @property
    def support_sizes_(self) -> NDArray[np.int64]:
        """Examples that each machine holds."""
        return self._machine.totals("support")

    def _start(self, classes: NDArray[Any]) -> None:
        self._check_options()
        if classes.size < 2:
            raise OnlineError(f"learning needs examples of two classes, but there is {classes.size} class")
        machines = machines_needed(classes.size, self.multiclass)
        kind = AdditiveMachine if algorithm_named(self.algorithm) in ADDITIVE else BudgetedMachine
        self._machine: AdditiveMachine | BudgetedMachine = kind(self, machines)
        self.curve_: dict[str, list[Any]] = {"mistakes": [], "support": [], "seconds": []}
        self.classes_ = classes

    def _check_options(self) -> None:
        algorithm = algorithm_named(self.algorithm)
        if algorithm not in ALGORITHMS:
            raise OnlineError(f"there is no learner {self.algorithm!r}: take one of {', '.join(ALGORITHMS)}")
        if self.multiclass not in SCHEMES:
            raise OnlineError(f"multiclass is one of {', '.join(SCHEMES)}, not {self.multiclass!r}")
        if not isinstance(self.C, numbers.Real) or not self.C > 0:
            raise OnlineError(f"C must be above 0, not {self.C!r}")
        needed = algorithm in (*FORGETTING, "stoptron") or self.eta == "dynamic"
        if self.budget is None and needed:
            raise OnlineError(f"{self.algorithm} needs a budget")
        if self.budget is not None and not (isinstance(self.budget, numbers.Integral) and self.budget > 0):
            raise OnlineError(f"the budget must be a whole number above 0, not {self.budget!r}")
        if self.eta != "dynamic" and not (isinstance(self.eta, numbers.Real) and self.eta >= 0):
            raise OnlineError(f"eta must be at least 0, or 'dynamic', not {self.eta!r}")
        if self.budget is not None and not needed and algorithm not in PROJECTING:
            raise OnlineError(f"{self.algorithm} keeps no budget: take stoptron or one that forgets or projects")

    def _check_fitted(self) -> None:
        if not hasattr(self, "classes_"):
            raise NotLearntError("this learner has learnt nothing yet")

    def _learn(self, examples: Any, class_numbers: NDArray[np.int64]) -> None:
        start = time.process_time()
        found = self._machine.learn(examples, binary_problems(class_numbers, self.classes_.size, self.multiclass))
        if self.record:
            self.curve_["mistakes"].append(np.stack([run["mistakes"] for run in found], axis=1))
            self.curve_["support"].append(np.stack([run["support"] for run in found], axis=1))
            self.curve_["seconds"].append(time.process_time() - start)
