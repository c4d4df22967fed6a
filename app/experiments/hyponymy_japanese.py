"""Japanese hyponymy: candidates of Wikipedia that we annotated, scored on folds of articles, by degree."""

from __future__ import annotations

import numpy as np

from kakari.corpora import catalogue
from kakari.experiments.problems import cpu_seconds
from kakari.parsers.hyponymy.training import HyponymyOptions, train_hyponymy
from kakari.results.stored import Book, Outcome, Shelf, Table

CORPUS = "sample-hyponymy"
NAMES = {
    "accuracy, %": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "average precision": "average_precision",
    "recall at precision 90 %": "recall_at_precision_90",
}


def measure_japanese(shelf: Shelf, degrees: tuple[int, ...] = (1, 2, 3, 4)) -> Book:
    """Measure each degree, cross-validated over ten folds of articles."""
    title = "Japanese candidates of Wikipedia, ten folds by article"
    book = shelf.book(
        "hyponymy-japanese", "hyponymy", [Table("degrees", title, "degree", dict.fromkeys((*NAMES, "CPU s"), 1))]
    )
    pairs = list(catalogue.read(CORPUS))
    rows = np.linspace(0, len(pairs) - 1, shelf.some(len(pairs), least=300)).astype(np.int64)
    some = [pairs[row] for row in rows.tolist()]
    for degree in degrees:

        def work(degree: int = degree) -> Outcome:
            model, seconds = cpu_seconds(lambda: train_hyponymy(some, HyponymyOptions(degree=degree)))
            told = model.information["cross_validated"]
            values = {column: 100 * told[name] for column, name in NAMES.items()}
            return Outcome({**values, "CPU s": seconds}, seconds=seconds)

        book.measure("degrees", f"d = {degree}", work, size=f"{len(some):,} pairs")
    return book
