"""`kakari reproduce synthetic`, `adult` and `questions`: the tables of the 2011 thesis on online learning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from kakari.commands.kernel import TreeKind
from kakari.commands.options import Json
from kakari.commands.questions import read_questions
from kakari.commands.train.kernels import FeatureChoice
from kakari.experiments.online import (
    TABLE_5_1,
    TABLE_5_2,
    TABLE_6,
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
from kakari.experiments.plots import draw_streams, need_matplotlib
from kakari.experiments.problems import load_problem
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.output.console import note, print_json, print_table, with_progress
from kakari.parsers.questions.kernel_model import QuestionClassifier, QuestionOptions

Runs = Annotated[int, typer.Option(min=1, help="Number of training sets, or of orders of the training set.")]
Size = Annotated[
    int | None,
    typer.Option("--examples", min=2, help="Number of examples to use. [default: all]", show_default=False),
]
Svm = Annotated[bool, typer.Option(help="Train the batch SVM as well.")]
OVERALL = ("F1", "accuracy", "support vectors", "seconds")


def synthetic_cli(
    runs: Runs = 10,
    examples: Annotated[int, typer.Option(min=10, help="Number of examples in each set.")] = 10_000,
    svm: Svm = True,
    as_json: Json = False,
) -> None:
    """Print table 5.1 of the 2011 thesis: two noisy Gaussians, polynomial kernel of degree 3, one pass."""
    kernel = VectorKernel("polynomial", degree=3, gamma=1.0, constant=1.0)
    training = [synthetic_set(examples, seed) for seed in range(1, runs + 1)]
    task = Task("synthetic", kernel, training, synthetic_set(examples, 0), reordered=False)
    rows = measure_learners(task, chosen(TABLE_5_1, svm), binary_scores, watch=with_progress)
    print_rows(rows, as_json)


def adult_cli(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Folder in which to draw figures 5.1-5.3.")
    ] = None,
    corpus: Annotated[str, typer.Option(metavar="CORPUS", help="Training data.")] = "adult:train",
    test: Annotated[str, typer.Option(metavar="CORPUS", help="Test data.")] = "adult:test",
    runs: Runs = 5,
    examples: Size = None,
    svm: Svm = True,
    as_json: Json = False,
) -> None:
    """Print table 5.2 of the 2011 thesis and draw figures 5.1-5.3: Adult, Gaussian kernel γ = 0.04, one pass."""
    if output is not None:
        need_matplotlib()
    problems = [load_problem(reference, examples) for reference in (corpus, test)]
    width = 1 + max(int(problem.sets.ids.max(initial=0)) for problem in problems)
    ours, theirs = (problem.rows(width) for problem in problems)
    training = list(orders_of(ours, problems[0].signs, runs))
    task = Task("adult", VectorKernel("rbf", gamma=0.04), training, (theirs, problems[1].signs))
    entries = chosen(TABLE_5_2, svm)
    rows = measure_learners(task, entries, binary_scores, watch=with_progress)
    print_rows(rows, as_json)
    if output is not None:
        paths = draw_streams(record_curves(task, entries, watch=with_progress), output)
        note(f"The figures are in {', '.join(map(str, paths))}.")


def questions_cli(
    corpus: Annotated[str, typer.Option(metavar="CORPUS", help="Training data.")] = "qc-trees:train",
    test: Annotated[str, typer.Option(metavar="CORPUS", help="Test data.")] = "qc-trees:test",
    kind: Annotated[TreeKind, typer.Option(help="Tree kernel; the thesis uses stk.")] = TreeKind.stk,
    decay: Annotated[float, typer.Option(help="Decay λ of the tree kernel; the thesis uses 0.4.")] = 0.4,
    lowercase: Annotated[bool, typer.Option(help="Lower-case the words; the thesis does not.")] = False,
    features: Annotated[FeatureChoice, typer.Option(help="Add features of questions.")] = FeatureChoice.none,
    runs: Runs = 5,
    examples: Size = None,
    svm: Svm = True,
    as_json: Json = False,
) -> None:
    """Print tables 6.1 and 6.2 of the 2011 thesis: question classification by a tree kernel, one pass."""
    options = QuestionOptions(tree=kind.value, decay=decay, features=features.value, lowercase=lowercase)
    reader = QuestionClassifier.reader(options)
    questions, unseen = read_questions(corpus), read_questions(test)
    if examples is not None:
        questions = [questions[i] for i in np.linspace(0, len(questions) - 1, examples).astype(int)]
    forest = reader.examples(questions, learn=True)
    labels, truth = (np.array([question.coarse for question in part]) for part in (questions, unseen))
    training = list(orders_of(forest, labels, runs))
    task = Task("questions", options.kernel(), training, (reader.examples(unseen), truth))
    rows = measure_learners(task, chosen(TABLE_6, svm), class_scores, watch=with_progress)
    print_rows(rows, as_json)


def chosen(entries: list[Entry], svm: bool) -> list[Entry]:
    """Return the entries, with the batch ones or without them."""
    return [entry for entry in entries if svm or entry.algorithm != "svm"]


def print_rows(rows: list[Row], as_json: bool) -> None:
    """Print mean ± deviation of every measure, beside the published one where there is one.

    F1 of single classes goes into a second table.
    """
    if as_json:
        print_json([told(row) for row in rows])
        return
    overall = [name for name in rows[0].measures if name in OVERALL]
    for names in (overall, [name for name in rows[0].measures if name not in OVERALL]):
        if names:
            columns = [column for name in names for column in ([name, "thesis"] if _published(rows, name) else [name])]
            print_table(["learner", *columns], [[row.name, *_cells(rows, row, names)] for row in rows])


def _published(rows: list[Row], name: str) -> bool:
    return any(name in row.published for row in rows)


def _cells(rows: list[Row], row: Row, names: list[str]) -> Iterator[str]:
    for name in names:
        mean, deviation = row.measures[name]
        yield f"{mean:,.2f} ± {deviation:.2f}"
        if _published(rows, name):
            yield row.published.get(name, "")


def told(row: Row) -> dict[str, Any]:
    """Return a row as JSON can hold it."""
    measures = {name: {"mean": mean, "deviation": deviation} for name, (mean, deviation) in row.measures.items()}
    return {"learner": row.name, "measures": measures, "published": row.published}
