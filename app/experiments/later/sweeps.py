"""What section 7.2 of the 2011 thesis says it should have done: C, η and cost factors chosen on data.

Three folds of the training questions, one pass in one order. The cost factor of the
SVM is chosen for each class alone, by the F1 of its own machine, as table 6.2's tuned SVM had it from Moschitti et al.
(2007); the machines with the chosen factors are then scored once on the test questions.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.experiments.online import TABLE_6, Entry
from kakari.experiments.problems import cpu_seconds
from kakari.models.machines.examples import take
from kakari.results.stored import Book, Outcome, Shelf, Table

FOLDS = 3
PA_COSTS = (0.01, 0.03, 0.1, 0.3, 1.0, 10.0)
ETAS = (0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9)
FACTORS = (1.0, 2.0, 3.0, 5.0, 10.0)
TUNED = TABLE_6[0]
COLUMNS = {"accuracy on folds, %": 2, "support vectors": 0, "CPU s": 2}


def measure_sweeps(
    shelf: Shelf,
    corpora: Sequence[str] = ("qc-trees:train", "qc-trees:test"),
    costs: Sequence[float] = PA_COSTS,
    etas: Sequence[float] = ETAS,
    factors: Sequence[float] = FACTORS,
) -> Book:
    """Measure the sweeps of C and η, and the SVM with a cost factor for each class."""
    from kakari.corpora import catalogue
    from kakari.parsers.questions.kernel_model import QuestionClassifier, QuestionOptions

    options = QuestionOptions(tree="stk", decay=0.4, features="none", lowercase=False)
    reader = QuestionClassifier.reader(options)
    questions, unseen = (list(catalogue.read(corpus)) for corpus in corpora)
    rows = np.linspace(0, len(questions) - 1, shelf.some(len(questions), least=500)).astype(int)
    questions = [questions[row] for row in rows.tolist()]
    forest = reader.examples(questions, learn=True)
    labels, truth = (np.array([question.coarse for question in part]) for part in (questions, unseen))
    order = np.random.default_rng(0).permutation(labels.size)
    forest, labels = take(forest, order), labels[order]
    names = sorted(set(labels.tolist()))
    by_class = {"factor": 0, "F1 on folds": 1, "F1, C = 1, no factor": 1, "F1": 1}
    tables = [
        Table(
            "sweeps", f"C and η on {FOLDS} folds of the training questions, STK, λ = 0.4, one pass", "learner", COLUMNS
        ),
        Table(
            "cost factors",
            "Table 6.2's tuned SVM again: a cost factor for each class, chosen on folds",
            "class",
            by_class,
        ),
    ]
    book = shelf.book("online-sweeps", "2011", tables)
    folds = np.zeros(labels.size, dtype=np.int64)
    for name in names:  # a rare class has its share of each fold
        own = np.flatnonzero(labels == name)
        folds[own] = np.arange(own.size) % FOLDS
    size = f"{labels.size:,} questions in {FOLDS} folds"
    kernel = options.kernel()
    plans = [Entry(f"PA-I, C = {cost:g}", "pa-1", {"C": cost}) for cost in costs]
    plans += [Entry(f"Projectron++, η = {eta:g}", "projectron++", {"eta": eta}) for eta in etas]
    for entry in plans:
        scored = functools.partial(_on_folds, entry, kernel, forest, labels, folds)
        book.measure("sweeps", entry.name, scored, size=size)
    unseen_forest = reader.examples(unseen)
    for name in names:

        def work(name: str = name) -> Outcome:
            found, seconds = cpu_seconds(lambda: _factor(kernel, forest, labels == name, folds, factors))
            factor, on_folds = found
            plain, tuned = (
                _f1(_machine(kernel, forest, labels == name, one).decision_function(unseen_forest) > 0, truth == name)
                for one in (1.0, factor)
            )
            cells = {"factor": factor, "F1 on folds": on_folds, "F1, C = 1, no factor": plain, "F1": tuned}
            return Outcome(cells, seconds=seconds)

        theirs = {"F1": TUNED.published[name]} if name in TUNED.published else {}
        book.measure("cost factors", name, work, size=f"{size}, tested on {len(unseen):,}", published=theirs)
    return book


def _on_folds(entry: Entry, kernel: Any, forest: Any, labels: NDArray[Any], folds: NDArray[np.int64]) -> Outcome:
    right, support, spent = 0, [], 0.0
    for fold in range(FOLDS):
        rows, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        trained = entry.train(kernel, take(forest, rows), labels[rows])
        right += int((trained.learner.predict(take(forest, held)) == labels[held]).sum())
        support.append(trained.support)
        spent += trained.seconds
    values = {"accuracy on folds, %": 100 * right / labels.size, "support vectors": float(np.mean(support))}
    return Outcome({**values, "CPU s": spent}, seconds=spent)


def _machine(kernel: Any, forest: Any, truth: NDArray[np.bool_], factor: float) -> Any:
    from kakari.models.machines.svm import KernelSVC

    return KernelSVC(kernel, C=1.0, cost_factor=factor).fit(forest, np.where(truth, 1, -1))


def _factor(
    kernel: Any, forest: Any, truth: NDArray[np.bool_], folds: NDArray[np.int64], factors: Sequence[float]
) -> tuple[float, float]:
    """Return the cost factor with the best F1 on the folds, and that F1."""
    scored = []
    for factor in factors:
        found = np.zeros(truth.size, dtype=bool)
        for fold in range(FOLDS):
            rows, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            found[held] = (
                _machine(kernel, take(forest, rows), truth[rows], factor).decision_function(take(forest, held)) > 0
            )
        scored.append((_f1(found, truth), -factor))
    best, factor = max(scored)
    return -factor, best


def _f1(found: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    return 200 * int((found & truth).sum()) / max(1, int(found.sum()) + int(truth.sum()))
