"""`kakari evaluate`: measure a model on annotated data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

import typer

from kakari.commands.options import Json, Words
from kakari.corpora.records.errors import CorpusError
from kakari.output.console import print_json, print_table


class Given(str, Enum):
    """The part of the gold analysis that a parser is given."""

    text = "text"
    morphemes = "morphemes"
    bunsetsu = "bunsetsu"
    tokens = "tokens"
    tags = "tags"
    trees = "trees"


class Task(str, Enum):
    """The task whose results are compared with the gold analysis."""

    tags = "tags"
    trees = "trees"
    questions = "questions"
    arguments = "arguments"
    chunks = "chunks"
    words = "words"


class Labels(str, Enum):
    """Sets of question classes."""

    coarse = "coarse"
    fine = "fine"


@dataclass(frozen=True)
class Asked:
    """Options of the command line; None if an option was not given."""

    models: list[str]
    corpus: str
    given: str | None
    task: str | None
    labels: str | None
    threads: int
    binarize: bool
    words: str | None = None

    @property
    def model(self) -> str:
        """The only model, or the first."""
        return self.models[0]


def evaluate_cli(
    arguments: Annotated[
        list[str],
        typer.Argument(metavar="MODEL... CORPUS", help="A model file (or ja, en), then a corpus (ewt:dev) or a file."),
    ],
    given: Annotated[
        Given | None,
        typer.Option(
            help="Gold input: morphemes, bunsetsu (Japanese), tokens, tags, trees (English; trees for"
            " arguments only). [default: text, or morphemes for a model trained on gold morphemes]",
            show_default=False,
        ),
    ] = None,
    task: Annotated[
        Task | None,
        typer.Option(
            help="en: tags, trees, questions, arguments or chunks; ja: words; labellers: chunks or tags."
            " [default: trees, if the model has a parser; chunks, if the labels are]",
            show_default=False,
        ),
    ] = None,
    labels: Annotated[
        Labels | None,
        typer.Option(help="Questions: which classes to score. [default: coarse]", show_default=False),
    ] = None,
    words: Annotated[
        Words | None,
        typer.Option(
            help="ja: word segmenter: kakari's own model of JUMAN's units, or Sudachi. [default: sudachi]",
            show_default=False,
        ),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Classifiers: number of threads.")] = 1,
    binarize: Annotated[bool, typer.Option(help="Classifiers: treat every value except 0 as 1.")] = False,
    as_json: Json = False,
) -> None:
    """Measure a model on annotated data."""
    if len(arguments) < 2:
        raise typer.BadParameter("a model and a corpus are needed", param_hint="MODEL CORPUS")
    *models, corpus = arguments
    asked = Asked(models, corpus, value_of(given), value_of(task), value_of(labels), threads, binarize, value_of(words))
    kind = kind_of(asked)
    if asked.words is not None and kind != "ja":
        raise typer.BadParameter("this is for bunsetsu and heads of Japanese", param_hint="--words")
    figures = EVALUATIONS[kind](asked)
    if as_json:
        print_json(figures)
        return
    measured = [(key, value) for key, value in figures.items() if not isinstance(value, dict) and value is not None]
    print_table(("what", "number"), measured)
    for key, value in figures.items():
        if isinstance(value, dict) and value:
            if key == "f1":
                print_table(("class", "f1"), [(name, f"{share:.4f}") for name, share in value.items()])
            else:
                print_breakdown(key, value)


def value_of(chosen: Enum | None) -> str | None:
    """Return an option's text."""
    return None if chosen is None else str(chosen.value)


def kind_of(asked: Asked) -> str:
    """Return the key of `EVALUATIONS` that fits the model and the options."""
    if asked.model == "ja" and asked.task == "words":
        return "ja-words"
    if asked.model in ("ja", "ja-juman"):
        return "ja"
    if asked.model == "ja-hyponymy":
        return "hyponymy"
    if asked.model == "en-ud":
        return "dependency"
    if asked.model == "en":
        own = {"questions": "en-questions", "arguments": "en-arguments", "chunks": "en-chunks"}
        return own.get(asked.task or "", "en")
    from kakari.models.files import model_task

    kind = model_task(asked.model)
    if kind == "en-constituency":
        return "en-arguments" if asked.task == "arguments" else "en"
    if kind == "en-boundary" and asked.given not in (None, "trees"):
        return "en-arguments"  # arguments from text; given gold trees, boundaries are scored node by node
    return kind if kind in EVALUATIONS else "ja"


