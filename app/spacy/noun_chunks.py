"""Noun chunks in Universal Dependencies, English and Japanese.

spaCy's own iterators look for the relations of other treebanks: the Japanese one knows no `obj`.
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Doc, Span, Token

NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
HEADS = frozenset(
    "nsubj obj iobj obl nmod appos root vocative dislocated list parataxis reparandum advcl ccomp".split()
)
INSIDE = frozenset("det amod compound nummod flat fixed goeswith nmod:poss nmod:desc nmod:unmarked advmod".split())
JAPANESE_INSIDE = frozenset("acl nmod amod compound det nummod advmod dep flat fixed".split())
BEHIND = frozenset("flat fixed goeswith compound".split())


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Yield base noun phrases as (first token, behind the last, label), none inside another.

    A phrase is a noun, proper noun or pronoun with the determiners, adjectives, numbers, compounds and possessors
    before it, and the rest of its name behind it; without prepositions, conjunctions and clauses.
    """
    doc = doclike.doc
    if not doc.has_annotation("DEP"):
        raise ValueError("the document has no dependency tree: put kakari_parser into the pipeline")
    label, last = doc.vocab.strings.add("NP"), -1
    for token in doclike:
        if token.pos_ not in NOMINAL or token.i < last or not _heads_a_phrase(token):
            continue
        begin, end = _begin(token), _end(token)
        if begin >= last:
            last = end
            yield begin, end, label


def japanese_noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Yield maximal noun phrases (赤い本を読む人) as (first token, behind the last, label), none inside another.

    A phrase is a nominal word with everything that modifies it, clauses too, but without its particles. Of a noun
    that is a predicate (太郎は学生だ) its subject and complements are no part.
    """
    doc = doclike.doc
    if not doc.has_annotation("DEP"):
        raise ValueError("the document has no dependency tree: use kakari_dependency with tokens, as kakari.load does")
    label = doc.vocab.strings.add("NP")
    begins = {token.i: _japanese_begin(token) for token in doclike if token.pos_ in NOMINAL}
    outermost: list[tuple[int, int]] = []
    for last in sorted(begins, reverse=True):
        if not outermost or last < outermost[-1][0]:
            outermost.append((begins[last], last + 1))
    for begin, end in reversed(outermost):
        yield begin, end, label


def _japanese_begin(token: Token) -> int:
    begin = token.i
    for child in reversed(list(token.lefts)):
        if child.dep_.split(":")[0] not in JAPANESE_INSIDE:
            break
        begin = child.left_edge.i
    return begin


def _heads_a_phrase(token: Token) -> bool:
    """Return whether a token's relation is one of a whole phrase; a conjunct is what its first conjunct is."""
    while token.dep_ == "conj" and token.head.i < token.i:
        token = token.head
    relation = token.dep_.lower()
    return relation not in INSIDE and relation.split(":")[0] in HEADS


def _begin(token: Token) -> int:
    begin = token.i
    for child in reversed(list(token.lefts)):
        if child.dep_ not in INSIDE and child.dep_.split(":")[0] not in ("det", "flat", "compound"):
            break
        begin = child.left_edge.i
    return begin


def _end(token: Token) -> int:
    end = token.i + 1
    for child in token.rights:
        if child.dep_.split(":")[0] not in BEHIND or child.left_edge.i != end:
            break
        end = child.right_edge.i + 1
    return end
