"""Figures of the experiments as PNG. matplotlib is an extra (`pip install kakari[plot]`), imported when needed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from kakari.corpora.textfiles import replaced_file
from kakari.experiments.slicing import BY_COMMON, REFERENCES, VARIANTS, Slicing

MARKERS = {"SP": "s", "SL*": "^", "SL": "o", "kernel": "x", "KE": "d"}


class PlotError(ValueError):
    """A figure that cannot be drawn; the text says why."""


def need_matplotlib() -> Any:
    """Give matplotlib's module of figures, or say how to get it."""
    try:
        return importlib.import_module("matplotlib.figure")
    except ImportError:
        raise PlotError("figures need matplotlib, which is not installed: pip install 'kakari[plot]'") from None


def draw_slicing(runs: list[Slicing], folder: Path) -> list[Path]:
    """Draw figures 1 and 3 from the first run and, if there is a second, 2 and 4 from it; give the files."""
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
