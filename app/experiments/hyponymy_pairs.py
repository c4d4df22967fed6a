"""English hyponymy pairs: the given split, in which words are memorised, and one without shared words. Japanese ones.

In the given split pairs have the features of `Evidence`, words among them, and what the other training pairs say of the
words; without shared words they have features that name neither. The pairs and the counts of Hearst patterns are
non-commercial, so that there are experiments with them and no model.
The Japanese candidates of Wikipedia, which we annotated, are scored on folds of articles.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.corpora import catalogue
from kakari.corpora.formats.pairs import Pair
from kakari.experiments.problems import Problem, cpu_seconds
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.hyponymy.evidence import Evidence
from kakari.parsers.hyponymy.known import KnownPairs
from kakari.parsers.hyponymy.scores import scores
from kakari.parsers.hyponymy.training import HyponymyOptions, train_hyponymy
from kakari.results.stored import Book, Outcome, Shelf, Table

CORPUS, COUNTS = "hyponymy-en", "hearst-counts"
Features = Callable[[Pair], list[str]]
SPLITS = 10  # without shared words, of which the mean is taken: each tests on some five hundred pairs
# Ten others of the training pairs alone, which test on some 3,500 pairs each: degrees are compared on both.
OF_TRAINING = range(20, 30)
TENTHS = 7  # of the words that are for training, where none is shared
# C by degree, chosen on three folds of the training pairs, and on six splits of them without shared words (40 to 45).
COSTS = {"given split": {1: 0.01, 2: 3e-4, 3: 1e-5}, "no shared words": {1: 0.003, 2: 5e-5, 3: 3e-7}}
JAPANESE = "sample-hyponymy"
JAPANESE_COLUMNS = {
    "accuracy, %": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "average precision": "average_precision",
    "recall at precision 90 %": "recall_at_precision_90",
}
COMPARED = {"points": 2, "splits ahead": 0, "splits behind": 0, "p": 3}
COLUMNS = {"C": 7, "accuracy, %": 2, "F1": 2, "precision": 2, "recall": 2, "average precision": 2, "support": 0}


@cache
def english_pairs() -> tuple[list[Pair], list[Pair]]:
    """Read the pairs to train and to test on."""
    train, test = (list(catalogue.read(f"{CORPUS}:{part}")) for part in ("train", "dev"))
    return train, test


@cache
def english_evidence() -> Evidence:
    """Read the counts of Hearst patterns."""
    return Evidence(catalogue.read(COUNTS))


def problems_of(train: Sequence[Pair], test: Sequence[Pair], features: Features) -> tuple[Problem, Problem]:
    """Return training and test pairs with their features."""
    vocabulary = Vocabulary()
    ours, theirs = (
        Problem(f"{CORPUS}:{name}", vocabulary.encode([features(pair) for pair in pairs]), signs_of(pairs))
        for name, pairs in (("train", train), ("dev", test))
    )
    return ours, theirs


def with_known_pairs(train: Sequence[Pair]) -> Features:
    """Return the features of the given split: those of the counts, and what the training pairs say of the words."""
    evidence, known = english_evidence(), KnownPairs(train)
    return lambda pair: [*evidence.features(pair), *known.features(pair)]


@cache
def general_features(pair: Pair) -> list[str]:
    """Return the features of a pair that name neither of its words; a pair is in several splits."""
    return english_evidence().general_features(pair)


def without_words(train: Sequence[Pair]) -> Features:
    """Return the features of the split without shared words."""
    return general_features


WAYS: dict[str, Callable[[Sequence[Pair]], Features]] = {
    "given split": with_known_pairs,
    "no shared words": without_words,
}


def english_problems() -> tuple[Problem, Problem]:
    """Return the given split with the features of the counts alone, as the 2010 paper's tables have it."""
    train, test = english_pairs()
    return problems_of(train, test, english_evidence().features)


def signs_of(pairs: Sequence[Pair]) -> NDArray[np.int64]:
    """Return 1 for hyponyms and -1 for other pairs."""
    return np.array([1 if pair.label else -1 for pair in pairs], dtype=np.int64)


def for_training(word: str, split: int = 0) -> bool:
    """Return on which side of a split without shared words a word stands.

    Examples
    --------
    >>> [sum(for_training(f"word {number}", split) for number in range(1000)) for split in (0, 1)]
    [689, 710]
    """
    return zlib.crc32(f"{split or ''}side of {word}".encode()) % 10 < TENTHS


