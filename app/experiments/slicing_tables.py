"""The 2010 paper whole: tables 1 to 3 and figures 1 to 4, as stored results.

Two tasks: pairs of bunsetsu (dep-examples; the paper's DEP was made of another corpus) and English hyponymy pairs with
counts of Hearst patterns (hyponymy-en; the paper's REL were candidates of the Japanese Wikipedia). The paper's figures
therefore stand in columns of their own, never in a cell with ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.experiments.problems import Problem, StopWatch, accuracy, cpu_seconds, train
from kakari.experiments.slicing import doubling
from kakari.kernels.baselines.loglinear import ExpandedLogLinear
from kakari.kernels.baselines.published_slicing import PublishedSlicing
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.polynomial.defaults import default_cost
from kakari.results.stored import Book, Figure, Outcome, Point, Shelf, Skipped, Table

STATISTICS = ("|T|", "y = +1", "y = −1", "average of |x|", "average of |x²|", "average of |x³|", "|F|", "|F²|", "|F³|")
PASSES = 20
OF_A_ROW = 5  # times the time limit
COLUMNS = {
    "accuracy, %": 2,
    "CPU s": 2,
    "MB": 1,
    "N": 0,
    "features": 0,
    "updates": 0,
    "support examples": 0,
    "paper: accuracy": 2,
    "paper: s": 0,
    "paper: MB": 0,
}
# Of our own learner: method and reuse. The published slicing is an engine of its own.
OURS: dict[str, dict[str, Any]] = {
    "kernel": {"method": "inverted"},
    "KE": {"method": "expansion"},
    "SP": {"method": "splitting"},
    "SL*": {"method": "slicing", "reuse": False},
    "SL": {"method": "slicing"},
}
PUBLISHED_WAYS = {"SL as published": True, "SL* as published": False}
WITH_COMMON = ("SP", "SL*", "SL", *PUBLISHED_WAYS)


@dataclass(frozen=True)
class SlicingTask:
    """A task of the paper: its training and test examples, and what the paper has for its own data.

    `published` has accuracy, seconds and megabytes by row; `statistics` the column of table 1. `costs` are the
    penalties of the log-linear models by degree, chosen on folds of training data, `svm_cost` the SVM's C by degree.
    """

    experiment: str
    table: str
    figures: tuple[str, str]
    train: Problem
    test: Problem
    title: str
    published: dict[str, tuple[str, str, str]]
    statistics: dict[str, str]
    costs: dict[int, tuple[float, float]]
    svm_cost: dict[int, float]


@dataclass(frozen=True)
class Run:
    """One training run, and its averaged model as margins of sets."""

    seconds: float
    megabytes: float
    updates: int
    margins: Callable[[FeatureSets], NDArray[np.float64]]


def measure_paper(
    task: SlicingTask,
    shelf: Shelf,
    *,
    passes: int = PASSES,
    time_limit: float = 300.0,
    commons: Sequence[int] | None = None,
    parts: Sequence[int] = (8, 4, 2),
) -> Book:
    """Measure a task's column of table 1, its table 2 or 3, and its two figures.

    A row of a table may take `OF_A_ROW` times as long as a point of a figure.
    """
    tables = [
        Table("table 1", f"Table 1 again: {task.title}", "what", {"number": 2, "paper's own data": 0}),
        Table(task.table, f"{task.table.capitalize()} again: {task.title}, {passes} passes", "method", COLUMNS),
        Table("runs", f"The runs behind figures {' and '.join(task.figures)}", "run", COLUMNS),
    ]
    across = ("N, features with explicit conjunctions", "training examples")
    problem = task.train.share(shelf.some(len(task.train)))
    title = f"{task.title}, {len(problem):,} examples, d = 3"
    figures = [
        Figure(f"figure {number}", title, axis, "training, CPU s", "xy")
        for number, axis in zip(task.figures, across, strict=True)
    ]
    book = shelf.book(task.experiment, "2010", tables, figures)
    size = f"{len(problem):,} of {len(task.train):,} examples, tested on {len(task.test):,}"
    counted = cache(lambda: statistics(problem.sets, problem.signs))  # not at all where every row is known
    for name in STATISTICS:

        def count(name: str = name) -> dict[str, Any]:
            theirs = task.statistics.get(name)
            return {"number": counted()[name]} | ({"paper's own data": theirs} if theirs else {})

        book.measure("table 1", name, count, size=size)
    by_common = _time_against_common(book, task, problem, size, passes, time_limit, commons)
    _rows_of_table(book, task, problem, size, passes, OF_A_ROW * time_limit, by_common)
    _time_against_size(book, task, problem, passes, time_limit, by_common, parts)
    return book


def statistics(sets: FeatureSets, signs: NDArray[np.int64]) -> dict[str, float]:
    """Return the rows of table 1: examples by class, conjunctions of an example, and features that occur.

    Examples
    --------
    >>> told = statistics(FeatureSets.from_lists([[1, 2, 3], [1]]), np.array([1, -1]))
    >>> told["average of |x²|"], told["|F²|"], told["|F³|"]
    (4.5, 7, 8)
    """
    lengths = sets.row_lengths()
    told: dict[str, float] = {
        "|T|": len(sets),
        "y = +1": int((signs > 0).sum()),
        "y = −1": int((signs < 0).sum()),
    }
    for degree, mark in ((1, ""), (2, "²"), (3, "³")):
        each = sum(_chosen(lengths, size) for size in range(1 if degree == 1 else 0, degree + 1))
        told[f"average of |x{mark}|"] = float(np.mean(each)) if len(sets) else 0.0
    told["|F|"] = len(np.unique(sets.ids))
    for degree, mark in ((2, "²"), (3, "³")):
        told[f"|F{mark}|"] = occurring_conjunctions(sets, degree)
    return told


def _chosen(lengths: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    table = np.array([comb(length, size) for length in range(int(lengths.max(initial=0)) + 1)], dtype=np.float64)
    return table[lengths]


def occurring_conjunctions(sets: FeatureSets, degree: int) -> int:
    """Count the conjunctions of up to `degree` features that occur, the empty one too."""
    model = ExpandedLogLinear(degree)
    model.fit(sets, np.ones(len(sets), dtype=np.int32), passes=0)
    return int(model.conjunctions)


def run_variant(problem: Problem, degree: int, variant: str, common: int | None, passes: int, time_limit: float) -> Run:
    """Train PA-I in one of the ways; a run over the time limit is skipped, as the paper ends its slow curves."""
    watch = StopWatch(time_limit, passes)
    if variant in OURS:
        options = {**OURS[variant], **({} if common is None else {"common": common})}
        learner, seconds = train(problem, degree, passes, watch=watch, **options)
        if learner.running:
            raise Skipped(watch.reason())
        support, coefficients = learner.support(), learner.coefficients(averaged=True)
        return Run(seconds, learner.peak_bytes / 1e6, learner.updates, _margins(support, coefficients, degree))
    published = PublishedSlicing(
        degree, common=common or 0, cost=default_cost("features", degree), reuse=PUBLISHED_WAYS[variant]
    )
    _, seconds = cpu_seconds(lambda: published.fit(problem.sets, problem.signs, passes=passes, progress=watch))
    if published.running:
        raise Skipped(watch.reason())
    rows, amounts, visits = published.updates()
    shares = amounts * (1 - (visits - 1) / (passes * len(problem)))
    used, places = np.unique(rows, return_inverse=True)
    averaged = np.bincount(places, weights=shares, minlength=len(used)).astype(np.float64)
    margins = _margins(problem.sets.take(used), averaged, degree)
    return Run(seconds, published.peak_bytes / 1e6, published.update_count, margins)


def _margins(
    support: FeatureSets, coefficients: NDArray[np.float64], degree: int
) -> Callable[[FeatureSets], NDArray[np.float64]]:
    def margins(sets: FeatureSets) -> NDArray[np.float64]:
        return freeze(support, coefficients, degree, kind="expansion" if degree == 1 else "splitting").margins(sets)

    return margins


def _outcome(run: Run, test: Problem | None, points: list[Point], common: int | None) -> Outcome:
    values: dict[str, Any] = {} if test is None else {"accuracy, %": 100 * accuracy(run.margins(test.sets), test.signs)}
    values |= {"CPU s": run.seconds, "MB": run.megabytes, "updates": run.updates}
    return Outcome(values | ({} if common is None else {"N": common}), points, run.seconds)


def _time_against_common(
    book: Book,
    task: SlicingTask,
    problem: Problem,
    size: str,
    passes: int,
    time_limit: float,
    commons: Sequence[int] | None,
) -> dict[str, tuple[int, float]]:
    """Measure the first figure; return each variant's fastest N and its seconds."""
    features = len(problem.sets.ranking())
    best: dict[str, tuple[int, float]] = {}
    slow: dict[str, int] = {}  # the N at which a variant was stopped: a larger one is not tried
    for common in commons or doubling(features):
        for variant in WITH_COMMON:

            def work(variant: str = variant, common: int = common) -> Outcome:
                if variant in slow:
                    raise Skipped(f"N = {slow[variant]:,} was stopped after {time_limit:.0f} CPU s")
                run = run_variant(problem, 3, variant, common, passes, time_limit)
                point = Point(f"figure {task.figures[0]}", f"PA-I {variant}", common, run.seconds)
                return _outcome(run, None, [point], common)

            row = book.measure("runs", f"PA-I {variant}, d = 3, N = {common:,}", work, size=size)
            if row.skipped:
                slow.setdefault(variant, common)
            elif row.seconds is not None and row.seconds < best.get(variant, (0, np.inf))[1]:
                best[variant] = (common, row.seconds)
    return best


