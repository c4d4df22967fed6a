"""Tables 1, 2, 4 and 5 of the 2013 paper, and table 6.3 with figures 6.1 to 6.3 of the 2011 thesis, as stored results.

Both have the argument boundaries of WSJ, here with gold trees, there with Charniak's: the papers' numbers stand in
columns of their own. Scores are of nodes, on wsj:dev (section 24); section 23 is never opened.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from kakari.experiments.linearization import TOPS, score
from kakari.experiments.online import Curve, Entry, Trained
from kakari.experiments.online_tables import stream_figures, stream_points
from kakari.experiments.problems import cpu_seconds
from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.trees.dag import ForestDag
from kakari.models.linear.training import fit
from kakari.models.machines.examples import take
from kakari.parsers.arguments.boundary.mining import FragmentOptions, fitted_svm, local_model, mined
from kakari.parsers.arguments.boundary.model import assembled, compact
from kakari.parsers.arguments.boundary.parts import KernelMachine
from kakari.parsers.arguments.boundary.shards import Shards, joined, write_shards
from kakari.parsers.arguments.boundary.training import BoundaryOptions, pieces, stacked, train_boundaries
from kakari.results.stored import Book, Outcome, Shelf, Skipped, Table

CORPUS, TEST = "wsj:train", "wsj:dev"
MILLION = 1_000_000
SCORES = {"precision": 2, "recall": 2, "F1": 2, "F1 of spans": 2, "CPU s": 1}
PAPER = {"paper, 23": 1, "paper, 24": 1}
ETK = {  # depth: P/R and F1 with 250,000, 500,000 and a million
    2: ("82.7/70.9 76.4", "83.2/70.7 76.5", "83.0/77.1 79.9"),
    3: ("83.5/67.4 74.6", "83.6/72.6 77.7", "83.5/75.0 79.0"),
    4: ("84.0/57.5 68.2", "83.9/63.9 72.5", "83.8/68.2 75.2"),
    5: ("84.9/53.5 65.6", "84.1/59.6 69.8", "83.7/63.6 72.3"),
}
OVERLAP = {"SDAG": (90, 80, 77), "ETK": (17, 8, 5), "Perceptron": (69, 50, 43)}
TABLE_4 = {
    "SVM": ("stk-svm", "sdag", "84.1", "81.8"),
    "RKE-SVM": ("rke", "svm", "84.0", "81.3"),
    "SDAG": ("stk-sdag", "sdag", "84.0", "81.5"),
    "RKE-SDAG": ("rke", "sdag", "83.9", "81.3"),
}
TABLE_5: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "SVM": ({"machine": "svm"}, "84.2", "82.2", "57 / 233"),
    "SDAG, q = 250": ({"sample_size": 250}, "84.4", "82.4", "3 / 17"),
    "SDAG, q = 500": ({"sample_size": 500}, "84.4", "82.4", "7 / 33"),
    "SDAG, q = 1000": ({"sample_size": 1000}, "84.5", "82.5", "11 / 49"),
}
FOUR_MILLION = {"SDAG": ("84.8", "82.6"), "RKE-SDAG": ("84.5", "82.5")}  # of table 4, by those that could be trained
TABLE_6_3: dict[str, tuple[str, dict[str, Any], str, str, str, str]] = {
    "SVM": ("svm", {}, "83.82", "81.17", "61,881", "178.42"),
    "Perceptron": ("perceptron", {}, "80.36", "78.22", "28,334", "16.63"),
    "Averaged": ("averaged", {}, "83.35", "81.16", "25,559", "15.50"),
    "PA-I": ("pa-1", {}, "83.03", "81.05", "70,412", "42.52"),
    "Projectron++": ("projectron++", {"eta": 0.1, "budget": 2000}, "–", "–", "21,552+", "186+"),
    "Forgetron": ("self-tuned-forgetron", {"budget": 10_000}, "68.33", "66.53", "10,000", "9.97"),
}


def scores_of(told: Mapping[str, float]) -> dict[str, float]:
    """Return the columns of a model's scores."""
    names = {"precision": "node_precision", "recall": "node_recall", "F1": "node_f1", "F1 of spans": "span_f1"}
    return {column: 100 * told[name] for column, name in names.items()}


