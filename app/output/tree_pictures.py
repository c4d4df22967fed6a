"""Constituency trees with predicates and arguments as SVG and HTML.

Words stand side by side with their tags above them. A constituent is a bracket above all its words, one level higher
than the highest bracket inside it, with its label in the middle: no lines cross, however deep the tree is. Below the
words each predicate has a line, on which its word and its arguments are marked with their roles. The width of a word is
estimated from its characters, so that a picture has the same bytes everywhere; a sentence of 40 words is about 2,500
pixels wide, and scrolls in HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from kakari.output.bunsetsu_tree import cells
from kakari.parsers.english.words.flat_trees import FlatTree

if TYPE_CHECKING:
    from kakari.parsers.arguments.candidates.frames import Frame

CHARACTER, GAP, LEVEL, LINE, MARGIN = 8.5, 14, 26, 34, 16
STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:14px;text-anchor:middle;fill:#222}"
    ".t{font-size:11px;fill:#666}.n{font-size:13px;fill:#1f5fa8}.r{font-size:11px;fill:#8a4b08}.v{font-weight:bold}"
    "path{stroke:#9aa5b1;fill:none;stroke-width:1.2}.a{stroke:#d08b3c;stroke-width:2}.p{stroke:#b03a48;stroke-width:3}"
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


def draw_svg(tree: FlatTree, frames: Sequence[Frame] = ()) -> str:
    """Draw a sentence as an SVG element.

    Examples
    --------
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> picture = draw_svg(tree)
    >>> picture.count("<text"), picture.count("<path")
    (7, 3)
    """
    words = ["".join(c if c.isprintable() else " " for c in word) for word in tree.words]
    edges = word_edges(words, tree.tags)
    levels = node_levels(tree)
    base = MARGIN + LEVEL * max(levels, default=0) + 20  # where the tags stand
    shown = []
    for (label, first, last), level in zip(tree.nodes, levels, strict=True):
        begin, end, place = edges[first][0], edges[last - 1][1], base - 10 - LEVEL * level
        shown += [bracket(begin, end, place), text((begin + end) / 2, place - 3, label, "n")]
    for (begin, end), word, tag in zip(edges, words, tree.tags, strict=True):
        shown += [text((begin + end) / 2, base, tag, "t"), text((begin + end) / 2, base + 18, word)]
    for number, frame in enumerate(frames):
        shown += draw_frame(frame, edges, base + LINE * (number + 1))
    width = (edges[-1][1] if edges else 0) + MARGIN
    height = base + 28 + LINE * len(frames)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}"><style>{STYLE}</style>{"".join(shown)}</svg>'
    )


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


def word_edges(words: Sequence[str], tags: Sequence[str]) -> list[tuple[float, float]]:
    """Return where each word begins and ends, from left to right."""
    edges = []
    place = float(MARGIN)
    for word, tag in zip(words, tags, strict=True):
        width = CHARACTER * max(cells(word), cells(tag), 3)
        edges.append((place, place + width))
        place += width + GAP
    return edges


def draw_frame(frame: Frame, edges: Sequence[tuple[float, float]], place: float) -> list[str]:
    """Draw the line of a predicate: a bar below its word and each argument, with the role below that."""
    begin, end = edges[frame.token]
    marks = [bar(begin, end, place, "p"), text((begin + end) / 2, place + 14, frame.lemma, "r v")]
    for (first, last), role in zip(frame.spans, frame.roles, strict=True):
        begin, end = edges[first][0], edges[last - 1][1]
        marks += [bar(begin, end, place, "a"), text((begin + end) / 2, place + 14, role.removeprefix("ARGM-"), "r")]
    return marks


def bar(begin: float, end: float, place: float, kind: str) -> str:
    """Return a bar with ends that point upwards, below what is marked."""
    return f'<path class="{kind}" d="M{begin:.1f} {place - 5:.1f}v5H{end:.1f}v-5"/>'


def bracket(begin: float, end: float, place: float) -> str:
    """Return a bar with ends that point downwards, above a constituent."""
    return f'<path d="M{begin:.1f} {place + 6:.1f}v-6H{end:.1f}v6"/>'


def text(middle: float, place: float, shown: str, kind: str = "") -> str:
    """Return a text around a middle."""
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{middle:.1f}" y="{place:.1f}">{escape(shown)}</text>'


def html_page(pictures: Iterable[str]) -> str:
    """Return a page with pictures."""
    return PAGE.format(figures="".join(f"<figure>{picture}</figure>\n" for picture in pictures))
