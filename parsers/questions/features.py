"""Features of a question for a vector kernel: its words and word pairs, its skeleton, and what it asks for.

Everything is a string with a short prefix, so that an explanation can be read.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from kakari.parsers.questions.focus import Focus, Tagged, find_focus
from kakari.parsers.questions.senses import noun_base, noun_senses, verb_base, word_senses

if TYPE_CHECKING:
    from nltk.tree import Tree

# Words that a skeleton keeps; of all others it keeps the tag.
SKELETON_WORDS = frozenset(
    "what which who whom whose where when why how is are was were be do does did has have had can could will would"
    " should a an the of in on at to for by from with about as 's and or not there it you i he she they we his her its"
    " their your my that this ? . , ! `` '' name many much long far old".split()
)
ABBREVIATION = re.compile(r"[A-Z][A-Z0-9.&/-]+")
ROLES = ("noun", "verb", "object", "subject", "owned", "owner")


def question_features(words: Tagged) -> list[str]:
    """Return the features of a question, each once.

    Examples
    --------
    >>> words = [("Who", "WP"), ("wrote", "VBD"), ("Hamlet", "NNP"), ("?", ".")]
    >>> features = question_features(words)
    >>> [name for name in features if name.startswith(("asked", "verb"))][:3]
    ['asked=who', 'verb=wrote', 'verb.base=write']
    """
    focus = find_focus(words)
    low = [word.lower() for word, _ in words]
    found = [*_word_features(words, low), *_skeleton_features(words, low), *_focus_features(words, low, focus)]
    return list(dict.fromkeys(found))


def tagged_words(tree: Tree) -> list[tuple[str, str]]:
    """Return the words of a tree with the labels right above them.

    Examples
    --------
    >>> from nltk.tree import Tree
    >>> tagged_words(Tree.fromstring("(S (NP (PRP we)) (VP (VBP go)))"))
    [('we', 'PRP'), ('go', 'VBP')]
    """
    return [(node[0], node.label()) for node in tree.subtrees(lambda node: len(node) == 1 and isinstance(node[0], str))]


def _word_features(words: Tagged, low: Sequence[str]) -> Iterator[str]:
    padded = ["<s>", *low, "</s>"]
    yield from (f"w={word}" for word in low)
    yield from (f"w2={a} {b}" for a, b in itertools.pairwise(padded))
    yield from (f"w3={a} {b} {c}" for a, b, c in zip(padded, padded[1:], padded[2:], strict=False))
    yield from (f"start={' '.join(low[:length])}" for length in (1, 2, 3, 4))
    yield from (f"t2={a[1]} {b[1]}" for a, b in itertools.pairwise(words))
    for word, _ in words:
        yield f"shape={word_shape(word)}"
        yield f"base={noun_base(word)}"
        yield from (f"sense={sense}" for sense in noun_senses(word))


def _skeleton_features(words: Tagged, low: Sequence[str]) -> Iterator[str]:
    skeleton: list[str] = []
    for word, (_, tag) in zip(low, words, strict=True):
        piece = word if word in SKELETON_WORDS else tag[:2]
        if not skeleton or skeleton[-1] != piece:
            skeleton.append(piece)
    yield f"skeleton={' '.join(skeleton)}"
    yield from (f"skeleton{length}={' '.join(skeleton[:length])}" for length in (3, 4, 5, 6))
    padded = ["<s>", *skeleton, "</s>"]
    yield from (f"s3={a} {b} {c}" for a, b, c in zip(padded, padded[1:], padded[2:], strict=False))
    if any(ABBREVIATION.fullmatch(word) for word, _ in words):
        yield "has=abbreviation"
    if "``" in low:
        yield "has=quotation"
    yield f"length={min(len(low) // 2, 8)}"


def _focus_features(words: Tagged, low: Sequence[str], focus: Focus) -> Iterator[str]:
    asked = focus.question_word
    yield f"asked={asked}"
    for role in ROLES:
        place = getattr(focus, role)
        if place is not None:
            yield from _role_features(words, low, asked, role, place)
        elif role in ROLES[:4]:
            yield f"{role}=-"
            yield f"{role}=-|{asked}"
    yield from (f"light={noun_base(low[place])}" for place in focus.light)
    if focus.modifier is not None and focus.noun is not None:
        yield f"modifier={low[focus.modifier]}"
        yield f"modifier={noun_base(low[focus.modifier])} {noun_base(low[focus.noun])}"
        yield from (f"modifier.sense={sense}" for sense in noun_senses(low[focus.modifier]))
    yield from _pattern_features(words, low, focus)


def _role_features(words: Tagged, low: Sequence[str], asked: str, role: str, place: int) -> Iterator[str]:
    word, tag = words[place]
    verbal = tag.startswith("VB")
    base = verb_base(word) if verbal else noun_base(word)
    yield f"{role}={low[place]}"
    yield f"{role}.base={base}"
    yield f"{role}.base={base}|{asked}"
    yield f"{role}.tag={tag}|{asked}"
    for sense in (word_senses().get(base, ()) if verbal else tuple(noun_senses(word))) or ("-",):
        yield f"{role}.sense={sense}"
        yield f"{role}.sense={sense}|{asked}"
    yield from (f"{role}.end={base[-length:]}" for length in (3, 4) if len(base) > length)
    if role in ("noun", "subject"):
        shape = "XX" if ABBREVIATION.fullmatch(word) else word_shape(word)
        yield f"{role}.shape={shape}|{asked}"


def _pattern_features(words: Tagged, low: Sequence[str], focus: Focus) -> Iterator[str]:
    asked = focus.question_word
    ended = len(low) > 1 and low[-1] in ("?", ".", "!")
    yield f"last={low[-2] if ended else ''.join(low[-1:])}|{asked}"
    if focus.phrase is not None and focus.noun is not None:
        following = words[focus.noun + 1] if focus.noun + 1 < len(words) else (".", ".")
        begin = words[focus.phrase]
        yield f"is=|{asked}"
        yield f"is.then={_piece(following)}|{asked}"
        yield f"is.begin={_piece(begin)} {following[1]}|{asked}"
    if focus.verb is not None:
        base = verb_base(low[focus.verb])
        yield f"verb.then={base} {' '.join(low[focus.verb + 1 : focus.verb + 2])}|{asked}"
        if focus.auxiliary:
            yield f"verb.auxiliary={focus.auxiliary} {base}|{asked}"


def _piece(tagged: tuple[str, str]) -> str:
    return tagged[0].lower() if tagged[0].lower() in SKELETON_WORDS else tagged[1]


@lru_cache(maxsize=10_000)
def word_shape(word: str) -> str:
    """Return the kinds of characters of a word, repetitions left out.

    Examples
    --------
    >>> word_shape("McDonald's"), word_shape("1990s")
    ("XxXx'x", 'dx')
    """
    kinds = re.sub("[0-9]", "d", re.sub("[a-z]", "x", re.sub("[A-Z]", "X", word)))
    return re.sub(r"(.)\1+", r"\1", kinds)
