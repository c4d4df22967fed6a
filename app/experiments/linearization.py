"""The experiments of the 2013 paper on linearising tree kernels: learning curves, times, and shared fragments.

Every point is kept in a file as soon as it is measured, so that a run that was stopped goes on from there.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from kakari.corpora.records.textfiles import write_text
from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.trees.dag import ForestDag
from kakari.models.reporting import Report, silent
from kakari.parsers.arguments.boundary.mining import CLOSER, FragmentOptions, fitted_sdag, fitted_svm, mined
from kakari.parsers.arguments.boundary.model import BoundaryModel
from kakari.parsers.arguments.boundary.scores import boundary_scores
from kakari.parsers.arguments.boundary.shards import Shards, joined, write_shards
from kakari.parsers.arguments.boundary.training import BY_SDAG, BoundaryOptions, pieces, train_boundaries
from kakari.parsers.arguments.candidates.frames import read_frames
from kakari.parsers.workers import cpu_seconds

SIZES = (50_000, 100_000, 250_000, 500_000, 1_000_000, 0)  # 0: all
TOPS = (1_000, 5_000, 10_000)
# What the paper printed: F1 of nodes on sections 23 and 24, at 1 and at 4 million examples; hours of training.
PUBLISHED: dict[tuple[str, int], str] = {
    ("etk-2", 250_000): "76.4 (24)",
    ("etk-3", 250_000): "74.6 (24)",
    ("etk-4", 250_000): "68.2 (24)",
    ("etk-5", 250_000): "65.6 (24)",
    ("etk-2", 500_000): "76.5 (24)",
    ("etk-3", 500_000): "77.7 (24)",
    ("etk-4", 500_000): "72.5 (24)",
    ("etk-5", 500_000): "69.8 (24)",
    ("etk-2", 1_000_000): "79.9 (24)",
    ("etk-3", 1_000_000): "79.0 (24)",
    ("etk-4", 1_000_000): "75.2 (24)",
    ("etk-5", 1_000_000): "72.3 (24)",
    ("mf-poly", 1_000_000): "7.1 h",
    ("mf-poly", 0): "13.1 h",
    ("stk-svm", 1_000_000): "84.1 (23) 81.8 (24), 84.1 h",
    ("stk-sdag", 1_000_000): "84.0 (23) 81.5 (24), 4.4 h",
    ("stk-sdag", 0): "84.8 (23) 82.6 (24), 7.2 h",
    ("rke", 0): "84.5 (23) 82.5 (24), 49 min on 10 CPUs; q = 250: 84.4 82.4, 17 min",
    ("rke-whole", 1_000_000): "83.9 (23) 81.3 (24)",
    ("rke-whole", 0): "84.5 (23) 82.5 (24)",
    ("stk+mf", 1_000_000): "4.9 h",
    ("stk+mf", 0): "8.1 h",
    ("stk+mf-poly", 1_000_000): "9.4 h",
    ("stk+mf-poly", 0): "85.9 (23), 15.3 h",
}
PUBLISHED_OVERLAP = {1_000: 90, 5_000: 80, 10_000: 77}
VARIANTS: dict[str, dict[str, Any]] = {
    "mf": {"model": "mf"},
    "mf-poly": {"model": "mf-poly"},
    "mf-cascade": {"model": "mf-cascade", "degree": 2, "passes": 8},
    "etk-2": {"model": "etk", "depth": 2},
    "etk-3": {"model": "etk", "depth": 3},
    "etk-4": {"model": "etk", "depth": 4},
    "etk-5": {"model": "etk", "depth": 5},
    "stk-svm": {"model": "stk-svm"},
    "stk-sdag": {"model": "stk-sdag"},
    "rke": {"model": "rke"},
    "rke-whole": {"model": "rke"},
    "stk+mf": {"model": "stk+mf"},
    "stk+mf-poly": {"model": "stk+mf-poly"},
    "rke+mf": {"model": "rke+mf"},
    "rke+mf-cascade": {"model": "rke+mf-cascade", "degree": 2, "passes": 8},
    "rke+mf-sum": {"model": "rke+mf-cascade", "degree": 2, "passes": 8, "conjoined": 2000, "tree_share": 1 / 6},
    # The paper's manual features were fewer than ours: nine published ones, and what of these a spanning tree shows.
    "mf-gj": {"model": "mf", "features": "gildea-jurafsky"},
    "mf-gj-poly": {"model": "mf-poly", "features": "gildea-jurafsky"},
    "mf-ast": {"model": "mf", "features": "spanning-tree"},
    "mf-ast-poly": {"model": "mf-poly", "features": "spanning-tree"},
    "stk+mf-ast": {"model": "stk+mf", "features": "spanning-tree"},
    "rke+mf-ast": {"model": "rke+mf", "features": "spanning-tree"},
}
SIBLINGS = ("rke+mf-sum",)  # variants whose trees keep the labels beside their paths


@dataclass(frozen=True)
class Point:
    """One model trained on the first `examples` candidates: seconds, and scores on each test set."""

    variant: str
    examples: int
    cpu_seconds: float
    wall_seconds: float
    scores: dict[str, dict[str, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Overlap:
    """Percentage of the exact SVM's heaviest fragments that are among another model's heaviest."""

    examples: int
    top: int
    share: float


def measure_curves(
    corpus: str,
    tests: Sequence[str],
    folder: Path,
    *,
    variants: Iterable[str] = tuple(VARIANTS),
    sizes: Sequence[int] = SIZES,
    options: BoundaryOptions | None = None,
    shard_size: int = 100_000,
    time_limit: float | None = None,
    report: Report | None = None,
) -> list[Point]:
    """Train every variant on every size; what stands in the folder already is not trained again.

    Parameters
    ----------
    sizes : sequence of int
        0 means all examples.
    time_limit : float, optional
        Leave a point out if the one before it, in proportion, says that it takes more CPU seconds than this.
    """
    told, chosen = report or silent, options or BoundaryOptions()
    shards = write_shards([corpus], folder / "shards", size=shard_size)
    done = _known(folder / "points.json")
    for variant in variants:
        for size in sizes:
            count = min(size or shards.examples, shards.examples)
            if any(point.variant == variant and point.examples == count for point in done):
                continue
            guess = _expected(done, variant, count)
            if time_limit is not None and guess > time_limit:
                told(f"{variant} on {count:,} examples would take about {guess:.0f} s: left out")
                continue
            told(f"{variant} on {count:,} examples")
            done.append(_measured(shards, folder, variant, count, chosen, tests))
            write_text([json.dumps([asdict(point) for point in done])], folder / "points.json")
    return sorted(done, key=lambda point: (list(VARIANTS).index(point.variant), point.examples))


def _known(path: Path) -> list[Point]:
    return [Point(**point) for point in json.loads(path.read_text())] if path.exists() else []


def _expected(done: list[Point], variant: str, count: int) -> float:
    """Guess seconds from the largest smaller run: kernels in proportion to the square, others to the size."""
    smaller = [point for point in done if point.variant == variant and point.examples < count]
    if not smaller:
        return 0.0
    last = max(smaller, key=lambda point: point.examples)
    power = 2.0 if variant == "stk-svm" else 1.0
    return float(last.cpu_seconds * (count / last.examples) ** power)


def _measured(
    shards: Shards, folder: Path, variant: str, count: int, options: BoundaryOptions, tests: Sequence[str]
) -> Point:
    chosen = replace(options, **VARIANTS[variant], limit=None if count == shards.examples else count)
    data = shards
    if chosen.model in BY_SDAG:
        chosen = replace(chosen, fragments=replace(options.fragments, **CLOSER))
    if variant == "rke-whole":  # one model on everything, instead of one on each shard
        data = write_shards(shards.options["corpora"], folder / f"whole-{count}", size=count, limit=count)
        whole = replace(options.fragments, keep_local=options.fragments.keep)
        chosen = replace(chosen, limit=None, fragments=whole)
    elif variant in SIBLINGS:
        data = write_shards(shards.options["corpora"], folder / "siblings", size=shards.options["size"], siblings=True)
    if "rke" in variant:
        shutil.rmtree(data.folder / "mined", ignore_errors=True)  # what an earlier point mined is this one's work too
    cpu, wall = cpu_seconds(), time.monotonic()
    model = train_boundaries(data, chosen)
    cpu, wall = cpu_seconds() - cpu, time.monotonic() - wall
    return Point(variant, count, round(cpu, 1), round(wall, 1), {test: score(model, test) for test in tests})


def score(model: BoundaryModel, corpus: str) -> dict[str, float]:
    """Score a model on a corpus's own trees."""
    found = list(model.classify(read_frames(corpus)))
    scores = boundary_scores(joined([one for one, _ in found]), np.concatenate([margins for _, margins in found]))
    names = ("span_f1", "span_precision", "span_recall", "node_f1", "node_precision", "node_recall")
    return {name: scores[name] for name in names}


