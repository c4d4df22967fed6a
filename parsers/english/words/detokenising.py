"""Text from the words of a treebank, which does not record where blanks were."""

from __future__ import annotations

import re

from kakari.parsers.english.words.flat_trees import FlatTree

NONE_BEFORE = frozenset({"''", "-RRB-", "POS", "HYPH"})
NONE_AFTER = frozenset({"``", "-LRB-", "$", "#", "HYPH"})
CLINGS = re.compile(r"['’](?:s|m|ve|re|ll|d|t)|n['’]t|%|[;:,.?!]+|…|/", re.IGNORECASE)
QUOTES = {"``": '"', "''": '"'}

Span = tuple[int, int]


def detokenised(tree: FlatTree) -> tuple[str, list[Span]]:
    """Return the text of a tree's words, and the span of each word in it.

    Marks, possessives and contractions join the word before them, opening brackets, quotes and currency signs
    the one after them, hyphens and slashes both.

    Examples
    --------
    >>> words = ("He", "did", "n't", "buy", "a", "$", "5", "-", "ticket", "book", ".")
    >>> tags = ("PRP", "VBD", "RB", "VB", "DT", "$", "CD", "HYPH", "NN", "NN", ".")
    >>> detokenised(FlatTree(words, tags, ()))[0]
    "He didn't buy a $5-ticket book."
    """
    pieces: list[str] = []
    spans: list[Span] = []
    length = 0
    clings = True
    for word, tag in zip(tree.words, tree.tags, strict=True):
        shown = QUOTES.get(word, word)
        if not (clings or tag in NONE_BEFORE or CLINGS.fullmatch(shown)):
            pieces.append(" ")
            length += 1
        spans.append((length, length + len(shown)))
        pieces.append(shown)
        length += len(shown)
        clings = tag in NONE_AFTER or shown == "/"
    return "".join(pieces), spans
