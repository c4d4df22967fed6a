"""Constituency trees with predicates and arguments as SVG and HTML.

Words stand side by side with their tags above them; each constituent stands above the middle of its parts, one level
higher than the highest of them. Below the words each predicate has a line, on which its word and its arguments are
marked with their roles. The width of a word is estimated from its characters, so that a picture has the same bytes
everywhere; a sentence of 40 words is about 2,500 pixels wide, and scrolls in HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from kakari.output.bunsetsu_tree import cells
from kakari.parsers.english.words.flat_trees import FlatTree

if TYPE_CHECKING:
    from kakari.parsers.arguments.candidates.frames import Frame

CHARACTER, GAP, LEVEL, LINE, MARGIN = 8.5, 14, 44, 34, 16
STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:14px;text-anchor:middle;fill:#222}"
    ".t{font-size:11px;fill:#666}.n{font-size:13px;fill:#1f5fa8}.r{font-size:11px;fill:#8a4b08}.v{font-weight:bold}"
    "line,path{stroke:#9aa5b1;fill:none;stroke-width:1.2}.a{stroke:#d08b3c;stroke-width:2}.p{stroke:#b03a48;stroke-width:3}"
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


@dataclass
class Placed:
    """Something drawn: the middle of it, and its line counted from the words upwards."""

    middle: float
    level: int


def draw_svg(tree: FlatTree, frames: Sequence[Frame] = ()) -> str:
    """Draw a sentence as an SVG element.

    Examples
    --------
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> picture = draw_svg(tree)
    >>> picture.count("<text"), picture.count("<line")
    (7, 6)
    """
    words = ["".join(c if c.isprintable() else " " for c in word) for word in tree.words]
    edges = word_edges(words, tree.tags)
    middles = [(begin + end) / 2 for begin, end in edges]
    top = [Placed(middle, 1) for middle in middles]  # of each word, what stands highest above it: its tag
    drawn: list[tuple[str, Placed, list[Placed]]] = []
    for label, begin, end in reversed(tree.nodes):
        parts = list({id(one): one for one in top[begin:end]}.values())
        node = Placed((parts[0].middle + parts[-1].middle) / 2, max(one.level for one in parts) + 1)
        drawn.append((label, node, parts))
        top[begin:end] = [node] * (end - begin)
    height = MARGIN + LEVEL * max((one.level for one in top), default=0)

    def row(level: int) -> float:
        return height - LEVEL * level + 14

    lines = [
        stroke(node.middle, row(node.level), one.middle, row(one.level)) for _, node, parts in drawn for one in parts
    ]
    lines += [stroke(x, row(1), x, row(0)) for x in middles]
    shown = [text(node.middle, row(node.level), label, "n") for label, node, _ in reversed(drawn)]
    shown += [text(x, row(1), tag, "t") for x, tag in zip(middles, tree.tags, strict=True)]
    shown += [text(x, row(0), word) for x, word in zip(middles, words, strict=True)]
    for number, frame in enumerate(frames):
        shown += draw_frame(frame, edges, height + 14 + LINE * (number + 1))
    width = (edges[-1][1] if edges else 0) + MARGIN
    total = height + 30 + LINE * len(frames) + (8 if frames else 0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{total:.0f}"'
        f' viewBox="0 0 {width:.0f} {total:.0f}"><style>{STYLE}</style>{"".join(lines)}{"".join(shown)}</svg>'
    )


def stroke(upper: float, above: float, lower: float, below: float) -> str:
    """Return a line from below one label to above another."""
    return f'<line x1="{upper:.1f}" y1="{above + 5:.1f}" x2="{lower:.1f}" y2="{below - 13:.1f}"/>'


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
        marks += [bar(begin, end, place, "a"), text((begin + end) / 2, place + 14, role, "r")]
    return marks


def bar(begin: float, end: float, place: float, kind: str) -> str:
    """Return a bar with ends that point upwards."""
    return f'<path class="{kind}" d="M{begin:.1f} {place - 5:.1f}v5H{end:.1f}v-5"/>'


def text(middle: float, place: float, shown: str, kind: str = "") -> str:
    """Return a text around a middle."""
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{middle:.1f}" y="{place:.1f}">{escape(shown)}</text>'


def html_page(pictures: Iterable[str]) -> str:
    """Return a page with pictures."""
    return PAGE.format(figures="".join(f"<figure>{picture}</figure>\n" for picture in pictures))
