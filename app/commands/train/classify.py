"""`kakari train classify`: train a classifier with a polynomial kernel on a file of examples."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from kakari.commands.options import JsonFigures, NewModel, refuse_other_options
from kakari.corpora.formats.vectors import finite_number
from kakari.corpora.provenance import source_name
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import numbered_lines
from kakari.models.calibration import fitted_sigmoids, held_out_margins
from kakari.models.polynomial.classifier import Classifier
from kakari.models.polynomial.defaults import DEGREE, PASSES, STEP, default_cost
from kakari.models.polynomial.training import train_classifier
from kakari.output.console import of_passes, print_figures, progress
from kakari.reading.blocks import Stream
from kakari.reading.examples import Examples, class_numbers, load_examples

# Options of training in blocks: for any, for a budget, and without one.
BLOCKWISE = {"file", "output", "degree", "passes", "shuffle", "seed", "multiclass", "binarize", "as_json"}
BLOCKWISE |= {"block_size", "budget", "hash_bits"}
BUDGETED: set[str] = set()
UNLIMITED = {"cost", "step", "method", "common", "memory_limit", "learner", "averaged"}


class Step(str, Enum):
    """Divisors of a step."""

    features = "features"
    kernel = "kernel"


DEFAULT_STEP = Step(STEP)


class Method(str, Enum):
    """Ways to compute margins in training."""

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
    """Schemes for three and more classes."""

    ovr = "ovr"
    ovo = "ovo"
    direct = "direct"


def sigmoids(examples: Examples, options: dict[str, Any], **settings: Any) -> list[list[float]]:
    """Return slope and offset of each class's probabilities, from models of four fifths of the examples."""
    classes, numbers = class_numbers(examples.labels)

    def train(learnt: NDArray[np.int64]) -> Any:
        weights = None if examples.weights is None else examples.weights[learnt]
        sets = examples.sets.take(learnt)
        own, _ = train_classifier(sets, classes, numbers[learnt], options, weights=weights, **settings)
        return lambda held_out: own.margins(examples.sets.take(held_out))

    found: list[list[float]] = fitted_sigmoids(held_out_margins(numbers, train), numbers).tolist()
    return found


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
    context: typer.Context,
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
    seed: Annotated[int, typer.Option(min=0, help="Seed of the order in which examples are visited.")] = 0,
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
    probability: Annotated[
        bool, typer.Option(help="Also learn probabilities, from margins of five folds: six times as long.")
    ] = False,
    weights: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A number a line: what an error on each example costs, times C."),
    ] = None,
    block_size: Annotated[
        int | None,
        typer.Option(min=1, metavar="LINES", help="Hold only so many lines at a time, and read the file once a pass."),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(min=1, help="With --block-size: most support vectors of a machine (an averaged Projectron)."),
    ] = None,
    hash_bits: Annotated[
        int | None,
        typer.Option(min=4, max=30, help="Hash features to numbers of so many bits, and keep no names."),
    ] = None,
    as_json: JsonFigures = False,
) -> None:
    """Train a classifier with a polynomial kernel over binary features.

    Lines of svmlight may say what an error on them costs, before the features: `+1 cost:2.5 3:1 7:1`.
    """
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
    if block_size is not None:
        refuse_other_options(context, BLOCKWISE | (BUDGETED if budget else UNLIMITED), "blocks take no such option")
        from kakari.commands.train.classify_blocks import train_blocks

        stream = Stream(file, block_size, hash_bits, binarize)
        classifier, figures = train_blocks(stream, options, passes, averaged, multiclass.value, budget)
        finish(classifier, figures, file, output, hash_bits, as_json=as_json)
        return
    if budget is not None:
        raise typer.BadParameter("it goes with --block-size", param_hint="--budget")
    examples = load_examples(file, binarize=binarize, bits=hash_bits)
    if weights is not None:
        examples = replace(examples, weights=read_weights(weights, len(examples.labels)))
    with progress("Training") as report:
        classifier, figures = train_classifier(
            examples.sets,
            *class_numbers(examples.labels),
            options,
            vocabulary=examples.vocabulary,
            passes=passes,
            averaged=averaged,
            average_after=average_after,
            scheme=multiclass.value,
            positive_weight=positive_weight,
            weights=examples.weights,
            checkpoint=checkpoint,
            progress=of_passes(report),
        )
    if probability:
        kept = {"averaged": averaged, "average_after": average_after, "scheme": multiclass.value}
        classifier.information["sigmoids"] = sigmoids(
            examples, options, passes=passes, positive_weight=positive_weight, **kept
        )
    finish(classifier, figures, file, output, hash_bits, as_json=as_json)


def finish(
    classifier: Classifier, figures: dict[str, Any], file: str, output: Path, hash_bits: int | None, *, as_json: bool
) -> None:
    """Save a classifier with what is told of it, and print the figures."""
    classifier.information["data"] = source_name(file)
    if hash_bits is not None:
        classifier.information["hash_bits"] = hash_bits
    classifier.save(output)
    print_figures(figures, output, as_json=as_json)


def read_weights(file: str, count: int) -> NDArray[np.float64]:
    """Read a weight for each example, one a line."""
    found = [finite_number(source_name(file), number, line, "weight") for number, line in numbered_lines(file)]
    if len(found) != count:
        raise CorpusError(source_name(file), None, f"there are {len(found)} weights, but {count} examples")
    values = np.array(found)
    if values.size and values.min() < 0:
        raise CorpusError(source_name(file), int(values.argmin()) + 1, f"the weight {values.min()} is negative")
    return values
