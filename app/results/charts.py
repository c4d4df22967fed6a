"""Curves as SVG text, so that a report is one file and needs no library to draw.

Axes are linear or logarithmic; ticks are round numbers. Each series has a colour and a marker; the legend names it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from kakari.results.stored import Figure

Curve = Sequence[tuple[float, float]]
WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 68, 190, 34, 52
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22")
MARKS = ("circle", "square", "diamond", "triangle")
ROOM = 0.04  # between the ends of an axis and the values, as a share of their range
DASHES = ("", ' stroke-dasharray="6 3"', ' stroke-dasharray="2 2"')
NEAR_ZERO = 0.25  # of the largest value: where the smallest is below, the axis begins at 0
FEWEST_TICKS = 4


class Axis:
    """From values to places between two ends of the drawing, with a little room at each end.

    A linear axis of values that are never below 0 and come near it begins at 0; others begin where the values do.

    Examples
    --------
    >>> axis = Axis([1, 100], 0, 200, logarithmic=True, room=0)
    >>> axis.place(10), axis.ticks()
    (100.0, [1.0, 3.0, 10.0, 30.0, 100.0])
    >>> Axis([1, 90], 0, 200, logarithmic=False).low, Axis([80, 90], 0, 200, logarithmic=False).low
    (0.0, 79.6)
    """

    def __init__(
        self, values: Sequence[float], begin: float, end: float, *, logarithmic: bool, room: float = ROOM
    ) -> None:
        self.logarithmic = logarithmic and min(values) > 0
        low, high = min(values), max(values)
        if low == high:
            low, high = (low / 2, high * 2) if self.logarithmic else (low - 1, high + 1)
        low, high = (math.log10(low), math.log10(high)) if self.logarithmic else (low, high)
        extra = room * (high - low)
        self.low, self.high = low - extra, high + extra
        if not self.logarithmic and 0 <= low <= NEAR_ZERO * high:
            self.low = 0.0
        self.begin, self.end = begin, end

    def place(self, value: float) -> float:
        """Return where a value stands."""
        at = math.log10(value) if self.logarithmic else value
        return round(self.begin + (at - self.low) / (self.high - self.low) * (self.end - self.begin), 2)

    def ticks(self) -> list[float]:
        """Return some round values within the ends."""
        if self.logarithmic:
            powers = range(math.floor(self.low), math.ceil(self.high) + 1)
            for factors in ((1,), (1, 3), (1, 2, 5)):
                found = [factor * 10.0**power for power in powers for factor in factors]
                inside = [value for value in found if self.low - 1e-9 <= math.log10(value) <= self.high + 1e-9]
                if len(inside) >= FEWEST_TICKS:
                    return inside
            return inside if len(inside) > 1 else [10**self.low, 10**self.high]
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / 4))
        step *= next(factor for factor in (1, 2, 2.5, 5, 10) if (self.high - self.low) / (step * factor) <= 6)
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 10) for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def tick_text(value: float) -> str:
    """Write a value at an axis.

    Examples
    --------
    >>> [tick_text(value) for value in (0.05, 100.0, 3000.0, 25_000.0, 4_000_000.0)]
    ['0.05', '100', '3,000', '25,000', '4 M']
    """
    if abs(value) >= 1e6:
        return f"{value / 1e6:.4g} M"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def line_chart(figure: Figure, curves: Mapping[str, Curve]) -> str:
    """Draw a figure."""
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return ""
    across = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT, logarithmic="x" in figure.log)
    upwards = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP, logarithmic="y" in figure.log)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="11" role="img" aria-label="{escape(f"{figure.name}: {figure.title}")}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(LEFT, 18, f"{figure.name.capitalize()}: {figure.title}", size=12, bold=True),
    ]
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for value in across.ticks():
        at = across.place(value)
        parts.append(f'<path d="M{at} {TOP}V{bottom}" stroke="#dddddd"/>')
        parts.append(_text(at, bottom + 16, tick_text(value), anchor="middle"))
    for value in upwards.ticks():
        at = upwards.place(value)
        parts.append(f'<path d="M{LEFT} {at}H{right}" stroke="#dddddd"/>')
        parts.append(_text(LEFT - 6, at + 4, tick_text(value), anchor="end"))
    parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#333333"/>')
    parts.append(_text((LEFT + right) / 2, HEIGHT - 14, figure.across, anchor="middle"))
    middle = (TOP + bottom) / 2
    parts.append(f'<g transform="rotate(-90 16 {middle})">{_text(16, middle, figure.upwards, anchor="middle")}</g>')
    drawn: list[list[tuple[float, float]]] = []
    for number, (series, curve) in enumerate(curves.items()):
        places = [(across.place(x), upwards.place(y)) for x, y in curve]
        colour = COLOURS[number % len(COLOURS)]
        hides = any(_coincide(places, before) for before in drawn)  # the curve below shows through the gaps
        drawn.append(places)
        dashes = ' stroke-dasharray="6 6"' if hides else DASHES[number // len(COLOURS) % len(DASHES)]
        path = "M" + "L".join(f"{x} {y}" for x, y in places)
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5"{dashes}/>')
        if len(places) <= 60:
            parts += [_mark(x, y, number, colour) for x, y in (places[::2] if hides else places)]
        row = TOP + 8 + 15 * number
        parts.append(f'<path d="M{right + 10} {row}h18" stroke="{colour}" stroke-width="1.5"{dashes}/>')
        parts += [_mark(right + 19, row, number, colour), _text(right + 33, row + 4, series)]
    return "\n".join([*parts, "</svg>\n"])


def _coincide(one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]) -> bool:
    """Return whether two curves lie on each other wherever both have a point."""
    known = dict(other)
    both = [(y, known[x]) for x, y in one if x in known]
    return len(both) > 1 and all(abs(y - z) < 2 for y, z in both)


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 11, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}"{weight}>{escape(text)}</text>'


def _mark(x: float, y: float, number: int, colour: str) -> str:
    kind = MARKS[number % len(MARKS)]
    if kind == "circle":
        return f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>'
    path = {"square": "m-3 -3h6v6h-6z", "diamond": "m0 -4l4 4l-4 4l-4 -4z", "triangle": "m0 -4l4 7h-8z"}[kind]
    return f'<path d="M{x} {y}{path}" fill="{colour}"/>'
