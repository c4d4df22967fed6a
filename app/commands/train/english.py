"""`kakari train en-tagger` and `en-constituency`: train English models on trees."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.commands.options import Corpora, JsonFigures, NewModel
from kakari.corpora.provenance import source_names
from kakari.output.console import print_figures, progress

Passes = Annotated[
    int | None, typer.Option(min=1, help="Number of passes over the data. [default: the recipe's]", show_default=False)
]
Beam = Annotated[
    int | None, typer.Option(min=1, help="Beam width in training. [default: the recipe's]", show_default=False)
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the order in which sentences are visited.")]
Checkpoint = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder for finished passes; the same command continues from them.")
]


def tagger_cli(
    corpora: Corpora,
    output: NewModel,
    passes: Passes = None,
    beam: Beam = None,
    seed: Seed = 1,
    checkpoint: Checkpoint = None,
    as_json: JsonFigures = False,
) -> None:
    """Train a tagger of English."""
    _train(corpora, output, passes, beam, seed, checkpoint, as_json, parser=False)


def constituency_cli(
    corpora: Corpora,
    output: NewModel,
    passes: Passes = None,
    beam: Beam = None,
    seed: Seed = 1,
    checkpoint: Checkpoint = None,
    as_json: JsonFigures = False,
) -> None:
    """Train a constituency parser of English, with the tagger that it needs for raw text."""
    _train(corpora, output, passes, beam, seed, checkpoint, as_json, parser=True)


def _train(
    corpora: list[str],
    output: Path,
    passes: int | None,
    beam: int | None,
    seed: int,
    checkpoint: Path | None,
    as_json: bool,
    *,
    parser: bool,
) -> None:
    from kakari.corpora.records.errors import CorpusError
    from kakari.parsers.english.training import EnglishSettings, train
    from kakari.parsers.english.words.treebank_trees import read_trees

    settings = EnglishSettings(seed=seed)
    chosen: dict[str, Any] = {"passes": passes, "beam": beam}
    wanted = {name: value for name, value in chosen.items() if value is not None}
    if not parser:
        settings = replace(settings, parser=None, tagger=replace(settings.tagger, **wanted))
    elif settings.parser is not None:
        settings = replace(settings, parser=replace(settings.parser, **wanted))
    trees = [tree for corpus in corpora for tree in read_trees(corpus)]
    if not trees:
        raise CorpusError(" ".join(corpora), None, "there are no constituency trees in it")
    start = time.process_time()
    with progress("Training") as report:
        model = train(trees, settings, report=report, checkpoint=checkpoint)
    model.details["data"] = source_names(corpora)
    model.save(output, compressed=True)
    figures = {
        "seconds": round(time.process_time() - start, 2),
        "sentences": len(trees),
        "tags": len(model.tags),
        "actions": 0 if model.parser is None else len(model.parser.grammar.actions),
        "megabytes": round(output.stat().st_size / 1e6, 2),
    }
    print_figures(figures, output, as_json=as_json)
