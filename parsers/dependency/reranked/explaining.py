"""Explanations of the scores that a parser or its reranker gives to an arc of a sentence."""

from __future__ import annotations

from typing import Any

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.dependency.explaining.arcs import LISTED
from kakari.parsers.dependency.explaining.arcs import explain_arc as explain_by_parser
from kakari.parsers.dependency.parser import DependencyParser
from kakari.parsers.dependency.reranking.explaining import explain_arc


def explain_pair(text: str, pair: tuple[int, int], model: str, top: int) -> list[dict[str, Any]]:
    """Explain the arc from word I to its head J in the parse of a text, in the form of a classifier's explanation.

    If the parser chose another head, the arc is looked for in the other trees of the list. A reranker with a template
    kernel is explained; without one, the parser's own score.
    """
    parser = DependencyParser.pretrained() if model == "en-ud" else DependencyParser.load(model)
    own = parser.model
    parsed = parser.parse(text, one_sentence=True)
    if not parsed:
        raise CorpusError("text", None, "there is nothing to explain in an empty text")
    words, (modifier, head) = parsed[0].tree.words, pair
    listed = LISTED if own.reranker is None else own.reranker.trees
    trees = [parsed[0].tree, *(tree for _, tree in own.best_trees(words, listed))]
    found = next((t for t in trees if 0 < modifier <= len(words) and t.heads[modifier - 1] == head), None)
    if found is None:
        shown = " ".join(f"{place}:{word[0]}" for place, word in enumerate(words, 1))
        raise CorpusError("--pair", None, f"no tree of the list has {head} as the head of {modifier}: 0:ROOT {shown}")
    if own.reranker is None or own.reranker.combinations is None:
        return [*explain_by_parser(own, found, modifier, top)]
    numbers = [own.relations.index(relation) for relation in found.relations]
    return [explain_arc(own.reranker, own.relations, words, found.heads, numbers, modifier, top)]
