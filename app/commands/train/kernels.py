"""`kakari train questions` and `train trees`: kernel machines over trees and vectors."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.commands.kernel import MaxChildren, Mu, TreeKind
from kakari.commands.options import JsonFigures, NewModel, refuse_other_options
from kakari.corpora.provenance import source_name
from kakari.models.machines.learners import LEARNERS, LearnerOptions
from kakari.output.console import print_figures, progress
from kakari.parsers.questions.kernel_model import QUESTION_COST, QuestionClassifier, QuestionOptions


class TreeChoice(str, Enum):
    """A tree kernel, or none."""

    stk = "stk"
    st = "st"
    sst_bow = "sst-bow"
    ptk = "ptk"
    kelp_st = "kelp-st"
    none = "none"


class FeatureChoice(str, Enum):
    """Features of a question that go into its vector."""

    full = "full"
    bigrams = "bigrams"
    words = "words"
    none = "none"


class VectorChoice(str, Enum):
    """The kernel over vectors."""

    linear = "linear"
    polynomial = "polynomial"
    rbf = "rbf"
    sigmoid = "sigmoid"


class Operation(str, Enum):
    """Ways to combine a tree kernel with a vector kernel."""

    sum = "+"
    product = "*"


class LabelChoice(str, Enum):
    """Sets of question classes to learn."""

    both = "both"
    coarse = "coarse"
    fine = "fine"


class GivenChoice(str, Enum):
    """Input of a question classifier."""

    trees = "trees"
    text = "text"


class Pairing(str, Enum):
    """Schemes for three and more classes."""

    ovr = "ovr"
    ovo = "ovo"


# The names of the learners as an enum, which typer needs for choices.
LearnerChoice = Enum("LearnerChoice", {name: name for name in LEARNERS}, type=str)  # type: ignore[misc]
SVM = LearnerChoice("svm")

LEARNING, TREES, VECTORS = "Learning", "Tree kernel", "Vectors and their kernel"
Learner = Annotated[
    LearnerChoice,
    typer.Option(help="Learning algorithm: batch (svm, sdag) or online.", metavar="NAME", rich_help_panel=LEARNING),
]
Cost = Annotated[
    float, typer.Option(help="Cost C of svm, sdag and the passive-aggressive learners.", rich_help_panel=LEARNING)
]
CostFactor = Annotated[
    float, typer.Option(help="svm: errors on positive examples cost this many times C.", rich_help_panel=LEARNING)
]
Budget = Annotated[
    int | None, typer.Option(min=1, help="Online: largest number of support vectors.", rich_help_panel=LEARNING)
]
Eta = Annotated[
    str,
    typer.Option(
        metavar="NUMBER|dynamic",
        help="Projectrons: largest distance from the span at which an example is projected.",
        rich_help_panel=LEARNING,
    ),
]
Sample = Annotated[
    int, typer.Option(min=2, help="sdag: number of examples in the sample of a cut.", rich_help_panel=LEARNING)
]
Passes = Annotated[
    int,
    typer.Option(min=1, help="Online: number of passes over the data, each in a new order.", rich_help_panel=LEARNING),
]
Multiclass = Annotated[
    Pairing,
    typer.Option(help="Three or more classes: one against the rest, or votes over pairs.", rich_help_panel=LEARNING),
]
Seed = Annotated[
    int, typer.Option(min=0, help="Seed of the order in which examples are visited.", rich_help_panel=LEARNING)
]
Threads = Annotated[int, typer.Option(min=1, help="Number of threads; it does not change the results.")]
Vector = Annotated[VectorChoice, typer.Option(help="Kernel over vectors.", rich_help_panel=VECTORS)]
Degree = Annotated[int, typer.Option(min=1, help="Degree of the polynomial kernel.", rich_help_panel=VECTORS)]
Gamma = Annotated[
    float, typer.Option(help="Gamma of the rbf, polynomial and sigmoid kernels.", rich_help_panel=VECTORS)
]
Combine = Annotated[
    Operation, typer.Option(help="Whether to add or to multiply the tree and vector kernels.", rich_help_panel=VECTORS)
]
TreeWeight = Annotated[float, typer.Option(help="Weight τ of the tree kernel.", rich_help_panel=VECTORS)]


def parse_eta(text: str) -> float | str:
    """Read a number or `dynamic`."""
    if text == "dynamic":
        return text
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is neither a number nor 'dynamic'", param_hint="--eta") from None


def questions_cli(
    context: typer.Context,
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Questions: qc-trees:train, or a file.")],
    output: NewModel,
    given: Annotated[
        GivenChoice, typer.Option(help="What to train on: the corpus's trees, or those of our parser from the text.")
    ] = (GivenChoice.trees),
    compact: Annotated[
        bool, typer.Option(help="Train a compact model like the embedded one; it takes no other option but --given.")
    ] = False,
    labels: Annotated[LabelChoice, typer.Option(help="Which classes to learn.")] = LabelChoice.both,
    learner: Learner = SVM,
    kind: Annotated[TreeChoice, typer.Option(help="Tree kernel.", rich_help_panel=TREES)] = TreeChoice.stk,
    decay: Annotated[
        float, typer.Option(help="Decay λ of the tree kernel, above 0 and at most 1.", rich_help_panel=TREES)
    ] = QuestionOptions.decay,
    mu: Mu = QuestionOptions.mu,
    max_children: MaxChildren = None,
    features: Annotated[
        FeatureChoice,
        typer.Option(
            help="Vector features: words; words and bigrams; also what the question asks for (full); or none.",
            rich_help_panel=VECTORS,
        ),
    ] = FeatureChoice.full,
    vector: Vector = VectorChoice.linear,
    degree: Degree = QuestionOptions.degree,
    gamma: Gamma = QuestionOptions.gamma,
    combine: Combine = Operation.sum,
    tree_weight: TreeWeight = QuestionOptions.tree_weight,
    lowercase: Annotated[bool, typer.Option(help="Lower-case the words of trees.", rich_help_panel=TREES)] = True,
    cost: Cost = QUESTION_COST,
    cost_factor: CostFactor = 1.0,
    budget: Budget = None,
    eta: Eta = "0.1",
    sample: Sample = 1000,
    passes: Passes = 1,
    multiclass: Multiclass = Pairing.ovr,
    seed: Seed = 0,
    threads: Threads = 1,
    as_json: JsonFigures = False,
) -> None:
    """Train a question classifier on trees and features; the defaults give the best single model."""
    if compact:
        refuse_other_options(
            context, {"corpus", "output", "given", "compact", "as_json"}, "a compact model has no such option"
        )
        print_figures(train_compact(corpus, output, as_text=given is GivenChoice.text), output, as_json=as_json)
        return
    options = QuestionOptions(
        tree=kind.value,
        decay=decay,
        mu=mu,
        max_children=max_children,
        features=features.value,
        vector=vector.value,
        degree=degree,
        gamma=gamma,
        operation=combine.value,
        tree_weight=tree_weight,
        lowercase=lowercase,
        labels=labels.value,
    )
    chosen = LearnerOptions(
        learner.value, cost, cost_factor, budget, parse_eta(eta), passes, multiclass.value, seed, sample
    )
    model, figures = train_questions(corpus, options, chosen, threads=threads, as_text=given is GivenChoice.text)
    model.save(output)
    print_figures(figures, output, as_json=as_json)


def train_questions(
    corpus: str, options: QuestionOptions, learner: LearnerOptions, *, threads: int = 1, as_text: bool = False
) -> tuple[QuestionClassifier, dict[str, Any]]:
    """Train; return the model and figures: CPU seconds, support vectors, examples, classes."""
    from kakari.commands.questions import stream_questions

    reader = QuestionClassifier.reader(options)
    texts = reader.texts(questions_for_training(corpus, as_text=True) if as_text else stream_questions(corpus))
    with timed() as seconds, progress("Training") as report:
        model = QuestionClassifier.train(texts, options, learner, threads=threads, report=report)
    figures = {
        "seconds": round(seconds[0], 3),
        "support_vectors": model.support_vectors,
        "examples": len(texts.classes),
        "classes": {labelling: len(machine.classes) for labelling, machine in model.machines.items()},
    }
    model.information |= {"data": source_name(corpus), "training": untimed(figures)}
    return model, figures


def train_compact(corpus: str, output: Path, *, as_text: bool) -> dict[str, Any]:
    """Train and save a compact model; it tells questions from other sentences as the embedded one does."""
    from kakari.parsers.questions.compact_model import pretrained_questions
    from kakari.parsers.questions.training import train_linear

    questions = questions_for_training(corpus, as_text=as_text)
    with timed() as seconds, progress("Training") as report:
        model = train_linear(questions, report=report)
    model.detector = pretrained_questions().detector
    model.details["data"] = source_name(corpus)
    model.save(output)
    return {
        "seconds": round(seconds[0], 3),
        "examples": len(questions),
        "classes": len(model.classes),
        "fragments": len(model.fragments),
        "megabytes": round(output.stat().st_size / 1e6, 2),
    }


def questions_for_training(corpus: str, *, as_text: bool) -> list[Any]:
    """Read questions; with `as_text`, with trees of our parser."""
    from kakari.commands.questions import read_questions

    questions = read_questions(corpus)
    if not as_text:
        return questions
    from kakari.parsers.questions.training import parsed

    return parsed(questions)


def trees_cli(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="File of SVM-Light-TK or KeLP (.klp) lines, or a corpus of such.")
    ],
    output: NewModel,
    learner: Learner = SVM,
    kind: Annotated[TreeChoice, typer.Option(help="Tree kernel.", rich_help_panel=TREES)] = TreeChoice.stk,
    decay: Annotated[
        float, typer.Option(help="Decay λ of the tree kernel, above 0 and at most 1.", rich_help_panel=TREES)
    ] = 0.4,
    mu: Mu = 0.4,
    max_children: MaxChildren = None,
    vector: Annotated[
        VectorChoice | None, typer.Option(help="Also use the vectors, with this kernel.", rich_help_panel=VECTORS)
    ] = None,
    degree: Degree = 3,
    gamma: Gamma = 1.0,
    combine: Combine = Operation.sum,
    tree_weight: TreeWeight = 1.0,
    normalize: Annotated[bool, typer.Option(help="Normalise each kernel: K(a,b) / √(K(a,a) K(b,b)).")] = True,
    cost: Cost = 1.0,
    cost_factor: CostFactor = 1.0,
    budget: Budget = None,
    eta: Eta = "0.1",
    sample: Sample = 1000,
    passes: Passes = 1,
    multiclass: Multiclass = Pairing.ovr,
    seed: Seed = 0,
    keep_support: Annotated[
        bool,
        typer.Option(help="Online: keep what SVM-Light-TK's model files hold (`convert`).", rich_help_panel=LEARNING),
    ] = False,
    svm_light: Annotated[
        str | None,
        typer.Option(
            metavar="OPTIONS", help="Kernel and learner as SVM-Light-TK has them, in quotes: '-t 5 -L 0.4 -z o -A pai'."
        ),
    ] = None,
    threads: Threads = 1,
    as_json: JsonFigures = False,
) -> None:
    """Train on the data files of SVM-Light-TK or KeLP (.klp): trees, vectors, or both."""
    from kakari.commands.trees import kernel_over

    if svm_light is not None:
        from kakari.models.machines.svmlight_tk import learner_of

        used = {"file", "output", "svm_light", "budget", "passes", "seed", "multiclass", "threads", "as_json"}
        refuse_other_options(context, used, "it goes into --svm-light")
        kernel, chosen = learner_of(svm_light)
        chosen = replace(chosen, budget=budget, passes=passes, seed=seed, multiclass=multiclass.value)
        _train_on(file, kernel, chosen, output, threads=threads, as_json=as_json)
        return
    kernel = kernel_over(
        None if kind is TreeChoice.none else TreeKind(kind.value).value,
        None if vector is None else vector.value,
        decay=decay,
        mu=mu,
        max_children=max_children,
        degree=degree,
        gamma=gamma,
        operation=combine.value,
        tree_weight=tree_weight,
        normalize=normalize,
    )
    chosen = LearnerOptions(
        learner.value, cost, cost_factor, budget, parse_eta(eta), passes, multiclass.value, seed, sample, keep_support
    )
    _train_on(file, kernel, chosen, output, threads=threads, as_json=as_json)


def _train_on(file: str, kernel: Any, chosen: LearnerOptions, output: Path, *, threads: int, as_json: bool) -> None:
    """Train on a file, save the model and print figures."""
    from kakari.commands.trees import load_tree_examples, train_trees

    data = load_tree_examples(file, kernel)
    with timed() as seconds, progress("Training") as report:
        model = train_trees(data, kernel, chosen, threads=threads, report=report)
    figures = {
        "seconds": round(seconds[0], 3),
        "support_vectors": model.information["support_vectors"],
        "examples": len(data.labels),
        "classes": len(model.classes),
    }
    model.information |= {"data": source_name(file), "training": untimed(figures)}
    model.save(output)
    print_figures(figures, output, as_json=as_json)


def untimed(figures: dict[str, Any]) -> dict[str, Any]:
    """Return figures without the time, so that the same training gives the same file."""
    return {name: value for name, value in figures.items() if name != "seconds"}


@contextmanager
def timed() -> Iterator[list[float]]:
    """Yield a list that receives the CPU seconds of the block when it ends."""
    seconds = [0.0]
    start = time.process_time()
    yield seconds
    seconds[0] = time.process_time() - start