def evaluate_english(asked: Asked) -> dict[str, Any]:
    """Score an English tagger or parser."""
    from kakari.parsers.english.model import EnglishModel, pretrained_model
    from kakari.parsers.english.scores import evaluate
    from kakari.parsers.english.words.treebank_trees import read_trees

    if len(asked.models) > 1:
        raise typer.BadParameter("one English model at a time", param_hint="MODEL")
    model = pretrained_model() if asked.model == "en" else EnglishModel.load(asked.model)
    if asked.task == "questions":
        raise CorpusError(
            asked.model, None, "this model finds tags and trees; questions need one of `kakari train questions`"
        )
    if asked.task == "chunks":
        raise CorpusError(
            asked.model, None, "this model finds tags and trees; chunks need one of `kakari train en-chunks`"
        )
    task: Any = asked.task or ("trees" if model.parser is not None else "tags")
    given: Any = asked.given or "text"
    if given not in ("text", "tokens", "tags"):
        raise typer.BadParameter(f"'{given}' is not for trees; text, tokens or tags are", param_hint="--given")
    if task == "tags" and given == "tags":
        raise typer.BadParameter("tags cannot be scored when they are given", param_hint="--given")
    if task == "trees" and model.parser is None:
        raise CorpusError(asked.model, None, "this model has a tagger only; it can be scored with --task tags")
    trees = list(read_trees(asked.corpus))
    if not trees:
        raise CorpusError(asked.corpus, None, "there are no constituency trees in it")
    return {"task": task, "given": given, **evaluate(model, trees, task=task, given=given).as_dict(task)}


def evaluate_arguments(asked: Asked) -> dict[str, Any]:
    """Score predicted arguments, in text or in trees."""
    from kakari.commands.arguments import evaluate_frames

    return evaluate_frames(asked.models, asked.corpus, asked.task, asked.given or "text")


def evaluate_boundary(asked: Asked) -> dict[str, Any]:
    """Score boundaries in gold trees."""
    from kakari.commands.boundaries import evaluate_boundaries

    return evaluate_boundaries(asked.model, asked.corpus)


def evaluate_questions(asked: Asked) -> dict[str, Any]:
    """Score classes of questions."""
    from kakari.commands.questions import evaluate_question_model

    options: dict[str, Any] = {"given": asked.given, "labels": asked.labels, "threads": asked.threads}
    return evaluate_question_model(kind_of(asked), asked.model, asked.corpus, **options)


def evaluate_pairs(asked: Asked) -> dict[str, Any]:
    """Score judged pairs of hypernym and hyponym."""
    from kakari.commands.hyponymy.finding import evaluate_hyponymy

    return evaluate_hyponymy(asked.model, asked.corpus, threads=asked.threads)


def evaluate_kernels(asked: Asked) -> dict[str, Any]:
    """Score a kernel machine on SVM-Light-TK's data."""
    from kakari.commands.trees import evaluate_trees, load_tree_examples
    from kakari.models.machines.kernel_classifier import KernelClassifier

    machine = KernelClassifier.load(asked.model)
    return evaluate_trees(machine, load_tree_examples(asked.corpus, machine.kernel), threads=asked.threads)


def evaluate_classes(asked: Asked) -> dict[str, Any]:
    """Score a classifier of feature sets."""
    from kakari.commands.classifying import evaluate_classifier, examples_for
    from kakari.models.polynomial.classifier import Classifier

    classifier = Classifier.load(asked.model)
    examples = examples_for(classifier, asked.corpus, binarize=asked.binarize)
    return evaluate_classifier(classifier, examples, threads=asked.threads)


def evaluate_sequence(asked: Asked) -> dict[str, Any]:
    """Score a sequence labeller."""
    from kakari.commands.sequences.labeller import evaluate_labeller
    from kakari.parsers.sequences.model import SequenceModel

    if asked.given is not None:
        raise typer.BadParameter("a labeller is given all columns but the label", param_hint="--given")
    return evaluate_labeller(SequenceModel.load(asked.model), asked.corpus, asked.task)


