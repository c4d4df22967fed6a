"""A sentence of bunsetsu as stairs in SVG: a line each, from top to bottom, however long the sentence is.

Each bunsetsu begins a step further to the right; a line runs from its end to the column of its head and down to it.
Names and classes are those of `arcs`.
"""

from __future__ import annotations

from html import escape

from kakari.parsers.pictures.arcs import CELL, FONT, MARGIN, STYLE, Drawing
from kakari.parsers.pictures.marks import cells, number, percent, printable, sure_mark

LINE_HEIGHT, LEAST, MOST = 32, 18.0, 26.0
WIDEST = 620.0  # of all steps together


def draw_stairs(drawing: Drawing, *, styled: bool = True) -> str:
    """Draw a sentence whose heads all stand to the right.

    Examples
    --------
    >>> drawn = draw_stairs(Drawing(["本を", "読む"], [1, -1], ["D", "D"], [0.9, 1.0]))
    >>> drawn.count("<path class='arc'"), "90" in drawn
    (1, True)
    """
    words = [printable(word) for word in drawing.words]
    count = len(words)
    step = max(LEAST, min(MOST, WIDEST / max(1, count)))
    widths = [max(1, cells(word)) * CELL for word in words]
    # Ends of words go to the right by a step each, as far as the widest word needs at the left.
    first = max((width - step * place for place, width in enumerate(widths)), default=0.0) + MARGIN
    ends = [first + step * place for place in range(count)]
    middles = [MARGIN / 2 + LINE_HEIGHT * (place + 0.5) for place in range(count)]
    parts: list[str] = []
    for place, head in enumerate(drawing.heads):
        if head > place:
            parts.append(_line(drawing, place, head, ends, middles))
    for place, word in enumerate(words):
        x, y = ends[place] - widths[place], middles[place]
        box = (
            f"<rect class='box' x='{number(x - 5)}' y='{number(y - 13)}' width='{number(widths[place] + 10)}'"
            " height='26' rx='4'/>"
        )
        shown = f"<text class='stair' x='{number(ends[place])}' y='{number(y + FONT * 0.36)}'>{escape(word)}</text>"
        parts.append(f"<g class='word' data-word='{place}'>{box}{shown}</g>")
    width, height = (ends[-1] if ends else 0) + 54 + MARGIN, LINE_HEIGHT * count + MARGIN
    opening = (
        f"<svg xmlns='http://www.w3.org/2000/svg' xml:lang='ja' lang='ja' width='{number(width)}'"
        f" height='{number(height)}' viewBox='0 0 {number(width)} {number(height)}'>"
    )
    title = f"<title>{escape(printable(drawing.text))}</title>"
    style = STYLE.replace("</style>", "text.stair,text.end{text-anchor:end}text.after{text-anchor:start}</style>")
    return "\n".join([opening, title] + [style] * styled + [*parts, "</svg>\n"])


def _line(drawing: Drawing, place: int, head: int, ends: list[float], middles: list[float]) -> str:
    start, y = ends[place] + 7, middles[place]
    # The line comes down on the last character of its head.
    corner, bottom = ends[head] - CELL, middles[head] - 13
    bend = max(0.0, min(7.0, corner - start))
    path = (
        f"M{number(start)} {number(y)}H{number(corner - bend)}Q{number(corner)} {number(y)} {number(corner)}"
        f" {number(y + 7)}V{number(bottom - 5)}"
    )
    top = number(bottom - 6)
    tip = f"M{number(corner - 3.5)} {top}L{number(corner + 3.5)} {top}L{number(corner)} {number(bottom)}Z"
    kind = "" if drawing.kinds[place] == "D" else drawing.kinds[place]
    sure = drawing.sure[place] if drawing.sure else None
    label = printable(f"{kind} {'' if sure is None else percent(sure)}").strip()
    mark = "" if sure is None else f" {sure_mark(sure)}"
    shown = (
        f"<text class='kind after' x='{number(corner + 6)}' y='{number(y + 4)}'>{escape(label)}</text>" if label else ""
    )
    return (
        f"<g class='link{mark}' data-from='{place}' data-to='{head}'>"
        f"<path class='arc' d='{path}'/><path class='tip' d='{tip}'/>{shown}</g>"
    )
