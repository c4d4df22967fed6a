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


class StopWatch:
    """The progress callback of a run that is stopped after `time_limit` CPU seconds.

    Examples
    --------
    >>> watch = StopWatch(time_limit=0.0, passes=20)
    >>> watch(5.0)  # after five of twenty passes
    True
    >>> watch.reason()
    'stopped after 0 CPU s with 25.0 % of the visits done: about 0 CPU s at that pace'
    """

    def __init__(self, time_limit: float, passes: int) -> None:
        self.time_limit, self.passes = time_limit, passes
        self.end = time.process_time() + time_limit
        self.done = 0.0  # passes

    def __call__(self, at: Any) -> bool:
        """Return whether the time is up; `at` is a learner's progress, or the number of passes done."""
        self.done = at if isinstance(at, float) else at.finished_passes + at.examples / max(1, at.total)
        return time.process_time() >= self.end

    def reason(self) -> str:
        """Say when the run was stopped and how long it would take at its pace until then."""
        share = self.done / self.passes
        told = f"stopped after {self.time_limit:.0f} CPU s"
        if not share:
            return f"{told}, before the first example was done"
        whole = f"about {self.time_limit / share:,.0f} CPU s at that pace"
        return f"{told} with {100 * share:.1f} % of the visits done: {whole}"


def train(
    problem: Problem, degree: int, passes: int, *, watch: StopWatch | None = None, **options: Any
) -> tuple[KernelLearner, float]:
    """Train PA-I as both papers' authors would; return the learner and its CPU seconds.

    If the watch stops the run, the learner is still `running`.
    """
    learner = KernelLearner(degree, **{"cost": default_cost("features", degree), "step": "features", **options})
    watched: dict[str, Any] = {} if watch is None else {"progress": watch, "every": CHECK_EVERY}
    return cpu_seconds(lambda: learner.fit(problem.sets, problem.signs, passes=passes, **watched))


def accuracy(margins: NDArray[np.float64], signs: Signs) -> float:
    """Return the share of examples on the right side."""
    return float(np.mean((margins > 0) == (signs > 0))) if signs.size else 0.0
