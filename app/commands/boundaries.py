"""`kakari train en-boundary`, and what other commands do with such models: evaluate, show and explain."""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from kakari.commands.options import JsonFigures, NewModel
from kakari.corpora.records.errors import CorpusError
from kakari.output.console import note, print_figures, print_json, print_table, status
from kakari.parsers.arguments.boundary.mining import CLOSER, FragmentOptions, bracketed
from kakari.parsers.arguments.boundary.model import BoundaryModel
from kakari.parsers.arguments.boundary.parts import FeatureWeights, FragmentWeights
from kakari.parsers.arguments.boundary.scores import boundary_scores
from kakari.parsers.arguments.boundary.shards import joined, write_shards
from kakari.parsers.arguments.boundary.training import BY_SDAG, FEATURE_SETS, MODELS, BoundaryOptions, train_boundaries
from kakari.parsers.arguments.candidates.extraction import TEMPLATE_BITS, TEMPLATES
from kakari.parsers.arguments.candidates.frames import FramedSentence, read_frames
from kakari.parsers.workers import cpu_seconds

# The names of the models, as typer wants choices to be.
ModelChoice = Enum("ModelChoice", {name: name for name in MODELS}, type=str)  # type: ignore[misc]
BEST = ModelChoice("rke+mf")


def by_use(name: str) -> str:
    """Say what an option of SDAG is when it is not given.

    Examples
    --------
    >>> by_use("cuts")
    '[default: 200; stk-…: 800]'
    """
    return f"[default: {getattr(FragmentOptions, name)}; stk-…: {CLOSER[name]}]"


