"""Dependencies as SVG and HTML: arcs above a row of words or bunsetsu, each as wide as its text.

An arc is one level higher than what it spans, so that lines never cross unless the arcs do. Types of arcs are told
where they say something: not D. With probabilities, each arc has its class (`sure`, `likely`, `unsure`, `doubtful`)
and its percentage. What can be pointed at is named by `data-` attributes. The same sentences give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from kakari.parsers.pictures.marks import FONTS, cells, number, percent, printable, sure_mark, text

FONT, CELL, GAP, MARGIN, BASE = 16, 8.4, 18, 16, 14
STEP, LABELLED_STEP, SPREAD = 15, 22, 8.0
LINE, INK, LABEL = "#3b6ea5", "#1b1b1b", "#a8452c"
TITLE = "係り受け"
ROOT = (
    "<svg xmlns='http://www.w3.org/2000/svg' xml:lang='{language}' lang='{language}' width='{width}'"
    " height='{height}' {box}>"
)
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
    """A sentence to draw.

    Attributes
    ----------
    words : sequence of str
        The texts of its bunsetsu or words.
    heads : sequence of int
        -1 for the root.
    kinds : sequence of str
        Types of arcs.
    sure : sequence of float
        Probabilities of the arcs, if they are to be shown.
    tags : sequence of str
        What stands below the words, if anything.
    universal : bool
        Whether arrows point at the dependent and the root has one, as is the custom with Universal Dependencies.
    """

    words: Sequence[str]
    heads: Sequence[int]
    kinds: Sequence[str]
    sure: Sequence[float] = ()
    tags: Sequence[str] = ()
    universal: bool = False

    @property
    def text(self) -> str:
        """The sentence."""
        return (" " if self.universal else "").join(self.words)


class Layout:
    """Coordinates of everything in a sentence's drawing."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.words = [printable(word) for word in drawing.words]
        self.heads, self.kinds = drawing.heads, drawing.kinds
        self.labels = [self._label(place) for place in range(len(self.words))]
        labelled = any(label for label, head in zip(self.labels, self.heads, strict=True) if head >= 0)
        self.step = LABELLED_STEP if labelled else STEP
        self._place_words()
        self.levels = levels(drawing.heads)
        highest = max(self.levels, default=0)
        self.top = MARGIN / 2 + BASE + self.step * highest + (8 if labelled else 0)
        if drawing.universal:
            self.top = max(self.top, 56.0)
        self.height = self.top + FONT * (2.5 if drawing.tags else 1.5) + MARGIN / 2
        self.shifts = self._head_ends()

    def _label(self, place: int) -> str:
        shown = "" if self.kinds[place] == "D" else self.kinds[place]
        if self.drawing.sure and self.heads[place] >= 0:
            return f"{shown} {percent(self.drawing.sure[place])}".strip()
        return shown

    def _place_words(self) -> None:
        """Put words side by side, with room for the labels of arcs between neighbours."""
        widths = [max(1, cells(word)) * CELL for word in self.words]
        if self.drawing.tags:
            widths = [max(width, cells(tag) * 6.6) for width, tag in zip(widths, self.drawing.tags, strict=True)]
        self.widths = widths
        self.middles: list[float] = []
        x = float(MARGIN)
        for place, width in enumerate(widths):
            if place and self.labels[place] and self.heads[place] == place - 1:
                x = max(x, self.middles[-1] + self._room(place) - width / 2)
            if place and self.labels[place - 1] and self.heads[place - 1] == place:
                x = max(x, self.middles[-1] + self._room(place - 1) - width / 2)
            self.middles.append(x + width / 2)
            x += width + GAP
        self.width = x - GAP + MARGIN

    def _room(self, place: int) -> float:
        return cells(self.labels[place]) * 6.2 + 14

    def _head_ends(self) -> list[float]:
        """Return how far from the middle of its head each arc ends: on each side the longest is nearest to it."""
        found = [0.0] * len(self.heads)
        nearest = 6.0 if self.drawing.universal else 3.0
        left: dict[int, list[int]] = {}
        right: dict[int, list[int]] = {}
        for place, head in enumerate(self.heads):
            if head > place:
                left.setdefault(head, []).append(place)
            elif head >= 0:
                right.setdefault(head, []).append(place)
        for head, places in left.items():
            space = min(SPREAD, max(2.0, (self.widths[head] / 2 - 3) / len(places)))
            for rank, place in enumerate(places):
                found[place] = -nearest - space * rank
        for head, places in right.items():
            space = min(SPREAD, max(2.0, (self.widths[head] / 2 - 3) / len(places)))
            for rank, place in enumerate(reversed(places)):
                found[place] = nearest + space * rank
        return found

    def group(self, y: float) -> str:
        """Return the sentence as a group that begins at the height `y`."""
        parts = [f"<g transform='translate(0 {number(y)})'>", f"<title>{escape(printable(self.drawing.text))}</title>"]
        for place, head in enumerate(self.heads):
            if head >= 0:
                parts.append(self._arc(place, head))
            elif self.drawing.universal:
                parts.append(self._root(place))
        for place, (middle, word) in enumerate(zip(self.middles, self.words, strict=True)):
            parts.append(f"<g class='word' data-word='{place}'>")
            parts.append(self._box(place) + text(middle, self.top + FONT, word))
            if self.drawing.tags:
                parts.append(text(middle, self.top + FONT * 2.1, self.drawing.tags[place], "tag"))
            parts.append("</g>")
        return "\n".join([*parts, "</g>"])

    def _box(self, place: int) -> str:
        """Return an invisible rectangle behind a word: what can be pointed at."""
        width = self.widths[place] + GAP * 0.6
        height = FONT * (2.3 if self.drawing.tags else 1.4)
        x, y = self.middles[place] - width / 2, self.top + 1
        size = f"width='{number(width)}' height='{number(height)}'"
        return f"<rect class='box' x='{number(x)}' y='{number(y)}' {size} rx='4'/>"

    def _arc(self, place: int, head: int) -> str:
        side = 1 if head > place else -1
        start, end = self.middles[place] + 3 * side, self.middles[head] + self.shifts[place]
        y, bottom = self.top - BASE - self.step * (self.levels[place] - 1) - 4, self.top
        bend = side * min(7.0, abs(end - start) / 2)
        turn = abs(bend)
        first, last = (bottom, bottom - 5) if not self.drawing.universal else (bottom - 5, bottom)
        path = (
            f"M{number(start)} {number(first)}V{number(y + turn)}"
            f"Q{number(start)} {number(y)} {number(start + bend)} {number(y)}H{number(end - bend)}"
            f"Q{number(end)} {number(y)} {number(end)} {number(y + turn)}V{number(last)}"
        )
        tip = _tip(start if self.drawing.universal else end, bottom)
        label = self.labels[place]
        shown = text((start + end) / 2, y - 2, label, "kind") if label else ""
        return f"<g {self._named(place, head)}><path class='arc' d='{path}'/>{tip}{shown}</g>"

    def _root(self, place: int) -> str:
        middle, bottom = self.middles[place], self.top
        high = MARGIN / 2 + 12
        line = f"<path class='arc' d='M{number(middle)} {number(high)}V{number(bottom - 5)}'/>{_tip(middle, bottom)}"
        return f"<g {self._named(place, -1)}>{line}{text(middle, high - 3, self.labels[place] or 'root', 'kind')}</g>"

    def _named(self, place: int, head: int) -> str:
        mark = f" {sure_mark(self.drawing.sure[place])}" if self.drawing.sure and head >= 0 else ""
        return f"class='link{mark}' data-from='{place}' data-to='{head}'"


