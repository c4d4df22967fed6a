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
LEFT_OUT = 20  # the part of a curve of F1 with which it does not begin


def stream_figures(chapter: str, title: str) -> list[Figure]:
    """Return the figures of a stream: F1 so far on its first tenth and on all of it, support set, and time."""
    told = {"1a": ("F1 so far, %", ", first tenth"), "1b": ("F1 so far, %", "")}
    told |= {"2": ("support vectors", ""), "3": ("CPU s", "")}
    return [
        Figure(f"figure {chapter}.{number}", f"{title}{part}", "examples seen, %", upwards)
        for number, (upwards, part) in told.items()
    ]


def stream_points(chapter: str, curve: Curve) -> list[Point]:
    """Return some points of a learner's way through a stream, for the figures.

    The curves of F1 begin after a twentieth of what they show, since that of a few examples says nothing.

    Examples
    --------
    >>> one, many = np.ones(80, dtype=np.int64), np.arange(80)
    >>> curve = Curve("PA", one, many, np.array([0.5, 1.0]), np.tile([True, False], 40))
    >>> [(round(point.x, 2), round(point.y, 1)) for point in stream_points("5", curve) if point.figure == "figure 5.1a"]
    [(1.25, 0.0), (2.5, 0.0), (3.75, 66.7), (5.0, 66.7), (6.25, 80.0), (7.5, 80.0), (8.75, 85.7), (10.0, 85.7)]
    """
    f1, tenth = curve.f1(), max(1, curve.mistakes.size // 10)
    told = {
        "1a": (f1, tenth // LEFT_OUT, tenth),
        "1b": (f1, f1.size // LEFT_OUT, f1.size),
        "2": (curve.support, 0, curve.support.size),
        "3": (curve.seconds, 0, curve.seconds.size),
    }
    points = []
    for number, (values, first, end) in told.items():
        for at in np.unique(np.linspace(first, end - 1, min(POINTS, end)).astype(int)).tolist():
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