def _rows_of_table(
    book: Book,
    task: SlicingTask,
    problem: Problem,
    size: str,
    passes: int,
    time_limit: float,
    by_common: dict[str, tuple[int, float]],
) -> None:
    """Measure the rows of table 2 or 3."""

    def add(name: str, work: Callable[[], Outcome], key: str = "") -> None:
        theirs = task.published.get(key or name)
        if theirs:
            names = ("paper: accuracy", "paper: s", "paper: MB")
            extra = {column: value for column, value in zip(names, theirs, strict=True) if value}

            def both(work: Callable[[], Outcome] = work) -> Outcome:
                found = work()
                return Outcome({**found.values, **extra}, found.points, found.seconds)

            book.measure(task.table, name, both, size=size)
        else:
            book.measure(task.table, name, work, size=size)

    def pa(degree: int, variant: str, common: int | None) -> Callable[[], Outcome]:
        return lambda: _outcome(
            run_variant(problem, degree, variant, common, passes, time_limit), task.test, [], common
        )

    add("PA-I, d = 1", pa(1, "SL", None))
    add("ℓ1-LLM, d = 1", lambda: loglinear(task, problem, 1, passes, time_limit))
    for degree in (2, 3):
        add(f"ℓ1-LLM, d = {degree}", lambda degree=degree: loglinear(task, problem, degree, passes, time_limit))  # type: ignore[misc]
        add(f"SVM, d = {degree}", lambda degree=degree: support_vectors(task, problem, degree))  # type: ignore[misc]
        for variant in ("kernel", "KE"):
            add(f"PA-I {variant}, d = {degree}", pa(degree, variant, None))
        for variant in WITH_COMMON:
            common = by_common.get(variant, (4000 if degree == 2 else 250, 0.0))[0]
            key = f"PA-I {variant.split()[0]}, d = {degree}"
            add(f"PA-I {variant}, d = {degree}", pa(degree, variant, common), key)
        add(f"PA-I SL, our default N, d = {degree}", pa(degree, "SL", None))


