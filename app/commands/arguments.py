"""Predicates and arguments on the command line: `kakari train en-arguments`, and their part of `kakari evaluate`."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated, Any

import typer

from kakari.commands.options import Corpora, JsonFigures, NewModel
from kakari.corpora.provenance import source_names
from kakari.output.console import print_figures, progress

Folds = Annotated[
    int,
    typer.Option(min=0, help="Number of parts for jack-knifed trees; 0 trains on gold trees."),
]
Weights = Annotated[
    int | None, typer.Option(min=1, help="Number of weights to keep for boundaries. [default: the recipe's]")
]


def arguments_cli(
    corpora: Corpora, output: NewModel, folds: Folds = 0, weights: Weights = None, as_json: JsonFigures = False
) -> None:
    """Train a model that finds predicates, their arguments and their roles in English trees."""
    from kakari.corpora.records.errors import CorpusError
    from kakari.parsers.arguments.candidates.frames import read_frames
    from kakari.parsers.arguments.training import ArgumentSettings, train_arguments

    settings = replace(ArgumentSettings(), folds=folds)
    if weights is not None:
        settings = replace(settings, boundary=replace(settings.boundary, most=weights))
    sentences = [sentence for corpus in corpora for sentence in read_frames(corpus)]
    if not any(frame.spans for one in sentences for frame in one.frames):
        raise CorpusError(" ".join(corpora), None, "there are no predicates with arguments in it")
    start = time.process_time()
    with progress("Training") as report:
        model = train_arguments(sentences, settings, report=report)
    model.details["data"] = source_names(corpora)
    model.save(output)
    figures = {
        "seconds": round(time.process_time() - start, 2),
        "sentences": len(sentences),
        "predicates": sum(len(one.frames) for one in sentences),
        "roles": 0 if model.roles is None else len(model.roles.table.classes),
        "megabytes": round(output.stat().st_size / 1e6, 2),
    }
    print_figures(figures, output, as_json=as_json)


def evaluate_frames(models: list[str], corpus: str, task: str | None, given: str) -> dict[str, Any]:
    """Score predicted arguments in text or trees; the model is for arguments, for boundaries alone, or a parser."""
    from kakari.corpora.records.errors import CorpusError
    from kakari.models.files import model_task
    from kakari.parsers.arguments.boundary.model import BoundaryModel
    from kakari.parsers.arguments.candidates.frames import read_frames
    from kakari.parsers.arguments.model import ArgumentModel, pretrained_arguments
    from kakari.parsers.arguments.scores import GIVEN, evaluate_arguments
    from kakari.parsers.english.model import EnglishModel, pretrained_model

    if len(models) > 1:
        raise typer.BadParameter("one model of arguments at a time", param_hint="MODEL")
    if task not in (None, "arguments"):
        raise typer.BadParameter(f"this model is for arguments, not for {task}", param_hint="--task")
    if given not in GIVEN:
        raise typer.BadParameter(f"'{given}' is for Japanese; {', '.join(GIVEN)} for arguments", param_hint="--given")
    kind = "en" if models[0] == "en" else model_task(models[0])
    model, parser = pretrained_arguments(), None
    if kind == "en-arguments":
        model = ArgumentModel.load(models[0])
    elif kind == "en-boundary":
        model = ArgumentModel(model.predicates, BoundaryModel.load(models[0]))
    if given != "trees":
        parser = EnglishModel.load(models[0]) if kind == "en-constituency" else pretrained_model()
    sentences = list(read_frames(corpus))
    if not any(one.frames for one in sentences):
        raise CorpusError(corpus, None, "there are no predicates in it")
    scores = evaluate_arguments(model, parser, sentences, given=given)  # type: ignore[arg-type]
    return {"task": "arguments", "given": given, **scores.as_dict()}
