"""The tables of the 2011 thesis as stored results: 5.1 and 5.2 with figures 5.1 to 5.3, and 6.1 and 6.2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kakari.experiments.online import (
    TABLE_5_1,
    TABLE_5_2,
    TABLE_6,
    Curve,
    Entry,
    Row,
    Task,
    binary_scores,
    class_scores,
    measure_learners,
    orders_of,
    record_curves,
    synthetic_set,
)
from kakari.experiments.problems import load_problem
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.results.stored import Book, Figure, Outcome, Point, Shelf, Table

OVERALL = {"F1": 2, "accuracy": 2, "support vectors": 0, "seconds": 2}
POINTS = 40  # of a curve


def stream_figures(chapter: str, title: str) -> list[Figure]:
    """Return the three figures of a stream: accuracy, support set and time."""
    names = ("accuracy so far, %", "support vectors", "CPU s")
    return [
        Figure(f"figure {chapter}.{number}", title, "examples seen, %", upwards)
        for number, upwards in enumerate(names, 1)
    ]


def stream_points(chapter: str, curve: Curve) -> list[Point]:
    """Return some points of a learner's way through a stream, for the three figures.

    Examples
    --------
    >>> curve = Curve("PA", np.array([0, 1, 1, 1]), np.array([1, 2, 2, 3]), np.array([0.5, 1.0]))
    >>> [point.y for point in stream_points("5", curve) if point.figure == "figure 5.1"]
    [100.0, 50.0, 66.66666666666667, 75.0]
    """
    seen = np.arange(1, curve.mistakes.size + 1)
    told = {
        1: 100 * (1 - curve.mistakes / seen),
        2: curve.support,
        3: curve.seconds,
    }
    points = []
    for number, values in told.items():
        first = len(values) // POINTS if number == 1 else 0  # the share right of a few examples says nothing
        for at in np.unique(np.linspace(first, len(values) - 1, min(POINTS, len(values))).astype(int)).tolist():
            points.append(
                Point(f"figure {chapter}.{number}", curve.name, 100 * (at + 1) / len(values), float(values[at]))
            )
    return points


def learner_rows(
    book: Book,
    table: str,
    task: Task,
    entries: Sequence[Entry],
    scores: Callable[[Any, Any, Any], dict[str, float]],
    size: str,
    chapter: str = "",
) -> None:
    """Measure a row for each learner, with its curves if a chapter is named."""
    for entry in entries:

        def work(entry: Entry = entry) -> Outcome:
            (row,) = measure_learners(task, [entry], scores)
            points: list[Point] = []
            if chapter and entry.algorithm != "svm":
                (curve,) = record_curves(task, [entry])
                points = stream_points(chapter, curve)
            return Outcome(values_of(row), points, row.measures["seconds"][0] * len(task.training))

        book.measure(table, entry.name, work, size=size, published=entry.published)


def values_of(row: Row) -> dict[str, Any]:
    """Return mean and deviation by column."""
    return {name: (mean, deviation or None) for name, (mean, deviation) in row.measures.items()}


def synthetic_tables(shelf: Shelf, *, runs: int = 10) -> Book:
    """Measure table 5.1."""
    count = shelf.some(10_000)
    title = "Table 5.1 again: two noisy Gaussians, polynomial kernel of degree 3, one pass"
    book = shelf.book("synthetic", "2011", [Table("table 5.1", title, "learner", OVERALL)])
    kernel = VectorKernel("polynomial", degree=3, gamma=1.0, constant=1.0)
    training = [synthetic_set(count, seed) for seed in range(1, runs + 1)]
    task = Task("synthetic", kernel, training, synthetic_set(count, 0), reordered=False)
    learner_rows(book, "table 5.1", task, TABLE_5_1, binary_scores, f"{runs} sets of {count:,} examples")
    return book


def adult_tables(shelf: Shelf, *, runs: int = 5) -> Book:
    """Measure table 5.2 and figures 5.1 to 5.3."""
    title = "Table 5.2 again: Adult, Gaussian kernel, one pass"
    figures = stream_figures("5", "Adult, one pass")
    book = shelf.book("adult", "2011", [Table("table 5.2", title, "learner", OVERALL)], figures)
    problems = [load_problem(f"adult:{part}") for part in ("train", "test")]
    ours, test = problems[0].share(shelf.some(len(problems[0]))), problems[1]
    width = 1 + max(int(problem.sets.ids.max(initial=0)) for problem in problems)
    training = list(orders_of(ours.rows(width), ours.signs, runs))
    task = Task("adult", VectorKernel("rbf", gamma=0.04), training, (test.rows(width), test.signs))
    size = f"{runs} orders of {len(ours):,} examples, tested on {len(test):,}"
    learner_rows(book, "table 5.2", task, TABLE_5_2, binary_scores, size, "5")
    return book


def question_tables(
    shelf: Shelf, *, corpora: Sequence[str] = ("qc-trees:train", "qc-trees:test"), runs: int = 5
) -> Book:
    """Measure tables 6.1 and 6.2."""
    from kakari.corpora import catalogue
    from kakari.parsers.questions.kernel_model import QuestionClassifier, QuestionOptions

    columns = {"accuracy": 2, **dict.fromkeys(("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"), 1)}
    columns |= {"support vectors": 0, "seconds": 2}
    title = "Tables 6.1 and 6.2 again: question classes, STK, λ = 0.4, one pass; F1 of each class's machine alone"
    book = shelf.book("questions", "2011", [Table("table 6.2", title, "learner", columns)])
    options = QuestionOptions(tree="stk", decay=0.4, features="none", lowercase=False)
    reader = QuestionClassifier.reader(options)
    questions, unseen = (list(catalogue.read(corpus)) for corpus in corpora)
    rows = np.linspace(0, len(questions) - 1, shelf.some(len(questions))).astype(int)
    questions = [questions[row] for row in rows.tolist()]
    forest = reader.examples(questions, learn=True)
    labels, truth = (np.array([question.coarse for question in part]) for part in (questions, unseen))
    task = Task(
        "questions",
        options.kernel(),
        list(orders_of(forest, labels, runs)),
        (reader.examples(unseen), truth),
    )
    size = f"{runs} orders of {len(questions):,} questions, tested on {len(unseen):,}"
    learner_rows(book, "table 6.2", task, TABLE_6, class_scores, size)
    return book
