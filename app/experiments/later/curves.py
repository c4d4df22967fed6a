"""The curves of the 2013 paper in one run: figure 1 on gold trees, the same on our own trees, and columns of hashes.

A point that would take longer than the time limit, by the one before it, is left out, and its row says how long it
would take. Scores of gold trees are those of nodes on wsj:dev. EWT has words, so that there trees can be our own: the
embedded parser's, which was trained on the same sentences as Charniak's was on the paper's. An argument that is no
constituent of such a tree counts as missed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from kakari.experiments.linearization import VARIANTS
from kakari.experiments.problems import cpu_seconds
from kakari.models.linear.training import fit
from kakari.parsers.arguments.boundary.mining import CLOSER
from kakari.parsers.arguments.boundary.model import BoundaryModel
from kakari.parsers.arguments.boundary.parts import enumerated_matrix
from kakari.parsers.arguments.boundary.scores import boundary_scores, f1
from kakari.parsers.arguments.boundary.shards import Shards, joined, write_shards
from kakari.parsers.arguments.boundary.training import BY_SDAG, BoundaryOptions, pieces, stacked, train_boundaries
from kakari.parsers.arguments.candidates.frames import FramedSentence, read_frames
from kakari.results.stored import Book, Figure, Outcome, Point, Row, Shelf, Skipped, Table

SIZES = (50_000, 100_000, 250_000, 500_000, 1_000_000, 4_000_000)
PAPERS_OWN = ("mf", "mf-poly", "etk-2", "stk-svm", "stk-sdag", "rke", "stk+mf", "stk+mf-poly")
OURS = ("mf-cascade", "rke+mf", "rke+mf-cascade")
AUTOMATIC = ("mf", "etk-2", "stk-sdag", "rke", "rke+mf")
EWT_SIZES = (50_000, 200_000, 800_000)
BITS = (12, 14, 16, 18, 20, 22)
SCORES = {"precision": 2, "recall": 2, "F1": 2, "F1 of spans": 2, "F1 of arguments": 2, "CPU s": 1}
Reader = Callable[[str], Iterator[FramedSentence]]
READ_AT_ONCE = 500  # sentences
# Table 3 of the paper: our model, and hours for a million and for four millions, of which the SVM could not be trained.
TABLE_3 = {
    "MF^poly": ("mf-poly", "7.1", "13.1"),
    "SVM TK": ("stk-svm", "84.1", "–"),
    "SDAG TK": ("stk-sdag", "4.4", "7.2"),
    "SDAG TK+MF": ("stk+mf", "4.9", "8.1"),
    "SDAG TK+MF^poly": ("stk+mf-poly", "9.4", "15.3"),
}
OF_TABLE_3 = {"a million × share": SIZES[-2], "four millions × share": SIZES[-1]}


def automatic_frames(reference: str) -> Iterator[FramedSentence]:
    """Yield the sentences of a corpus with the embedded parser's trees over the gold words."""
    from kakari.parsers.english.model import pretrained_model

    model = pretrained_model()
    sentences = read_frames(reference)
    while some := list(islice(sentences, READ_AT_ONCE)):
        trees = model.parse([sentence.tree.words for sentence in some])
        for sentence, tree in zip(some, trees, strict=True):
            yield FramedSentence(tree, sentence.frames)


def scored(model: BoundaryModel, test: Sequence[FramedSentence]) -> dict[str, float]:
    """Score a model on sentences."""
    found = list(model.classify(iter(test)))
    told = boundary_scores(joined([one for one, _ in found]), np.concatenate([margins for _, margins in found]))
    names = {"precision": "node_precision", "recall": "node_recall", "F1": "node_f1", "F1 of spans": "span_f1"}
    return {column: 100 * told[name] for column, name in {**names, "F1 of arguments": "argument_f1"}.items()}


def options_of(variant: str, limit: int) -> BoundaryOptions:
    """Return the settings of a curve's point."""
    options = replace(BoundaryOptions(), **VARIANTS[variant], limit=limit)
    closer = replace(options.fragments, **CLOSER) if options.model in BY_SDAG else options.fragments
    return replace(options, fragments=closer)


