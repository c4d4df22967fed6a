"""Text to sentences with offsets, for text of any length.

A sentence ends after a run of full stops, question or exclamation marks with the closing brackets behind
it, and at a line break. Marks inside a pair of brackets end nothing: 「行く。」と言った。 is one sentence; but
quotations that fill a line, each with its full stop, are sentences: 「行く。」「来る。」. Marks in addresses
(http://a.jp/?b=1) and names (Yahoo!ニュース) end nothing either.
White space at the end of a sentence belongs to it, so that every character of the text is in exactly one
sentence. What is longer than `LONGEST_JAPANESE` is cut, so that no text makes a parser slow; the time to find all
sentences is linear in the text.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from kakari.parsers.limits import LONGEST_JAPANESE, tell

ENDS = frozenset("。．！？!?‼⁇⁈⁉")
PAIRS = dict(zip("「『（(［[｛{〈《【〔", "」』）)］]｝}〉》】〕", strict=True))
CLOSERS = frozenset(PAIRS.values()) | frozenset("”’\"'")
LINE_ENDS = frozenset("\n\r\x0b\x0c\x85\u2028\u2029")
OPENING = re.compile(f"[{re.escape(''.join(PAIRS))}]")
SIGN = re.compile(f"[{re.escape(''.join([*sorted(ENDS), *sorted(LINE_ENDS), *PAIRS]))}]")
BRACKET = re.compile(f"[{re.escape(''.join([*sorted(LINE_ENDS), *PAIRS, *PAIRS.values()]))}]")
ADDRESS = re.compile(r"[A-Za-z]{2,10}://[!-~]+|www\.[!-~]+")
LATIN = re.compile(r"[A-Za-zＡ-Ｚａ-ｚ]")
NAMES = ("モーニング娘。",)
GOOD_BREAKS = "、，,」』）) 　\t\n"
LONGEST_QUOTATION = 400  # characters: a bracket whose partner is farther away is taken as unpaired


def sentence_spans(text: str, *, whole: bool = False) -> Iterator[tuple[int, int]]:
    r"""Yield the character spans of a text's sentences; `whole` takes a text for one sentence.

    Examples
    --------
    >>> text = "行く。「来る。」と言った！\n　終わり"
    >>> [text[begin:end] for begin, end in sentence_spans(text)]
    ['行く。', '「来る。」と言った！\n', '\u3000終わり']
    >>> list(sentence_spans(""))
    []
    >>> list(sentence_spans("行く。来る。", whole=True))
    [(0, 6)]
    """
    for begin, end in [(0, len(text))] if whole and text else _sentences(text):
        if end - begin <= LONGEST_JAPANESE:
            yield begin, end
        else:
            yield from _handy(text, begin, end)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences of any length."""
    closes = _partners(text) if OPENING.search(text) else {}
    addresses = _addresses(text)
    begin = place = 0
    while found := SIGN.search(text, place):
        character, place = found[0], found.start()
        if place in addresses:
            place = addresses[place]
            continue
        if character in PAIRS:
            quoted = _quotations(text, place, closes) if begin == place else []
            for end in quoted[:-1]:
                yield begin, end
                begin = end
            place = quoted[-1] if quoted else closes.get(place, place) + 1
            if not quoted:
                continue
        else:
            place += 1
        if character in ENDS:
            if _inside_word(text, place):
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


def _addresses(text: str) -> dict[int, int]:
    """Return the end of the address that each sign in one stands in."""
    if "://" not in text and "www." not in text:
        return {}
    return {
        sign.start(): address.end()
        for address in ADDRESS.finditer(text)
        for sign in SIGN.finditer(text, address.start(), address.end())
    }


def _quotations(text: str, place: int, closes: dict[int, int]) -> list[int]:
    """Return the ends of the quotations that begin here and fill the line, each with a full stop of its own."""
    ends = []
    while place in closes and text[closes[place] - 1] in ENDS:
        place = closes[place] + 1
        ends.append(place)
    filled = place == len(text) or text[place] in LINE_ENDS
    return ends if len(ends) > 1 and filled else []


def _after_space(text: str, place: int) -> int:
    """Skip white space up to and including the line's end, and empty lines after it."""
    end = place
    while end < len(text) and text[end].isspace():
        end += 1
    if end == len(text):
        return end
    breaks = [at for at in range(place, end) if text[at] in LINE_ENDS]
    return breaks[-1] + 1 if breaks else place


def _inside_word(text: str, place: int) -> bool:
    """Return whether the mark before `place` is part of a number (3．5), address (a?b=1) or name (Yahoo!ニュース)."""
    if place == len(text):
        return False
    mark, before, behind = text[place - 1], text[place - 2 : place - 1], text[place]
    if mark == "。":
        return text.endswith(NAMES, 0, place)
    if mark in "．!?" and before.isalnum() and behind.isalnum() and before.isascii() and behind.isascii():
        return True
    if mark == "．":
        return before.isdigit() and behind.isdigit()
    return mark in "!！" and LATIN.match(before) is not None and (behind.isalnum() or behind == "ー")


def _partners(text: str) -> dict[int, int]:
    """Match brackets that stand close together in one line; the outermost pairs are enough.

    A closing bracket belongs to the innermost open one of its kind, which closes all inside it. Every bracket is put
    aside and taken away once, in order and among those of its kind: the time is that of looking at the text.
    """
    partners: dict[int, int] = {}
    opened: deque[int] = deque()
    of_kind: dict[str, deque[int]] = {closing: deque() for closing in PAIRS.values()}
    for found in BRACKET.finditer(text):
        place, character = found.start(), found[0]
        while opened and place - opened[0] > LONGEST_QUOTATION:
            of_kind[PAIRS[text[opened.popleft()]]].popleft()
        if character in PAIRS:
            opened.append(place)
            of_kind[PAIRS[character]].append(place)
        elif character in LINE_ENDS:
            for waiting in (opened, *of_kind.values()):
                waiting.clear()
        elif of_kind[character]:
            partner = of_kind[character][-1]
            partners[partner] = place
            while opened and opened[-1] >= partner:
                of_kind[PAIRS[text[opened.pop()]]].pop()
    return partners


def _handy(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a sentence that is too long, if possible after a comma, bracket or blank."""
    tell(f"a sentence of more than {LONGEST_JAPANESE:,} characters was cut")
    while end - begin > LONGEST_JAPANESE:
        last = begin + LONGEST_JAPANESE
        cut = 1 + max(text.rfind(mark, begin + LONGEST_JAPANESE // 2, last) for mark in GOOD_BREAKS)
        yield begin, cut or last
        begin = cut or last
    yield begin, end
