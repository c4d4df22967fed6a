"""Helpers of all pictures: widths of text, coordinates, and marks of probabilities."""

from __future__ import annotations

import unicodedata
from html import escape

FONTS = "'Noto Sans CJK JP','Hiragino Sans','Yu Gothic',Meiryo,system-ui,sans-serif"
# From which probability on a thing has a mark; the marks are classes of the style sheets.
SURE = ((0.95, "sure"), (0.8, "likely"), (0.6, "unsure"))


def cells(text: str) -> int:
    """Count the terminal cells that a text takes.

    Examples
    --------
    >>> cells("本a"), cells("ｱ")
    (3, 1)
    """
    width = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


def printable(text: str) -> str:
    r"""Return a text with blanks for characters that a picture cannot hold.

    Examples
    --------
    >>> printable("a\nb\x00")
    'a b '
    """
    return "".join(c if c.isprintable() else " " for c in text)


def sure_mark(probability: float) -> str:
    """Return the class of a probability.

    Examples
    --------
    >>> sure_mark(0.99), sure_mark(0.5)
    ('sure', 'doubtful')
    """
    return next((mark for least, mark in SURE if probability >= least), "doubtful")


def percent(probability: float) -> str:
    """Return a probability as it stands in a picture; only what is certain is 100.

    Examples
    --------
    >>> percent(0.973), percent(0.9999), percent(1.0)
    ('97', '99', '100')
    """
    return "100" if probability >= 1 else f"{min(99, round(100 * probability))}"


def number(value: float) -> str:
    """Write a coordinate.

    Examples
    --------
    >>> number(3.0), number(3.14159)
    ('3', '3.1')
    """
    return f"{value:.1f}".removesuffix(".0")


def text(middle: float, place: float, shown: str, kind: str = "") -> str:
    """Return a text around a middle.

    Examples
    --------
    >>> text(10, 20, "<b>", "n")
    "<text class='n' x='10' y='20'>&lt;b&gt;</text>"
    """
    named = f" class='{kind}'" if kind else ""
    return f"<text{named} x='{number(middle)}' y='{number(place)}'>{escape(printable(shown))}</text>"