def expected(before: Row | None, examples: int, now: int, power: float) -> float:
    """Guess CPU seconds from a smaller run: the exact SVM's grow as the square, the others' in proportion.

    Examples
    --------
    >>> expected(Row("t", "r", {}, seconds=3.0), 100, 200, 2.0), expected(None, 0, 200, 1.0)
    (12.0, 0.0)
    """
    return 0.0 if before is None or before.seconds is None else before.seconds * (now / examples) ** power


def _curves(
    book: Book,
    shelf: Shelf,
    table: str,
    figure: str,
    shards: Shards,
    test: Sequence[FramedSentence],
    variants: Sequence[str],
    sizes: Sequence[int],
) -> None:
    for variant in variants:
        last: tuple[Row | None, int] = (None, 1)
        for size in sizes:
            count = min(size, shards.examples)
            guess = expected(*last, count, 2.0 if variant == "stk-svm" else 1.0)

            def work(variant: str = variant, count: int = count, guess: float = guess) -> Outcome:
                if guess > shelf.time_limit:
                    raise Skipped(f"about {guess:,.0f} CPU s by the point before, more than {shelf.time_limit:.0f}")
                shutil.rmtree(shards.folder / "mined", ignore_errors=True)  # another point's work
                model, seconds = cpu_seconds(lambda: train_boundaries(shards, options_of(variant, count)))
                values = {**scored(model, test), "CPU s": seconds}
                at = values["F1" if table == "figure 1" else "F1 of arguments"]
                return Outcome(values, [Point(figure, variant, count, at)], seconds)

            row = book.measure(table, f"{variant}, {count:,}", work, size=f"{count:,} candidates")
            if not row.skipped:
                last = row, count
            if count == shards.examples:
                break


def measure_curves(
    shelf: Shelf,
    corpora: tuple[str, str] = ("wsj:train", "wsj:dev"),
    sizes: Sequence[int] = SIZES,
    variants: Sequence[str] = (*PAPERS_OWN, *OURS),
) -> Book:
    """Measure figure 1 and the columns of hashed fragments."""
    figure = Figure("figure 1", "argument boundaries, F1 of nodes", "candidates", "F1, %", "x")
    tables = [
        Table("figure 1", "The points of figure 1", "model, candidates", SCORES),
        Table(
            "table 3",
            "Table 3 again: CPU seconds of the kernel machines, the paper's in hours",
            "model",
            dict.fromkeys((*OF_TABLE_3, *(f"paper: hours, {size.split(' ×')[0]}" for size in OF_TABLE_3)), 1),
        ),
        Table("hash bits", "ETK of depth 2: columns of hashes, on two halves of the candidates", "bits", {"F1": 2}),
    ]
    book = shelf.book("linearization-curves", "2013", tables, [figure])
    with _folder(shelf) as folder:
        scaled = sorted({shelf.some(size, least=2000) for size in sizes})
        shards = write_shards(
            [corpora[0]], folder / f"curves-{scaled[-1]}", size=min(100_000, scaled[-1]), limit=scaled[-1]
        )
        hash_bits(book, shards, scaled[0])
        _curves(book, shelf, "figure 1", "figure 1", shards, list(read_frames(corpora[1])), variants, scaled)
        _table_3(book, shelf, shards, variants)
    return book


