"""`kakari train ja-bunsetsu` and `ja-dependency`: Japanese classifiers out of annotated sentences."""

from __future__ import annotations

import time
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.console import note, print_json, print_table


class Morphology(str, Enum):
    """Whose morphemes the model reads."""

    gold = "gold"
    sudachi = "sudachi"


Corpora = Annotated[list[str], typer.Argument(metavar="CORPUS...", help="Corpora (kwdlc:train) or files (x.knp.gz).")]
Model = Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Where the model goes.")]
Reads = Annotated[Morphology, typer.Option(help="The corpus's own morphemes, or Sudachi's of the same text.")]
Degree = Annotated[
    int | None, typer.Option(min=1, max=4, help="Of the kernel. [default: the recipe's]", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print figures as JSON.")]


def bunsetsu_cli(
    corpora: Corpora,
    output: Model,
    morphology: Reads = Morphology.sudachi,
    degree: Degree = None,
    as_json: Json = False,
) -> None:
    """Train a bunsetsu segmenter."""
    _train(corpora, output, morphology, degree, as_json, segmenter=True, parser=False)


def dependency_cli(
    corpora: Corpora,
    output: Model,
    morphology: Reads = Morphology.sudachi,
    degree: Degree = None,
    as_json: Json = False,
) -> None:
    """Train a dependency parser, with the segmenter that it needs for raw text."""
    _train(corpora, output, morphology, degree, as_json, segmenter=True, parser=True)


def _train(
    corpora: list[str],
    output: Path,
    morphology: Morphology,
    degree: int | None,
    as_json: bool,
    *,
    segmenter: bool,
    parser: bool,
) -> None:
    from kakari.corpora import catalogue
    from kakari.corpora.errors import CorpusError
    from kakari.parsers.japanese_training import JapaneseSettings, train

    settings = JapaneseSettings(tagset="juman" if morphology is Morphology.gold else "sudachi")
    if not parser:
        settings = replace(settings, parsers=())
    if degree is not None:
        settings = _with_degree(settings, degree)
    sentences = [
        sentence
        for corpus in corpora
        for sentence in catalogue.read(corpus, strict=False)
        if hasattr(sentence, "bunsetsu")
    ]
    if not sentences:
        raise CorpusError(" ".join(corpora), None, "there are no Japanese sentences with bunsetsu in it")
    start = time.process_time()
    model = train(sentences, settings, report=note)
    model.details["data"] = corpora
    model.save(output)
    figures: dict[str, Any] = {
        "seconds": round(time.process_time() - start, 2),
        "sentences": model.details["sentences"],
        "moved_boundaries": model.details["moved_boundaries"],
        "megabytes": round(output.stat().st_size / 1e6, 2),
    }
    if as_json:
        print_json(figures)
    else:
        print_table(("what", "number"), figures.items())
        note(f"The model is in {output}.")


def _with_degree(settings: Any, degree: int) -> Any:
    cost = {1: 1e-2, 2: 5e-4, 3: 1e-4, 4: 2e-5}[degree]
    parsers = tuple(replace(p, learner=replace(p.learner, degree=degree, cost=cost)) for p in settings.parsers)
    segmenter = settings.segmenter and replace(settings.segmenter, degree=degree, cost=cost)
    return replace(settings, parsers=parsers, segmenter=segmenter)
