"""Dependency trees as trees for tree kernels: GRCT, LCT and LOCT (Croce, Moschitti and Basili 2011).

A kernel compares labels of nodes, so the parts of a dependency (word, part of speech, relation) become nodes. Around
the grammatical relation (GRCT): each relation is a node, its children are the part of speech over the word and the
relations of the dependents, in the order of the text. Around the word (LCT): each word is a node, its dependents are
its children, and its part of speech and relation come behind them. Words alone (LOCT): the same without these two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SHAPES = ("grct", "lct", "loct")


class ShapeError(ValueError):
    """Words that do not form a tree, or an unknown shape; the text says why."""


def dependency_brackets(
    words: Sequence[str],
    tags: Sequence[str],
    heads: Sequence[int],
    relations: Sequence[str],
    *,
    shape: str = "grct",
) -> str:
    """Return a dependency tree as the brackets of a tree that tree kernels take.

    Parameters
    ----------
    words, tags, relations : sequences of str
        Each word (or its lemma), its part of speech, its relation to its head.
    heads : sequence of int
        The place of each word's head, from 0 on; a root is its own head, as in spaCy.
    shape : {"grct", "lct", "loct"}

    Examples
    --------
    >>> sentence = ["dogs", "bark", "loudly"], ["NOUN", "VERB", "ADV"], [1, 1, 1], ["nsubj", "root", "advmod"]
    >>> dependency_brackets(*sentence)
    '(root (nsubj (NOUN dogs)) (VERB bark) (advmod (ADV loudly)))'
    >>> dependency_brackets(*sentence, shape="lct")
    '(bark (dogs (NOUN) (nsubj)) (loudly (ADV) (advmod)) (VERB) (root))'
    >>> dependency_brackets(*sentence, shape="loct")
    '(bark (dogs) (loudly))'
    """
    if shape not in SHAPES:
        raise ShapeError(f"there is no shape {shape!r}: take one of {', '.join(SHAPES)}")
    count = len(words)
    if not len(tags) == len(heads) == len(relations) == count:
        raise ShapeError(f"{count} words, but {len(tags)} tags, {len(heads)} heads and {len(relations)} relations")
    children: list[list[int]] = [[] for _ in range(count)]
    roots: list[int] = []
    for place, head in enumerate(heads):
        if not 0 <= head < count:
            raise ShapeError(f"word {place} has the head {head}, which is none of {count} words")
        (roots if head == place else children[head]).append(place)
    order: list[int] = []
    waiting = list(roots)
    while waiting:
        order.append(waiting.pop())
        waiting.extend(children[order[-1]])
    if len(order) != count:
        raise ShapeError("the heads go in a circle")
    written = [""] * count
    for place in reversed(order):
        own = escaped(words[place]), escaped(tags[place]), escaped(relations[place])
        written[place] = _node(shape, own, place, [(child, written[child]) for child in children[place]])
    trees = [written[place] for place in roots]
    return trees[0] if len(trees) == 1 else f"(ROOT {' '.join(trees)})" if trees else ""


def _node(shape: str, own: tuple[str, str, str], place: int, dependents: list[tuple[int, str]]) -> str:
    word, tag, relation = own
    if shape == "grct":
        before = [text for child, text in dependents if child < place]
        after = [text for child, text in dependents if child > place]
        return f"({' '.join([relation, *before, f'({tag} {word})', *after])})"
    below = [text for _, text in dependents]
    return f"({' '.join([word, *below, *([f'({tag})', f'({relation})'] if shape == 'lct' else [])])})"


def escaped(text: str) -> str:
    """Return a label that can stand between brackets.

    Examples
    --------
    >>> escaped("("), escaped("a b"), escaped("")
    ('-LRB-', 'a_b', '-NONE-')
    """
    made = text.replace("(", "-LRB-").replace(")", "-RRB-")
    return "_".join(made.split()) or "-NONE-"


def document_brackets(document: Any, *, shape: str = "grct", lemmas: bool = True) -> list[str]:
    """Return the trees of a spaCy `Doc` or `Span`, one a sentence, for any pipeline with a parser.

    Examples
    --------
    >>> import spacy
    >>> from spacy.tokens import Doc
    >>> words, tags = ["dogs", "bark", "loudly"], ["NOUN", "VERB", "ADV"]
    >>> doc = Doc(spacy.blank("en").vocab, words, pos=tags, heads=[1, 1, 1], deps=["nsubj", "ROOT", "advmod"])
    >>> document_brackets(doc, lemmas=False)
    ['(ROOT (nsubj (NOUN dogs)) (VERB bark) (advmod (ADV loudly)))']
    """
    trees = []
    for sentence in document.sents:
        tokens = [token for token in sentence if not token.is_space]
        places = {token.i: place for place, token in enumerate(tokens)}
        heads = []
        for place, token in enumerate(tokens):
            head = token.head
            while head.i not in places and head.head.i != head.i:
                head = head.head
            heads.append(places.get(head.i, place))
        words = [(token.lemma_ if lemmas and token.lemma_ else token.text) for token in tokens]
        tags = [token.pos_ or token.tag_ for token in tokens]
        relations = [token.dep_ or "dep" for token in tokens]
        trees.append(dependency_brackets(words, tags, heads, relations, shape=shape))
    return trees
