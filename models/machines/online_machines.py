"""The binary machines of an online learner, which share kernel values; each adds its own updates to its model.

A run of examples has one Gram matrix and one evaluation of the model so far, whatever the number of machines. A
machine that takes part with some of the examples only (one of a pair of classes) sees their rows and columns.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.solvers.online import AdditiveRun, BudgetedRun
from kakari.kernels.trees.given_kernel import as_kernel
from kakari.models.machines.examples import count, join, take
from kakari.models.machines.supports import KernelSum
from kakari.models.machines.votes import VoteSum
from kakari.models.voting import Problem

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
AVERAGED = ("averaged", "norm-averaged")
FORGETTING = (
    "random-budget",
    "forgetron",
    "self-tuned-forgetron",
    "greedy-forgetron",
    "forgetful-projectron",
)
PROJECTING = ("projectron", "projectron++")
ALGORITHMS = (*ADDITIVE, *FORGETTING, *PROJECTING)
ALIASES = {  # of SVM-Light-TK's option -A, as the thesis names them
    "pai": "pa-1",
    "paii": "pa-2",
    "tunedforgetron": "self-tuned-forgetron",
    "greedyforgetron": "greedy-forgetron",
}
Found = dict[str, NDArray[Any]]


class Options(Protocol):
    """Settings that machines take from their learner."""

    kernel: Any
    algorithm: str
    C: float
    budget: int | None
    eta: float | str
    seed: int
    keep_support: bool


class AdditiveMachine:
    """One learner for each machine that adds examples to a sum of kernels."""

    def __init__(self, options: Options, machines: int) -> None:
        self.algorithm, self.kernel = algorithm_named(options.algorithm), as_kernel(options.kernel)
        rule = ADDITIVE[self.algorithm]
        self.kept: list[tuple[Any, NDArray[np.float64]]] | None = [] if options.keep_support else None
        limit = -1 if options.budget is None else int(options.budget)
        by_norm = self.algorithm == "norm-averaged"
        self.runs = [
            AdditiveRun(rule, aggressiveness=options.C, budget=limit, by_norm=by_norm) for _ in range(machines)
        ]
        outputs = machines * (2 if self.algorithm in AVERAGED else 1)
        self.sum = KernelSum(self.kernel, outputs)
        self.votes = VoteSum(self.kernel, machines) if self.algorithm == "voted" else None

    def learn(self, examples: Any, problems: list[Problem]) -> list[Found]:
        """Learn from a run of examples."""
        gram = self.kernel.gram(examples)
        values = self.sum.evaluate(examples)
        found = [
            self._run(machine, members, signs, gram, values[:, machine])
            for machine, (members, signs) in enumerate(problems)
        ]
        weights = np.stack([run["coefficients"] for run in found], axis=1)
        if self.votes is not None:
            for machine, run in enumerate(found):
                self.votes.add(machine, examples, run["coefficients"], run["clocks"])
            self.votes.clocks = self._clocks()
        if self.algorithm in AVERAGED:
            delays = np.stack([run["coefficients"] * run["clocks"] for run in found], axis=1)
            weights = np.hstack([weights, delays])
        added = np.flatnonzero(weights.any(axis=1))
        self.sum.add(take(examples, added), weights[added])
        if self.kept is not None and added.size:
            self.kept.append((take(examples, added), weights[added]))
        return found

    def support(self) -> tuple[Any, NDArray[np.float64]] | None:
        """Return the examples of all updates with their coefficients, one column a machine, if they were kept."""
        if not self.kept or self.votes is not None:
            return None
        weights = np.concatenate([own for _, own in self.kept])
        mixture = self._mixture() if self.algorithm in AVERAGED else np.eye(len(self.runs))
        return join([examples for examples, _ in self.kept]), weights @ mixture

    def _run(
        self, machine: int, members: Any, signs: NDArray[Any], gram: NDArray[np.float64], values: NDArray[np.float64]
    ) -> Found:
        run = self.runs[machine]
        if members is None:
            return run.run(signs, gram, values)
        mistakes, updates = run.mistakes, run.updates
        part = run.run(signs, gram[np.ix_(members, members)], values[members])
        spread = {name: np.zeros(values.size) for name in ("values", "coefficients", "clocks")}
        for name, array in spread.items():
            array[members] = part[name]
        curves = {
            "mistakes": carried(part["mistakes"], members, values.size, mistakes),
            "support": carried(part["support"], members, values.size, updates),
        }
        return spread | curves

    def decide(self, examples: Any, threads: int) -> NDArray[np.float64]:
        """Return the value of every example for every machine."""
        if self.votes is not None:
            return self.votes.evaluate(examples, threads=threads)
        values = self.sum.evaluate(examples, threads=threads)
        return values @ self._mixture() if self.algorithm in AVERAGED else values

    def finished(self) -> KernelSum | VoteSum:
        """Return the sum that decides, with one output a machine."""
        if self.votes is not None:
            return self.votes
        return self.sum.mixed(self._mixture() if self.algorithm in AVERAGED else np.eye(len(self.runs)))

    def totals(self, name: str) -> NDArray[np.int64]:
        """Return mistakes or support of each machine."""
        return np.array([run.updates if name == "support" else run.mistakes for run in self.runs])

    def _clocks(self) -> NDArray[np.float64]:
        return np.array([run.clock for run in self.runs])

    def _mixture(self) -> NDArray[np.float64]:
        """Return the average as the model less what was added late, over all steps: one column a machine."""
        clocks = self._clocks()
        late = np.diag(-1.0 / np.where(clocks > 0, clocks, 1.0))
        return np.vstack([np.eye(len(self.runs)), late])


class BudgetedMachine:
    """One learner for each machine, all choosing their members from one pool of examples."""

    def __init__(self, options: Options, machines: int) -> None:
        self.kernel = as_kernel(options.kernel)
        dynamic = options.eta == "dynamic"
        self.runs = [
            BudgetedRun(
                algorithm_named(options.algorithm),
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

    def learn(self, examples: Any, problems: list[Problem]) -> list[Found]:
        """Learn from a run of examples."""
        kernel = self.kernel.gram(examples)
        if self.pool is not None:
            kernel = np.hstack([self.kernel.gram(examples, self.pool), kernel])
        found = [self._run(machine, members, signs, kernel) for machine, (members, signs) in enumerate(problems)]
        known = examples if self.pool is None else join([self.pool, examples])
        used, names = np.unique(np.concatenate([run.members() for run in self.runs]), return_inverse=True)
        self.pool = take(known, used)
        ends = np.cumsum([run.members().size for run in self.runs])
        for run, members in zip(self.runs, np.split(names, ends[:-1]), strict=True):
            run.name_members(members)
        self.mistakes = np.array([run["mistakes"][-1] for run in found])
        self._sum = None
        return found

    def _run(self, machine: int, members: Any, signs: NDArray[Any], kernel: NDArray[np.float64]) -> Found:
        run = self.runs[machine]
        if members is None:
            return run.run(signs, kernel)
        size, pooled = kernel.shape[0], kernel.shape[1] - kernel.shape[0]
        held = run.members().size
        part = run.run(signs, kernel[np.ix_(members, np.append(np.arange(pooled), pooled + members))])
        ours = run.members()
        fresh = ours >= pooled
        ours[fresh] = pooled + members[ours[fresh] - pooled]
        run.name_members(ours)
        return {
            "mistakes": carried(part["mistakes"], members, size, int(self.mistakes[machine])),
            "support": carried(part["support"], members, size, held),
        }

    def decide(self, examples: Any, threads: int) -> NDArray[np.float64]:
        """Return the value of every example for every machine."""
        return self.finished().evaluate(examples, threads=threads)

    def finished(self) -> KernelSum:
        """Return the sum that decides, with one output a machine."""
        if self._sum is None:
            self._sum = KernelSum(self.kernel, len(self.runs))
            if self.pool is not None:
                self._sum.add(self.pool, self.weights())
        return self._sum

    def support(self) -> tuple[Any, NDArray[np.float64]] | None:
        """Return the pool with its coefficients."""
        return None if self.pool is None else (self.pool, self.weights())

    def weights(self) -> NDArray[np.float64]:
        """Return the coefficients of the pool: one row an example, one column a machine."""
        weights = np.zeros((count(self.pool), len(self.runs)))
        for i, run in enumerate(self.runs):
            weights[run.members(), i] = run.coefficients()
        return weights

    def totals(self, name: str) -> NDArray[np.int64]:
        """Return mistakes or support of each machine."""
        return np.array([run.members().size for run in self.runs]) if name == "support" else self.mistakes


def algorithm_named(name: str) -> str:
    """Return an algorithm's own name for an alias of SVM-Light-TK.

    Examples
    --------
    >>> algorithm_named("pai"), algorithm_named("forgetron")
    ('pa-1', 'forgetron')
    """
    return ALIASES.get(name, name)


def carried(curve: NDArray[np.int64], members: NDArray[np.int64], size: int, before: int) -> NDArray[np.int64]:
    """Stretch a curve over members to all examples of a run: between two members nothing changes.

    Examples
    --------
    >>> carried(np.array([4, 5]), np.array([1, 3]), 5, 3).tolist()
    [3, 4, 4, 5, 5]
    """
    known = np.append(before, curve)
    counts = np.zeros(size, dtype=np.int64)
    counts[members] = 1
    return known[np.cumsum(counts)]
