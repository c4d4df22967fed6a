"""`kakari train reranking`: a template kernel machine that chooses among a dependency parser's best trees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.commands.options import Corpora, JsonFigures, NewModel
from kakari.output.console import print_figures, progress
from kakari.parsers.workers import cpu_seconds


def reranking_cli(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model of `kakari train dependency`.")],
    corpora: Corpora,
    output: NewModel,
    trees: Annotated[int, typer.Option("--rerank", metavar="K", min=2, help="Number of trees in a list.")] = 10,
    folds: Annotated[
        int,
        typer.Option(
            min=2, help="Number of parts for jack-knifed lists: each is parsed by a parser trained on the others."
        ),
    ] = 20,
    half: Annotated[
        bool,
        typer.Option(
            "--half-passes/--all-passes", help="Passes of the parsers that make lists: half of the base parser's."
        ),
    ] = True,
    passes: Annotated[int, typer.Option(min=1, help="Number of passes over the lists.")] = 3,
    step: Annotated[float, typer.Option("-C", min=0, help="The longest step.")] = 3e-5,
    kernel: Annotated[bool, typer.Option(help="Use the template kernel, or linear features alone.")] = True,
    degree: Annotated[int, typer.Option(min=1, max=2, help="2: also use pairs of properties of a word.")] = 1,
    most: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of combinations to keep, the largest ones. [default: all]", show_default=False
        ),
    ] = None,
    most_linear: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of linear weights to keep, the largest ones. [default: all]", show_default=False
        ),
    ] = None,
    lists: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for lists; existing ones are used.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="Number of processes that make lists.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:PORT", help="A Dask cluster that makes lists.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the order in which lists are visited.")] = 1,
    as_json: JsonFigures = False,
) -> None:
    """Add a reranker to a dependency parser; the treebanks are those it was trained on."""
    from kakari.corpora.records.errors import CorpusError
    from kakari.models.files import ModelFileError
    from kakari.parsers.dependency.model import DependencyModel
    from kakari.parsers.dependency.reranked.training import add_reranker, settings_of
    from kakari.parsers.dependency.reranking.training import RerankSettings
    from kakari.parsers.workers import WorkerError

    base = DependencyModel.load(model)
    asked = RerankSettings(
        trees=trees, passes=passes, C=step, kernel=kernel, degree=degree, most=most, most_linear=most_linear, seed=seed
    )
    start = cpu_seconds()
    options: dict[str, Any] = {"folds": folds, "half": half, "folder": lists}
    options |= {"processes": processes, "scheduler": scheduler}
    with progress("Training") as report:
        try:
            made = add_reranker(base, corpora, settings_of(base), asked, report=report, **options)
        except (CorpusError, ModelFileError, WorkerError):
            raise
        except ValueError as error:
            raise CorpusError(" ".join(corpora), None, str(error)) from None
    made.save(output, compressed=True)
    told = made.details["reranking"]
    figures = {
        "seconds": round(cpu_seconds() - start, 2),
        "lists": told["lists"],
        "support_parts": told["support_parts"][-1],
        "combinations": told["combinations"],
        "megabytes": round(Path(output).stat().st_size / 1e6, 2),
    }
    print_figures(figures, output, as_json=as_json)