def boundary_cli(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS", help="PropBank corpora (ewt:train) or files.")],
    output: NewModel,
    model: Annotated[
        ModelChoice, typer.Option(help="Which classifier to train; the options of the others do nothing.")
    ] = BEST,
    cost: Annotated[
        float | None,
        typer.Option(help="Linear models: cost C of an error. [default: by the model]", show_default=False),
    ] = None,
    rare: Annotated[int, typer.Option(min=1, help="Leave out manual features that occur less often.")] = 2,
    features: Annotated[
        str, typer.Option(metavar="NAMES", help=f"Manual features: {', '.join(FEATURE_SETS)}, or templates by name.")
    ] = "all",
    degree: Annotated[
        int, typer.Option(min=1, max=4, help="mf-poly, mf-cascade: degree of the kernel.")
    ] = BoundaryOptions.degree,
    passes: Annotated[
        int, typer.Option(min=1, help="mf-poly, mf-cascade: passes over the data.")
    ] = BoundaryOptions.passes,
    step_cost: Annotated[
        float | None, typer.Option(help="mf-poly: cost C of an update. [default: by the degree]", show_default=False)
    ] = None,
    gate: Annotated[
        float, typer.Option(help="mf-cascade: candidates whose linear margin is below this are no arguments.")
    ] = BoundaryOptions.gate,
    conjoined: Annotated[
        int, typer.Option(min=0, help="rke+mf-cascade: fragments to use as features of the polynomial kernel.")
    ] = BoundaryOptions.conjoined,
    tree_share: Annotated[
        float, typer.Option(min=0, help="rke+mf-cascade: weight of a tree kernel beside the polynomial one; try 0.17.")
    ] = BoundaryOptions.tree_share,
    depth: Annotated[int, typer.Option(min=1, help="etk: levels of the fragments.")] = BoundaryOptions.depth,
    bits: Annotated[
        int, typer.Option(min=1, max=24, help="etk: hash fragments into 2^bits columns.")
    ] = BoundaryOptions.bits,
    decay: Annotated[float, typer.Option(help="Tree kernels: decay λ of larger fragments.")] = FragmentOptions.decay,
    tree_cost: Annotated[float, typer.Option(help="Tree kernels: cost C of an error.")] = FragmentOptions.cost,
    cost_factor: Annotated[
        float, typer.Option(help="Tree kernels: errors on arguments cost this many times C.")
    ] = FragmentOptions.cost_factor,
    sample_size: Annotated[
        int, typer.Option(min=2, help="SDAG: examples in the sample of a cut.")
    ] = FragmentOptions.sample_size,
    growth: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help=f"SDAG: let samples grow by this share. {by_use('growth')}", show_default=False
        ),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(
            help=f"SDAG: stop when a new cut improves the bound by less than this. {by_use('epsilon')}",
            show_default=False,
        ),
    ] = None,
    cuts: Annotated[
        int | None, typer.Option(min=1, help=f"SDAG: largest number of cuts. {by_use('cuts')}", show_default=False)
    ] = None,
    patience: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"SDAG: stop after this many cuts in a row without improvement. {by_use('patience')}",
            show_default=False,
        ),
    ] = None,
    tree_weight: Annotated[float, typer.Option(help="stk+…: weight τ of the tree kernel.")] = 1.0,
    keep: Annotated[int, typer.Option(min=1, help="rke: fragments to keep in the dictionary.")] = FragmentOptions.keep,
    keep_local: Annotated[
        int, typer.Option(min=1, help="rke: fragments to keep of each shard.")
    ] = FragmentOptions.keep_local,
    minimum_count: Annotated[float, typer.Option(help="rke: leave out rarer fragments.")] = 3,
    factor: Annotated[
        float, typer.Option(help="rke: leave out fragments whose weight is this many times below the best.")
    ] = 1000,
    levels: Annotated[
        int | None, typer.Option(min=1, help="rke: largest number of levels of a fragment.", show_default=False)
    ] = None,
    siblings: Annotated[bool, typer.Option(help="Keep the labels beside the paths of trees.")] = False,
    prune: Annotated[bool, typer.Option(help="Use only the candidates that Xue and Palmer's pruning keeps.")] = False,
    shard_size: Annotated[int, typer.Option(min=1, help="Candidates in a shard.")] = 100_000,
    shards: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Keep shards and mined fragments there; the same command continues from them."
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Train on this many candidates, the first ones.", show_default=False)
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="rke: processes that work on shards.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:PORT", help="rke: a Dask cluster that works on shards.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of samples and orders.")] = 0,
    as_json: JsonFigures = False,
) -> None:
    """Train a classifier of argument boundaries: of the constituents that are arguments of a predicate."""
    fragments = FragmentOptions(
        decay=decay,
        cost=tree_cost,
        cost_factor=cost_factor,
        sample_size=sample_size,
        seed=seed,
        keep=keep,
        keep_local=keep_local,
        minimum_count=minimum_count,
        factor=factor,
        levels=levels,
    )
    asked = {"growth": growth, "epsilon": epsilon, "cuts": cuts, "patience": patience}
    usual = CLOSER if model.value in BY_SDAG else {}
    fragments = replace(fragments, **usual | {name: value for name, value in asked.items() if value is not None})
    options = BoundaryOptions(model=str(model.value), cost=cost, rare=rare, fragments=fragments)
    options = replace(options, features=features)
    options = replace(options, tree_weight=tree_weight, degree=degree, passes=passes, step_cost=step_cost, depth=depth)
    options = replace(
        options,
        conjoined=conjoined,
        tree_share=tree_share,
        gate=gate,
        bits=bits,
        limit=limit,
        processes=processes,
        scheduler=scheduler,
    )
    start = cpu_seconds()
    with ExitStack() as stack:
        folder = shards or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kakari-shards-")))
        report = stack.enter_context(status("Training"))
        made = write_shards(
            corpora,
            folder,
            size=shard_size,
            limit=limit if shards is None else None,  # a folder that is kept serves other limits too
            siblings=siblings,
            prune=prune,
            progress=lambda count: report(f"{count:,} candidates"),
        )
        trained = train_boundaries(made, options, report=report)
    trained.save(output)
    figures = {
        "seconds": round(cpu_seconds() - start, 2),
        "candidates": made.examples,
        "shards": len(made),
        "megabytes": round(output.stat().st_size / 1e6, 2),
    }
    print_figures(figures, output, as_json=as_json)


