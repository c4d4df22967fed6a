"""`kakari predict` and `freeze`, and `evaluate` and `explain` for classifiers."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from kakari.commands.options import Json, refuse_other_options
from kakari.corpora.records.errors import CorpusError
from kakari.models.calibration import probabilities
from kakari.models.files import model_task
from kakari.models.polynomial.classifier import Classifier, Refit
from kakari.models.polynomial.defaults import default_cost
from kakari.models.voting import decide
from kakari.output.console import note, print_json, print_table
from kakari.reading.examples import Examples, class_numbers, in_columns, load_examples
from kakari.reading.svm_models import load_classifier

# An unreadable file is not a usage error: typer must leave the check to the reader.
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file made by `kakari train`.", readable=False)]
File = Annotated[str, typer.Argument(metavar="FILE", help="Examples: svmlight or named features, - for a pipe.")]
Threads = Annotated[int, typer.Option(min=1, help="Number of threads; it does not change the results.")]
Binarize = Annotated[bool, typer.Option(help="Treat every value except 0 as 1.")]
FirstId = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=1,
        help="Models trained in Python: the file's id of the first matrix column. [default: detected, with a message]",
        show_default=False,
    ),
]


class Kind(str, Enum):
    """Methods of a frozen model to sum over rare features."""

    expansion = "expansion"
    splitting = "splitting"
    inverted = "inverted"


class Storage(str, Enum):
    """Number types for the weights of a frozen model."""

    float32 = "float32"
    float64 = "float64"
    int16 = "int16"
    int8 = "int8"


class Wanted(str, Enum):
    """Output of `predict` for each example."""

    margins = "margins"
    classes = "classes"
    both = "both"
    probabilities = "probabilities"


def predict_cli(
    model: Model,
    file: File,
    threads: Threads = 1,
    binarize: Binarize = False,
    output: Annotated[
        Wanted, typer.Option(help="Classifiers: margins, the class, the class and its margins, or probabilities.")
    ] = Wanted.margins,
    header: Annotated[
        bool, typer.Option(help="Classifiers: print a first line with the names of the columns.")
    ] = False,
    first_id: FirstId = None,
) -> None:
    """Print the margin of each example, one a line (for three and more classes, one a class, between tabs).

    Lines of numbered features may lack the label.
    For questions, the class and the text are printed; for tokens in columns, each line with its label; for pairs,
    hypernym, hyponym and probability.
    """
    task = model_task(model)
    if task == "sequence":
        from kakari.commands.sequences.labeller import labelled_lines
        from kakari.parsers.sequences.model import SequenceModel

        sys.stdout.writelines(labelled_lines(SequenceModel.load(model), file))
        return
    if task in ("questions", "en-questions"):
        from kakari.commands.questions import answer_lines, loaded_model, read_questions

        answers = answer_lines(loaded_model(str(model), task), read_questions(file), threads=threads)
        sys.stdout.writelines(f"{line}\n" for line in answers)
        return
    if task == "hyponymy":
        from kakari.commands.hyponymy.finding import predicted_lines

        sys.stdout.writelines(predicted_lines(str(model), file, threads=threads))
        return
    if task == "kernel-classify":
        from kakari.commands.trees import load_tree_examples
        from kakari.models.machines.kernel_classifier import KernelClassifier

        machine = KernelClassifier.load(model)
        margins = machine.decision_function(load_tree_examples(file, machine.kernel).examples, threads=threads)
        names, information = machine.classes.tolist(), machine.information
    else:
        classifier = Classifier.load(model)
        examples = examples_for(classifier, file, first_id, binarize=binarize, labelled=False)
        margins = classifier.margins(examples.sets, threads=threads)
        names, information = classifier.classes, classifier.information
    if output is Wanted.probabilities:
        margins = probabilities_of(margins, names, information)
    sys.stdout.writelines(f"{line}\n" for line in predicted_rows(margins, names, output, header=header))


def probabilities_of(
    margins: NDArray[np.float64], classes: list[Any], information: dict[str, Any]
) -> NDArray[np.float64]:
    """Return probabilities by the sigmoids that a model was trained with."""
    sigmoids = np.array(information.get("sigmoids", []), dtype=np.float64)
    if sigmoids.shape != (1 if len(classes) == 2 else len(classes), 2) or not np.isfinite(sigmoids).all():
        raise CorpusError(
            "model", None, "it has no probabilities: train with --probability (probability=True in Python)"
        )
    return probabilities(margins, sigmoids)


def examples_for(classifier: Classifier, file: str, first_id: int | None = None, **options: bool) -> Examples:
    """Load the examples of a file, with feature ids as the classifier counts them; print a note if ids are shifted."""
    bits = classifier.information.get("hash_bits")
    if isinstance(bits, int) and 4 <= bits <= 30:
        if first_id is not None:
            raise typer.BadParameter("features of this model are hashed", param_hint="--first-id")
        return load_examples(file, None, bits=bits, **options)
    examples = load_examples(file, classifier.vocabulary, **options)
    columns = classifier.information.get("columns")
    if examples.vocabulary is not None or not isinstance(columns, int):
        if first_id is not None:
            raise typer.BadParameter("only models trained in Python count columns", param_hint="--first-id")
        return examples
    first_used = any(bool((machine.model.arrays["ids"] == 0).any()) for machine in classifier.machines)
    moved, shifted = in_columns(examples, columns, first_used, first_id)
    if shifted and first_id is None:
        note(f"{file}: ids begin at 1, and the model's columns at 0: id 1 is column 0 (--first-id says it otherwise)")
    return moved


def predicted_rows(
    margins: NDArray[np.float64], classes: list[Any], wanted: Wanted, *, header: bool = False
) -> Iterator[str]:
    r"""Yield a line for each example: its class, its margins (for two classes, that of the second), or both.

    Examples
    --------
    >>> list(predicted_rows(np.array([2.0, -1.0]), ["no", "yes"], Wanted.both, header=True))
    ['class\tyes', 'yes\t2.0', 'no\t-1.0']
    """
    only_numbers = wanted in (Wanted.margins, Wanted.probabilities)
    columns = [] if only_numbers else ["class"]
    if wanted is not Wanted.classes:
        columns += [str(name) for name in (classes[1:] if margins.ndim == 1 else classes)]
    if header:
        yield "\t".join(columns)
    for number, row in zip(decide(margins).tolist(), margins.tolist(), strict=True):
        cells = [] if only_numbers else [str(classes[number])]
        if wanted is not Wanted.classes:
            cells += [repr(value) for value in (row if isinstance(row, list) else [row])]
        yield "\t".join(cells)


def evaluate_classifier(classifier: Classifier, examples: Examples, *, threads: int = 1) -> dict[str, Any]:
    """Return accuracy, precision, recall and F1 (of the positive class, or the mean over classes), and the time.

    The positive class of two is the greater one: 1 of -1 and 1.
    """
    truth = _truth(classifier, examples)
    classifier.margins(examples.sets[:1])  # work of the first call is not timed as prediction
    start = time.process_time()
    margins = classifier.margins(examples.sets, threads=threads)
    seconds = time.process_time() - start
    guess = decide(margins)
    positive = [1] if len(classifier.classes) == 2 else range(len(classifier.classes))
    each = [_precision_recall_f1(guess == one, truth == one) for one in positive]
    precision, recall, f1 = (float(np.mean(column)) for column in zip(*each, strict=True))
    return {
        "accuracy": float((guess == truth).mean()) if truth.size else 0.0,
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "examples": int(truth.size),
        "seconds": round(seconds, 4),
        "microseconds_per_example": round(1e6 * seconds / max(1, truth.size), 3),
    }


def _truth(classifier: Classifier, examples: Examples) -> NDArray[np.int64]:
    """Return the number of each example's class in the model, -1 for one that the model does not know."""
    names, numbers = class_numbers(examples.labels)
    if all(isinstance(name, str) for name in classifier.classes):
        names = [str(name) for name in names]
    known = {name: place for place, name in enumerate(classifier.classes)}
    places = np.array([known.get(name, -1) for name in names], dtype=np.int64)
    if places.size and (places < 0).all():
        raise CorpusError("labels", None, f"none of {names[:5]} is a class of the model ({classifier.classes[:5]})")
    return places[numbers] if places.size else numbers


