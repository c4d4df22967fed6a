"""The 2003 paper's three tasks with SVMs: support examples (table 1), then PKB, PKI and PKE (tables 2-6).

Chunking: BaseNP labels of conll2000:train, words and tags two places around and two decisions, quadratic kernel, pairs
that vote; every tenth sentence is held back for the test. Segmentation: boundaries of kwdlc's words, characters and
their types at six places, cubic kernel. Dependency: dep-examples, cubic kernel. Accuracy is that of single decisions,
with the gold decisions before them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.experiments.pke import PUBLISHED_INVERTED, PUBLISHED_MINED, SIGMAS, SUPPORTS, Plan, Row, Watch, entries_read
from kakari.experiments.problems import cpu_seconds, load_problem
from kakari.kernels.frozen.conjunction_mining import Conjunctions
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.replay.definition import naive_margins
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.solvers.expanded import solve_expanded
from kakari.models.polynomial.classifier import Machine
from kakari.models.voting import binary_problems, decide, multiclass_margins
from kakari.results.stored import Book, Outcome, Shelf, Table

HELD_BACK = 10  # one sentence of so many
TOLERANCE = 1e-2  # of the gradients: 1 is a margin
TESTED = 5000  # examples of a share, at most: PKB is slow
NUMBERS = {"training examples": 0, "support examples": 1, "features": 1, "features of a support example": 1}
NUMBERS |= {"support examples of a feature": 1, "CPU s": 1}
WAYS = {"conjunctions": 0, "MB": 2, "entries read": 0, "ns an entry": 2, "µs": 2, "times faster": 1}
WAYS |= {"accuracy, %": 2, "paper": 0}
Margins = Callable[[FeatureSets], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Examples:
    """Feature sets and the numbers of their classes."""

    sets: FeatureSets
    numbers: NDArray[np.int64]

    def share(self, count: int | None) -> Examples:
        """Return so many examples, spread evenly over all."""
        if count is None or count >= len(self.sets):
            return self
        rows = np.linspace(0, len(self.sets) - 1, count).astype(np.int64)
        return Examples(self.sets.take(rows), self.numbers[rows])


@dataclass(frozen=True, slots=True)
class PaperTask:
    """Training and test data of a task, with the paper's figures; `pruned_at` is the σ with which ξ is changed."""

    name: str
    degree: int
    classes: int
    train: Examples
    test: Examples
    published: dict[tuple[float, int], str]
    cost: float = 1.0  # C; what the paper had is not told
    pruned_at: float = min(SIGMAS)


@dataclass(frozen=True, slots=True)
class SupportTable:
    """A row of table 1: averages over the pairs of classes."""

    examples: int
    support: float
    features: float
    features_of_support: float
    support_of_feature: float
    seconds: float


def chunking() -> PaperTask:
    """BaseNP chunks."""
    from kakari.parsers.english.chunks.settings import FIELDS, PAPER
    from kakari.parsers.sequences.labelling import feature_sets
    from kakari.parsers.sequences.model import token_table
    from kakari.parsers.sequences.reading import read_labelled
    from kakari.parsers.sequences.templates import TemplateSet

    data, templates = read_labelled("conll2000:train", types=("NP",), chunks=True), TemplateSet(PAPER)
    names = sorted({label for line in data.labels for label in line})

    def part(held: bool) -> Examples:
        rows = [row for place, row in enumerate(data.rows) if (place % HELD_BACK == 0) == held]
        labels = [line for place, line in enumerate(data.labels) if (place % HELD_BACK == 0) == held]
        numbers = np.array([names.index(label) for line in labels for label in line], dtype=np.int64)
        return Examples(feature_sets(token_table(rows, FIELDS, templates), templates, numbers), numbers)

    return PaperTask("chunking", 2, len(names), part(False), part(True), {})


