"""Reranking with template kernels (2015): what each part of the score gives, and what each cache saves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.reporting import Report, silent
from kakari.parsers.dependency.lists import best_lists
from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.reranked.training import TrainingLists, training_lists
from kakari.parsers.dependency.reranking.training import RerankSettings, gold_errors, train_reranker
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.training import DependencySettings, train
from kakari.parsers.dependency.treebank import read_treebank
from kakari.results.stored import Book, Figure, Outcome, Point, Shelf, Table, read_book

DRAWS = 2000
VARIANTS: dict[str, dict[str, Any]] = {
    "w·g": {"kernel": False, "passes": 4, "C": 1e-5},
    "kernel": {"linear": False, "C": 1e-5},
    "both": {"C": 1e-5},
}
CACHES: dict[str, dict[str, Any]] = {
    "both caches": {"share": True, "remember": True, "expand": False},
    "within a list": {"share": True, "remember": False, "expand": False},
    "between passes": {"share": False, "remember": True, "expand": False},
    "neither": {"share": False, "remember": False, "expand": False},
    "combinations": {"share": True, "remember": False, "expand": True},
}


@dataclass(frozen=True)
class Reranked:
    """One row: a treebank and a way of choosing a tree.

    `p` is the share of bootstrap samples of sentences in which the choice has no fewer wrong heads than the base has.
    """

    corpus: str
    choice: str
    uas: float
    las: float
    p: float | None = None
    support_parts: int | None = None


@dataclass(frozen=True)
class CacheTime:
    """CPU seconds of each pass over some lists of a treebank, with some caches."""

    corpus: str
    caches: str
    seconds: list[float]
    lists: int


def bootstrap(differences: NDArray[np.int64], seed: int = 1) -> float:
    """Return the share of samples in which sentences together are not better.

    Examples
    --------
    >>> bootstrap(np.array([1, 1, 2])), bootstrap(np.array([0, 0]))
    (0.0, 1.0)
    """
    rng = np.random.default_rng(seed)
    size = len(differences)
    return float(np.mean([differences[rng.integers(0, size, size)].sum() <= 0 for _ in range(DRAWS)]))


def measure_reranking(
    corpus: str,
    parts: tuple[Sequence[str], str],
    *,
    trees: int = 10,
    folds: int = 20,
    half: bool = False,
    passes: int = 3,
    folder: Path | None = None,
    processes: int = 1,
    settings: DependencySettings | None = None,
    report: Report = silent,
) -> tuple[list[Reranked], TrainingLists, int]:
    """Return the rows of one treebank, its lists, and the number of its relations.

    `parts` are the treebanks to train on and the one to measure on; `passes` are those of the kernel over the lists.
    """
    chosen = settings or DependencySettings()
    train_on, measured = parts
    base = _base(train_on, chosen, folder, report)
    known = len(base.relations)
    own = None if folder is None else folder / "lists"
    made: dict[str, Any] = {"folds": folds, "half": half, "folder": own, "processes": processes, "report": report}
    data = training_lists(base.relations, train_on, chosen, trees, **made)
    gold = list(read_treebank(measured))
    words = base.tag([sentence.forms for sentence in gold])
    lists = best_lists(TokenBatch(words), trees, base.light, base.full, base.settings, base.labels, known)
    numbers = {name: number for number, name in enumerate(base.relations)}
    relations = [[numbers.get(name, -1) for name in sentence.relations] for sentence in gold]
    heads, labels = gold_errors(lists, [sentence.heads for sentence in gold], relations)
    ends = np.cumsum(lists["counts"])
    firsts = ends - lists["counts"]
    total = sum(len(sentence.words) for sentence in gold)

    def row(choice: str, places: NDArray[np.int64], support: int | None = None) -> Reranked:
        uas, las = (100 * (1 - float(found[places].sum()) / total) for found in (heads, labels))
        p = None if choice in ("base", "oracle") else bootstrap(heads[firsts] - heads[places])
        return Reranked(corpus, choice, uas, las, p, support)

    rows = [row("base", firsts)]
    for name, options in VARIANTS.items():
        trained = train_reranker(
            *data, known, replace(RerankSettings(trees=trees, passes=passes), **options), report=report
        )
        places = firsts + trained.reranker.choose(words, lists, (base.full.unit, base.light.unit))
        rows.append(row(name, places, len(trained.support)))
    best = [
        begin + int(np.lexsort((labels[begin:end], heads[begin:end]))[0])
        for begin, end in zip(firsts.tolist(), ends.tolist(), strict=True)
    ]
    return [*rows, row("oracle", np.array(best))], data, known


def measure_caches(
    corpus: str, data: TrainingLists, known: int, *, trees: int = 10, passes: int = 3, examples: int | None = None
) -> list[CacheTime]:
    """Return the CPU seconds of each pass with each way of finding sums, over the first lists."""
    words, lists, heads, relations = data
    count = len(words) if examples is None else min(examples, len(words))
    kept = np.asarray(lists["counts"][:count])
    tree_end = int(kept.sum())
    word_end = int(kept @ np.array([len(line) for line in words[:count]], dtype=np.int64))
    ends = {"counts": count, "heads": word_end, "relations": word_end}
    cut = {name: array[: ends.get(name, tree_end)] for name, array in lists.items()}
    found = []
    for name, switches in CACHES.items():
        asked = RerankSettings(trees=trees, passes=passes, **switches)
        trained = train_reranker(words[:count], cut, heads[:count], relations[:count], known, asked)
        found.append(CacheTime(corpus, name, [round(second, 2) for second in trained.details["seconds"]], count))
    return found


def keep_reranking(shelf: Shelf, rows: Sequence[Reranked], times: Sequence[CacheTime], lists: str) -> Book:
    """Store what was measured of treebanks beside what is there of others; `lists` says how the lists were made."""
    columns = {"UAS": 2, "LAS": 2, "p": 4, "parts": 0}
    tables = [
        Table("choices", "What chooses among the trees of a list", "treebank, choice", columns),
        Table("caches", "CPU seconds of a pass", "treebank, caches", {"first": 2, "second": 2, "third": 2}),
    ]
    kept = None if shelf.folder is None else shelf.folder / "reranking.json"
    figures = {} if kept is None or not kept.exists() else dict(read_book(kept).figures)
    for time in times:
        name = f"caches, {time.corpus}"
        figures[name] = Figure(name, "CPU seconds of a pass, by what is kept", "pass", "seconds", log="y")
    book = shelf.book("reranking", "2015", tables, figures.values())
    for row in rows:
        values = {"UAS": row.uas, "LAS": row.las, "p": row.p, "parts": row.support_parts}
        known = {name: value for name, value in values.items() if value is not None}
        book.measure("choices", f"{row.corpus}, {row.choice}", partial(Outcome, known), size=lists)
    for time in times:
        seconds = dict(zip(("first", "second", "third"), time.seconds, strict=False))
        figure, least = f"caches, {time.corpus}", 0.01  # the axis is logarithmic
        points = [Point(figure, time.caches, at, max(least, own)) for at, own in enumerate(time.seconds, 1)]
        book.measure(
            "caches",
            f"{time.corpus}, {time.caches}",
            partial(Outcome, seconds, points, sum(time.seconds)),
            size=f"{lists}; {time.lists} lists timed",
        )
    return book


def _base(corpora: Sequence[str], settings: DependencySettings, folder: Path | None, report: Report) -> DependencyModel:
    """Train the base parser, or take the one that is in the folder."""
    path = None if folder is None else folder / "base.safetensors"
    if path is not None and path.exists():
        return DependencyModel.load(path)
    sentences = [sentence for corpus in corpora for sentence in read_treebank(corpus)]
    model = train(sentences, settings, report=report)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        model.save(path)
    return model