def _precision_recall_f1(guess: NDArray[np.bool_], truth: NDArray[np.bool_]) -> tuple[float, float, float]:
    right = int((guess & truth).sum())
    precision = right / guess.sum() if guess.any() else 0.0
    recall = right / truth.sum() if truth.any() else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def explain_example(model: str, file: str, line: int, top: int, *, binarize: bool = False) -> list[dict[str, Any]]:
    """Explain the margins of one example of a file, counted from 1."""
    classifier = Classifier.load(model)
    examples = examples_for(classifier, file, binarize=binarize)
    if line > len(examples.labels):
        raise CorpusError(file, None, f"there are {len(examples.labels)} examples, so no number {line}")
    return explain(classifier, examples, line - 1, top)


def print_explanations(told: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    """Print the explanations of `explain`."""
    if as_json:
        print_json(told)
        return
    for machine in told:
        title = f" of {machine['machine']}" if len(told) > 1 else ""
        note(f"margin{title}: {machine['margin']!r}")
        rows = [(f"{item['weight']:+.6f}", item["conjunction"]) for item in machine["items"]]
        print_table(("weight", "conjunction"), rows)


def explain(classifier: Classifier, examples: Examples, row: int, top: int) -> list[dict[str, Any]]:
    """Explain each machine's margin for one example."""
    names = classifier.vocabulary
    told = []
    for title, machine in zip(machine_titles(classifier), classifier.machines, strict=True):
        parts = machine.explain(examples.sets[row])
        items = [
            {
                "conjunction": " & ".join(names[i] if names else str(i) for i in ids) or "(bias)",
                "weight": weight,
            }
            for ids, weight in parts.items[:top]
        ]
        rest = parts.items[top:]
        if rest:
            items.append({"conjunction": f"({len(rest)} others)", "weight": float(sum(weight for _, weight in rest))})
        if parts.dropped is not None and abs(parts.dropped) > 1e-9:
            items.append({"conjunction": "(dropped by pruning; not in the margin)", "weight": parts.dropped})
        told.append({"machine": title, "margin": parts.margin, "items": items})
    return told


def conjunction_rows(classifier: Classifier, most: int) -> list[dict[str, Any]]:
    """List the conjunctions with the largest weights, of each machine."""
    names = classifier.vocabulary
    return [
        {
            "machine": title,
            "weight": weight,
            "conjunction": " & ".join(names[i] if names else str(i) for i in ids),
        }
        for title, machine in zip(machine_titles(classifier), classifier.machines, strict=True)
        for ids, weight in machine.heaviest(most)
    ]


def machine_titles(classifier: Classifier) -> list[str]:
    """Return a title for each machine: its class, or its number among pairs."""
    classes = [str(name) for name in classifier.classes]
    titles = classes[1:] if len(classes) == 2 else classes
    if len(titles) == len(classifier.machines):
        return titles
    return [f"pair {number}" for number in range(len(classifier.machines))]


def of_trees(path: Path) -> bool:
    """Return whether a file is a machine over trees, or over trees and vectors."""
    from kakari.models.files import read_model

    try:
        if model_task(path) != "kernel-classify":
            return False
    except ValueError:  # of another program, or damaged: loading it will report that
        return False
    return read_model(path).part("kernel").settings.get("type") in ("tree", "combined", "sum", "product")


def freeze_cli(
    context: typer.Context,
    model: Model,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="SMALL", help="File for the frozen model.")],
    kind: Annotated[Kind, typer.Option(help="Mined conjunctions (PKE), or an exact method.")] = Kind.expansion,
    sigma: Annotated[float, typer.Option(min=0.0, help="Drop conjunctions whose weight is smaller than this.")] = 0.0,
    minimum_support: Annotated[
        int, typer.Option(min=1, help="Keep conjunctions that occur in at least this many support vectors.")
    ] = 1,
    keep: Annotated[int | None, typer.Option(min=1, help="Number of conjunctions to keep, instead of --sigma.")] = None,
    weights: Annotated[Storage, typer.Option(help="Type of the stored weights.")] = Storage.float32,
    refit: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Examples on which to retrain the weights of the kept conjunctions."),
    ] = None,
    refit_cost: Annotated[
        float | None,
        typer.Option(help="Aggressiveness C of retraining. [default: half of the model's]", show_default=False),
    ] = None,
    refit_passes: Annotated[int, typer.Option(min=1, help="Number of passes of retraining.")] = 10,
    compress: Annotated[bool, typer.Option(help="Compress the file.")] = False,
    check: Annotated[
        str | None, typer.Option(metavar="FILE", help="Examples on which to report the loss in accuracy.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a smaller and faster model for classification.

    The model may be one of `kakari train classify` or a finished SVM with a polynomial kernel over binary features: of
    `kakari train trees --kind none --vector polynomial`, LIBSVM or SVM-light. Of a machine over trees, the DAG is kept.
    """
    if of_trees(model):
        refuse_other_options(
            context, {"model", "output", "compress", "as_json"}, "a machine over trees is frozen whole"
        )
        from kakari.commands.trees import frozen_trees
        from kakari.models.machines.kernel_classifier import KernelClassifier

        frozen_trees(KernelClassifier.load(model)).save(output, compressed=compress)
        size = {"megabytes": round(output.stat().st_size / 1e6, 3)}
        if as_json:
            print_json(size)
        else:
            print_table(("what", "number"), size.items())
        return
    exact = load_classifier(model)
    pruning = {"sigma": sigma, "minimum_support": minimum_support, "keep": keep} if kind is Kind.expansion else {}
    if refit is not None and kind is not Kind.expansion:
        raise typer.BadParameter("only an expansion can be refitted", param_hint="--refit")
    trained = None if refit is None else refit_plan(exact, refit, refit_cost, refit_passes)
    small = exact.shrunk(kind=kind.value, weights=weights.value, refit=trained, **pruning)
    small.save(output, compressed=compress)
    figures: dict[str, Any] = {"megabytes": round(output.stat().st_size / 1e6, 3)}
    if check is not None:
        examples = examples_for(exact, check)
        before = evaluate_classifier(exact, examples)
        after = evaluate_classifier(Classifier.load(output), examples)
        figures |= {
            "accuracy_before": before["accuracy"],
            "accuracy": after["accuracy"],
            "loss_in_points": round(100 * (before["accuracy"] - after["accuracy"]), 3),
            "microseconds_before": before["microseconds_per_example"],
            "microseconds": after["microseconds_per_example"],
        }
    if as_json:
        print_json(figures)
    else:
        print_table(("what", "number"), figures.items())


def refit_plan(classifier: Classifier, file: str, cost: float | None, passes: int) -> Refit:
    """Load the examples for refitting a pruned model; the default cost is half of the model's own, if it fits."""
    examples = examples_for(classifier, file)
    truth = _truth(classifier, examples)
    if (truth < 0).any():
        raise CorpusError(file, None, f"the label {examples.labels[int(truth.argmin())]} is no class of the model")
    options, degree = classifier.information.get("options", {}), classifier.machines[0].degree
    if cost is None:
        own = options["cost"] if options.get("step") == "features" else default_cost("features", degree)
        cost = float(own) / 2
    return Refit(examples.sets, truth, cost, passes)
