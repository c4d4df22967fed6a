"""`kakari reproduce linearization`: tables 1-5 and figure 1 of the 2013 paper on linearising tree kernels."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kakari.commands.options import Json
from kakari.experiments.linearization import (
    PUBLISHED_OVERLAP,
    SIZES,
    VARIANTS,
    measure_curves,
    measure_overlap,
    table,
)
from kakari.experiments.plots import draw_curves, need_matplotlib
from kakari.output.console import note, print_json, print_table, progress
from kakari.parsers.arguments.boundary.mining import FragmentOptions
from kakari.parsers.arguments.boundary.shards import open_shards
from kakari.parsers.arguments.boundary.training import BoundaryOptions


def linearization_cli(
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder for shards, points and the figure; the same command continues from it.",
        ),
    ],
    corpus: Annotated[str, typer.Option(metavar="CORPUS", help="Training data.")] = "wsj:train",
    test: Annotated[list[str], typer.Option(metavar="CORPUS", help="Test data; may be repeated.")] = [  # noqa: B006
        "wsj:dev",
        "wsj:extra",
    ],
    size: Annotated[
        list[int], typer.Option(min=0, help="Number of training examples, 0 for all; may be repeated.")
    ] = list(SIZES),  # noqa: B006
    variant: Annotated[list[str], typer.Option(help="Model to train; may be repeated.")] = list(VARIANTS),  # noqa: B006
    shard_size: Annotated[int, typer.Option(min=1, help="Number of candidates in a shard.")] = 100_000,
    sample_size: Annotated[
        int, typer.Option(min=2, help="SDAG: number of examples q in the sample of a cut.")
    ] = FragmentOptions.sample_size,
    cuts: Annotated[int, typer.Option(min=1, help="SDAG: largest number of cuts.")] = FragmentOptions.cuts,
    processes: Annotated[int, typer.Option(min=1, help="Number of processes that work on shards.")] = 1,
    overlap: Annotated[
        int,
        typer.Option(min=0, help="Table 2: number of examples at which fragments are compared with the exact SVM's."),
    ] = 0,
    time_limit: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="Skip points that would take longer than this. [default: none]"),
    ] = 3600,
    as_json: Json = False,
) -> None:
    """Print learning curves of all boundary models beside the 2013 paper's, and draw its figure 1."""
    unknown = [name for name in variant if name not in VARIANTS]
    if unknown:
        raise typer.BadParameter(f"'{unknown[0]}' is none of {', '.join(VARIANTS)}", param_hint="--variant")
    need_matplotlib()
    fragments = FragmentOptions(sample_size=sample_size, cuts=cuts)
    with progress("Measuring") as report:
        points = measure_curves(
            corpus,
            test,
            output,
            variants=variant,
            sizes=size,
            options=BoundaryOptions(fragments=fragments, processes=processes),
            shard_size=shard_size,
            time_limit=time_limit,
            report=report,
        )
        shards = open_shards(output / "shards")
        overlaps = measure_overlap(shards, overlap, fragments) if overlap else []
    path = draw_curves(points, test[0], output / "figure1.png")
    if as_json:
        print_json({"points": [asdict(point) for point in points], "overlap": [asdict(one) for one in overlaps]})
    else:
        columns = ("model", "examples", "CPU s", *(f"{name}: span / node F1" for name in test), "paper: node F1")
        print_table(columns, table(points, test, shards.examples))
        if overlaps:
            rows = [(one.top, one.share, PUBLISHED_OVERLAP[one.top]) for one in overlaps]
            print_table(("heaviest fragments", "shared with the SVM, %", "paper, %"), rows)
    note(f"The figure is {path}.")
