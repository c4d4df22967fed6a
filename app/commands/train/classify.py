"""`kakari train classify`: a classifier with a polynomial kernel out of a file of examples."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from kakari.commands.options import JsonFigures, NewModel
from kakari.corpora.provenance import source_name
from kakari.kernels.learning.binary_learner import KernelLearner, Progress
from kakari.kernels.learning.multiclass import MulticlassLearner
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.polynomial.checkpoints import train_with_checkpoints
from kakari.models.polynomial.classifier import Classifier, Machine
from kakari.models.polynomial.defaults import DEGREE, PASSES, STEP, default_cost
from kakari.models.polynomial.multiclass import Learner, expansions, is_direct
from kakari.models.voting import binary_problems
from kakari.output.console import pass_progress, print_figures
from kakari.reading.examples import Examples, class_numbers, load_examples


class Step(str, Enum):
    """What a step is divided by."""

    features = "features"
    kernel = "kernel"


DEFAULT_STEP = Step(STEP)


class Method(str, Enum):
    """How margins are computed in training."""

    slicing = "slicing"
    splitting = "splitting"
    expansion = "expansion"
    inverted = "inverted"
    naive = "naive"


class Rule(str, Enum):
    """The update rule."""

    pa1 = "pa1"
    pa2 = "pa2"
    pa = "pa"
    perceptron = "perceptron"


class Scheme(str, Enum):
    """How three and more classes are told apart."""

    ovr = "ovr"
    ovo = "ovo"
    direct = "direct"


def parse_size(text: str) -> int:
    """Read `512MB`, `2GB` or a number of bytes.

    Examples
    --------
    >>> parse_size("512MB"), parse_size("1.5GB"), parse_size("4096")
    (512000000, 1500000000, 4096)
    """
    units = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
    number = text.rstrip("BKMGibkmg ")
    unit = text[len(number) :].strip().upper()
    try:
        size = int(float(number) * units[unit])
    except (KeyError, ValueError):
        raise typer.BadParameter(f"'{text}' should look like 512MB or 2GB") from None
    if size < 1:
        raise typer.BadParameter(f"'{text}' is no useful size")
    return size


def parse_common(text: str) -> int | str:
    """Read `auto` or a number of features."""
    if text == "auto":
        return text
    if not text.isdecimal():
        raise typer.BadParameter(f"'{text}' is neither 'auto' nor a number of features")
    return int(text)


def classify_cli(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Examples: svmlight, or label and named features (TSV).")],
    output: NewModel,
    degree: Annotated[
        int, typer.Option(min=1, max=4, help="Degree of the kernel: conjunctions of up to this many features.")
    ] = DEGREE,
    cost: Annotated[
        float | None,
        typer.Option(help="Aggressiveness C of pa1 and pa2. [default: by step and degree]", show_default=False),
    ] = None,
    passes: Annotated[int, typer.Option(min=1, help="Number of passes over the data.")] = PASSES,
    step: Annotated[
        Step, typer.Option(help="What the step size is divided by: the number of features, or k(x, x).")
    ] = DEFAULT_STEP,
    method: Annotated[Method, typer.Option(help="How margins are computed; all give the same model.")] = Method.slicing,
    common: Annotated[
        str,
        typer.Option(
            metavar="N|auto", help="Number of frequent features whose conjunctions get explicit weights in training."
        ),
    ] = "auto",
    memory_limit: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory of the engine, e.g. 512MB; when it is reached, N is halved."),
    ] = None,
    learner: Annotated[Rule, typer.Option(help="The update rule.")] = Rule.pa1,
    averaged: Annotated[bool, typer.Option(help="Average the model over all visited examples.")] = True,
    average_after: Annotated[
        int, typer.Option(min=0, metavar="PASSES", help="Leave the first passes out of the average.")
    ] = 0,
    shuffle: Annotated[bool, typer.Option(help="Visit the examples of each pass in another order.")] = True,
    seed: Annotated[int, typer.Option(min=0, help="For the order of visits.")] = 0,
    multiclass: Annotated[
        Scheme, typer.Option(help="Three and more classes: one against the rest, pairs, or all at once.")
    ] = Scheme.ovr,
    positive_weight: Annotated[
        float, typer.Option(min=0.0, help="Cost factor of the positive class, if there are two classes.")
    ] = 1.0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for checkpoints; the same command continues from them."),
    ] = None,
    binarize: Annotated[bool, typer.Option(help="Treat every value except 0 as 1.")] = False,
    as_json: JsonFigures = False,
) -> None:
    """Train a classifier with a polynomial kernel over binary features."""
    options = {
        "degree": degree,
        "learner": learner.value,
        "cost": cost if cost is not None else default_cost(step.value, degree),
        "step": step.value,
        "method": method.value,
        "common": parse_common(common),
        "memory_limit": None if memory_limit is None else parse_size(memory_limit),
        "seed": seed if shuffle else None,
    }
    if not shuffle and seed:
        raise typer.BadParameter("without shuffling there is no use for a seed", param_hint="--seed")
    examples = load_examples(file, binarize=binarize)
    with pass_progress("Training") as progress:
        classifier, figures = train_classifier(
            examples,
            options,
            passes=passes,
            averaged=averaged,
            average_after=average_after,
            scheme=multiclass.value,
            positive_weight=positive_weight,
            checkpoint=checkpoint,
            progress=progress,
        )
    classifier.information["data"] = source_name(file)
    classifier.save(output)
    print_figures(figures, output, as_json=as_json)


def train_classifier(
    examples: Examples,
    options: dict[str, Any],
    *,
    passes: int = 20,
    averaged: bool = True,
    average_after: int = 0,
    scheme: str = "ovr",
    positive_weight: float = 1.0,
    checkpoint: Path | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> tuple[Classifier, dict[str, Any]]:
    """Train; return the classifier and figures: seconds, support vectors, updates, peak memory.

    `seconds` is the CPU time of training alone. `peak_memory_mb` is the memory above the loaded data: the larger
    of what the engine counted and what the process grew.
    """
    classes, numbers = class_numbers(examples.labels)
    if len(classes) < 2:
        found = f"only 1 class in the examples ({classes[0]})" if classes else "no example"
        raise TrainingError(f"there is {found}; a classifier needs two classes")
    if examples.vocabulary is not None:
        examples.vocabulary.freeze()
    before = _peak_bytes()
    start = time.process_time()
    machines: list[Machine] = []
    vectors, updates, peak = 0, 0, 0
    weights = None if positive_weight == 1.0 or len(classes) != 2 else np.where(numbers == 1, positive_weight, 1.0)
    for place, (learner, sets, labels) in enumerate(_problems(examples.sets, numbers, len(classes), options, scheme)):
        trained = train_with_checkpoints(
            learner,
            sets,
            labels,
            passes=passes,
            weights=weights,
            path=None if checkpoint is None else checkpoint / f"machine-{place}.safetensors",
            options={**options, "positive_weight": positive_weight, "scheme": scheme},
            progress=progress,
        )
        pairs = expansions(trained, averaged=averaged, after=average_after)
        machines += [Machine(options["degree"], *pair) for pair in pairs]
        vectors += len(trained.support())
        updates += trained.updates
        peak = max(peak, trained.peak_bytes)
    seconds = time.process_time() - start
    grown = _peak_bytes() - before
    figures = {
        "seconds": round(seconds, 3),
        "support_vectors": vectors,
        "updates": updates,
        "peak_memory_mb": round(max(peak, grown) / 1e6, 1),
        "examples": len(examples.labels),
        "classes": len(classes),
    }
    average = {"averaged": averaged, "average_after": average_after}
    kept = {name: value for name, value in figures.items() if name not in ("seconds", "peak_memory_mb")}
    told = {"options": options, "passes": passes, **average, "training": kept}
    return Classifier(machines, classes, scheme, examples.vocabulary, told), figures


def _peak_bytes() -> int:
    """Return the most memory that this process has held; zero where the system does not tell it (Windows)."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024  # Linux counts in kilobytes


def _problems(
    sets: FeatureSets, numbers: NDArray[np.int64], classes: int, options: dict[str, Any], scheme: str
) -> Iterator[tuple[Learner, FeatureSets, NDArray[Any]]]:
    """Yield the learners of a scheme, each with its examples and labels."""
    if is_direct(classes, scheme, options["method"]):
        own = {name: value for name, value in options.items() if name != "method"}
        yield MulticlassLearner(classes, **own), sets, numbers
        return
    for rows, signs in binary_problems(numbers, classes, scheme):
        yield KernelLearner(**options), sets if rows is None else sets.take(rows), signs
