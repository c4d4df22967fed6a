"""Explanations of one decision on the page, as `kakari explain` and `ask --explain` print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kakari.web.limits import RefusedError

if TYPE_CHECKING:
    from kakari.parsers.english.words.flat_trees import FlatTree
    from kakari.web.store import Store


def explained(store: Store, text: str, what: str, first: int, second: int, top: int) -> Sequence[dict[str, Any]]:
    """Return the decisions behind one thing in a sentence, each with weights that add up to its margin.

    Parameters
    ----------
    what : "arc", "argument" or "question"
        The arc from bunsetsu `first` to `second`; argument `second` of predicate `first`; the class of a question.
    """
    if what == "arc":
        return _bunsetsu_arc(store, text, (first, second), top)
    return _argument(store, text, first, second, top) if what == "argument" else _question(store, text, top)


def _bunsetsu_arc(store: Store, text: str, pair: tuple[int, int], top: int) -> Sequence[dict[str, Any]]:
    from kakari.corpora.records.errors import CorpusError
    from kakari.parsers.japanese.explaining import ExplainedSentence
    from kakari.web.japanese import parser_of

    try:
        return ExplainedSentence(text, parser_of(store, boundaries=False)).pair(pair, top)
    except CorpusError as error:
        raise RefusedError(422, error.reason) from None


def _tree(store: Store, text: str) -> FlatTree:
    from kakari.parsers.english.parser import EnglishParser
    from kakari.web.english import TREES

    found = EnglishParser(store.model(TREES)).parse(text, one_sentence=True)
    if not found:
        raise RefusedError(422, "there is nothing to explain in an empty text")
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
