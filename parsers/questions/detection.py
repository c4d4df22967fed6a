"""Whether a sentence is a question: what is looked at, and what counts as a question in treebanks.

The mark at the end says most of it, but people leave it out, and a treebank's sentence may end with `?!` or a quote:
so the first words, their tags and the upper nodes of the tree are looked at, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from kakari.parsers.english.words.flat_trees import FlatTree

QUESTION_LABELS = frozenset({"SQ", "SBARQ"})
CLOSING_TAGS = frozenset({"''", "``", "-RRB-", '"'})


def is_asked(tree: FlatTree) -> bool:
    """Say whether a gold tree is a question: it ends with a question mark, or its clause is SQ or SBARQ.

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
