"""Bunsetsu and heads of Japanese on one line, without words: `本を:1 読んだ。:-1`, for structures written by hand.

Each bunsetsu has its text, a colon, and its head's number, counted from 0 within the sentence, -1 for the last. P, I or
A may follow, KNP's types of arcs; D is not written. Blanks stand between bunsetsu, so none of them has one inside.
Words are not told: each bunsetsu is read as a single morpheme without a part of speech, which is enough to train a
parser that finds its words itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name

PIECE = re.compile(r"([^ ]+):(-1|[0-9]{1,5})([PIA]?)")


def read_arcs(source: Source) -> Iterator[JapaneseSentence]:
    """Yield the sentences of a file; each has the number of its line as its id.

    Examples
    --------
    >>> import io
    >>> (sentence,) = read_arcs(io.StringIO("犬か:1P 猫を:2 飼う。:-1"))
    >>> sentence.text, [(bunsetsu.head, bunsetsu.kind) for bunsetsu in sentence.bunsetsu]
    ('犬か猫を飼う。', [(1, 'P'), (2, 'D'), (-1, 'D')])
    """
    name = source_name(source)
    for number, line in numbered_lines(source):
        if not line.strip():
            continue
        found = [PIECE.fullmatch(piece) for piece in line.split(" ")]
        pieces = [match.groups() for match in found if match is not None]
        if len(pieces) < len(found):
            raise CorpusError(name, number, f"'{line[:40]}' should look like '本を:1 読んだ。:-1'")
        bunsetsu = tuple(_bunsetsu(text, int(head), kind or "D") for text, head, kind in pieces)
        sentence = JapaneseSentence(bunsetsu, (f"# S-ID:line{number}-1",), "arcs")
        for _, reason in sentence.faults():
            raise CorpusError(name, number, reason)
        if [one.head for one in bunsetsu].index(-1) < len(bunsetsu) - 1:
            raise CorpusError(name, number, "the last bunsetsu, and no other, has the head -1")
        yield sentence


def _bunsetsu(text: str, head: int, kind: str) -> Bunsetsu:
    return Bunsetsu(head, kind, (BasePhrase(head, kind, (Morpheme(text, "", text, ()),)),))


def format_arcs(sentence: JapaneseSentence) -> str:
    r"""Write a sentence; blanks inside a bunsetsu are left out.

    Examples
    --------
    >>> import io
    >>> format_arcs(next(read_arcs(io.StringIO("犬か:1P 猫を:2 飼う。:-1"))))
    '犬か:1P 猫を:2 飼う。:-1\n'
    """
    return " ".join(map(_piece, sentence.bunsetsu)) + "\n"


def _piece(one: Bunsetsu) -> str:
    return f"{one.text.replace(' ', '')}:{one.head}{'' if one.kind == 'D' else one.kind}"
