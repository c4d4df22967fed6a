"""Words of Japanese text in every format that `kakari words` writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from kakari.parsers.japanese.tagging.model import FoundWord

NOTHING = "*"


def to_table(words: Sequence[FoundWord], start: int = 0) -> str:
    """Write surface, reading, base form and part of speech between tabs, a word a line, then a blank line."""
    lines = [
        "\t".join((shown(word.surface), shown(word.reading), shown(word.base), "-".join(filter(None, word.tag[:2]))))
        for word in words
    ]
    return "".join(f"{line}\n" for line in lines) + "\n"


def to_juman(words: Sequence[FoundWord], start: int = 0) -> str:
    """Write words as JUMAN does: fields between blanks with JUMAN's numbers, EOS behind."""
    lines = []
    for word in words:
        numbered = zip((value or NOTHING for value in word.tag), word.codes, strict=True)
        tags = " ".join(f"{value} {code}" for value, code in numbered)
        lines.append(f"{escaped(word.surface)} {escaped(word.reading)} {escaped(word.base)} {tags} NIL\n")
    return "".join(lines) + "EOS\n"


def to_mecab(words: Sequence[FoundWord], start: int = 0) -> str:
    """Write words as MeCab does with a dictionary of JUMAN's words: six features and a star, EOS behind."""
    lines = []
    for word in words:
        features = (*(value or NOTHING for value in word.tag), escaped(word.base), escaped(word.reading), NOTHING)
        lines.append(f"{shown(word.surface)}\t{','.join(features)}\n")
    return "".join(lines) + "EOS\n"


def to_json(words: Sequence[FoundWord], start: int = 0) -> str:
    """Write a sentence as one line of JSON; `start` and `end` count characters of the whole text."""
    told = [
        {
            "text": word.surface,
            "start": start + word.start,
            "end": start + word.end,
            "reading": word.reading,
            "base": word.base,
            **dict(zip(("pos", "subpos", "conj_type", "conj_form"), word.tag, strict=True)),
        }
        for word in words
    ]
    return json.dumps({"words": told}, ensure_ascii=False) + "\n"


def shown(text: str) -> str:
    r"""Return a text without tabs and line ends, which would break a line.

    Examples
    --------
    >>> shown("a\tb")
    'a b'
    """
    return "".join(" " if character in "\t\r\n\v\f\x85\u2028\u2029" else character for character in text)


def escaped(text: str) -> str:
    """Return a text with full-width blanks, since JUMAN separates fields with ordinary ones."""
    return shown(text).replace(" ", "\u3000")


FORMATS: dict[str, Callable[[Sequence[FoundWord], int], str]] = {
    "table": to_table,
    "juman": to_juman,
    "mecab": to_mecab,
    "json": to_json,
}