def _tip(x: float, bottom: float) -> str:
    y = number(bottom - 6)
    return f"<path class='tip' d='M{number(x - 3.5)} {y}L{number(x + 3.5)} {y}L{number(x)} {number(bottom)}Z'/>"


def levels(heads: Sequence[int]) -> list[int]:
    """Return the height of each arc: one more than the highest that it spans or crosses; 0 where there is no arc.

    Examples
    --------
    >>> levels([2, 2, 3, -1])
    [2, 1, 1, 0]
    >>> levels([-1, 0, 1, 0])
    [0, 1, 1, 2]
    """
    found = [0] * len(heads)
    highest = [0] * len(heads)  # over each gap between neighbours
    for place in sorted(range(len(heads)), key=lambda one: abs(heads[one] - one)):
        if heads[place] >= 0 and heads[place] != place:
            begin, end = sorted((place, heads[place]))
            found[place] = 1 + max(highest[begin:end])
            highest[begin:end] = [found[place]] * (end - begin)
    return found


STYLE = (
    f"<style>text{{font:{FONT}px {FONTS};fill:{INK};text-anchor:middle}}.box{{fill:none}}"
    f".arc{{fill:none;stroke:{LINE};stroke-width:1.3}}.tip{{fill:{LINE}}}text.kind{{font-size:11px;fill:{LABEL}}}"
    "text.tag{font-size:11px;fill:#666}.likely .arc{stroke:#8a7a1c}.likely .tip{fill:#8a7a1c}"
    ".unsure .arc{stroke:#b86a12}.unsure .tip{fill:#b86a12}.doubtful .arc{stroke:#b8323a}.doubtful .tip{fill:#b8323a}"
    "</style>"
)


def draw_svg(drawings: Iterable[Drawing], *, styled: bool = True, language: str = "ja") -> str:
    """Draw sentences below each other in one SVG; without a style if a page has its own.

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
    box = f"viewBox='0 0 {number(width)} {number(height)}'"
    opening = ROOT.format(width=number(width), height=number(height), box=box, language=language)
    return "\n".join(
        [opening, f"<title>{TITLE if language == 'ja' else 'dependencies'}</title>"]
        + [STYLE] * styled
        + [*parts, "</svg>\n"]
    )


def draw_html(drawings: Iterable[Drawing]) -> str:
    """Draw sentences as a page, a figure each."""
    figures, title = [], ""
    for drawing in drawings:
        title = title or drawing.text
        figures.append(f"<figure>\n{draw_svg([drawing])}</figure>")
    shown = escape(title if len(title) <= 60 else title[:60] + "…") or TITLE
    return PAGE.format(title=shown, fonts=FONTS, ink=INK, figures="\n".join(figures))
