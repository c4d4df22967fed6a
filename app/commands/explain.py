"""`kakari explain`: the weights behind a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from kakari.commands.models import model_file
from kakari.commands.options import Json
from kakari.corpora.records.errors import CorpusError
from kakari.models.files import model_task

WAYS = (
    "this explains a sentence, or a classifier with its data: MODEL FILE;"
    " what an English question asks for is explained by `kakari ask --explain`"
)


def explain_cli(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT | MODEL FILE", help="A sentence, Japanese or English; or a classifier and its data."
        ),
    ],
    pair: Annotated[
        tuple[int, int] | None,
        typer.Option(
            metavar="I J",
            help="Japanese: does bunsetsu I depend on J? [default: every arc] English: is word I, counted from 1, in an"
            " argument of J? [default: every argument] Rerankers: words, from 1; 0 is the root.",
            show_default=False,
        ),
    ] = None,
    constituent: Annotated[
        tuple[int, int] | None,
        typer.Option(
            metavar="I J",
            help="English: why are words I to J, counted from 1 in the first sentence, a constituent?",
            show_default=False,
        ),
    ] = None,
    tag: Annotated[
        int | None,
        typer.Option(
            metavar="I",
            help="English: why does word I, counted from 1 in the first sentence, have its tag?",
            show_default=False,
        ),
    ] = None,
    line: Annotated[
        int, typer.Option(min=1, help="Classifiers: number of the example (or predicate), counted from 1.")
    ] = 1,
    top: Annotated[
        int, typer.Option(min=1, help="Number of conjunctions to print; the rest is summed up in one line.")
    ] = 20,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model file, ja or en. [default: by the text's language]")
    ] = None,
    binarize: Annotated[bool, typer.Option(help="Classifiers: treat every value except 0 as 1.")] = False,
    as_json: Json = False,
) -> None:
    """Print the conjunctions (or tree fragments) whose weights add up to a margin.

    For an English text: why its predicates have these arguments and roles.
    """
    from kakari.commands.classifying import explain_example, print_explanations

    told: Sequence[dict[str, Any]]
    if constituent is not None:
        if len(arguments) != 1 or pair is not None or not is_english(arguments[0], model or None):
            raise typer.BadParameter("this explains one English sentence, without --pair", param_hint="--constituent")
        if tag is not None:
            raise typer.BadParameter("a constituent or a tag is explained, not both", param_hint="--tag")
        told = explain_words_of(arguments[0], constituent, model, top)
    elif tag is not None:
        if len(arguments) != 1 or pair is not None or not is_english(arguments[0], model or None):
            raise typer.BadParameter("this explains one English sentence, without --pair", param_hint="--tag")
        told = explain_tag_of(arguments[0], tag, model, top)
    elif pair is not None:
        if len(arguments) != 1:
            raise typer.BadParameter("--pair explains one sentence", param_hint="TEXT")
        if model is not None and task_of(model) == "dependency":
            from kakari.parsers.dependency.reranked.explaining import explain_pair as explain_words

            told = explain_words(arguments[0], pair, model, top)
        elif is_english(arguments[0], model):
            told = explain_roles(arguments[0], pair, model, top)
        else:
            from kakari.parsers.japanese.explaining import explain_pair

            told = explain_pair(arguments[0], pair, model or "ja", top)
    elif len(arguments) == 2 and task_of(arguments[0]) == "en-boundary":
        from kakari.commands.boundaries import print_boundary

        print_boundary(arguments[0], arguments[1], line, top, as_json=as_json)
        return
    elif len(arguments) == 2 and task_of(arguments[0]) in ("questions", "en-questions"):
        told = explain_line(arguments[0], arguments[1], line, top)
    elif len(arguments) == 2 and task_of(arguments[0]) == "hyponymy":
        from kakari.commands.hyponymy.finding import explain_pair as explain_hyponymy

        told = explain_hyponymy(arguments[0], arguments[1], line, top)
    elif len(arguments) == 2 and task_of(arguments[0]) == "kernel-classify":
        from kakari.commands.trees import explain_tree, load_tree_examples
        from kakari.models.machines.kernel_classifier import KernelClassifier

        machine = KernelClassifier.load(arguments[0])
        told = explain_tree(machine, load_tree_examples(arguments[1], machine.kernel), line, top)
    elif len(arguments) == 2:
        told = explain_example(arguments[0], arguments[1], line, top, binarize=binarize)
    elif len(arguments) == 1:
        if is_english(arguments[0], model):
            told = explain_roles(arguments[0], None, model, top)
        else:
            from kakari.parsers.japanese.explaining import explain_arcs

            told = explain_arcs(arguments[0], model or "ja", top)
    else:
        raise typer.BadParameter(WAYS, param_hint="TEXT | MODEL FILE")
    print_explanations(told, as_json=as_json)


def task_of(model: str) -> str:
    """Return the task of a model file or an embedded model."""
    return model_task(model_file(model))


def is_english(text: str, model: str | None) -> bool:
    """Return whether a text is explained by a model of English: the one that was named, or by its letters."""
    from kakari.reading.scripts import is_japanese

    if model is None:
        return bool(text.strip()) and not is_japanese(text)
    return model == "en" or task_of(model) in ("en-constituency", "en-arguments", "en-boundary")


def explain_roles(text: str, pair: tuple[int, int] | None, model: str | None, top: int) -> Sequence[dict[str, Any]]:
    """Explain the arguments of an English text."""
    from kakari.commands.english.parsing import arguments_of, parser_of
    from kakari.parsers.arguments.explaining import explain_text

    name = model or "en"
    trees = [sentence.tree for sentence in parser_of(name).parse(text)]
    return explain_text(arguments_of(name), trees, pair, top)


def explain_words_of(text: str, words: tuple[int, int], model: str | None, top: int) -> list[dict[str, Any]]:
    """Explain the constituents of the first sentence of an English text that have these words, the outermost first."""
    from kakari.commands.english.parsing import parser_of
    from kakari.parsers.english.explaining import explain_constituent

    parser = parser_of(model or "en")
    tree = parser.parse(text)[0].tree
    own = [node for node in tree.nodes if node[1:] == (words[0] - 1, words[1])]
    if not own:
        shown = " ".join(f"{place}:{word}" for place, word in enumerate(tree.words, 1))
        raise CorpusError("--constituent", None, f"no constituent has the words {words[0]} to {words[1]}: {shown}")
    return [one for node in own for one in explain_constituent(parser.model, tree.words, node, top, tree.tags)]


def explain_tag_of(text: str, word: int, model: str | None, top: int) -> Sequence[dict[str, Any]]:
    """Explain the tag of a word, counted from 1, of the first sentence of an English text."""
    from kakari.commands.english.parsing import parser_of
    from kakari.parsers.english.explaining_tags import explain_tag

    parser = parser_of(model or "en")
    tree = parser.parse(text)[0].tree
    if not 1 <= word <= len(tree.words):
        shown = " ".join(f"{place}:{word}" for place, word in enumerate(tree.words, 1))
        raise CorpusError("--tag", None, f"there is no word {word}: {shown}")
    return explain_tag(parser.model, tree.words, tree.tags, word - 1, top)


def explain_line(model: str, corpus: str, line: int, top: int) -> list[dict[str, Any]]:
    """Explain the answer to one question of a corpus, counted from 1."""
    from kakari.commands.questions import explain_question, loaded_model, read_questions

    questions = read_questions(corpus)
    if line > len(questions):
        raise CorpusError(corpus, None, f"there are {len(questions)} questions, so no number {line}")
    return explain_question(loaded_model(str(model_file(model)), task_of(model)), questions[line - 1], top)
