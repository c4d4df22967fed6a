"""`kakari reproduce reranking`: template kernels over k-best lists (2015)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kakari.commands.options import Json
from kakari.commands.reproduce.storing import Store, the_command
from kakari.experiments.reranking import CacheTime, Reranked, keep_reranking, measure_caches, measure_reranking
from kakari.output.console import print_json, print_table, progress
from kakari.results.stored import Shelf

LANGUAGES = ["ud-english", "ud-portuguese", "ud-turkish", "danish"]


def reranking_cli(
    corpus: Annotated[
        list[str], typer.Option(metavar="NAME", help="Treebank with the parts train and dev; may be repeated.")
    ] = LANGUAGES,
    trees: Annotated[int, typer.Option("--rerank", metavar="K", min=2, help="Number of trees in a list.")] = 10,
    folds: Annotated[int, typer.Option(min=2, help="Number of parts for jack-knifed lists.")] = 20,
    half: Annotated[bool, typer.Option("--half-passes", help="Parsers of the lists with half the passes.")] = False,
    passes: Annotated[int, typer.Option("--kernel-passes", min=1, help="Of the kernel over the lists.")] = 3,
    lists: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for base parsers and lists; existing ones are used.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="Number of processes that make lists.")] = 1,
    cache_lists: Annotated[
        int | None,
        typer.Option(min=1, help="Number of lists on which to time the caches. [default: all]", show_default=False),
    ] = None,
    store: Store = None,
    as_json: Json = False,
) -> None:
    """Measure base, linear features, template kernel, both and the oracle of the lists on the dev parts."""
    rows: list[Reranked] = []
    times: list[CacheTime] = []
    made = f"lists of {trees}, {folds} parts, {'half' if half else 'all'} the passes; kernel: {passes} passes"
    for name in corpus:
        with progress(name) as report:
            own = None if lists is None else lists / name
            parts = ([f"{name}:train"], f"{name}:dev")
            found, data, known = measure_reranking(
                name, parts, trees=trees, folds=folds, half=half, passes=passes, folder=own, processes=processes,
                report=report,
            )  # fmt: skip
            rows += found
            if store is not None:
                keep_reranking(Shelf(store, command=the_command()), rows, times, made)
            times += measure_caches(name, data, known, trees=trees, examples=cache_lists)
        if store is not None:
            keep_reranking(Shelf(store, command=the_command()), rows, times, made)
    if as_json:
        print_json({"rows": [asdict(row) for row in rows], "caches": [asdict(time) for time in times]})
        return
    print_table(
        ("treebank", "choice", "UAS", "LAS", "p", "support parts"),
        [
            (row.corpus, row.choice, f"{row.uas:.2f}", f"{row.las:.2f}", *map(_shown, (row.p, row.support_parts)))
            for row in rows
        ],
    )
    shown = [(one.corpus, one.caches, " ".join(f"{second:.2f}" for second in one.seconds)) for one in times]
    print_table(("treebank", "caches", "CPU seconds of each pass"), shown)


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