def segmentation() -> PaperTask:
    """Word boundaries."""
    from kakari.corpora import read
    from kakari.parsers.japanese.tagging.dictionary import WordDictionary, character_table
    from kakari.parsers.japanese.tagging.entries import sentence_entries
    from kakari.parsers.japanese.tagging.kernel_training import boundary_decisions
    from kakari.parsers.japanese.tagging.settings import PAPER_BOUNDARIES, KernelSettings
    from kakari.parsers.japanese.tagging.training import marks_of, text_of
    from kakari.parsers.sequences.templates import TemplateSet

    def part(corpus: str) -> Examples:
        lines = [sentence_entries(sentence) for sentence in read(corpus) if not sentence.is_parenthesis]
        table = character_table([text_of(line) for line in lines], WordDictionary.of_words({}))
        sets, begins = boundary_decisions(table, marks_of(lines), TemplateSet(PAPER_BOUNDARIES))
        return Examples(sets, begins.astype(np.int64))

    published = {(0.005, 1): "|Q| 2.32 million, 97.94 %", (0.005, 2): "|Q| a half, 97.83 %"}
    cost = KernelSettings().cost
    return PaperTask("segmentation", 3, 2, part("kwdlc:train"), part("kwdlc:dev"), published, cost, 0.005)


def dependency() -> PaperTask:
    """Pairs of bunsetsu."""
    parts = [load_problem(f"dep-examples:{name}") for name in ("train", "dev")]
    train, test = (Examples(part.sets, (part.signs > 0).astype(np.int64)) for part in parts)
    published = {(0.0005, 1): "|Q| 8.26 million, 89.29 %", (0.0005, 2): "|Q| a third, 89.34 %"}
    return PaperTask("dependency", 3, 2, train, test, published, 0.001)


TASKS: dict[str, Callable[[], PaperTask]] = {
    "chunking": chunking,
    "segmentation": segmentation,
    "dependency": dependency,
}


def train_svms(task: PaperTask, train: Examples) -> tuple[list[Machine], SupportTable]:
    """Train an SVM for each pair of classes; tell what its support examples are like.

    The constant part of the kernel takes the place of a bias, so that machines of any size can be trained by their
    conjunctions. An example that contradicts another one has a coefficient of C, which grows by about 1 / K(x, x) in
    a pass: C is small where K(x, x) is large.
    """
    began = time.process_time()
    machines = []
    for rows, signs in binary_problems(train.numbers, task.classes, "ovo"):
        sets = train.sets if rows is None else train.sets.take(rows)
        found = solve_expanded(sets, signs, task.degree, cost=task.cost, tolerance=TOLERANCE)
        support = np.flatnonzero(found["coefficients"])
        machines.append(Machine(task.degree, sets.take(support), found["coefficients"][support], 0.0))
    return machines, support_table(machines, len(train.sets), time.process_time() - began)


def support_table(machines: Sequence[Machine], examples: int, seconds: float) -> SupportTable:
    """Return the averages of table 1."""
    told = []
    for machine in machines:
        sets: Any = machine.support
        named = len(np.unique(sets.ids))
        told.append((len(sets), named, len(sets.ids) / max(1, len(sets)), len(sets.ids) / max(1, named)))
    support, features, of_support, of_feature = (round(float(value), 1) for value in np.mean(told, axis=0))
    return SupportTable(examples, support, features, of_support, of_feature, round(seconds, 1))


def measure_task(
    task: PaperTask,
    *,
    examples: int | None = None,
    test_examples: int | None = None,
    sigmas: Sequence[float] = SIGMAS,
    supports: Sequence[int] = SUPPORTS,
    watch: Watch = lambda plans, _: plans,
) -> tuple[SupportTable, list[Row]]:
    """Train the SVMs of a task, then classify its test data in each way: σ with ξ = 1, and ξ with one σ.

    That σ is the paper's for the task, or the smallest if it is not among those asked for.
    """
    machines, table = train_svms(task, task.train.share(examples))
    test = task.test.share(test_examples or examples)
    plans: list[Plan] = [("PKB", None, None), ("PKI", None, None), ("exact", None, None)]
    plans += [("PKE", sigma, 1) for sigma in sorted(sigmas, reverse=True)]
    pruned_at = task.pruned_at if task.pruned_at in sigmas else min(sigmas)
    plans += [("PKE", pruned_at, least) for least in sorted(supports) if least > 1]
    rows: list[Row] = []
    for method, sigma, least in watch(plans, f"{task.name}: speed and accuracy"):
        counted: list[int] = []
        ways, size = zip(*(_way(machine, method, sigma, least, counted) for machine in machines), strict=True)
        margins, seconds = cpu_seconds(partial(_all_margins, ways, test.sets))
        each = 1e6 * seconds / max(1, len(test.sets))
        right = decide(multiclass_margins(margins, task.classes, "ovo")) == test.numbers
        rows.append(
            Row(
                method,
                sigma,
                least,
                round(sum(counted) / len(machines)) if counted else None,
                round(sum(size) / 1e6, 3),
                round(each, 3),
                round((rows[0].microseconds if rows else each) / each, 1) if each else 0.0,
                float(np.mean(right)) if right.size else 0.0,
                _published(task, method, sigma, least),
                _entries(machines, method, test.sets),
            )
        )
    return table, rows