def loglinear(task: SlicingTask, problem: Problem, degree: int, passes: int, time_limit: float) -> Outcome:
    """Train the log-linear model of a degree."""
    penalty, rate = task.costs[degree]
    model = ExpandedLogLinear(degree, cost=penalty, rate=rate)
    watch = StopWatch(time_limit, passes)
    _, seconds = cpu_seconds(lambda: model.fit(problem.sets, problem.signs, passes=passes, progress=watch))
    if model.running:
        raise Skipped(watch.reason())
    right = 100 * accuracy(model.margins(task.test.sets), task.test.signs)
    values = {"accuracy, %": right, "CPU s": seconds, "MB": model.peak_bytes / 1e6, "features": model.active}
    return Outcome(values, seconds=seconds)


def measure_loglinear(task: SlicingTask, shelf: Shelf, *, passes: int = PASSES) -> Book:
    """Measure the log-linear models beside PA-I of the same degree, without a time limit."""
    columns = {"accuracy, %": 2, "PA-I, accuracy, %": 2, "features": 0, "conjunctions": 0, "CPU s": 1, "MB": 0}
    title = f"ℓ1-regularised log-linear models beside PA-I: {task.title}, {passes} passes"
    book = shelf.book("slicing-loglinear", "2010", [Table("log-linear", title, "degree", columns)])
    problem = task.train.share(shelf.some(len(task.train)))
    for degree in (1, 2, 3):

        def work(degree: int = degree) -> Outcome:
            found = loglinear(task, problem, degree, passes, float("inf"))
            online = run_variant(problem, degree, "SL", None, passes, float("inf"))
            right = 100 * accuracy(online.margins(task.test.sets), task.test.signs)
            more = {"PA-I, accuracy, %": right, "conjunctions": occurring_conjunctions(problem.sets, degree)}
            return Outcome({**found.values, **more}, seconds=found.seconds)

        size = f"{len(problem):,} of {len(task.train):,} examples, tested on {len(task.test):,}"
        book.measure("log-linear", f"d = {degree}", work, size=size)
    return book


