"""SDAG: support vector machines by sampled cutting planes, each of them a sum of trees in one forest DAG.

One slack variable for all examples: minimise ½‖w‖² + C ξ, where for every choice of examples the mean over them of
y w·x is at least their share less ξ. In each iteration the constraint that is violated most (the examples inside the
margin) is estimated from a sample and becomes a cut; a small problem over the cuts gives their multipliers. The time
of an iteration depends on the sample and on the distinct subtrees seen, not on the number of examples. For a few
thousand examples at most, all kernels are computed first, as for an exact SVM, and an iteration sums rows.
(Severyn and Moschitti 2011; Yu and Joachims 2008.)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from kakari.kernels.solvers.cuts import multipliers
from kakari.kernels.solvers.dual import DualError
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.tree_kernel import TreeKernel  # noqa: F401  (for the examples)
from kakari.models.machines.atoms import AtomSpace, Embedding, GramSpace, SetAtoms, Weights, padded
from kakari.models.machines.batch import BatchClassifier
from kakari.models.machines.exact import KernelBlocks, Progress, machine_progress
from kakari.models.machines.examples import count, take
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.supports import KernelSum
from kakari.models.voting import binary_problems

MOST_WITH_GRAM = 8192  # examples up to which all kernels are computed: 256 MB
SAMPLINGS = ("classwise", "uniform")


@dataclass
class Problem:
    """One binary machine: the examples that take part, their signs, and what share of the loss each has."""

    members: NDArray[np.int64]
    signs: NDArray[np.float64]
    shares: NDArray[np.float64]


class SDAG(BatchClassifier):
    """A support vector classifier without a bias, for more examples than a Gram matrix can be made of.

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel, a sum or product of these, an object with `gram` and `diagonal`, or "precomputed"
    C : float
        The cost of an error, as in `KernelSVC` (the C of the one-slack problem is this times the number of examples).
    sample_size : int or None
        Examples that a cut is estimated from; None for all, which leads to the exact optimum.
    growth : float
        How much larger each sample is than the one before. The sampling errors of small samples, the worst of which
        become cuts, are what keeps training from the optimum, and they matter only at the end.
    sampling : {"classwise", "uniform"}
        Whether positives and negatives are sampled apart, each side in proportion to its share of the loss, or all
        together.
    cost_factor : float or "balanced"
        Factor of C for errors on the positive side of each machine: j. With class-wise sampling it is also the share
        of positive examples in the sample; "balanced" gives both sides the same share.
    class_weight : dict, "balanced" or None
    epsilon : float
        Stop when a new cut is violated by no more than this beyond what is allowed already (in mean loss).
    patience : int
        Stop after this many samples in a row without a new violated cut: a single one may be chance.
    multiclass : {"ovr", "ovo"}
    max_cuts : int
        Stop a machine after this many iterations, with a warning.
    seed : int
        For the samples.

    Attributes
    ----------
    classes_ : array
    cuts_ : array of int
        Iterations of each machine.
    objectives_ : array
        Dual objectives over the cuts (comparable with those of `KernelSVC` when nothing is sampled).

    Examples
    --------
    >>> trees = ["(S (N dogs) (V bark))", "(S (N cats) (V purr))", "(Q (W who))", "(Q (W what))"]
    >>> learner = SDAG(TreeKernel("stk"), C=10, sample_size=3).fit(trees, ["told", "told", "asked", "asked"])
    >>> learner.predict(["(Q (W where))", "(S (N birds) (V sing))"]).tolist()
    ['asked', 'told']
    """

    def __init__(
        self,
        kernel: Any,
        *,
        C: float = 1.0,
        sample_size: int | None = 1000,
        growth: float = 0.0,
        sampling: str = "classwise",
        cost_factor: float | str = 1.0,
        class_weight: Mapping[Any, float] | str | None = None,
        epsilon: float = 1e-3,
        patience: int = 1,
        multiclass: str = "ovr",
        max_cuts: int = 2000,
        seed: int = 0,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.sample_size = sample_size
        self.growth = growth
        self.sampling = sampling
        self.cost_factor = cost_factor
        self.class_weight = class_weight
        self.epsilon = epsilon
        self.patience = patience
        self.multiclass = multiclass
        self.max_cuts = max_cuts
        self.seed = seed

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        progress: Progress | None = None,
    ) -> SDAG:
        """Train all machines; `progress` is called with machine, machines, cuts, and the violation of the last cut."""
        self._check_options()
        lesson = self._read(X, y, sample_weight)
        space, random = self._space(lesson.kernel, lesson.data), np.random.default_rng(self.seed)
        problems = binary_problems(lesson.class_numbers, lesson.classes.size, self.multiclass)
        trainers = []
        for machine, (members, signs) in enumerate(problems):
            rows = np.arange(lesson.costs.size) if members is None else members
            own = lesson.costs[rows] * self._factors(signs)
            problem = Problem(rows, signs.astype(float), own / own.sum())
            trainer = CutTrainer(space, space.numbers(), problem, float(own.sum()))
            trainer.run(self, random, machine_progress(progress, machine, len(problems)))
            trainers.append(trainer)
        late = sum(not trainer.converged for trainer in trainers)
        if late:
            warnings.warn(f"{late} machines stopped after {self.max_cuts} cuts", ConvergenceWarning, stacklevel=2)
        self.cuts_ = np.array([trainer.turns for trainer in trainers])
        self.objectives_ = np.array([trainer.objective for trainer in trainers])
        total, none = space.total([trainer.weights for trainer in trainers]), np.zeros(len(trainers))
        told = {"algorithm": "sdag"}
        self._finish(
            KernelClassifier(lesson.kernel, total, none, lesson.classes, self.multiclass, lesson.treebank, None, told)
        )
        return self

    @staticmethod
    def _space(kernel: Any, data: Any) -> AtomSpace | GramSpace:
        """Return the space of sums of examples; for few examples, all kernels are computed once."""
        adds_up = all(summand.sums_as == "columns" for _, _, _, summand in kernel.summands())
        if count(data) > MOST_WITH_GRAM or adds_up or SetAtoms.fits(kernel, data):
            return AtomSpace(kernel, data)
        return GramSpace(kernel, data, KernelBlocks(kernel, data, threads=1))

    @property
    def dag_(self) -> ForestDag:
        """The model of a tree kernel: every distinct subtree with its weight, one output a machine."""
        total = self.finished().sum
        if not isinstance(total, KernelSum) or total.dag is None:
            raise DualError("a model that is not of a tree kernel alone has no DAG")
        return total.dag

    def _factors(self, signs: NDArray[Any]) -> NDArray[np.float64]:
        factor = self.cost_factor
        if factor == "balanced":
            factor = (signs < 0).sum() / max(1, (signs > 0).sum())
        return np.where(signs > 0, float(factor), 1.0)

    def _check_options(self) -> None:
        for name in ("C", "epsilon", "cost_factor"):
            value = getattr(self, name)
            if name == "cost_factor" and value == "balanced":
                continue
            if not isinstance(value, int | float | np.number) or not 0 < value < float("inf"):
                raise DualError(f"{name} must be above 0, not {value!r}")
        size = self.sample_size
        if size is not None and not (isinstance(size, int | np.integer) and size > 1):
            raise DualError(f"sample_size must be a whole number above 1, or None, not {size!r}")
        if not isinstance(self.growth, int | float | np.number) or not 0 <= self.growth <= 1:
            raise DualError(f"growth must be a number from 0 to 1, not {self.growth!r}")
        if not (isinstance(self.patience, int | np.integer) and self.patience >= 1):
            raise DualError(f"patience must be a whole number above 0, not {self.patience!r}")
        if self.sampling not in SAMPLINGS:
            raise DualError(f"sampling is one of {', '.join(SAMPLINGS)}, not {self.sampling!r}")


class CutTrainer:
    """The cuts of one machine, their products, and their multipliers."""

    unused_turns = 50  # a cut whose multiplier is 0 for this many iterations is dropped

    def __init__(self, space: AtomSpace | GramSpace, data: Any, problem: Problem, total: float) -> None:
        self.space, self.data, self.problem, self.total = space, data, problem, total
        self.cuts: list[Embedding] = []
        self.responses: list[list[Weights]] = []  # of each cut, if they say the values of all examples
        self.values = space.values([], np.zeros(0))
        self.offsets, self.multipliers = np.zeros(0), np.zeros(0)
        self.idle = np.zeros(0, dtype=np.int64)
        self.gram = np.zeros((0, 0))
        self.weights = space.mixed([], np.zeros(0))
        self.slack, self.objective, self.turns, self.converged = 0.0, 0.0, 0, False

    def run(self, options: SDAG, random: np.random.Generator, progress: Callable[[int, float], object] | None) -> None:
        """Add cuts until new ones are no longer violated."""
        silent = 0  # samples in a row without a new violated cut
        while self.turns < options.max_cuts:
            rows, shares = sampled(self.problem, self._wanted(options), options.sampling, random)
            examples, signs = take(self.data, self.problem.members[rows]), self.problem.signs[rows]
            if self.values is None:
                values = self.space.evaluate(examples, self._padded_weights())
            else:
                values = self.values[examples]
            inside = np.flatnonzero(signs * values < 1)
            weights = shares[inside] * signs[inside]
            offset = float(shares[inside].sum())
            violation = offset - float(weights @ values[inside])
            if progress is not None:
                progress(self.turns, violation - self.slack)
            silent = silent + 1 if violation <= self.slack + options.epsilon else 0
            if silent >= options.patience:
                self.converged = True
                return
            if silent:
                continue
            self._add(take(examples, inside), weights, offset, min(1e-7, options.epsilon / 100))
            self.turns += 1

    def _wanted(self, options: SDAG) -> int | None:
        """Return the size of the next sample."""
        if options.sample_size is None:
            return None
        return int(min(self.problem.signs.size, options.sample_size * (1.0 + options.growth) ** self.turns))

    def _padded_weights(self) -> list[Weights]:
        """Weights of all atoms there are by now: other machines may have added some."""
        return [padded(own, size) for own, size in zip(self.weights, self.space.sizes(), strict=True)]

    def _add(self, examples: Any, weights: Weights, offset: float, tolerance: float) -> None:
        cut = self.space.embed(examples, weights)
        response = self.space.respond(examples, weights)
        products = self.space.products(response, [*self.cuts, cut])
        self.cuts.append(cut)
        if self.values is not None:
            self.responses.append(response)
        size = len(self.cuts)
        gram = np.zeros((size, size))
        gram[: size - 1, : size - 1] = self.gram
        gram[size - 1], gram[:, size - 1] = products, products
        self.gram, self.offsets = gram, np.append(self.offsets, offset)
        start = np.append(self.multipliers, 0.0)
        self.multipliers = multipliers(gram, self.offsets, self.total, start=start, tolerance=tolerance)
        reached = gram @ self.multipliers
        self.slack = max(0.0, float((self.offsets - reached).max()))
        self.objective = float(self.multipliers @ (0.5 * reached - self.offsets))
        self._drop_idle()
        self.weights = self.space.mixed(self.cuts, self.multipliers)
        if self.values is not None:
            self.values = self.space.values(self.responses, self.multipliers)

    def _drop_idle(self) -> None:
        self.idle = np.where(self.multipliers > 0, 0, np.append(self.idle, 0) + 1)
        kept = np.flatnonzero(self.idle <= self.unused_turns)
        if kept.size < len(self.cuts):
            self.cuts = [self.cuts[i] for i in kept]
            self.responses = [self.responses[i] for i in kept] if self.responses else []
            self.offsets, self.multipliers, self.idle = self.offsets[kept], self.multipliers[kept], self.idle[kept]
            self.gram = self.gram[np.ix_(kept, kept)]


def sampled(
    problem: Problem, size: int | None, sampling: str, random: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Draw examples without repetition; return them with the share of the loss that each stands for.

    Examples
    --------
    >>> problem = Problem(np.arange(4), np.array([1.0, -1, -1, -1]), np.full(4, 0.25))
    >>> rows, shares = sampled(problem, 2, "classwise", np.random.default_rng(0))
    >>> problem.signs[rows].tolist(), shares.tolist()
    ([1.0, -1.0, -1.0], [0.25, 0.375, 0.375])
    """
    if size is None or size >= problem.signs.size:
        return np.arange(problem.signs.size), problem.shares
    groups = [np.arange(problem.signs.size)]
    if sampling == "classwise":
        groups = [np.flatnonzero(problem.signs > 0), np.flatnonzero(problem.signs < 0)]
    rows, shares = [], []
    for group in groups:
        own = problem.shares[group]
        wanted = min(group.size, max(1, round(size * float(own.sum()))))
        drawn = np.sort(random.choice(group.size, wanted, replace=False))
        rows.append(group[drawn])
        shares.append(own[drawn] * (group.size / wanted))
    return np.concatenate(rows), np.concatenate(shares)