def _table_3(book: Book, shelf: Shelf, shards: Shards, variants: Sequence[str]) -> None:
    """Put the times of the curves' points beside the paper's; of those that were left out, what they would take."""
    points = {row.row: row for row in book.of_table("figure 1") if row.command == book.command}
    for name, (variant, *hours) in TABLE_3.items():
        if variant not in variants:
            continue

        def work(variant: str = variant, hours: Sequence[str] = hours) -> Outcome:
            values: dict[str, Any] = {}
            done = [(count, row) for count, row in _measured(points, variant) if row.seconds is not None]
            if not done:
                raise Skipped("none of its points was measured")
            for column, size in OF_TABLE_3.items():
                count = min(shelf.some(size, least=2000), shards.examples)
                last, row = max((one for one in done if one[0] <= count), default=done[0], key=lambda one: one[0])
                guess = expected(row, last, count, 2.0 if variant == "stk-svm" else 1.0)
                values[column] = guess if last == count else f"about {guess:,.0f}"
            theirs = (f"paper: hours, {size.split(' ×')[0]}" for size in OF_TABLE_3)
            return Outcome(values | dict(zip(theirs, hours, strict=True)))

        sizes = " and ".join(f"{min(shelf.some(size, least=2000), shards.examples):,}" for size in OF_TABLE_3.values())
        book.measure("table 3", name, work, size=f"{sizes} candidates, from the points of figure 1")


def _measured(points: dict[str, Row], variant: str) -> list[tuple[int, Row]]:
    """Return a curve's points that were measured, with their sizes, in order."""
    own = [(row.row.rsplit(", ", 1), row) for row in points.values() if not row.skipped]
    return sorted(
        ((int(size.replace(",", "")), row) for (name, size), row in own if name == variant), key=lambda one: one[0]
    )


def measure_automatic(
    shelf: Shelf,
    corpora: tuple[str, str] = ("ewt:train", "ewt:dev"),
    sizes: Sequence[int] = EWT_SIZES,
    variants: Sequence[str] = AUTOMATIC,
) -> Book:
    """Measure curves on EWT with gold trees and with our own."""
    ways: dict[str, Reader] = {"gold": read_frames, "automatic": automatic_frames}
    tables = [
        Table(f"{way} trees", f"EWT, {way} trees in training and test", "model, candidates", SCORES) for way in ways
    ]
    figures = [Figure(f"figure {way}", f"EWT, {way} trees", "candidates", "F1 of arguments, %", "x") for way in ways]
    book = shelf.book("linearization-trees", "2013", tables, figures)
    with _folder(shelf) as folder:
        scaled = sorted({shelf.some(size, least=2000) for size in sizes})
        for way, read in ways.items():
            own = folder / f"{way}-{scaled[-1]}"
            shards = write_shards([corpora[0]], own, size=min(100_000, scaled[-1]), limit=scaled[-1], read=read)
            _curves(book, shelf, f"{way} trees", f"figure {way}", shards, list(read(corpora[1])), variants, scaled)
    return book


def hash_bits(book: Book, shards: Shards, count: int, bits: Sequence[int] = BITS) -> None:
    """Score ETK with each number of columns: trained on one half of the candidates, tested on the other, both ways."""
    data = joined(list(pieces(shards, BoundaryOptions(limit=count))))
    half = np.arange(len(data)) < len(data) // 2

    def work(number: int) -> dict[str, Any]:
        chosen = {"depth": 2, "bits": number, "decay": 0.4, "normalize": True}
        matrix = enumerated_matrix(data, chosen)
        right = found = wanted = 0
        for ours in (half, ~half):
            model = fit(stacked([matrix[np.flatnonzero(ours)]]), data.signs[ours], 1.0)
            margins = matrix[np.flatnonzero(~ours)] @ model.weights[0] + model.biases[0]
            gold = data.signs[~ours] > 0
            right += int(((margins > 0) & gold).sum())
            found += int((margins > 0).sum())
            wanted += int(gold.sum())
        return {"F1": 100 * f1(right, found, wanted)["f1"]}

    for number in bits:
        book.measure("hash bits", f"{number}", lambda number=number: work(number), size=f"{len(data):,} candidates")  # type: ignore[misc]


@contextmanager
def _folder(shelf: Shelf) -> Iterator[Path]:
    """Give the folder of a shelf's shards, or one for the time of the work."""
    if shelf.folder is not None:
        yield shelf.folder / "shards"
        return
    with TemporaryDirectory() as scratch:
        yield Path(scratch)
