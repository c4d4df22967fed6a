"""`kakari train hyponymy`: a model that judges candidate pairs."""

from __future__ import annotations

import re
import time
from typing import Annotated

import typer

from kakari.commands.hyponymy.finding import read_labelled
from kakari.commands.options import JsonFigures, NewModel
from kakari.corpora import catalogue
from kakari.corpora.formats.pairs import Pair
from kakari.output.console import print_figures, progress
from kakari.parsers.hyponymy.evidence import Evidence
from kakari.parsers.hyponymy.training import HyponymyOptions, train_hyponymy

COUNTS = "hearst-counts"
_JAPANESE = re.compile(r"[ぁ-ヿ一-鿿]")


def hyponymy_cli(
    corpora: Annotated[
        list[str],
        typer.Argument(metavar="CORPUS", help="Annotated pairs: sample-hyponymy:train, hyponymy-en:train, TSV files."),
    ],
    output: NewModel,
    degree: Annotated[
        int, typer.Option(min=1, max=4, help="Degree of the kernel: conjunctions of up to this many features.")
    ] = 2,
    cost: Annotated[float, typer.Option(min=1e-9, help="Aggressiveness C of PA-I.")] = 1.0,
    passes: Annotated[int, typer.Option(min=1, help="Number of passes over the pairs.")] = 10,
    folds: Annotated[int, typer.Option(min=2, help="Number of folds of the cross-validation, by article.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the order of each pass.")] = 0,
    minimum_weight: Annotated[
        float, typer.Option(min=0.0, help="Drop conjunctions whose weight is smaller than this.")
    ] = 0.0,
    counts: Annotated[
        str | None,
        typer.Option(
            metavar="CORPUS",
            help="English pairs: counts of Hearst patterns (hyponym, hypernym, count). [default: hearst-counts]",
            show_default=False,
        ),
    ] = None,
    as_json: JsonFigures = False,
) -> None:
    """Train a model that tells which candidate pairs are hypernym and hyponym; the figures are cross-validated.

    Pairs without Japanese script are English ones, judged by counts of Hearst patterns.
    """
    pairs = [pair for corpus in corpora for pair in read_labelled(corpus)]
    japanese = is_japanese(pairs)
    if japanese and counts is not None:
        raise typer.BadParameter("counts are for English pairs", param_hint="--counts")
    options = HyponymyOptions(degree, cost, passes, folds, seed, minimum_weight)
    start = time.process_time()
    evidence = None if japanese else Evidence(catalogue.read(counts or COUNTS, format_name="pair-counts"))
    with progress("Training") as report:
        model = train_hyponymy(pairs, options, evidence=evidence, report=report)
    model.information["corpora"] = corpora
    model.save(output, compressed=True)
    figures = {
        "pairs": len(pairs),
        "true": model.information["true"],
        "features": len(model.vocabulary),
        **{f"cross_validated_{key}": value for key, value in model.information["cross_validated"].items()},
        "megabytes": round(output.stat().st_size / 1e6, 3),
        "seconds": round(time.process_time() - start, 2),
    }
    print_figures(figures, output, as_json=as_json)


def is_japanese(pairs: list[Pair]) -> bool:
    """Return whether any name has Japanese script.

    Examples
    --------
    >>> is_japanese([Pair("city", "paris")]), is_japanese([Pair("都市", "Paris")])
    (False, True)
    """
    return any(_JAPANESE.search(pair.hypernym) or _JAPANESE.search(pair.hyponym) for pair in pairs)
