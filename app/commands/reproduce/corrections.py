"""`kakari reproduce corrections`: the effect of simulated corrections."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kakari.commands.options import Json
from kakari.experiments.corrections import Alone, Corrections, halves, learn_alone, learn_in_turn, models
from kakari.output.console import note, print_json, print_table, progress

STEPS = 10  # points of the curve
SEED = 1


def corrections_cli(
    alone: Annotated[
        int,
        typer.Option(min=1, help="Number of corrections that are learned one by one, each from the original model."),
    ] = 200,
    in_turn: Annotated[
        int, typer.Option(min=1, help="Number of corrections of a genre that are learned one after another.")
    ] = 500,
    others: Annotated[int, typer.Option(min=1, help="Largest number of other sentences to measure on.")] = 3000,
    figure: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="PNG", help="Draw the curve into this file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Correct sentences that a model has not seen, and measure others: kwdlc:train by folds, wac:train as a genre."""
    if figure is not None:
        from kakari.experiments.plots import need_matplotlib

        need_matplotlib()
    rows: list[Corrections] = []
    with progress("corrections") as report:
        (fold, held_out), (plain, genre) = models(report)
        first, rest = halves(held_out, SEED)
        single = learn_alone("kwdlc:train, held out", fold, first, alone)
        rows += learn_in_turn(single.data, fold, first, rest[:others], (alone,), report)
        first, rest = halves(genre, SEED)
        counts = sorted({max(1, in_turn * step // STEPS) for step in range(1, STEPS + 1)})
        curve = list(learn_in_turn("wac:train", plain, first, rest[:others], counts, report))
        rows += curve
    show(single, rows, as_json=as_json)
    if figure is not None:
        from kakari.experiments.plots import draw_corrections

        note(f"wrote {draw_corrections(curve, figure)}")


def show(single: Alone, rows: list[Corrections], *, as_json: bool) -> None:
    """Print both tables."""
    if as_json:
        print_json({"alone": asdict(single), "in turn": [asdict(row) for row in rows]})
        return
    print_table(
        ("each alone", "corrections", "right", "CPU seconds, median", "slowest"),
        [(single.data, single.count, single.right, f"{single.median:.3f}", f"{single.slowest:.3f}")],
    )
    print_table(
        ("in turn", "corrections", "right at once", "still", "bunsetsu F1", "(span, head) F1", "heads", "slowest"),
        [
            (
                *(row.data, row.count, row.at_once, row.still),
                *(f"{value:.2f}" for value in (row.boundaries, row.arcs, row.heads)),
                f"{row.seconds:.2f}",
            )
            for row in rows
        ],
    )