def without_shared_words(
    train: Sequence[Pair], test: Sequence[Pair], split: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of training pairs of which both words are for training, and of test pairs of which none is.

    Examples
    --------
    >>> pairs = [Pair(f"word {number}", f"word {number + 1}") for number in range(200)]
    >>> ours, theirs = without_shared_words(pairs, pairs)
    >>> known = {word for row in ours for word in (pairs[row].hypernym, pairs[row].hyponym)}
    >>> any(pairs[row].hypernym in known or pairs[row].hyponym in known for row in theirs), len(ours), len(theirs)
    (False, 102, 17)
    """
    sides = [
        [(for_training(pair.hypernym, split), for_training(pair.hyponym, split)) for pair in pairs]
        for pairs in (train, test)
    ]
    ours = [row for row, both in enumerate(sides[0]) if all(both)]
    theirs = [row for row, both in enumerate(sides[1]) if not any(both)]
    return np.array(ours, dtype=np.int64), np.array(theirs, dtype=np.int64)


def some_of(rows: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return so many of the rows, spread evenly over all.

    Examples
    --------
    >>> some_of(np.arange(10), 3).tolist()
    [0, 4, 9]
    """
    chosen: NDArray[np.int64] = rows[np.linspace(0, len(rows) - 1, count).astype(np.int64)]
    return chosen


def trained_scores(train: Problem, test: Problem, degree: int, cost: float, passes: int) -> tuple[list[float], float]:
    """Train PA-I; return the columns of its scores after C, and its CPU seconds."""
    learner = KernelLearner(degree, cost=cost, seed=0)
    _, seconds = cpu_seconds(lambda: learner.partial_fit(train.sets, train.signs, passes=passes))
    support, coefficients = learner.support(), learner.coefficients(averaged=True)
    frozen = freeze(support, coefficients, degree, kind="expansion" if degree == 1 else "splitting")
    told = scores(test.signs > 0, frozen.margins(test.sets))
    names = ("accuracy", "f1", "precision", "recall", "average_precision")
    return [*(100 * told[name] for name in names), float(len(support))], seconds


def sign_flips(differences: Sequence[float]) -> float:
    """Return how often random signs make a mean as far from 0 as it is: an exact paired test, with two sides.

    Examples
    --------
    >>> sign_flips([1.0, 2.0, 0.5]), sign_flips([1.0, -1.0])
    (0.25, 1.0)
    """
    signs = np.array(list(product((-1, 1), repeat=len(differences))))
    means = np.abs(signs @ np.asarray(differences))
    return float(np.mean(means >= abs(sum(differences)) - 1e-9))


def measure_pairs(shelf: Shelf, *, passes: int = 10) -> Book:
    """Measure accuracy by degree on the given split, and on the mean of several without shared words."""
    title = f"English pairs, features from counts of Hearst patterns, PA-I, {passes} passes"
    compared = "Degrees compared split by split, without shared words: accuracy, and an exact test of random signs"
    tables = [
        Table("splits", title, "split and degree", COLUMNS),
        Table("paired", compared, "degrees and pairs tested on", COMPARED),
    ]
    book = shelf.book("hyponymy-english", "hyponymy", tables)
    train, test = english_pairs()
    given = np.arange(len(train)), np.arange(len(test))
    splits = {
        "given split": (test, [given]),
        "no shared words": (test, [without_shared_words(train, test, split) for split in range(SPLITS)]),
        "training pairs": (train, [without_shared_words(train, train, split) for split in OF_TRAINING]),
    }
    for name, (tested, parts) in splits.items():
        way = name if name in WAYS else "no shared words"
        problems = []
        for rows, held in parts:
            ours = [train[row] for row in some_of(rows, shelf.some(len(rows))).tolist()]
            problems.append(problems_of(ours, [tested[row] for row in held.tolist()], WAYS[way](ours)))
        sizes = [[len(problem) for problem in side] for side in zip(*problems, strict=True)]
        told = [f"{min(own):,}" if len(own) == 1 else f"{min(own):,} to {max(own):,}" for own in sizes]
        size = f"{told[0]} pairs, tested on {told[1]}{f', {len(parts)} splits' if len(parts) > 1 else ''}"

        @cache
        def found(
            degree: int, way: str = way, problems: list[tuple[Problem, Problem]] = problems
        ) -> list[tuple[list[float], float]]:
            return [trained_scores(*both, degree, COSTS[way][degree], passes) for both in problems]

        if name in WAYS:
            for degree, cost in COSTS[way].items():
                work = partial(_mean_scores, found, degree, cost)
                book.measure("splits", f"{name}, d = {degree}", work, size=size)
        if len(parts) > 1:
            where = "development pairs" if tested is test else name
            for degree in (2, 3):
                row = f"d = {degree} less d = 1, {where}"
                book.measure("paired", row, partial(_compared, found, degree), size=size)
    return book


def _mean_scores(found: Callable[[int], list[tuple[list[float], float]]], degree: int, cost: float) -> Outcome:
    columns = list(zip(*(values for values, _ in found(degree)), strict=True))
    several = len(columns[0]) > 1
    cells: list[Any] = [(np.mean(own), np.std(own)) if several else own[0] for own in columns]
    values = dict(zip(COLUMNS, [cost, *cells], strict=True))
    return Outcome(values, seconds=sum(seconds for _, seconds in found(degree)))


def _compared(found: Callable[[int], list[tuple[list[float], float]]], degree: int) -> dict[str, Any]:
    more, less = ([values[0] for values, _ in found(own)] for own in (degree, 1))
    gains = [one - other for one, other in zip(more, less, strict=True)]
    ahead, behind = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    points = float(np.mean(gains)), float(np.std(gains))
    return {"points": points, "splits ahead": ahead, "splits behind": behind, "p": sign_flips(gains)}


def measure_japanese(shelf: Shelf, degrees: tuple[int, ...] = (1, 2, 3, 4)) -> Book:
    """Measure each degree, cross-validated over ten folds of articles."""
    title = "Japanese candidates of Wikipedia, ten folds by article"
    book = shelf.book(
        "hyponymy-japanese",
        "hyponymy",
        [Table("degrees", title, "degree", dict.fromkeys((*JAPANESE_COLUMNS, "CPU s"), 1))],
    )
    pairs = list(catalogue.read(JAPANESE))
    rows = np.linspace(0, len(pairs) - 1, shelf.some(len(pairs), least=300)).astype(np.int64)
    some = [pairs[row] for row in rows.tolist()]
    for degree in degrees:

        def work(degree: int = degree) -> Outcome:
            model, seconds = cpu_seconds(lambda: train_hyponymy(some, HyponymyOptions(degree=degree)))
            told = model.information["cross_validated"]
            values = {column: 100 * told[name] for column, name in JAPANESE_COLUMNS.items()}
            return Outcome({**values, "CPU s": seconds}, seconds=seconds)

        book.measure("degrees", f"d = {degree}", work, size=f"{len(some):,} pairs")
    return book
