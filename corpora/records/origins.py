"""Offsets of a text's characters in the input that it was taken from.

A text is what is parsed: a line, several lines joined, or the text between the tags of a page. It consists of runs,
each of which is one piece of the input.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """The runs of a text.

    Attributes
    ----------
    places, sources, lines : tuple of int
        Of each run: its first character in the text, the same character in the input, and that one's line, from 1.
    """

    places: tuple[int, ...] = (0,)
    sources: tuple[int, ...] = (0,)
    lines: tuple[int, ...] = (1,)

    def line(self, place: int) -> int:
        """Return the line of a character of the text."""
        return self.lines[bisect_right(self.places, place) - 1]

    def source(self, place: int) -> int:
        """Return where a character of the text stands in the input.

        Examples
        --------
        >>> Origin((0, 3), (10, 20), (1, 2)).source(4)
        21
        """
        run = bisect_right(self.places, place) - 1
        return self.sources[run] + place - self.places[run]

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """Return where characters of the text stand in the input; what is between runs belongs to the span.

        Examples
        --------
        >>> Origin((0, 3), (10, 20), (1, 2)).span(1, 3), Origin((0, 3), (10, 20), (1, 2)).span(1, 4)
        ((11, 13), (11, 21))
        """
        return self.source(begin), self.source(end - 1) + 1 if end > begin else self.source(begin)
