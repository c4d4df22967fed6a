"""Helpers of every experiment: two classes as signs, a share of the data, and CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.polynomial.defaults import default_cost
from kakari.reading.examples import class_numbers, load_examples

Result = TypeVar("Result")
Signs = NDArray[np.int64]
CHECK_EVERY = 1000  # examples between two looks at the clock


@dataclass(frozen=True, slots=True)
class Problem:
    """Examples of two classes."""

    name: str
    sets: FeatureSets
    signs: Signs

    def __len__(self) -> int:
        return len(self.sets)

    def share(self, examples: int) -> Problem:
        """Return so many examples, spread evenly over all, in their order."""
        rows = np.linspace(0, len(self) - 1, min(examples, len(self))).astype(np.int64)
        return Problem(self.name, self.sets.take(rows), self.signs[rows])

    def rows(self, width: int) -> Any:
        """Return the sets as sparse rows of zeros and ones."""
        ones = np.ones(self.sets.ids.size)
        from scipy import sparse  # slow to import, and every command imports this module

        return sparse.csr_array((ones, self.sets.ids, self.sets.offsets), shape=(len(self), width))


def load_problem(reference: str, examples: int | None = None) -> Problem:
    """Load a part of a corpus (`dep-examples:train`) or a file; `examples` takes a share of it."""
    loaded = load_examples(reference)
    classes, numbers = class_numbers(loaded.labels)
    if len(classes) != 2:
        raise TrainingError(f"{reference}: the experiment needs two classes, and there are {len(classes)}")
    problem = Problem(reference, loaded.sets, 2 * numbers - 1)
    return problem if examples is None else problem.share(examples)


def cpu_seconds(work: Callable[[], Result]) -> tuple[Result, float]:
    """Do it, and say how long the processor took."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def train(
    problem: Problem, degree: int, passes: int, *, time_limit: float | None = None, **options: Any
) -> tuple[KernelLearner, float]:
    """Train PA-I as both papers' authors would; return the learner and its CPU seconds.

    After `time_limit` seconds the run is stopped: the learner is then still `running`.
    """
    learner = KernelLearner(degree, **{"cost": default_cost("features", degree), "step": "features", **options})
    watch: dict[str, Any] = {}
    if time_limit is not None:
        end = time.process_time() + time_limit
        watch = {"progress": lambda _: time.process_time() > end, "every": CHECK_EVERY}
    return cpu_seconds(lambda: learner.fit(problem.sets, problem.signs, passes=passes, **watch))


def accuracy(margins: NDArray[np.float64], signs: Signs) -> float:
    """Return the share of examples on the right side."""
    return float(np.mean((margins > 0) == (signs > 0))) if signs.size else 0.0
