"""`kakari train dependency`: train tags, lemmas and dependency trees of any language on a treebank."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.commands.options import Corpora, JsonFigures, NewModel
from kakari.corpora.provenance import source_names
from kakari.output.console import print_figures, progress


def dependency_cli(
    corpora: Corpora,
    output: NewModel,
    language: Annotated[
        str, typer.Option("--language", "-l", help="Language code of the spaCy tokenizer for raw text.")
    ] = "en",
    order: Annotated[
        int, typer.Option(min=1, max=3, help="1: arcs; 2: siblings, grandparents; 3: grand-siblings, tri-siblings.")
    ] = 3,
    heads: Annotated[
        int, typer.Option(min=1, help="Largest number of candidate heads of a word after the first pass.")
    ] = 8,
    crossing: Annotated[
        bool, typer.Option(help="Allow crossing arcs; otherwise gold trees with crossing arcs are lifted.")
    ] = False,
    passes: Annotated[int, typer.Option(min=1, help="Number of passes over the trees.")] = 6,
    folds: Annotated[int, typer.Option(min=1, help="Number of parts for jack-knifed tags; 1 trains on gold tags.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the order in which sentences are visited.")] = 1,
    as_json: JsonFigures = False,
) -> None:
    """Train a tagger, a lemmatiser and a dependency parser on CoNLL-U or CoNLL-X."""
    from kakari.corpora.records.errors import CorpusError
    from kakari.parsers.dependency.training import DependencySettings, train
    from kakari.parsers.dependency.treebank import read_treebank

    settings = DependencySettings(
        order=order, heads=heads, projective=not crossing, passes=passes, folds=folds, seed=seed
    )
    sentences = [sentence for corpus in corpora for sentence in read_treebank(corpus)]
    start = time.process_time()
    with progress("Training") as report:
        try:
            model = train(sentences, settings, language=language, report=report)
        except ValueError as error:
            raise CorpusError(" ".join(corpora), None, str(error)) from None
    model.details["data"] = source_names(corpora)
    model.save(output, compressed=True)
    figures: dict[str, Any] = {
        "seconds": round(time.process_time() - start, 2),
        "sentences": model.details["sentences"],
        "words": model.details["words"],
        "lifted": model.details["lifted"],
        "tags": len(model.tagger.tags),
        "relations": len(model.relations),
        "megabytes": round(Path(output).stat().st_size / 1e6, 2),
    }
    print_figures(figures, output, as_json=as_json)
