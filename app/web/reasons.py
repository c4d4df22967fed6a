"""Explanations of one decision on the page, as `kakari explain` and `ask --explain` print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kakari.corpora.records.errors import CorpusError
from kakari.web.limits import RefusedError

if TYPE_CHECKING:
    from kakari.parsers.english.words.flat_trees import FlatTree, Node
    from kakari.web.store import Store

EMPTY = "there is nothing to explain in an empty text"


def explained(
    store: Store, text: str, what: str, first: int, second: int, top: int, label: str = ""
) -> Sequence[dict[str, Any]]:
    """Return the decisions behind one thing in a sentence, each with weights that add up to its margin.

    Parameters
    ----------
    what : str
        "arc": from bunsetsu `first` to `second`; "boundary": before character `first`; "dependency": the head of word
        `first`; "constituent": `label` over the words from `first` to the one before `second`; "argument" `second` of
        predicate `first`; "question": its class.
    """
    try:
        if what in ("arc", "boundary"):
            return _bunsetsu(store, text, what, first, second, top)
        if what == "dependency":
            return _dependency(store, text, first, top)
        if what == "constituent":
            return _constituent(store, text, (label, first, second), top)
    except CorpusError as error:
        raise RefusedError(422, error.reason) from None
    return _argument(store, text, first, second, top) if what == "argument" else _question(store, text, top)


def _bunsetsu(store: Store, text: str, what: str, first: int, second: int, top: int) -> Sequence[dict[str, Any]]:
    from kakari.parsers.japanese.explaining import ExplainedSentence
    from kakari.web.japanese import parser_of

    sentence = ExplainedSentence(text, parser_of(store, boundaries=False))
    return sentence.boundary(first, top) if what == "boundary" else sentence.pair((first, second), top)


def _dependency(store: Store, text: str, word: int, top: int) -> Sequence[dict[str, Any]]:
    from kakari.parsers.dependency.explaining.arcs import explain_arc
    from kakari.parsers.dependency.parser import DependencyParser
    from kakari.web.english import DEPENDENCIES, TREES

    model = store.model(DEPENDENCIES)
    found = DependencyParser(model, store.model(TREES)).parse(text, one_sentence=True)
    if not found:
        raise RefusedError(422, EMPTY)
    return explain_arc(model, found[0].tree, word + 1, top)


def _constituent(store: Store, text: str, node: Node, top: int) -> Sequence[dict[str, Any]]:
    from kakari.parsers.english.explaining import explain_constituent
    from kakari.web.english import TREES

    tree = _tree(store, text)
    return explain_constituent(store.model(TREES), tree.words, node, top, tree.tags)


def _tree(store: Store, text: str) -> FlatTree:
    from kakari.parsers.english.parser import EnglishParser
    from kakari.web.english import TREES

    found = EnglishParser(store.model(TREES)).parse(text, one_sentence=True)
    if not found:
        raise RefusedError(422, EMPTY)
    return found[0].tree


def _argument(store: Store, text: str, predicate: int, argument: int, top: int) -> Sequence[dict[str, Any]]:
    from kakari.parsers.arguments.explaining import explain_argument
    from kakari.web.english import ARGUMENTS

    model, tree = store.model(ARGUMENTS), _tree(store, text)
    frames = model.find([tree])[0].frames
    if predicate >= len(frames) or argument >= len(frames[predicate].spans):
        raise RefusedError(422, f"there is no argument {argument} of a predicate {predicate} in this sentence")
    return explain_argument(model, tree, frames[predicate], argument, top)


def _question(store: Store, text: str, top: int) -> Sequence[dict[str, Any]]:
    from kakari.parsers.pictures.bars import Explanation
    from kakari.web.english import QUESTIONS

    answer, parts = store.model(QUESTIONS).explain(_tree(store, text))
    return [Explanation.of(f"{answer.fine} before {answer.second}", answer.margin, parts, top)]
