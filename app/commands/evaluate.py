"""`kakari evaluate`: how good a model is on data it has not seen."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import typer

from kakari.console import print_json, print_table
from kakari.corpora.errors import CorpusError


class Given(str, Enum):
    """What a parser is given of the gold analysis."""

    text = "text"
    morphemes = "morphemes"
    bunsetsu = "bunsetsu"
    tokens = "tokens"
    tags = "tags"
    trees = "trees"


class Task(str, Enum):
    """What is compared with the gold analysis."""

    tags = "tags"
    trees = "trees"
    questions = "questions"
    arguments = "arguments"


ARGUMENT_MODELS = ("en-arguments", "en-boundary")


class Labels(str, Enum):
    """Which classes of questions are measured."""

    coarse = "coarse"
    fine = "fine"


def evaluate_cli(
    arguments: Annotated[
        list[str],
        typer.Argument(metavar="MODEL... CORPUS", help="A model file (or ja, en), then a corpus (ewt:dev) or a file."),
    ],
    given: Annotated[
        Given | None,
        typer.Option(
            help="What the parser may see: morphemes, bunsetsu (Japanese), tokens, tags, trees (English; trees for"
            " arguments only). [default: text]",
            show_default=False,
        ),
    ] = None,
    task: Annotated[
        Task | None,
        typer.Option(
            help="en: tags, trees or questions. [default: trees, if the model has a parser]", show_default=False
        ),
    ] = None,
    labels: Annotated[
        Labels | None,
        typer.Option(help="Questions: which classes. [default: coarse]", show_default=False),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Classifiers: threads.")] = 1,
    binarize: Annotated[bool, typer.Option(help="Classifiers: count any value but 0 as 1.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure a model on annotated data."""
    if len(arguments) < 2:
        raise typer.BadParameter("a model and a corpus are needed", param_hint="MODEL CORPUS")
    *models, corpus = arguments
    figures: dict[str, Any]
    kind = task_of(models[0])
    if kind == "en" and models[0] == "en" and task is Task.questions:
        kind = "en-questions"
    alone = kind == "en-boundary" and given in (None, Given.trees)  # scored node by node in gold trees
    if (kind in ARGUMENT_MODELS and not alone) or (kind == "en" and task is Task.arguments):
        from kakari.commands.arguments import evaluate_frames

        figures = evaluate_frames(kind, models, corpus, task and task.value, given.value if given else "text")
    elif kind in ("questions", "en-questions"):
        from kakari.commands.questions import evaluate_question_model

        chosen = None if labels is None else labels.value
        told = None if given is None else given.value
        figures = evaluate_question_model(kind, models[0], corpus, given=told, labels=chosen, threads=threads)
    elif kind == "en":
        figures = evaluate_english(models, corpus, task and task.value, given.value if given else "text")
    elif kind == "en-boundary":
        from kakari.commands.boundaries import evaluate_boundaries

        figures = evaluate_boundaries(models[0], corpus)
    elif kind == "kernel-classify":
        figures = evaluate_kernels(models[0], corpus, threads)
    elif kind == "classify":
        from kakari.commands.classifying import evaluate_classifier
        from kakari.examples import load_examples
        from kakari.models.classifier import Classifier

        classifier = Classifier.load(models[0])
        examples = load_examples(corpus, classifier.vocabulary, binarize=binarize)
        figures = evaluate_classifier(classifier, examples, threads=threads)
    else:
        figures = evaluate_japanese(models, corpus, None if given is None else given.value)
    if as_json:
        print_json(figures)
        return
    print_table(("what", "number"), [(key, value) for key, value in figures.items() if not isinstance(value, dict)])
    for key, value in figures.items():
        if isinstance(value, dict) and value:
            if key == "f1":
                print_table(("class", "f1"), [(name, f"{share:.4f}") for name, share in value.items()])
            else:
                print_breakdown(key, value)


def task_of(model: str) -> str:
    """Tell what a model is for."""
    if model in ("ja", "ja-juman", "en"):
        return model[:2]
    from kakari.models.files import read_model

    task = str(read_model(model)[1]["task"])
    return "en" if task == "en-constituency" else task


def evaluate_english(models: list[str], corpus: str, task: str | None, given: str) -> dict[str, Any]:
    """Score an English tagger or parser."""
    from kakari.parsers.english_model import EnglishModel, pretrained_model
    from kakari.parsers.english_scores import evaluate
    from kakari.parsers.english_trees import read_trees

    if len(models) > 1:
        raise typer.BadParameter("one English model at a time", param_hint="MODEL")
    model = pretrained_model() if models[0] == "en" else EnglishModel.load(models[0])
    if task == "questions":
        raise CorpusError(
            models[0], None, "this model finds tags and trees; questions need one of `kakari train questions`"
        )
    chosen: Any = task or ("trees" if model.parser is not None else "tags")
    if given not in ("text", "tokens", "tags"):
        raise typer.BadParameter(f"'{given}' is not for trees; text, tokens or tags are", param_hint="--given")
    if chosen == "tags" and given == "tags":
        raise typer.BadParameter("tags cannot be scored when they are given", param_hint="--given")
    if chosen == "trees" and model.parser is None:
        raise CorpusError(models[0], None, "this model has a tagger only; it can be scored with --task tags")
    trees = list(read_trees(corpus))
    if not trees:
        raise CorpusError(corpus, None, "there are no constituency trees in it")
    scores = evaluate(model, trees, task=chosen, given=given)  # type: ignore[arg-type]
    return {"task": chosen, "given": given, **scores.as_dict(chosen)}


def evaluate_kernels(model: str, corpus: str, threads: int) -> dict[str, Any]:
    """Score a kernel machine on SVM-Light-TK's data."""
    from kakari.commands.trees import evaluate_trees, load_tree_examples
    from kakari.models.kernel_classifier import KernelClassifier

    machine = KernelClassifier.load(model)
    return evaluate_trees(machine, load_tree_examples(corpus, machine.kernel), threads=threads)


def evaluate_japanese(models: list[str], corpus: str, given: str | None) -> dict[str, Any]:
    """Score a Japanese parser, with its own segmenter or that of a second model.

    Annotation errors in the corpus are read as they are.
    """
    from kakari.corpora import catalogue
    from kakari.parsers.japanese import pretrained_model
    from kakari.parsers.japanese_model import JapaneseModel
    from kakari.parsers.japanese_scores import evaluate

    loaded = [pretrained_model(name) if name in ("ja", "ja-juman") else JapaneseModel.load(name) for name in models]
    model = next((one for one in loaded if one.parsers), loaded[0])
    segmenter = next((one for one in loaded if one is not model), None)
    sentences = list(catalogue.read(corpus, strict=False))
    if not sentences or not hasattr(sentences[0], "bunsetsu"):
        raise CorpusError(corpus, None, "there are no Japanese sentences with bunsetsu in it")
    chosen: Any = given or ("text" if model.lexicon.tagset == "sudachi" else "morphemes")
    return {"given": chosen, **evaluate(model, sentences, given=chosen, segmenter=segmenter).as_dict()}


def print_breakdown(title: str, counts: dict[str, Any], most: int = 15) -> None:
    """Print shares of a breakdown, the most frequent first."""
    rows = sorted(counts.items(), key=lambda item: -item[1][1])[:most]
    print_table((title, "accuracy", "of"), [(name, f"{right / total:.4f}", total) for name, (right, total) in rows])
