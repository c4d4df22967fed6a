"""Constituency trees with predicates and arguments as SVG and HTML.

Words stand side by side with their tags above them. A constituent is a bracket above all its words, one level higher
than the highest bracket inside it, with its label in the middle: no lines cross, however deep the tree is. Below the
words each predicate has a line, on which its word and its arguments are marked with their roles. The width of a word is
estimated from its characters, so that a picture has the same bytes everywhere; a sentence of 40 words is about 2,500
pixels wide, and scrolls in HTML. What can be pointed at is named by `data-` attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Protocol

from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.pictures.marks import cells, number, percent, printable, sure_mark, text

CHARACTER, GAP, LEVEL, LINE, MARGIN = 8.5, 14, 28, 36, 16
WIDE = 700  # pixels; a wider bracket has its label three times
TOLD = 0.8  # a lower probability is told beside the label
STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:14px;text-anchor:middle;fill:#222}"
    ".tag{font-size:11px;fill:#666}.label{font-size:13px;fill:#1f5fa8}.role{font-size:11px;fill:#8a4b08}"
    ".lemma{font-weight:bold}.box,.area{fill:none}path{stroke:#9aa5b1;fill:none;stroke-width:1.2}"
    "path.argument{stroke:#d08b3c;stroke-width:2}path.predicate{stroke:#b03a48;stroke-width:3}"
    ".likely path{stroke:#8a7a1c}.unsure path{stroke:#b86a12}.doubtful path{stroke:#b8323a}"
)
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>kakari</title>
<style>body{{margin:24px;background:#fff}}figure{{margin:0 0 32px;overflow-x:auto}}</style>
</head>
<body>
{figures}</body>
</html>
"""


class Frame(Protocol):
    """A predicate with its arguments, as `kakari.parsers.arguments` has it."""

    @property
    def token(self) -> int:
        """Its word."""

    @property
    def lemma(self) -> str:
        """Its base form."""

    @property
    def spans(self) -> Sequence[tuple[int, int]]:
        """The words of each argument, first and behind the last."""

    @property
    def roles(self) -> Sequence[str]:
        """The role of each argument."""


def draw_svg(
    tree: FlatTree,
    frames: Sequence[Frame] = (),
    *,
    sure: Sequence[float] = (),
    styled: bool = True,
    constituents: bool = True,
) -> str:
    """Draw a sentence as an SVG element.

    Parameters
    ----------
    sure : sequence of float
        Probabilities of the constituents; where they are low, colours and numbers tell.
    styled : bool
        Without a style if a page has its own.
    constituents : bool
        Without them, predicates and arguments alone are drawn.

    Examples
    --------
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> picture = draw_svg(tree)
    >>> picture.count("<text"), picture.count("<path")
    (7, 3)
    """
    words = [printable(word) for word in tree.words]
    narrowest = [0] * len(words)
    for place, (label, first, last) in enumerate(tree.nodes if constituents else ()):
        if last == first + 1:
            told = shown_label(label, sure[place] if sure else 1.0)
            narrowest[first] = max(narrowest[first], cells(told))
    edges = word_edges(words, tree.tags, narrowest)
    levels = node_levels(tree) if constituents else []
    base = MARGIN + LEVEL * max(levels, default=0) + (20 if levels else 0)  # where the tags stand
    shown = [f"<title>{escape(' '.join(words))}</title>"]
    for place, level in enumerate(levels):
        label, first, last = tree.nodes[place]
        begin, end, height = edges[first][0], edges[last - 1][1], base - 10 - LEVEL * level
        mark = f" {sure_mark(sure[place])}" if sure else ""
        told = shown_label(label, sure[place] if sure else 1.0)
        middles = [(begin + end) / 2]
        if end - begin > WIDE:  # so that a label is in sight wherever a long sentence is scrolled to
            middles += [begin + WIDE / 8, end - WIDE / 8]
        labels = "".join(text(middle, height - 3, told, "label") for middle in middles)
        shown.append(
            f"<g class='node{mark}' data-node='{place}' data-label='{escape(printable(label))}' data-begin='{first}'"
            f" data-end='{last}'>{area(begin, end, height - 14, LEVEL - 2)}{bracket(begin, end, height)}"
            f"{labels}</g>"
        )
    for place, ((begin, end), word, tag) in enumerate(zip(edges, words, tree.tags, strict=True)):
        middle = (begin + end) / 2
        both = text(middle, base, tag, "tag") + text(middle, base + 18, word)
        place_of_box = f"x='{number(begin - 4)}' y='{number(base - 12)}' width='{number(end - begin + 8)}'"
        box = f"<rect class='box' {place_of_box} height='38' rx='4'/>"
        shown.append(f"<g class='word' data-word='{place}'>{box}{both}</g>")
    for place, frame in enumerate(frames):
        shown += draw_frame(frame, place, edges, base + LINE * (place + 1))
    width = (edges[-1][1] if edges else 0) + MARGIN
    height = base + 28 + LINE * len(frames)
    size = f"width='{width:.0f}' height='{height:.0f}' viewBox='0 0 {width:.0f} {height:.0f}'"
    style = f"<style>{STYLE}</style>" if styled else ""
    return f"<svg xmlns='http://www.w3.org/2000/svg' xml:lang='en' lang='en' {size}>{style}{''.join(shown)}</svg>"


