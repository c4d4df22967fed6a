"""Shapes of words in words: the scripts at both ends, and the length (`shape_of`)."""

from __future__ import annotations

SCRIPTS = ("other", "hiragana", "katakana", "kanji", "Latin", "digit", "mark")  # `character_kind`


def shape_name(value: int) -> str:
    """Say what a shape means; lengths of 4 and more are one.

    Examples
    --------
    >>> from kakari.parsers.japanese.words.morphemes import shape_of
    >>> shape_name(shape_of("読ん")), shape_name(shape_of("ABCDE"))
    ('kanji…hiragana 2', 'Latin 4+')
    """
    scripts, length = divmod(value, 4)
    first, last = divmod(scripts, len(SCRIPTS))
    if first >= len(SCRIPTS):
        return str(value)
    shown = SCRIPTS[first] if first == last else f"{SCRIPTS[first]}…{SCRIPTS[last]}"
    return f"{shown} {length + 1}{'+' * (length == 3)}"