def evaluate_english_chunks(asked: Asked) -> dict[str, Any]:
    """Score the embedded chunker."""
    from kakari.commands.sequences.labeller import evaluate_chunks

    return evaluate_chunks(asked.corpus, asked.given)


def evaluate_dependencies(asked: Asked) -> dict[str, Any]:
    """Score a dependency parser as CoNLL-2018 does."""
    from kakari.parsers.dependency.model import DependencyModel, pretrained_model
    from kakari.parsers.dependency.parser import evaluated
    from kakari.parsers.dependency.scores import score_trees
    from kakari.parsers.dependency.treebank import read_treebank

    given = asked.given or "text"
    if given not in ("text", "tokens", "tags"):
        raise typer.BadParameter(f"'{given}' is not for these; text, tokens or tags are", param_hint="--given")
    if len(asked.models) > 1 or asked.task is not None:
        raise typer.BadParameter("one dependency model, without --task", param_hint="MODEL")
    model = pretrained_model() if asked.model == "en-ud" else DependencyModel.load(asked.model)
    sentences = list(read_treebank(asked.corpus))
    if not sentences:
        raise CorpusError(asked.corpus, None, "there are no sentences in it")
    figures = score_trees(sentences, evaluated(model, sentences, given))
    words = sum(len(sentence.words) for sentence in sentences)
    return {"given": given, "gold_sentences": len(sentences), "gold_words": words, **figures}


def evaluate_japanese_words(asked: Asked) -> dict[str, Any]:
    """Score words that a segmenter and tagger finds in text."""
    from kakari.commands.sequences.words import evaluate_words

    if asked.task not in (None, "words"):
        raise typer.BadParameter("this model finds words", param_hint="--task")
    return evaluate_words(asked.model, asked.corpus, asked.given)


def evaluate_japanese(asked: Asked) -> dict[str, Any]:
    """Score a Japanese parser, with its own segmenter or that of a second model.

    Annotation errors in the corpus are read as they are.
    """
    from kakari.parsers.japanese.model import JapaneseModel
    from kakari.parsers.japanese.parser import model_for, pretrained_model, word_source
    from kakari.parsers.japanese.scores import evaluate
    from kakari.reading.japanese import read_japanese

    if asked.words is not None and asked.given not in (None, "text"):
        raise typer.BadParameter("words are found in text", param_hint="--words")
    named = {"ja": model_for(asked.words), "ja-juman": "ja-juman"}
    loaded = [pretrained_model(named[name]) if name in named else JapaneseModel.load(name) for name in asked.models]
    model = next((one for one in loaded if one.parsers), loaded[0])
    segmenter = next((one for one in loaded if one is not model), None)
    sentences = read_japanese(asked.corpus)
    if asked.words is not None:
        word_source(model, asked.words)  # refuses a model of other words
    text = asked.words is not None or model.lexicon.tagset == "sudachi"
    given: Any = asked.given or ("text" if text else "morphemes")
    return {"given": given, **evaluate(model, sentences, given=given, segmenter=segmenter).as_dict()}


EVALUATIONS: dict[str, Callable[[Asked], dict[str, Any]]] = {
    "ja": evaluate_japanese,
    "en": evaluate_english,
    "en-arguments": evaluate_arguments,
    "en-boundary": evaluate_boundary,
    "en-questions": evaluate_questions,
    "questions": evaluate_questions,
    "hyponymy": evaluate_pairs,
    "kernel-classify": evaluate_kernels,
    "classify": evaluate_classes,
    "dependency": evaluate_dependencies,
    "sequence": evaluate_sequence,
    "en-chunks": evaluate_english_chunks,
    "ja-words": evaluate_japanese_words,
}


def print_breakdown(title: str, counts: dict[str, Any], most: int = 15) -> None:
    """Print shares of a breakdown, the most frequent first."""
    rows = sorted(counts.items(), key=lambda item: -item[1][1])[:most]
    print_table((title, "accuracy", "of"), [(name, f"{right / total:.4f}", total) for name, (right, total) in rows])