def evaluate_boundaries(path: str, corpus: str) -> dict[str, Any]:
    """Score a boundary model on a corpus's own trees."""
    model = BoundaryModel.load(path)
    sentences = [sentence for sentence in read_frames(corpus) if sentence.frames]
    if not sentences:
        raise CorpusError(corpus, None, "there are no predicates in it")
    start = time.process_time()
    found = list(model.classify(sentences))
    seconds = time.process_time() - start
    scores = boundary_scores(joined([candidates for candidates, _ in found]), np.concatenate([m for _, m in found]))
    return {**scores, "seconds": round(seconds, 3), "candidates_per_second": round(scores["candidates"] / seconds)}


def fragment_rows(path: str | Path, most: int) -> list[dict[str, Any]]:
    """Return the heaviest fragments of each sign of a model, as trees with their weights."""
    model = BoundaryModel.load(path)
    rows: list[dict[str, Any]] = []
    for part in model.parts:
        if isinstance(part, FragmentWeights):
            order = np.argsort(-part.weights, kind="stable")
            chosen = [*order[:most], *order[::-1][:most]]
            rows += [fragment_row(model, part, column, part.weights[column]) for column in chosen]
    if not rows:
        raise CorpusError(str(path), None, "this model has no fragments")
    return [row for row in rows if row["weight"]]


def fragment_row(model: BoundaryModel, part: FragmentWeights, column: int, weight: float) -> dict[str, Any]:
    """Return a fragment as a tree, with a weight."""
    tree = bracketed(part.dictionary.fragment(int(column)), model.extractor.name)
    return {"weight": round(float(weight), 4), "fragment": tree}


def explain_boundary(path: str, corpus: str, line: int, top: int) -> list[dict[str, Any]]:
    """Say what made the margins of the arguments of a predicate, counted from 1 in a corpus.

    Each candidate that the model takes for an argument comes with the fragments and features that weigh most.
    """
    model = BoundaryModel.load(path)
    framed = [
        FramedSentence(sentence.tree, (frame,))
        for sentence in read_frames(corpus)
        if sentence.frames
        for frame in sentence.frames
    ]
    if line > len(framed):
        raise CorpusError(corpus, None, f"there are {len(framed)} predicates, so no number {line}")
    candidates, margins = next(iter(model.classify([framed[line - 1]])))
    words, told = framed[line - 1].tree.words, []
    for row in np.flatnonzero(margins > 0):
        begin, end = candidates.spans()[row]
        told.append(
            {
                "predicate": words[framed[line - 1].frames[0].token],
                "argument": " ".join(words[begin:end]),
                "margin": round(float(margins[row]), 4),
                "reasons": _reasons(model, candidates, int(row), top),
            }
        )
    return told


def print_boundary(path: str, corpus: str, line: int, top: int, *, as_json: bool) -> None:
    """Print the arguments of a predicate, each with what speaks for and against it."""
    told = explain_boundary(path, corpus, line, top)
    if as_json:
        print_json(told)
        return
    for argument in told:
        note(f"{argument['predicate']}: {argument['argument']} ({argument['margin']})")
        rows = [(reason["weight"], reason.get("fragment") or reason["feature"]) for reason in argument["reasons"]]
        print_table(("weight", "fragment or feature"), rows)


def _reasons(model: BoundaryModel, candidates: Any, row: int, top: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for part in model.parts:
        if isinstance(part, FragmentWeights):
            _, columns, values = part.dictionary.vectors(candidates.forest[row])
            pairs = zip(columns, values * part.weights[columns], strict=True)
            found += [fragment_row(model, part, column, weight) for column, weight in pairs]
        elif isinstance(part, FeatureWeights):
            begin, end = candidates.arrays["feature_offsets"][row : row + 2]
            ids = candidates.arrays["features"][begin:end]
            weights = part.model.contributions(ids)[:, 0].tolist()
            found += [
                {"weight": round(weight, 4), "feature": TEMPLATES[number % 2**TEMPLATE_BITS]}
                for number, weight in zip(ids, weights, strict=True)
                if weight
            ]
    return sorted(found, key=lambda reason: -abs(reason["weight"]))[:top]
