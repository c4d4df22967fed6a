"""The language of a text, by its script."""

from __future__ import annotations

import re

JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
HIRAGANA = re.compile(r"[\u3041-\u3096]")
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


def is_japanese(text: str) -> bool:
    """Return whether a text is Japanese: its last letter is hiragana, or a third of its letters are Japanese.

    Examples
    --------
    >>> is_japanese("Microsoft Officeを買う。"), is_japanese("東京"), is_japanese("The sign said 東京 in red.")
    (True, True, False)
    """
    japanese, latin = len(JAPANESE.findall(text)), len(LATIN.findall(text))
    last = next((letter for letter in reversed(text) if letter.isalpha()), "")
    return japanese > 0 and (2 * japanese >= latin or HIRAGANA.match(last) is not None)