def measure_on_shelf(shelf: Shelf, name: str) -> Book:
    """Measure a share of a task and store it; what is on the shelf already is not measured again."""
    task = TASKS[name]()
    book = shelf.book(f"pke-{name}", "2003", tables_of(name))
    count = shelf.some(len(task.train.sets))
    known = book.rows.get(("table 1", name))
    if known is not None and not known.skipped and (known.size, known.command) == (_size(count), book.command):
        return book
    if shelf.budget.left() <= 0:
        book.measure("table 1", name, dict, size=_size(count))  # says that the budget is used up
        return book
    shelf.report(f"pke-{name}")
    return keep_task(shelf, name, *measure_task(task, examples=count, test_examples=TESTED))


def tables_of(name: str) -> list[Table]:
    """Return a task's tables, without rows."""
    return [
        Table("table 1", f"Table 1 again: {name}, SVM", "task", NUMBERS),
        Table("ways", f"Tables 2 to 6 again: {name}", "way", WAYS),
    ]


def _size(examples: int) -> str:
    return f"{examples:,} training examples"


def keep_task(shelf: Shelf, name: str, table: SupportTable, rows: Sequence[Row]) -> Book:
    """Store what was measured of a task: its row of table 1, and a row for each way to classify."""
    book = shelf.book(f"pke-{name}", "2003", tables_of(name))
    size = _size(table.examples)
    told = dict(zip(NUMBERS, asdict(table).values(), strict=True))
    book.measure("table 1", name, lambda: Outcome(told, seconds=table.seconds), size=size)
    for row in rows:
        way = " ".join(
            [row.method, *([f"σ = {row.sigma:g}, ξ = {row.minimum_support}"] if row.sigma is not None else [])]
        )
        values: dict[str, Any] = {"MB": row.megabytes, "µs": row.microseconds, "times faster": row.times_faster}
        values |= {} if row.conjunctions is None else {"conjunctions": row.conjunctions}
        if row.entries:
            values |= {"entries read": row.entries, "ns an entry": round(1e3 * row.microseconds / row.entries, 2)}
        values |= {"accuracy, %": 100 * row.accuracy} | ({"paper": row.published} if row.published else {})
        book.measure("ways", way, partial(Outcome, values, seconds=0.0), size=size)
    return book


def _entries(machines: Sequence[Machine], method: str, asked: FeatureSets) -> int | None:
    """Return how many numbers the machines of all pairs read for a decision; None if a way reads neither list."""
    counts = [entries_read(method, one.support, asked) for one in machines if one.support is not None]
    return None if None in counts else sum(count for count in counts if count is not None)


def _all_margins(ways: Sequence[Margins], sets: FeatureSets) -> list[NDArray[np.float64]]:
    return [way(sets) for way in ways]


def _way(
    machine: Machine, method: str, sigma: float | None, least: int | None, counted: list[int]
) -> tuple[Margins, int]:
    """Return what computes a machine's margins, and its size in bytes."""
    support, coefficients = machine.support, machine.coefficients
    if support is None or coefficients is None:
        raise ValueError("a machine without support examples")
    if method == "PKB":
        naive = partial(naive_margins, support=support, coefficients=coefficients, degree=machine.degree)
        size = support.ids.nbytes + support.offsets.nbytes + coefficients.nbytes
        return lambda sets: naive(sets) + machine.bias, size
    if sigma is None or least is None:
        model = machine.frozen(kind="inverted" if method == "PKI" else "splitting")
        return model.margins, model.nbytes

    def count(found: Conjunctions) -> Conjunctions:
        counted.append(len(found))
        return found

    options: dict[str, Any] = {"sigma": sigma, "minimum_support": least, "refit": count}
    model = freeze(support, coefficients, machine.degree, bias=machine.bias, kind="expansion", **options)
    return model.margins, model.nbytes


def _published(task: PaperTask, method: str, sigma: float | None, least: int | None) -> str:
    if method == "PKI":
        return PUBLISHED_INVERTED
    if method != "PKE" or sigma is None or least is None:
        return ""
    return "; ".join(filter(None, (PUBLISHED_MINED if least == 1 else "", task.published.get((sigma, least), ""))))
