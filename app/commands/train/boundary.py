"""`kakari train en-boundary`: presets first, then the options of each family of classifiers.

An option that the chosen classifier does not use is refused: a value that changes nothing would mislead.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.commands.options import JsonFigures, NewModel
from kakari.output.console import print_figures, progress
from kakari.parsers.arguments.boundary.mining import CLOSER, FragmentOptions
from kakari.parsers.arguments.boundary.shards import write_shards
from kakari.parsers.arguments.boundary.training import BY_SDAG, FEATURE_SETS, MODELS, BoundaryOptions, train_boundaries
from kakari.parsers.workers import cpu_seconds

# The names of the models as an enum, which typer needs for choices.
ModelChoice = Enum("ModelChoice", {name: name for name in MODELS}, type=str)  # type: ignore[misc]


class Preset(str, Enum):
    """Named settings of a classifier."""

    balanced = "balanced"
    fast = "fast"
    accurate = "accurate"
    paper = "paper"


PRESETS = {"balanced": "rke+mf", "fast": "mf", "accurate": "rke+mf-cascade", "paper": "stk-sdag"}

LINEAR = ("mf", "mf-cascade", "etk", "rke", "rke+mf", "rke+mf-cascade")
MANUAL = ("mf", "mf-poly", "mf-cascade", "stk+mf", "stk+mf-poly", "rke+mf", "rke+mf-cascade")
COUNTED = tuple(name for name in MANUAL if name != "mf-poly")
ONLINE = ("mf-poly", "mf-cascade", "rke+mf-cascade")
MINED = ("rke", "rke+mf", "rke+mf-cascade")
MACHINES = ("stk-svm", *BY_SDAG)
# The classifiers that use an option; options that are not listed are for all of them.
USED_BY = {
    "cost": LINEAR,
    "features": MANUAL,
    "rare": COUNTED,
    "degree": (*ONLINE, "stk+mf-poly"),
    "passes": ONLINE,
    "step_cost": ONLINE,
    "gate": ("mf-cascade", "rke+mf-cascade"),
    "conjoined": ("rke+mf-cascade",),
    "tree_share": ("rke+mf-cascade",),
    "depth": ("etk",),
    "bits": ("etk",),
    "decay": ("etk", *MACHINES, *MINED),
    "tree_cost": (*MACHINES, *MINED),
    "cost_factor": (*MACHINES, *MINED),
    **dict.fromkeys(("sample_size", "growth", "epsilon", "cuts", "patience"), (*BY_SDAG, *MINED)),
    "tree_weight": ("stk+mf", "stk+mf-poly"),
    **dict.fromkeys(("keep", "keep_local", "minimum_count", "factor", "levels", "processes", "scheduler"), MINED),
}
IN_FRAGMENTS = {field.name for field in fields(FragmentOptions)} - {"cost"}


def option(text: str, panel: str, default: Any = None, **more: Any) -> Any:
    """Declare an option whose default is that of the chosen preset or classifier."""
    told = text if default is None else f"{text} [default: {default}]"
    return typer.Option(help=told, rich_help_panel=panel, show_default=False, **more)


def by_use(name: str) -> str:
    """Return the default of an SDAG option as help texts show it.

    Examples
    --------
    >>> by_use("cuts")
    '200; stk-…: 800'
    """
    return f"{getattr(FragmentOptions, name)}; stk-…: {CLOSER[name]}"


FEATURES, CONJUNCTIONS = "Manual features", "Conjunctions of features (mf-poly, …-cascade, stk+mf-poly)"
TREES, SDAG = "Tree kernels (stk…, rke…, etk)", "SDAG (stk-sdag, stk+…, rke…)"
FRAGMENTS, DATA = "Fragments (rke…)", "Data and processes"


def boundary_cli(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS", help="PropBank corpora (ewt:train) or files.")],
    output: NewModel,
    preset: Annotated[
        Preset | None,
        typer.Option(
            help="balanced: fragments and features (rke+mf); fast: features alone (mf); accurate: conjunctions of both"
            " (rke+mf-cascade); paper: tree kernel by SDAG (stk-sdag). [default: balanced]",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        ModelChoice | None, typer.Option(help="A classifier by name, instead of a preset.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of samples and orders.")] = 0,
    cost: Annotated[float | None, option("Cost C of an error in linear models.", FEATURES, "by the model")] = None,
    rare: Annotated[
        int | None, option("Leave out features that occur less often.", FEATURES, BoundaryOptions.rare, min=1)
    ] = None,
    features: Annotated[
        str | None,
        option(
            f"{', '.join(FEATURE_SETS)}, or templates by name.", FEATURES, BoundaryOptions.features, metavar="NAMES"
        ),
    ] = None,
    degree: Annotated[
        int | None, option("Degree of the kernel.", CONJUNCTIONS, BoundaryOptions.degree, min=1, max=4)
    ] = None,
    passes: Annotated[int | None, option("Passes over the data.", CONJUNCTIONS, BoundaryOptions.passes, min=1)] = None,
    step_cost: Annotated[float | None, option("Cost C of an update.", CONJUNCTIONS, "by the degree")] = None,
    gate: Annotated[
        float | None,
        option(
            "…-cascade: candidates with a lower linear margin are no arguments.", CONJUNCTIONS, BoundaryOptions.gate
        ),
    ] = None,
    conjoined: Annotated[
        int | None,
        option("rke+mf-cascade: fragments to use as features.", CONJUNCTIONS, BoundaryOptions.conjoined, min=0),
    ] = None,
    tree_share: Annotated[
        float | None,
        option(
            "rke+mf-cascade: weight of a tree kernel beside the polynomial one; try 0.17.",
            CONJUNCTIONS,
            BoundaryOptions.tree_share,
            min=0,
        ),
    ] = None,
    decay: Annotated[float | None, option("Decay λ of larger fragments.", TREES, FragmentOptions.decay)] = None,
    tree_cost: Annotated[float | None, option("Cost C of an error.", TREES, FragmentOptions.cost)] = None,
    cost_factor: Annotated[
        float | None, option("Errors on arguments cost this many times C.", TREES, FragmentOptions.cost_factor)
    ] = None,
    tree_weight: Annotated[
        float | None, option("stk+…: weight τ of the tree kernel.", TREES, BoundaryOptions.tree_weight)
    ] = None,
    depth: Annotated[int | None, option("etk: levels of a fragment.", TREES, BoundaryOptions.depth, min=1)] = None,
    bits: Annotated[
        int | None, option("etk: hash fragments into 2^bits columns.", TREES, BoundaryOptions.bits, min=1, max=24)
    ] = None,
    sample_size: Annotated[
        int | None, option("Examples in the sample of a cut.", SDAG, FragmentOptions.sample_size, min=2)
    ] = None,
    growth: Annotated[
        float | None, option("Let samples grow by this share.", SDAG, by_use("growth"), min=0, max=1)
    ] = None,
    epsilon: Annotated[
        float | None, option("Stop when a new cut improves the bound by less than this.", SDAG, by_use("epsilon"))
    ] = None,
    cuts: Annotated[int | None, option("Largest number of cuts.", SDAG, by_use("cuts"), min=1)] = None,
    patience: Annotated[
        int | None, option("Stop after this many cuts in a row without improvement.", SDAG, by_use("patience"), min=1)
    ] = None,
    keep: Annotated[
        int | None, option("Fragments to keep in the dictionary.", FRAGMENTS, FragmentOptions.keep, min=1)
    ] = None,
    keep_local: Annotated[
        int | None, option("Fragments to keep of each shard.", FRAGMENTS, FragmentOptions.keep_local, min=1)
    ] = None,
    minimum_count: Annotated[
        float | None, option("Leave out rarer fragments.", FRAGMENTS, FragmentOptions.minimum_count)
    ] = None,
    factor: Annotated[
        float | None,
        option("Leave out fragments this many times lighter than the heaviest.", FRAGMENTS, FragmentOptions.factor),
    ] = None,
    levels: Annotated[
        int | None, option("Largest number of levels of a fragment.", FRAGMENTS, "no limit", min=1)
    ] = None,
    processes: Annotated[
        int | None, option("Processes that work on shards.", FRAGMENTS, BoundaryOptions.processes, min=1)
    ] = None,
    scheduler: Annotated[
        str | None, option("A Dask cluster that works on shards.", FRAGMENTS, metavar="tcp://HOST:PORT")
    ] = None,
    siblings: Annotated[
        bool, typer.Option(help="Keep the labels beside the paths of trees.", rich_help_panel=DATA)
    ] = False,
    prune: Annotated[
        bool,
        typer.Option(help="Use only the candidates that Xue and Palmer's pruning keeps.", rich_help_panel=DATA),
    ] = False,
    shard_size: Annotated[int, typer.Option(min=1, help="Candidates in a shard.", rich_help_panel=DATA)] = 100_000,
    shards: Annotated[
        Path | None,
        option("Keep shards and mined fragments there; the same command continues from them.", DATA, metavar="DIR"),
    ] = None,
    limit: Annotated[int | None, option("Train on this many candidates, the first ones.", DATA, min=1)] = None,
    as_json: JsonFigures = False,
) -> None:
    """Train a classifier that tells which constituents are arguments of a predicate."""
    given = {name: value for name, value in locals().items() if name in USED_BY and value is not None}
    options = boundary_options(chosen_model(preset, model), given, seed=seed, limit=limit)
    start = cpu_seconds()
    with ExitStack() as stack:
        folder = shards or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kakari-shards-")))
        report = stack.enter_context(progress("Training"))
        made = write_shards(
            corpora,
            folder,
            size=shard_size,
            limit=limit if shards is None else None,  # a kept folder can be used with other limits too
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


def chosen_model(preset: Preset | None, model: Any) -> str:
    """Return the name of the chosen classifier, from the preset or the model option."""
    if preset is not None and model is not None:
        raise typer.BadParameter("a preset is a model with settings: give one of the two", param_hint="--preset")
    return str(model.value) if model is not None else PRESETS[(preset or Preset.balanced).value]


def boundary_options(model: str, given: dict[str, Any], *, seed: int, limit: int | None) -> BoundaryOptions:
    """Return the training settings of a classifier; `given` are the options that have a value.

    Examples
    --------
    >>> boundary_options("rke", {"keep": 10, "cost": 2.0}, seed=1, limit=None).fragments.keep
    10
    """
    for name in given:
        if model not in USED_BY[name]:
            hint = f"--{name.replace('_', '-')}"
            raise typer.BadParameter(f"{model} does not use it: it is for {', '.join(USED_BY[name])}", param_hint=hint)
    names = {"tree_cost": "cost"}
    mined = {names.get(name, name): value for name, value in given.items() if name in {*IN_FRAGMENTS, *names}}
    usual = CLOSER if model in BY_SDAG else {}
    fragments = replace(FragmentOptions(seed=seed), **usual | mined)
    own = {name: value for name, value in given.items() if name not in {*IN_FRAGMENTS, *names}}
    return replace(BoundaryOptions(model=model, limit=limit, fragments=fragments), **own)
