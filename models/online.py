"""Online learners over tree kernels, vector kernels and their combinations.

`OnlineClassifier` reads a stream in runs of a few hundred examples. Of a run it needs the Gram matrix and the
values under the model so far, which all classes share; the updates themselves are loops over these numbers
(`kakari.kernels.online`). Additive learners over trees grow a forest DAG, the others keep their support set.
"""

from __future__ import annotations

import numbers
import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.online import AdditiveRun, BudgetedRun, OnlineError
from kakari.models.supports import KernelSum, count, join, prepared, take

ADDITIVE = {
    "perceptron": "perceptron",
    "voted": "perceptron",
    "averaged": "perceptron",
    "norm-averaged": "perceptron",
    "stoptron": "perceptron",
    "pa": "pa",
    "pa-1": "pa-1",
    "pa-2": "pa-2",
    "dynamic-pa-1": "dynamic-pa-1",
}
FORGETTING = (
    "random-budget",
    "forgetron",
    "self-tuned-forgetron",
    "greedy-forgetron",
    "forgetful-projectron",
)
PROJECTING = ("projectron", "projectron++")
ALGORITHMS = (*ADDITIVE, *FORGETTING, *PROJECTING)
AVERAGED = ("averaged", "norm-averaged")


class OnlineClassifier:
    """A classifier that learns from a stream, one-vs-rest where there are more than two classes.

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel or CombinedKernel
    algorithm : str
        One of `ALGORITHMS`. ``dynamic-pa-1`` sets its own aggressiveness: C (1 − e) / √(1 + e t) after t
        examples of which the share e was mistaken. ``forgetful-projectron`` always keeps the newest example
        and projects the oldest onto the others.
    C : float
        Aggressiveness of ``pa-1``, ``pa-2`` and ``dynamic-pa-1``.
    budget : int, optional
        Members of a class's support set at most, held at every step. The Projectrons need none.
    eta : float or "dynamic"
        η of the Projectrons: how far from the span of the members an example may be to be projected;
        "dynamic" takes it from the budget, at every step anew.
    seed : int
        For ``random-budget``, and for shuffling.
    run_length : int
        Examples whose Gram matrix is worked out at a time; changes speed and rounding only.
    record : bool
        Keep the curve of the stream in `curve_`.

    Attributes
    ----------
    classes_ : array
    mistakes_, support_sizes_ : arrays of int
        Of each machine (one for two classes, else one a class).
    curve_ : dict of arrays
        With `record`: `mistakes` and `support` after every example, `seconds` (CPU) after every run.

    Examples
    --------
    >>> from kakari.kernels.vectorkernels import VectorKernel
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
        seed: int = 0,
        run_length: int = 256,
        record: bool = False,
    ) -> None:
        self.kernel, self.algorithm, self.C, self.budget = kernel, algorithm, C, budget
        self.eta, self.seed, self.run_length, self.record = eta, seed, run_length, record

    def fit(self, examples: Any, labels: ArrayLike, *, passes: int = 1, shuffle: bool = False) -> OnlineClassifier:
        """Learn from nothing, in one pass or several, in the given order unless `shuffle`."""
        if hasattr(self, "classes_"):
            del self.classes_
        data, names = prepared(examples), np.asarray(labels)
        order = np.random.default_rng(self.seed)
        for _ in range(passes):
            turn = order.permutation(names.size) if shuffle else np.arange(names.size)
            self.partial_fit(take(data, turn) if shuffle else data, names[turn], classes=np.unique(names))
        return self

    def partial_fit(self, examples: Any, labels: ArrayLike, classes: ArrayLike | None = None) -> OnlineClassifier:
        """Learn from more examples; the first call must name all classes, by `classes` or by its labels."""
        data, names = prepared(examples), np.asarray(labels)
        if names.ndim != 1 or names.size != count(data):
            raise OnlineError(f"{count(data)} examples, but labels of the shape {names.shape}")
        if not hasattr(self, "classes_"):
            self._start(np.unique(names if classes is None else classes))
        unknown = np.setdiff1d(names, self.classes_)
        if unknown.size:
            raise OnlineError(f"the label {unknown[0]!r} is none of the classes")
        for start in range(0, names.size, self.run_length):
            numbers = np.arange(start, min(start + self.run_length, names.size))
            self._learn(take(data, numbers), self._signs(names[numbers]))
        return self

    def decision_function(self, examples: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Give the value of every example: one number for two classes, else one for each class."""
        self._check_fitted()
        values = self._machine.decide(prepared(examples), threads)
        return values[:, 0] if self.classes_.size == 2 else values

    def predict(self, examples: Any, *, threads: int = 1) -> NDArray[Any]:
        """Give the class of every example."""
        values = self.decision_function(examples, threads=threads)
        chosen: NDArray[np.int64] = values.argmax(axis=1) if values.ndim == 2 else (values > 0).astype(np.int64)
        return np.take(self.classes_, chosen)

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
        machines = 1 if classes.size == 2 else classes.size
        kind = AdditiveMachine if self.algorithm in ADDITIVE else BudgetedMachine
        self._machine: AdditiveMachine | BudgetedMachine = kind(self, machines)
        self.curve_: dict[str, list[Any]] = {"mistakes": [], "support": [], "seconds": []}
        self.classes_ = classes

    def _check_options(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise OnlineError(f"there is no learner {self.algorithm!r}: take one of {', '.join(ALGORITHMS)}")
        if not isinstance(self.C, numbers.Real) or not self.C > 0:
            raise OnlineError(f"C must be above 0, not {self.C!r}")
        needed = self.algorithm in (*FORGETTING, "stoptron") or self.eta == "dynamic"
        if self.budget is None and needed:
            raise OnlineError(f"{self.algorithm} needs a budget")
        if self.budget is not None and not (isinstance(self.budget, numbers.Integral) and self.budget > 0):
            raise OnlineError(f"the budget must be a whole number above 0, not {self.budget!r}")
        if self.eta != "dynamic" and not (isinstance(self.eta, numbers.Real) and self.eta >= 0):
            raise OnlineError(f"eta must be at least 0, or 'dynamic', not {self.eta!r}")
        if self.budget is not None and not needed and self.algorithm not in PROJECTING:
            raise OnlineError(f"{self.algorithm} keeps no budget: take stoptron or one that forgets or projects")

    def _check_fitted(self) -> None:
        if not hasattr(self, "classes_"):
            raise OnlineError("this learner has learnt nothing yet")

    def _signs(self, names: NDArray[Any]) -> NDArray[np.float64]:
        positive = self.classes_[1:] if self.classes_.size == 2 else self.classes_
        return np.where(names[:, None] == positive[None, :], 1.0, -1.0)

    def _learn(self, examples: Any, signs: NDArray[np.float64]) -> None:
        start = time.process_time()
        found = self._machine.learn(examples, signs)
        if self.record:
            self.curve_["mistakes"].append(np.stack([run["mistakes"] for run in found], axis=1))
            self.curve_["support"].append(np.stack([run["support"] for run in found], axis=1))
            self.curve_["seconds"].append(time.process_time() - start)


class AdditiveMachine:
    """One learner for each machine that adds examples to a sum of kernels."""

    def __init__(self, options: OnlineClassifier, machines: int) -> None:
        rule, self.algorithm, self.kernel = ADDITIVE[options.algorithm], options.algorithm, options.kernel
        limit = -1 if options.budget is None else int(options.budget)
        by_norm = options.algorithm == "norm-averaged"
        self.runs = [
            AdditiveRun(rule, aggressiveness=options.C, budget=limit, by_norm=by_norm) for _ in range(machines)
        ]
        outputs = machines * (2 if options.algorithm in AVERAGED else 1)
        self.sum = KernelSum(options.kernel, outputs)
        self.voters: list[list[tuple[Any, NDArray[np.float64], NDArray[np.float64]]]] = [[] for _ in self.runs]

    def learn(self, examples: Any, signs: NDArray[np.float64]) -> list[dict[str, NDArray[Any]]]:
        """Learn from a run of examples."""
        gram = self.kernel.gram(examples)
        values = self.sum.evaluate(examples)
        found = [run.run(signs[:, i], gram, values[:, i]) for i, run in enumerate(self.runs)]
        weights = np.stack([run["coefficients"] for run in found], axis=1)
        if self.algorithm in AVERAGED:
            delays = np.stack([run["coefficients"] * run["clocks"] for run in found], axis=1)
            weights = np.hstack([weights, delays])
        added = np.flatnonzero(weights.any(axis=1))
        self.sum.add(take(examples, added), weights[added])
        if self.algorithm == "voted":
            for voters, run in zip(self.voters, found, strict=True):
                rows = np.flatnonzero(run["coefficients"])
                voters.append((take(examples, rows), run["coefficients"][rows], run["clocks"][rows]))
        return found

    def decide(self, examples: Any, threads: int) -> NDArray[np.float64]:
        """Give the value of every example for every machine."""
        if self.algorithm == "voted":
            return np.stack([self._vote(i, examples, threads) for i in range(len(self.runs))], axis=1)
        values = self.sum.evaluate(examples, threads=threads)
        if self.algorithm not in AVERAGED:
            return values
        clocks = np.array([run.state()["clock"] for run in self.runs])
        machines = len(self.runs)
        return values[:, :machines] - values[:, machines:] / np.where(clocks > 0, clocks, 1.0)

    def _vote(self, machine: int, examples: Any, threads: int) -> NDArray[np.float64]:
        """Σ over all models that there were, of the steps that each survived times the sign that it gives."""
        voters = [part for part in self.voters[machine] if part[1].size]
        if not voters:
            return np.zeros(count(examples))
        stored, coefficients, clocks = (list(parts) for parts in zip(*voters, strict=True))
        gram = self.kernel.gram(examples, join(stored), threads=threads)
        survived = np.diff(np.append(np.concatenate(clocks), self.runs[machine].state()["clock"]))
        votes = np.sign(np.cumsum(gram * np.concatenate(coefficients), axis=1))
        total: NDArray[np.float64] = votes @ survived
        return total

    def totals(self, name: str) -> NDArray[np.int64]:
        """Give mistakes or support of each machine."""
        key = "updates" if name == "support" else "mistakes"
        return np.array([int(run.state()[key]) for run in self.runs])


class BudgetedMachine:
    """One learner for each machine, all choosing their members from one pool of examples."""

    def __init__(self, options: OnlineClassifier, machines: int) -> None:
        self.kernel = options.kernel
        dynamic = options.eta == "dynamic"
        self.runs = [
            BudgetedRun(
                options.algorithm,
                budget=-1 if options.budget is None else int(options.budget),
                eta=0.0 if dynamic else float(options.eta),
                dynamic_eta=dynamic,
                seed=options.seed + i,
            )
            for i in range(machines)
        ]
        self.pool: Any = None
        self.mistakes = np.zeros(machines, dtype=np.int64)
        self._sum: KernelSum | None = None

    def learn(self, examples: Any, signs: NDArray[np.float64]) -> list[dict[str, NDArray[Any]]]:
        """Learn from a run of examples."""
        kernel = self.kernel.gram(examples)
        if self.pool is not None:
            kernel = np.hstack([self.kernel.gram(examples, self.pool), kernel])
        found = [run.run(signs[:, i], kernel) for i, run in enumerate(self.runs)]
        known = examples if self.pool is None else join([self.pool, examples])
        used, names = np.unique(np.concatenate([run.members() for run in self.runs]), return_inverse=True)
        self.pool = take(known, used)
        ends = np.cumsum([run.members().size for run in self.runs])
        for run, members in zip(self.runs, np.split(names, ends[:-1]), strict=True):
            run.name_members(members)
        self.mistakes = np.array([run["mistakes"][-1] for run in found])
        self._sum = None
        return found

    def decide(self, examples: Any, threads: int) -> NDArray[np.float64]:
        """Give the value of every example for every machine."""
        if self.pool is None:
            return np.zeros((count(examples), len(self.runs)))
        if self._sum is None:
            weights = np.zeros((count(self.pool), len(self.runs)))
            for i, run in enumerate(self.runs):
                weights[run.members(), i] = run.coefficients()
            self._sum = KernelSum(self.kernel, len(self.runs))
            self._sum.add(self.pool, weights)
        return self._sum.evaluate(examples, threads=threads)

    def totals(self, name: str) -> NDArray[np.int64]:
        """Give mistakes or support of each machine."""
        return np.array([run.members().size for run in self.runs]) if name == "support" else self.mistakes
