"""`kakari train ja-bunsetsu` and `ja-dependency`: train Japanese classifiers on annotated sentences."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakari.commands.options import JsonFigures, NewModel
from kakari.output.console import note, print_figures

if TYPE_CHECKING:
    from kakari.parsers.japanese.training import JapaneseSettings


class Morphology(str, Enum):
    """Source of the morphemes that the model reads."""

    gold = "gold"
    sudachi = "sudachi"


def command(*, parser: bool) -> Callable[..., None]:
    """Make the command that trains a segmenter alone, or a parser with the segmenter that it needs for raw text."""

    def train_cli(
        corpora: Annotated[
            list[str], typer.Argument(metavar="CORPUS", help="Corpora (kwdlc:train) or files (x.knp.gz).")
        ],
        output: NewModel,
        morphology: Annotated[
            Morphology, typer.Option(help="Morphemes to train on: the corpus's own, or Sudachi's of the same text.")
        ] = Morphology.sudachi,
        degree: Annotated[
            int | None,
            typer.Option(min=1, max=4, help="Degree of the kernel. [default: the recipe's]", show_default=False),
        ] = None,
        fast: Annotated[
            bool, typer.Option(help="Train one classifier instead of several that vote: it parses many times faster.")
        ] = False,
        as_json: JsonFigures = False,
    ) -> None:
        settings = _settings(morphology, degree, parser=parser, fast=fast)
        figures = train_model(corpora, output, settings)
        print_figures(figures, output, as_json=as_json)

    train_cli.__doc__ = (
        "Train a dependency parser, with the segmenter that it needs for raw text."
        if parser
        else "Train a bunsetsu segmenter."
    )
    return train_cli


bunsetsu_cli, dependency_cli = command(parser=False), command(parser=True)


def train_model(corpora: list[str], output: Path, settings: JapaneseSettings) -> dict[str, Any]:
    """Train on corpora, write the model, and return figures of the training."""
    from kakari.corpora.provenance import source_names
    from kakari.corpora.records.errors import CorpusError
    from kakari.parsers.japanese.training import train
    from kakari.reading.japanese import read_japanese

    sentences = [sentence for corpus in corpora for sentence in read_japanese(corpus)]
    start = time.process_time()
    model = train(sentences, settings, report=lambda what, done=0, total=None: note(what))
    if not model.details["sentences"]:
        raise CorpusError(" ".join(corpora), None, "in every sentence, a head points to the left or nowhere")
    model.details["data"] = source_names(corpora)
    model.save(output)
    return {
        "seconds": round(time.process_time() - start, 2),
        "sentences": model.details["sentences"],
        "moved_boundaries": model.details["moved_boundaries"],
        "megabytes": round(output.stat().st_size / 1e6, 2),
    }


def _settings(morphology: Morphology, degree: int | None, *, parser: bool, fast: bool) -> JapaneseSettings:
    from kakari.parsers.japanese.training import ACCURATE, JapaneseSettings

    settings = JapaneseSettings() if fast or degree is not None else ACCURATE
    settings = replace(settings, tagset="juman" if morphology is Morphology.gold else "sudachi")
    if not parser:
        settings = replace(settings, parsers=(), rankers=(), trees=None)
    return settings if degree is None else _with_degree(settings, degree)


def _with_degree(settings: JapaneseSettings, degree: int) -> JapaneseSettings:
    cost = {1: 1e-2, 2: 5e-4, 3: 1e-4, 4: 2e-5}[degree]
    parsers = tuple(replace(p, learner=replace(p.learner, degree=degree, cost=cost)) for p in settings.parsers)
    segmenter = settings.segmenter and replace(settings.segmenter, degree=degree, cost=cost)
    return replace(settings, parsers=parsers, segmenter=segmenter)
