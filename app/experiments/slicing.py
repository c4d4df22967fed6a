"""Kernel slicing (Yoshinaga and Kitsuregawa, 2010): training time against N, and against the size of the data.

The paper's two tasks are dependency parsing (figures 1 and 3) and hyponymy relations (2 and 4). The examples of the
second are not to be had: a second corpus is drawn as figures 2 and 4 without the paper's numbers. The English hyponymy
pairs are an experiment of their own (`slicing_tasks`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from kakari.experiments.problems import Problem, StopWatch, train

Plan = TypeVar("Plan")
Watch = Callable[[Iterable[Plan], str], Iterable[Plan]]

SMALLEST_COMMON = 125  # N = 125 * 2**n in the paper

# The paper's names: method and reuse of the learner.
VARIANTS: dict[str, tuple[str, bool]] = {
    "SP": ("splitting", True),
    "SL*": ("slicing", False),
    "SL": ("slicing", True),
    "kernel": ("inverted", True),
    "KE": ("expansion", True),
}
BY_COMMON = ("SP", "SL*", "SL")
REFERENCES = ("kernel", "KE")

# Tables 2 and 3: seconds and MB of each variant by degree; N is the one that was fastest.
PUBLISHED: dict[str, dict[int, dict[str, tuple[float, float]]]] = {
    "dependency parsing": {
        2: {"kernel": (8361, 84), "KE": (41, 155), "SL*": (33, 95)},
        3: {"kernel": (8704, 83), "KE": (465, 993), "SL": (262, 175)},
    },
    "other data": {},  # the paper has nothing that may stand beside them
}
TASKS = tuple(PUBLISHED)


@dataclass(frozen=True, slots=True)
class Timing:
    """One training run. `common` is N, or None for a variant that has none."""

    variant: str
    common: int | None
    examples: int
    seconds: float
    megabytes: float
    updates: int


@dataclass(frozen=True, slots=True)
class Slicing:
    """All runs over one corpus: on all examples for each N, and with each variant's best N on shares of them."""

    corpus: str
    task: str
    degree: int
    passes: int
    by_common: list[Timing]
    by_size: list[Timing]

    def best(self, variant: str) -> Timing | None:
        """Return a variant's fastest run on all examples; None if none ended in time."""
        own = (t for t in self.by_common if t.variant == variant)
        return min(own, key=lambda timing: timing.seconds, default=None)

    def growth(self, variant: str) -> float:
        """Return b where the time grows as n**b from the smallest share of the data to all of it."""
        own = sorted((t for t in self.by_size if t.variant == variant), key=lambda timing: timing.examples)
        if len(own) < 2 or own[0].examples == own[-1].examples or not own[0].seconds:
            return math.nan
        return math.log(own[-1].seconds / own[0].seconds) / math.log(own[-1].examples / own[0].examples)

    def summary(self) -> list[dict[str, object]]:
        """Return a row a variant: its best run, and what the paper has for it. Ratios are to the inverted index."""
        published = PUBLISHED[self.task].get(self.degree, {})
        slowest = self.best("kernel")
        rows: list[dict[str, object]] = []
        for variant in VARIANTS:
            timing = self.best(variant)
            theirs = published.get(variant)
            faster = slowest.seconds / timing.seconds if slowest and timing and timing.seconds else None
            rows.append(
                {
                    "variant": variant,
                    "N": timing and timing.common,
                    "seconds": timing and round(timing.seconds, 3),
                    "megabytes": timing and round(timing.megabytes, 1),
                    "times_faster": faster and round(faster, 1),
                    "growth": None if math.isnan(self.growth(variant)) else round(self.growth(variant), 2),
                    "published_seconds": theirs and theirs[0],
                    "published_megabytes": theirs and theirs[1],
                    "published_times_faster": theirs and round(published["kernel"][0] / theirs[0], 1),
                }
            )
        return rows


def measure_slicing(
    problem: Problem,
    *,
    task: str = TASKS[0],
    degree: int = 3,
    passes: int = 20,
    largest_common: int | None = None,
    time_limit: float | None = None,
    parts: tuple[int, ...] = (8, 4, 2),
    watch: Watch[tuple[str, int | None, int]] = lambda plans, _: plans,
) -> Slicing:
    """Train with every variant: for each N on all examples, then with each one's best N on 1/8, 1/4 and 1/2.

    Parameters
    ----------
    largest_common : int, optional
        Where N stops doubling; all features otherwise.
    time_limit : float, optional
        CPU seconds after which a run is given up. It is left out, so that a slow variant's curve ends early, as
        some do in the paper; a variant that never ends on all examples is not tried on shares of them.
    watch
        Passes the plans on, and may show how far things are.
    """
    features = len(problem.sets.ranking())
    sizes = doubling(min(features, largest_common or features))

    def run(variant: str, common: int | None, examples: int) -> Timing | None:
        method, reuse = VARIANTS[variant]
        options = {"method": method, "reuse": reuse} | ({} if common is None else {"common": common})
        some = problem if examples == len(problem) else problem.share(examples)
        watch = None if time_limit is None else StopWatch(time_limit, passes)
        learner, seconds = train(some, degree, passes, watch=watch, **options)
        return (
            None
            if learner.running
            else Timing(variant, common, examples, seconds, learner.peak_bytes / 1e6, learner.updates)
        )

    everything = len(problem)
    plans: list[tuple[str, int | None, int]] = [(variant, None, everything) for variant in REFERENCES]
    plans += [(variant, common, everything) for common in sizes for variant in BY_COMMON]
    by_common = [timing for plan in watch(plans, f"{problem.name}: time against N") if (timing := run(*plan))]
    result = Slicing(problem.name, task, degree, passes, by_common, [])
    shares = [everything // part for part in parts if everything // part]
    best = [timing for variant in VARIANTS if (timing := result.best(variant))]
    plans = [(timing.variant, timing.common, share) for share in shares for timing in best]
    done = (run(*plan) for plan in watch(plans, f"{problem.name}: time against size"))
    result.by_size.extend(timing for timing in done if timing)
    result.by_size.extend(best)
    return result


def doubling(features: int) -> list[int]:
    """Return 125, 250, 500, … and the number of features itself; where there are few, its eighth, fourth and half.

    Examples
    --------
    >>> doubling(800), doubling(60)
    ([125, 250, 500, 800], [7, 15, 30, 60])
    """
    sizes = [SMALLEST_COMMON << n for n in range(32) if SMALLEST_COMMON << n < features]
    if len(sizes) < 2:
        sizes = [features >> n for n in (3, 2, 1) if features >> n]
    return [*sizes, features]
