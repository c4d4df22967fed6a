"""Sentences as SVG: arcs between words, stairs of bunsetsu, brackets of constituents, bars of explanations.

In: words, heads, labels, probabilities
Out: SVG and HTML as text, the same bytes for the same sentence
Uses: parsers.english.words
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.pictures.arcs import Drawing as Drawing
    from kakari.parsers.pictures.arcs import draw_svg as draw_svg

__getattr__, __all__ = lazy_names(__name__, {"arcs": "Drawing draw_svg"})