def node_levels(tree: FlatTree) -> list[int]:
    """Return how high each constituent stands: 1, or one more than the highest one inside it.

    Examples
    --------
    >>> node_levels(FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2))))
    [2, 1, 1]
    """
    highest = [0] * len(tree.words)
    levels = []
    for _, begin, end in reversed(tree.nodes):
        level = max(highest[begin:end]) + 1
        highest[begin:end] = [level] * (end - begin)
        levels.append(level)
    return levels[::-1]


def shown_label(label: str, sure: float) -> str:
    """Return the label of a constituent, with its probability if that is low.

    Examples
    --------
    >>> shown_label("NP", 0.87), shown_label("NP", 0.63)
    ('NP', 'NP 63')
    """
    return f"{label} {percent(sure)}" if sure < TOLD else label


def word_edges(words: Sequence[str], tags: Sequence[str], narrowest: Sequence[int] = ()) -> list[tuple[float, float]]:
    """Return where each word begins and ends, from left to right; each is at least so many cells wide."""
    edges = []
    place = float(MARGIN)
    for number_of_word, (word, tag) in enumerate(zip(words, tags, strict=True)):
        width = CHARACTER * max(cells(word), cells(tag), 3, *narrowest[number_of_word : number_of_word + 1])
        edges.append((place, place + width))
        place += width + GAP
    return edges


def draw_frame(frame: Frame, place: int, edges: Sequence[tuple[float, float]], height: float) -> list[str]:
    """Draw the line of a predicate: a bar below its word and each argument, with the role below that."""
    begin, end = edges[frame.token]
    marks = [
        f"<g class='predicate' data-predicate='{place}'>{bar(begin, end, height, 'predicate')}"
        f"{text((begin + end) / 2, height + 14, frame.lemma, 'role lemma')}</g>"
    ]
    for number_of_argument, ((first, last), role) in enumerate(zip(frame.spans, frame.roles, strict=True)):
        begin, end = edges[first][0], edges[last - 1][1]
        marks.append(
            f"<g class='argument' data-predicate='{place}' data-argument='{number_of_argument}'>"
            f"{area(begin, end, height - 8, 26)}{bar(begin, end, height, 'argument')}"
            f"{text((begin + end) / 2, height + 14, role.removeprefix('ARGM-'), 'role')}</g>"
        )
    return marks


def bar(begin: float, end: float, place: float, kind: str) -> str:
    """Return a bar with ends that point upwards, below what is marked."""
    return f"<path class='{kind}' d='M{number(begin)} {number(place - 5)}v5H{number(end)}v-5'/>"


def bracket(begin: float, end: float, place: float) -> str:
    """Return a bar with ends that point downwards, above a constituent."""
    return f"<path d='M{number(begin)} {number(place + 6)}v-6H{number(end)}v6'/>"


def area(begin: float, end: float, top: float, height: float) -> str:
    """Return an invisible rectangle: what can be pointed at."""
    size = f"width='{number(end - begin)}' height='{number(height)}'"
    return f"<rect class='area' x='{number(begin)}' y='{number(top)}' {size} rx='3'/>"


def html_page(pictures: Iterable[str]) -> str:
    """Return a page with pictures."""
    return PAGE.format(figures="".join(f"<figure>{picture}</figure>\n" for picture in pictures))
