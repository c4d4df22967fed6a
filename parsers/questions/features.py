"""Features of sentences: what makes one a question, and what a question asks for.

Everything is a string with a short prefix, so that an explanation can be read. A question's features are its words and
word pairs, its skeleton and its focus. That a sentence is a question is said by the mark at its end, mostly; but people
leave it out, and a treebank's sentence may end with `?!` or a quote: so the first words, their tags and the upper nodes
of the tree are looked at, too.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.questions.focus import Focus, Tagged, find_focus, noun_base, noun_senses, verb_base, word_senses

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
    from kakari.corpora.formats.brackets import nodes_of  # a parser reads no corpora

    nodes = (node for node in nodes_of(tree) if not isinstance(node, str))
    return [(node[0], node.label()) for node in nodes if len(node) == 1 and isinstance(node[0], str)]


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


QUESTION_LABELS = frozenset({"SQ", "SBARQ"})
CLOSING_TAGS = frozenset({"''", "``", "-RRB-", '"'})


def is_asked(tree: FlatTree) -> bool:
    """Return whether a gold tree is a question: it ends with a question mark, or its clause is SQ or SBARQ.

    Examples
    --------
    >>> is_asked(FlatTree(("Why", "not"), ("WRB", "RB"), (("SBARQ", 0, 2), ("WHADVP", 0, 1))))
    True
    >>> is_asked(FlatTree(("Go", "!"), ("VB", "."), (("S", 0, 2), ("VP", 0, 1))))
    False
    """
    upper = {label for label, begin, end in tree.nodes if begin == 0 and end >= len(tree.words) - 1}
    return "?" in last_mark(tree) or not QUESTION_LABELS.isdisjoint(upper)


def last_mark(tree: FlatTree) -> str:
    """Return the mark that ends a sentence, before closing quotes and brackets; nothing where there is none.

    Examples
    --------
    >>> last_mark(FlatTree(("Why", "?", '"'), ("WRB", ".", "''"), ()))
    '?'
    """
    for word, tag in zip(reversed(tree.words), reversed(tree.tags), strict=True):
        if tag not in CLOSING_TAGS:
            return word if tag in (".", ":") else ""
    return ""


def without_mark(tree: FlatTree) -> tuple[str, ...]:
    """Return the words before the mark that ends a sentence: what is left where people do not write it.

    Examples
    --------
    >>> without_mark(FlatTree(("Why", "?", '"'), ("WRB", ".", "''"), ()))
    ('Why',)
    """
    end = len(tree.words)
    while end and (tree.tags[end - 1] in CLOSING_TAGS or tree.tags[end - 1] == "."):
        end -= 1
    return tree.words[:end]


def detection_features(tree: FlatTree) -> list[str]:
    """Return the features of a sentence, each once.

    Examples
    --------
    >>> tree = FlatTree(("Who", "won", "?"), ("WP", "VBD", "."), (("SBARQ", 0, 3), ("WHNP", 0, 1), ("SQ", 1, 2)))
    >>> [name for name in detection_features(tree) if name.startswith(("mark", "top"))]
    ['mark=?', 'top=SBARQ', 'top=SBARQ|?']
    """
    return list(dict.fromkeys(_features(tree)))


def _features(tree: FlatTree) -> Iterator[str]:
    low, tags = [word.lower() for word in tree.words], tree.tags
    mark = "?" if "?" in last_mark(tree) else last_mark(tree)[:1]
    yield f"mark={mark}"
    top = next((label for label, _, _ in tree.nodes), "-")
    yield f"top={top}"
    yield f"top={top}|{mark}"
    below = [label for label, begin, _ in tree.nodes if begin == 0][1:3]
    yield f"corner={' '.join([top, *below])}"
    for label in sorted(QUESTION_LABELS.intersection(label for label, _, _ in tree.nodes)):
        yield f"has={label}"
        yield f"has={label}|{mark}"
    first = next((place for place, tag in enumerate(tags) if tag[:1].isalpha()), 0)
    for length in (1, 2, 3):
        yield f"words={' '.join(low[first : first + length])}"
        yield f"tags={' '.join(tags[first : first + length])}"
    yield f"words={' '.join(low[first : first + 1])}|{mark}"
    yield f"tags={' '.join(tags[first : first + 2])}|{mark}"
    yield f"first={' '.join(low[first : first + 1])} {' '.join(tags[first + 1 : first + 2])}"
    yield f"end={' '.join(low[-2:])}"
    for place, tag in enumerate(tags[1:], 1):
        if tag.startswith("W"):
            yield f"inside={low[place]}|{tags[place - 1]}"
    yield f"length={min(len(low), 12)}"