def measure_linearization(shelf: Shelf, corpora: tuple[str, str] = (CORPUS, TEST), million: int = MILLION) -> Book:
    """Measure tables 1, 2, 4 and 5 with a share of the paper's sizes."""
    tables = [
        Table("table 1", "Table 1 again: ETK by depth and size", "depth, size", {**SCORES, "paper: P/R F1, 24": 1}),
        Table(
            "table 2",
            "Table 2 again: heaviest fragments of the exact SVM that are among another's, %",
            "model",
            {f"{top:,}": 1 for top in TOPS} | {f"paper: {top:,}": 0 for top in TOPS},
        ),
        Table("table 4", "Table 4 again: machines, and linear models of their fragments", "model", {**SCORES, **PAPER}),
        Table(
            "table 5",
            "Table 5 again: fragments of local models",
            "local models, shards",
            {**SCORES, **PAPER, "paper: minutes": 0},
        ),
    ]
    book = shelf.book("linearization", "2013", tables)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) if shelf.folder is None else shelf.folder / "shards"
        count = shelf.some(million)
        shards = write_shards([corpora[0]], folder / f"whole-{count}", size=count, limit=count)
        _table_1(book, shards, corpora[1], count)
        _table_2(book, shards, count // 4)
        _table_4(book, shards, corpora[1], count)
        _four_million(book, corpora, folder, shelf.some(4 * million), shelf.time_limit)
        _table_5(book, corpora, folder, count)
    return book


def _trained(shards: Shards, options: BoundaryOptions, test: str, extra: Mapping[str, str]) -> Outcome:
    shutil.rmtree(shards.folder / "mined", ignore_errors=True)  # what an earlier row mined is this one's work too
    model, seconds = cpu_seconds(lambda: train_boundaries(shards, options))
    return Outcome({**scores_of(score(model, test)), "CPU s": seconds, **extra}, seconds=seconds)


def _table_1(book: Book, shards: Shards, test: str, count: int) -> None:
    for place, part in enumerate((4, 2, 1)):
        size = count // part
        for depth, published in ETK.items():
            options = BoundaryOptions(model="etk", depth=depth, limit=None if part == 1 else size)
            extra = {"paper: P/R F1, 24": published[place]}
            told = f"{size:,} candidates; the paper's {MILLION // part:,}"
            book.measure(
                "table 1",
                f"{depth}, {MILLION // part:,} × share",
                lambda options=options, extra=extra: _trained(shards, options, test, extra),  # type: ignore[misc]
                size=told,
            )


def _table_2(book: Book, shards: Shards, count: int) -> None:
    data = joined(list(pieces(shards, BoundaryOptions(limit=count))))
    base = FragmentOptions(keep_local=max(TOPS))
    known: list[list[Any]] = []

    def exact() -> list[Any]:
        if not known:
            svm = local_model(data.forest, data.signs, replace(base, machine="svm"))
            known.append(heaviest(mined(svm, data.forest, base)))
        return known[0]

    def other(name: str) -> list[Any]:
        if name == "SDAG":
            sample = max(base.sample_size, len(data) // 10)
            closer = replace(base, cuts=4 * base.cuts, sample_size=sample, patience=3)
            return heaviest(mined(local_model(data.forest, data.signs, closer), data.forest, base))
        if name == "Perceptron":
            return heaviest(mined(perceptron_model(data.forest, data.signs, base), data.forest, base))
        return enumerated(data.forest, data.signs, base)

    for name, published in OVERLAP.items():

        def work(name: str = name, published: tuple[int, ...] = published) -> dict[str, Any]:
            theirs = other(name)
            found: dict[str, Any] = {}
            for top in TOPS:
                ours = set(exact()[:top])
                found[f"{top:,}"] = 100 * len(ours & set(theirs[:top])) / max(1, len(ours))
            return found | {f"paper: {top:,}": value for top, value in zip(TOPS, published, strict=True)}

        book.measure("table 2", name, work, size=f"{len(data):,} candidates; the paper's 250,000")


def perceptron_model(forest: Any, signs: Any, options: FragmentOptions) -> ForestDag:
    """Train the perceptron in one pass and return its support as one DAG."""
    from kakari.models.machines.online import OnlineClassifier

    learner = OnlineClassifier(options.kernel(), "perceptron", record=True).fit(forest, signs)
    mistakes = np.concatenate(learner.curve_["mistakes"]).sum(axis=1)
    rows = np.flatnonzero(np.diff(mistakes, prepend=0))  # the support is what it was wrong about, each with its sign
    dag = ForestDag(options.kernel())
    dag.add(take(forest, rows), np.asarray(signs, dtype=np.float64)[rows])
    return dag


def heaviest(dictionary: FragmentDictionary, order: Any = None) -> list[Any]:
    """Return a dictionary's heaviest fragments, by its own relevance or in another order."""
    places = range(len(dictionary)) if order is None else order.tolist()
    return [dictionary.fragment(place) for place, _ in zip(places, range(max(TOPS)), strict=False)]


def enumerated(forest: Any, signs: Any, options: FragmentOptions, depth: int = 3) -> list[Any]:
    """Return the heaviest of all fragments up to a depth in a linear model of them: ETK without hashes."""
    dag = ForestDag(options.kernel())
    dag.add(forest, np.ones(len(forest)))
    everything = replace(options, keep_local=1_000_000, factor=1e12, levels=depth, minimum_count=1)
    dictionary = mined(dag, forest, everything)
    offsets, columns, values = dictionary.vectors(forest)
    from scipy import sparse

    matrix = sparse.csr_array((values.astype(np.float32), columns, offsets), shape=(len(forest), len(dictionary)))
    weights = fit(stacked([matrix]), signs, 1.0).weights[0]
    return heaviest(dictionary, np.argsort(-np.abs(weights), kind="stable"))


def _table_4(book: Book, shards: Shards, test: str, count: int) -> None:
    for name, (model, machine, first, second) in TABLE_4.items():
        options = BoundaryOptions(model=model, fragments=FragmentOptions(machine=machine, keep_local=50_000))
        extra = {"paper, 23": first, "paper, 24": second}
        book.measure(
            "table 4",
            name,
            lambda options=options, extra=extra: _trained(shards, options, test, extra),  # type: ignore[misc]
            size=f"{count:,} candidates; the paper's {MILLION:,}",
        )


def _four_million(book: Book, corpora: tuple[str, str], folder: Path, count: int, time_limit: float) -> None:
    """Measure the rest of table 4: four times as many candidates, for SDAG and its fragments."""
    shards: list[Shards] = []  # written by the row that needs them first
    for name, (first, second) in FOUR_MILLION.items():
        model, machine, _, _ = TABLE_4[name]
        options = BoundaryOptions(model=model, fragments=FragmentOptions(machine=machine, keep_local=50_000))
        before = book.rows["table 4", name].seconds

        def work(
            options: BoundaryOptions = options, before: float | None = before, paper: tuple[str, str] = (first, second)
        ) -> Outcome:
            guess = 4 * (before or 0.0)
            if guess > time_limit:
                raise Skipped(f"about {guess:,.0f} CPU s by the row of a million, more than {time_limit:.0f}")
            if not shards:
                shards.append(write_shards([corpora[0]], folder / f"whole-{count}", size=count, limit=count))
            return _trained(shards[0], options, corpora[1], dict(zip(PAPER, paper, strict=True)))

        row = f"{name}, 4,000,000 × share"
        book.measure("table 4", row, work, size=f"{count:,} candidates; the paper's {4 * MILLION:,}")


def _table_5(book: Book, corpora: tuple[str, str], folder: Path, count: int) -> None:
    for number in (10, 20):
        size = max(50, count // number)
        shards = write_shards([corpora[0]], folder / f"{number}-shards-{count}", size=size, limit=count)
        for name, (chosen, first, second, minutes) in TABLE_5.items():
            options = BoundaryOptions(model="rke", fragments=FragmentOptions(**chosen))
            extra = {"paper, 23": first, "paper, 24": second, "paper: minutes": minutes} if number == 10 else {}
            book.measure(
                "table 5",
                f"{name}, {number} shards",
                lambda options=options, extra=extra, shards=shards: _trained(  # type: ignore[misc]
                    shards, options, corpora[1], extra
                ),
                size=f"{count:,} candidates in shards of {size:,}; the paper's 4,000,000 in 40",
            )


def measure_boundary_stream(shelf: Shelf, corpora: tuple[str, str] = (CORPUS, TEST), million: int = MILLION) -> Book:
    """Measure table 6.3 and figures 6.1 to 6.3: one pass of online learners over argument boundaries."""
    columns = {**SCORES, "support vectors": 0, **PAPER, "paper: support vectors": 0, "paper: hours": 0}
    title = "Table 6.3 again: argument boundaries, STK, one pass"
    tables = [Table("table 6.3", title, "learner", columns)]
    book = shelf.book("boundary-online", "2011", tables, stream_figures("6", "argument boundaries, one pass"))
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) if shelf.folder is None else shelf.folder / "shards"
        count = shelf.some(million)
        shards = write_shards([corpora[0]], folder / f"whole-{count}", size=count, limit=count)
        data = joined(list(pieces(shards, BoundaryOptions())))
        kernel = FragmentOptions().kernel()
        for name, (algorithm, options, first, second, support, hours) in TABLE_6_3.items():
            chosen = dict(options)
            if name == "Forgetron":
                chosen["budget"] = max(10, shelf.some(10_000))

            def work(
                entry: Entry = Entry(name, algorithm, chosen),  # noqa: B008 (bound now, for this row)
                paper: tuple[str, ...] = (first, second, support, hours),
            ) -> Outcome:
                if entry.algorithm == "svm":
                    svm, seconds = cpu_seconds(
                        lambda: fitted_svm(kernel, data.forest, data.signs, FragmentOptions(), bias=False)
                    )
                    trained = Trained(svm, int(svm.support_.size), seconds)
                else:
                    trained = entry.train(kernel, data.forest, data.signs, record=True)
                parts, labels = compact([KernelMachine(trained.learner.finished())], shards.labels)
                kept = {option: shards.options[option] for option in ("siblings", "prune")}
                model = assembled(parts, 0.0, labels, **kept)
                values: dict[str, Any] = {**scores_of(score(model, corpora[1])), "CPU s": trained.seconds}
                values |= {"support vectors": trained.support}
                values |= dict(
                    zip(("paper, 23", "paper, 24", "paper: support vectors", "paper: hours"), paper, strict=True)
                )
                if entry.algorithm == "svm":
                    return Outcome(values, seconds=trained.seconds)
                seen = trained.learner.curve_
                mistakes, sizes = (np.concatenate(seen[what]).sum(axis=1) for what in ("mistakes", "support"))
                curve = Curve(entry.name, mistakes, sizes, np.cumsum(seen["seconds"]), data.signs > 0)
                return Outcome(values, stream_points("6", curve), trained.seconds)

            budget = f", budget {chosen['budget']:,}" if "budget" in chosen else ""
            told = f"{count:,} candidates{budget}"
            book.measure("table 6.3", name, work, size=f"{told}; the thesis's {MILLION:,}")
    return book
