"""Text to sentences with offsets, for text of any length.

A sentence ends after a run of full stops, question or exclamation marks with the closing brackets behind
it, and at a line break. Marks inside a pair of brackets end nothing: 「行く。」と言った。 is one sentence.
White space at the end of a sentence belongs to it, so that every character of the text is in exactly one
sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

ENDS = frozenset("。．！？!?‼⁇⁈⁉")
PAIRS = dict(zip("「『（(［[｛{〈《【〔", "」』）)］]｝}〉》】〕", strict=True))
CLOSERS = frozenset(PAIRS.values()) | frozenset("”’\"'")
LINE_ENDS = frozenset("\n\r\x0b\x0c\x85\u2028\u2029")
OPENING = re.compile(f"[{re.escape(''.join(PAIRS))}]")
SIGN = re.compile(f"[{re.escape(''.join([*sorted(ENDS), *sorted(LINE_ENDS), *PAIRS]))}]")
LONGEST_QUOTATION = 400  # characters: a bracket whose partner is farther away is taken as unpaired


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield the character spans of a text's sentences.

    Examples
    --------
    >>> text = "行く。「来る。」と言った！\n　終わり"
    >>> [text[begin:end] for begin, end in sentence_spans(text)]
    ['行く。', '「来る。」と言った！\n', '\u3000終わり']
    >>> list(sentence_spans(""))
    []
    """
    closes = _partners(text) if OPENING.search(text) else {}
    begin = place = 0
    while found := SIGN.search(text, place):
        character, place = found[0], found.start()
        if character in PAIRS:
            place = closes.get(place, place) + 1
            continue
        place += 1
        if character in ENDS:
            if _inside_number(text, place):
                continue
            while place < len(text) and (text[place] in ENDS or text[place] in CLOSERS):
                place += 1
        place = _after_space(text, place)
        if text[begin:place].isspace() and place < len(text):
            continue  # white space before the first sentence begins it
        yield begin, place
        begin = place
    if begin < len(text):
        yield begin, len(text)


def _after_space(text: str, place: int) -> int:
    """Skip white space up to and including the line's end, and empty lines after it."""
    end = place
    while end < len(text) and text[end].isspace():
        end += 1
    if end == len(text):
        return end
    breaks = [at for at in range(place, end) if text[at] in LINE_ENDS]
    return breaks[-1] + 1 if breaks else place


def _inside_number(text: str, place: int) -> bool:
    """Say whether the mark before `place` stands between two digits or Latin letters, as in 3．5."""
    return (
        text[place - 1] in "．!?"
        and 2 <= place < len(text)
        and text[place].isalnum()
        and text[place].isascii() == text[place - 2].isascii()
        and (text[place].isdigit() and text[place - 2].isdigit())
    )


def _partners(text: str) -> dict[int, int]:
    """Match brackets that stand close together in one line; the outermost pairs are enough."""
    stack: list[int] = []
    partners: dict[int, int] = {}
    lines = [place for place, character in enumerate(text) if character in LINE_ENDS]
    for place, character in enumerate(text):
        if character in PAIRS:
            stack.append(place)
        elif character in LINE_ENDS:
            stack.clear()
        else:
            while stack and place - stack[0] > LONGEST_QUOTATION:
                stack.pop(0)
            for depth in range(len(stack) - 1, -1, -1):
                if PAIRS[text[stack[depth]]] == character:
                    partners[stack[depth]] = place
                    del stack[depth:]
                    break
    return {
        opening: closing
        for opening, closing in partners.items()
        if bisect_left(lines, opening) == bisect_left(lines, closing)
    }
