"""English hyponymy pairs: the given split, in which words are memorised, and one without shared words. Japanese ones.

In the given split pairs have the features of `Evidence`, words among them, and what the other training pairs say of the
words; without shared words they have features that name neither. The pairs and the counts of Hearst patterns are non-commercial, so that there are experiments with them and no model.
The Japanese candidates of Wikipedia, which we annotated, are scored on folds of articles.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import cache

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
TENTHS = 7  # of the words that are for training, where none is shared
# C by degree, chosen on three folds of the training pairs, and on six that share no words with the rest.
COSTS = {"given split": {1: 0.01, 2: 3e-4, 3: 1e-5}, "no shared words": {1: 0.01, 2: 1e-4, 3: 1e-6}}
JAPANESE = "sample-hyponymy"
JAPANESE_COLUMNS = {
    "accuracy, %": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "average precision": "average_precision",
    "recall at precision 90 %": "recall_at_precision_90",
}
COLUMNS = {"C": 6, "accuracy, %": 2, "F1": 2, "precision": 2, "recall": 2, "average precision": 2, "support": 0}


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


def without_words(train: Sequence[Pair]) -> Features:
    """Return the features of the split without shared words."""
    return english_evidence().general_features


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


def for_training(word: str) -> bool:
    """Return on which side of the split without shared words a word stands.

    Examples
    --------
    >>> sum(for_training(f"word {number}") for number in range(1000))
    689
    """
    return zlib.crc32(f"side of {word}".encode()) % 10 < TENTHS


def without_shared_words(train: Sequence[Pair], test: Sequence[Pair]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of training pairs of which both words are for training, and of test pairs of which none is.

    Examples
    --------
    >>> pairs = [Pair(f"word {number}", f"word {number + 1}") for number in range(200)]
    >>> ours, theirs = without_shared_words(pairs, pairs)
    >>> known = {word for row in ours for word in (pairs[row].hypernym, pairs[row].hyponym)}
    >>> any(pairs[row].hypernym in known or pairs[row].hyponym in known for row in theirs), len(ours), len(theirs)
    (False, 102, 17)
    """
    ours = [row for row, pair in enumerate(train) if for_training(pair.hypernym) and for_training(pair.hyponym)]
    theirs = [
        row for row, pair in enumerate(test) if not for_training(pair.hypernym) and not for_training(pair.hyponym)
    ]
    return np.array(ours, dtype=np.int64), np.array(theirs, dtype=np.int64)


def measure_pairs(shelf: Shelf, *, passes: int = 10) -> Book:
    """Measure accuracy by degree on both splits."""
    title = f"English pairs, features from counts of Hearst patterns, PA-I, {passes} passes"
    book = shelf.book("hyponymy-english", "hyponymy", [Table("splits", title, "split and degree", COLUMNS)])
    train_pairs, test_pairs = english_pairs()
    everything = np.arange(len(train_pairs)), np.arange(len(test_pairs))
    splits = {"given split": everything, "no shared words": without_shared_words(train_pairs, test_pairs)}
    for name, (rows, held) in splits.items():
        some = rows[np.linspace(0, len(rows) - 1, shelf.some(len(rows))).astype(np.int64)]
        ours, theirs = ([pairs[row] for row in at.tolist()] for pairs, at in ((train_pairs, some), (test_pairs, held)))
        train, test = problems_of(ours, theirs, WAYS[name](ours))
        for degree, cost in COSTS[name].items():

            def work(degree: int = degree, cost: float = cost, train: Problem = train, test: Problem = test) -> Outcome:
                learner = KernelLearner(degree, cost=cost, seed=0)
                _, seconds = cpu_seconds(lambda: learner.partial_fit(train.sets, train.signs, passes=passes))
                support, coefficients = learner.support(), learner.coefficients(averaged=True)
                frozen = freeze(support, coefficients, degree, kind="expansion" if degree == 1 else "splitting")
                told = scores(test.signs > 0, frozen.margins(test.sets))
                values = {
                    "C": cost,
                    "accuracy, %": 100 * told["accuracy"],
                    "F1": 100 * told["f1"],
                    "precision": 100 * told["precision"],
                    "recall": 100 * told["recall"],
                    "average precision": 100 * told["average_precision"],
                    "support": len(support),
                }
                return Outcome(values, seconds=seconds)

            size = f"{len(train):,} pairs, tested on {len(test):,}"
            book.measure("splits", f"{name}, d = {degree}", work, size=size)
    return book


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