def measure_overlap(shards: Shards, examples: int, options: FragmentOptions) -> list[Overlap]:
    """Mine the exact SVM and SDAG, trained on the same examples; count what their heaviest fragments share."""
    data = joined(list(pieces(shards, BoundaryOptions(limit=examples))))
    kernel, most = options.kernel(), replace(options, keep_local=max(TOPS))
    svm = fitted_svm(kernel, data.forest, data.signs, options, bias=False)
    exact = ForestDag(kernel)
    exact.add(svm.support_examples_, svm.dual_coef_[:, 0])
    # The order of the fragments wants a closer solution than the signs of margins do: cuts of a tenth of the examples.
    sample = max(options.sample_size, len(data) // 10)
    closer = replace(options, cuts=4 * options.cuts, sample_size=sample, patience=3)
    sdag = fitted_sdag(kernel, data.forest, data.signs, closer)
    first, second = (mined(dag, data.forest, most) for dag in (exact, sdag.dag_))
    return [Overlap(len(data), top, round(100 * shared(first, second, top), 1)) for top in TOPS]


def shared(first: FragmentDictionary, second: FragmentDictionary, top: int) -> float:
    """Return the share of the first's `top` heaviest fragments that are among the second's.

    Examples
    --------
    >>> from kakari.kernels.trees.forest import Forest
    >>> from kakari.kernels.fragments.mining import mine
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> dag = ForestDag(TreeKernel("stk", normalize=False))
    >>> dag.add(Forest.from_arrays([7, 5], [0, 1]), [2.0])
    >>> shared(mine(dag), mine(dag), 10)
    1.0
    """
    ours, theirs = ({one.fragment(i) for i in range(min(top, len(one)))} for one in (first, second))
    return len(ours & theirs) / max(1, len(ours))


def table(points: Sequence[Point], tests: Sequence[str], whole: int) -> list[tuple[str, ...]]:
    """Return a row for every point: variant, examples, seconds, F1 on each test set, and what the paper has."""
    rows = []
    for point in points:
        published = PUBLISHED.get((point.variant, 0 if point.examples == whole else point.examples), "")
        told = {test: (100 * own["span_f1"], 100 * own["node_f1"]) for test, own in point.scores.items()}
        scores = ["{:.2f} / {:.2f}".format(*told[test]) if test in told else "" for test in tests]
        rows.append((point.variant, f"{point.examples:,}", f"{point.cpu_seconds:,.1f}", *scores, published))
    return rows