def support_vectors(task: SlicingTask, problem: Problem, degree: int) -> Outcome:
    """Train the exact SVM of a degree."""
    from kakari.models.machines.svm import KernelSVC

    width = 1 + max(int(part.sets.ids.max(initial=0)) for part in (problem, task.test))
    kernel = VectorKernel("polynomial", degree=degree)
    svc = KernelSVC(kernel, C=task.svm_cost[degree])
    _, seconds = cpu_seconds(lambda: svc.fit(problem.rows(width), problem.signs))
    right = 100 * accuracy(np.asarray(svc.decision_function(task.test.rows(width))), task.test.signs)
    return Outcome(
        {"accuracy, %": right, "CPU s": seconds, "support examples": int(svc.support_.size)}, seconds=seconds
    )


def _time_against_size(
    book: Book,
    task: SlicingTask,
    problem: Problem,
    passes: int,
    time_limit: float,
    by_common: dict[str, tuple[int, float]],
    parts: Sequence[int],
) -> None:
    """Measure the second figure: each way with its fastest N on shares of the examples."""
    figure = f"figure {task.figures[1]}"
    measured = {row.row: row for row in book.of_table(task.table) if row.command == book.command}
    across = [x for curve in book.points(f"figure {task.figures[0]}").values() for x, _ in curve]
    ends = sorted({min(across), max(across)}) if across else []
    for part in (*parts, 1):
        some = problem if part == 1 else problem.share(max(2, len(problem) // part))
        for variant in (*OURS, *PUBLISHED_WAYS):
            common = by_common.get(variant, (None, 0.0))[0] if variant in WITH_COMMON else None
            if variant in WITH_COMMON and common is None:
                continue  # it never ended on all examples

            def work(variant: str = variant, common: int | None = common, some: Problem = some) -> Outcome:
                row = measured.get(f"PA-I {variant}, d = 3")
                if len(some) == len(problem) and row is not None:  # the table has this run
                    if row.skipped or row.seconds is None:
                        raise Skipped(row.skipped)
                    kept = ("CPU s", "MB", "updates", "N")
                    values: dict[str, Any] = {name: row.cells[name].value for name in kept if name in row.cells}
                    seconds = float(values["CPU s"])
                    points = [Point(figure, f"PA-I {variant}", len(some), seconds)]
                    if variant not in WITH_COMMON:  # a level line in the figure across N
                        points += [Point(f"figure {task.figures[0]}", f"PA-I {variant}", n, seconds) for n in ends]
                    return Outcome(values, points, row.seconds)
                run = run_variant(some, 3, variant, common, passes, time_limit)
                return _outcome(run, None, [Point(figure, f"PA-I {variant}", len(some), run.seconds)], common)

            book.measure("runs", f"PA-I {variant}, d = 3, {len(some):,} examples", work, size=f"{len(some):,} examples")
