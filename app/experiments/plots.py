"""Figures of the experiments as PNG. matplotlib is an extra (`pip install kakari[plot]`), imported when needed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kakari.corpora.records.textfiles import replaced_file
from kakari.experiments.corrections import Corrections
from kakari.experiments.linearization import Point
from kakari.experiments.online import Curve
from kakari.experiments.slicing import BY_COMMON, REFERENCES, VARIANTS, Slicing

MARKERS = {"SP": "s", "SL*": "^", "SL": "o", "kernel": "x", "KE": "d"}


class PlotError(ValueError):
    """A figure that cannot be drawn; the text says why."""


def need_matplotlib() -> Any:
    """Return matplotlib's module of figures, or say how to get it."""
    try:
        return importlib.import_module("matplotlib.figure")
    except ImportError:
        raise PlotError("figures need matplotlib, which is not installed: pip install 'kakari[plot]'") from None


def draw_slicing(runs: list[Slicing], folder: Path) -> list[Path]:
    """Draw figures 1 and 3 from the first run and, if there is a second, 2 and 4 from it; return the files."""
    need_matplotlib()
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, run in enumerate(runs, 1):
        paths += [
            _draw_time_against_common(run, number, folder / f"figure{number}.png"),
            _draw_time_against_size(run, number + 2, folder / f"figure{number + 2}.png"),
        ]
    return sorted(paths)


def _draw_time_against_common(run: Slicing, number: int, path: Path) -> Path:
    figure, axes = _axes(run, number, "number of expanded primitive features, N")
    for variant in BY_COMMON:
        own = [(t.common, t.seconds) for t in run.by_common if t.variant == variant]
        if own:
            axes.plot(*zip(*own, strict=True), marker=MARKERS[variant], label=f"PA-I {variant}")
    for variant, style in zip(REFERENCES, ("--", ":"), strict=True):
        if best := run.best(variant):
            axes.axhline(best.seconds, linestyle=style, color="gray", label=f"PA-I {variant}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    return _save(figure, axes, path)


def _draw_time_against_size(run: Slicing, number: int, path: Path) -> Path:
    figure, axes = _axes(run, number, "number of training examples")
    for variant in VARIANTS:
        own = sorted((t.examples, t.seconds) for t in run.by_size if t.variant == variant)
        best = run.best(variant)
        if best is None:
            continue
        label = f"PA-I {variant}" + (f" (N = {best.common:,})" if best.common else "")
        axes.plot(*zip(*own, strict=True), marker=MARKERS[variant], label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    return _save(figure, axes, path)


def _axes(run: Slicing, number: int, across: str) -> tuple[Any, Any]:
    figure = need_matplotlib().Figure(figsize=(6, 4.5), layout="constrained")
    axes = figure.add_subplot()
    examples = max((timing.examples for timing in run.by_size), default=0)
    axes.set_title(
        f"Figure {number} again: {run.corpus}, {examples:,} examples, d = {run.degree}, {run.passes} passes",
        fontsize=10,
    )
    axes.set_xlabel(across)
    axes.set_ylabel("training time, CPU seconds")
    axes.grid(alpha=0.3)
    return figure, axes


def _save(figure: Any, axes: Any, path: Path) -> Path:
    if axes.has_data():
        axes.legend(fontsize=8)
    with replaced_file(path) as file:
        figure.savefig(file, format="png", dpi=150)
    return path


def draw_streams(curves: list[Curve], folder: Path) -> list[Path]:
    """Draw figures 5.1 (F1 so far), 5.2 (support set) and 5.3 (CPU seconds) of a stream; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    figures: tuple[tuple[str, str, Callable[[Curve], tuple[Any, Any]]], ...] = (
        ("5.1a", "F1 so far, %, first tenth", lambda curve: _f1_so_far(curve, 0.1)),
        ("5.1b", "F1 so far, %", lambda curve: _f1_so_far(curve, 1.0)),
        ("5.2", "support vectors", lambda curve: (_shares(curve.support), curve.support)),
        ("5.3", "CPU seconds", lambda curve: (_shares(curve.seconds), curve.seconds)),
    )
    paths = []
    for number, upwards, line in figures:
        figure = need_matplotlib().Figure(figsize=(6, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for curve in curves:
            axes.plot(*line(curve), label=curve.name, linewidth=1)
        axes.set_title(f"Figure {number} again: {curves[0].mistakes.size:,} examples", fontsize=10)
        axes.set_xlabel("examples seen, %")
        axes.set_ylabel(upwards)
        axes.grid(alpha=0.3)
        paths.append(_save(figure, axes, folder / f"figure{number}.png"))
    return paths


def draw_curves(points: Sequence[Point], test: str, path: Path) -> Path:
    """Draw figure 1 of the 2013 paper: F1 of every model against the number of examples."""
    figure = need_matplotlib().Figure(figsize=(7, 5), layout="constrained")
    axes = figure.add_subplot()
    for number, variant in enumerate(dict.fromkeys(point.variant for point in points)):
        dashes = ("-", "--", ":")[number // 10 % 3]  # there are ten colours
        here = [point for point in points if point.variant == variant and test in point.scores]
        own = [(point.examples, 100 * point.scores[test]["span_f1"]) for point in here]
        if own:
            axes.plot(*zip(*own, strict=True), marker="o", markersize=4, label=variant, linewidth=1, linestyle=dashes)
    axes.set_title(f"Figure 1 again: {test}", fontsize=10)
    axes.set_xscale("log")
    axes.set_xlabel("training examples")
    axes.set_ylabel("F1 of argument spans")
    axes.grid(alpha=0.3)
    return _save(figure, axes, path)


def draw_corrections(rows: Sequence[Corrections], path: Path) -> Path:
    """Draw the accuracy on other sentences of a genre against the number of corrections."""
    figure = need_matplotlib().Figure(figsize=(6, 4.5), layout="constrained")
    axes = figure.add_subplot()
    counts = [row.count for row in rows]
    for label, values in (
        ("bunsetsu, F1 from text", [row.boundaries for row in rows]),
        ("(span, head), F1 from text", [row.arcs for row in rows]),
        ("heads, bunsetsu given", [row.heads for row in rows]),
    ):
        axes.plot(counts, [value - values[0] for value in values], marker="o", markersize=4, label=label)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_title(f"Corrections of sentences from {rows[0].data}", fontsize=10)
    axes.set_xlabel("corrections")
    axes.set_ylabel("points of accuracy on other documents")
    axes.grid(alpha=0.3)
    return _save(figure, axes, path)


def _shares(values: Any) -> Any:
    return np.linspace(0, 100, len(values) + 1)[1:]


def _f1_so_far(curve: Curve, share: float) -> tuple[Any, Any]:
    end = max(1, round(curve.mistakes.size * share))
    begin = min(end - 1, max(20, end // 20))  # the first few examples say nothing
    return _shares(curve.mistakes)[begin:end], curve.f1()[begin:end]
