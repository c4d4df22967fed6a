"""Bunsetsu trees as SVG and HTML.

Bunsetsu stand in a row, as wide as their text; an arc runs from each one above the others to its head, where it ends in
an arrow. Arcs are as high as what they span needs. Types of arcs are told where they say something: P, I, A, but not D.
The same sentences give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from kakari.output.bunsetsu_tree import cells

FONT, CELL, GAP, MARGIN, STEP, BASE = 16, 8.4, 18, 16, 15, 14
LINE, INK, LABEL = "#3b6ea5", "#1b1b1b", "#a8452c"
FONTS = "'Noto Sans CJK JP','Hiragino Sans','Yu Gothic',Meiryo,sans-serif"
TITLE = "係り受け"
ROOT = "<svg xmlns='http://www.w3.org/2000/svg' xml:lang='ja' lang='ja' width='{width}' height='{height}' {box}>"
PAGE = """<!DOCTYPE html>
<html lang="ja">
<head>
<meta charset="utf-8"/>
<title>{title}</title>
<style>
body {{ margin: 2rem auto; max-width: 72rem; padding: 0 1rem; font-family: {fonts}; color: {ink}; background: #fff; }}
figure {{ margin: 0; padding: .8rem 0; overflow-x: auto; border-bottom: 1px solid #e4e4e4; }}
svg {{ display: block; }}
</style>
</head>
<body>
{figures}
</body>
</html>
"""


class Drawing(NamedTuple):
    """What is drawn of a sentence: the texts of its bunsetsu, their heads (-1 for the root) and types of arcs."""

    words: Sequence[str]
    heads: Sequence[int]
    kinds: Sequence[str]

    @property
    def text(self) -> str:
        """The sentence."""
        return "".join(self.words)


class Layout:
    """Where everything of a sentence stands."""

    def __init__(self, drawing: Drawing) -> None:
        self.words = ["".join(c if c.isprintable() else " " for c in word) for word in drawing.words]
        self.heads, self.kinds = drawing.heads, drawing.kinds
        self.middles: list[float] = []
        x = float(MARGIN)
        for word in self.words:
            width = max(1, cells(word)) * CELL
            self.middles.append(x + width / 2)
            x += width + GAP
        self.width = x - GAP + MARGIN
        self.levels = levels(drawing.heads)
        self.top = MARGIN / 2 + BASE + STEP * max(self.levels, default=0)
        self.height = self.top + FONT * 1.5 + MARGIN / 2

    def group(self, y: float) -> str:
        """Return the sentence as a group that begins at the height `y`."""
        parts = [f"<g transform='translate(0 {_n(y)})'>", f"<title>{escape(''.join(self.words))}</title>"]
        for number, head in enumerate(self.heads):
            if head > number:
                parts.append(self._arc(number, head))
        for middle, word in zip(self.middles, self.words, strict=True):
            parts.append(f"<text x='{_n(middle)}' y='{_n(self.top + FONT)}'>{escape(word)}</text>")
        return "\n".join([*parts, "</g>"])

    def _arc(self, number: int, head: int) -> str:
        inside = sorted(place for place, other in enumerate(self.heads) if other == head and place < head)
        # Arcs to one head end beside each other: the longest at the left.
        shift = (inside.index(number) - (len(inside) - 1)) * 8.0
        start, end = self.middles[number] + 3, self.middles[head] - 3 + shift
        y, bottom = self.top - BASE - STEP * (self.levels[number] - 1) - 4, self.top
        bend = min(7.0, abs(end - start) / 2)
        path = (
            f"M{_n(start)} {_n(bottom)}V{_n(y + bend)}Q{_n(start)} {_n(y)} {_n(start + bend)} {_n(y)}H{_n(end - bend)}"
            f"Q{_n(end)} {_n(y)} {_n(end)} {_n(y + bend)}V{_n(bottom - 5)}"
        )
        arrow = f"M{_n(end - 3.5)} {_n(bottom - 6)}L{_n(end + 3.5)} {_n(bottom - 6)}L{_n(end)} {_n(bottom)}Z"
        drawn = f"<path class='arc' d='{path}'/><path class='tip' d='{arrow}'/>"
        kind = self.kinds[number]
        if kind != "D":
            drawn += f"<text class='kind' x='{_n((start + end) / 2)}' y='{_n(y - 2)}'>{escape(kind)}</text>"
        return drawn


def levels(heads: Sequence[int]) -> list[int]:
    """Return the height of each arc: one more than the highest of those inside it; 0 where there is none.

    Examples
    --------
    >>> levels([2, 2, 3, -1])
    [2, 1, 1, 0]
    """
    found = [0] * len(heads)
    for number in sorted(range(len(heads)), key=lambda place: heads[place] - place):
        if heads[number] > number:
            inside = (found[place] for place in range(number, heads[number]) if heads[place] <= heads[number])
            found[number] = 1 + max(inside, default=0)
    return found


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


STYLE = (
    f"<style>text{{font:{FONT}px {FONTS};fill:{INK};text-anchor:middle}}"
    f".arc{{fill:none;stroke:{LINE};stroke-width:1.3}}.tip{{fill:{LINE}}}text.kind{{font-size:11px;fill:{LABEL}}}</style>"
)


def draw_svg(drawings: Iterable[Drawing]) -> str:
    """Draw sentences below each other in one SVG.

    Examples
    --------
    >>> drawn = draw_svg([Drawing(["本を", "読む"], [1, -1], ["D", "D"])])
    >>> drawn.count("<path class='arc'"), drawn.count("<svg")
    (1, 1)
    """
    layouts = [Layout(drawing) for drawing in drawings]
    width = max((layout.width for layout in layouts), default=2.0 * MARGIN)
    parts, y = [], 0.0
    for layout in layouts:
        parts.append(layout.group(y))
        y += layout.height
    height = max(y, 1.0)
    box = f"viewBox='0 0 {_n(width)} {_n(height)}'"
    opening = ROOT.format(width=_n(width), height=_n(height), box=box)
    return "\n".join([opening, f"<title>{TITLE}</title>", STYLE, *parts, "</svg>\n"])


def draw_html(drawings: Iterable[Drawing]) -> str:
    """Draw sentences as a page, a figure each."""
    figures, title = [], ""
    for drawing in drawings:
        title = title or drawing.text
        figures.append(f"<figure>\n{draw_svg([drawing])}</figure>")
    shown = escape(title if len(title) <= 60 else title[:60] + "…") or TITLE
    return PAGE.format(title=shown, fonts=FONTS, ink=INK, figures="\n".join(figures))
