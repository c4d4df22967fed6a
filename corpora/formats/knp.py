"""KNP text, the format of the Kyoto corpora: `# S-ID`, `* 2D`, `+ 1D …`, morpheme lines, `EOS`.

Written back, a file is byte for byte what was read, except for trailing blanks, line ends (LF) and a missing
line end after the last EOS.

For structures written by hand there is a short form, bunsetsu and heads without words, a sentence a line:
`犬か:1P 猫を:2 飼う。:-1`. Each bunsetsu has its text, a colon, its head's number, counted from 0, -1 for the last, and
P, I or A where its arc is not of type D. It is read as a single morpheme without a part of speech, which is enough to
train a parser that finds its words itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import IO

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme, head_faults
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text

STRUCTURE = re.compile(r"([*+]) (-?[0-9]{1,9})([DPIA])(?: (.*))?")
FIELDS = 11  # of a word
WORD = re.compile(r"# \S+ \S+ \S+ [0-9]+ \S+ [0-9]+ \S+ [0-9]+ \S+ [0-9]+(?: .*)?")  # the word `#`
PIECE = re.compile(r"([^ ]+):(-1|[0-9]{1,5})([PIA]?)")  # of the short form
ALMOST_STRUCTURE = re.compile(r"[*+] -?[0-9]+[^ ]*(?: <.*)?")


def read_knp(source: Source, *, strict: bool = True) -> Iterator[JapaneseSentence]:
    r"""Yield the sentences of a KNP file.

    Parameters
    ----------
    source : path, open file or "-"
        Plain or gzip.
    strict : bool
        Refuse heads that point to the left, to themselves or out of the sentence. The published corpora
        hold a few of these annotation errors: with `strict=False` they are read as they are, and
        `JapaneseSentence.faults` lists them.

    Examples
    --------
    >>> import io
    >>> text = "* -1D\n+ -1D\nはい はい はい 感動詞 12 * 0 * 0 * 0 NIL\nEOS\n"
    >>> [sentence.text for sentence in read_knp(io.StringIO(text))]
    ['はい']
    """
    yield from knp_sentences(source_name(source), numbered_lines(source), strict=strict)


def knp_sentences(name: str, lines: Iterable[tuple[int, str]], *, strict: bool = True) -> Iterator[JapaneseSentence]:
    """Yield the sentences of numbered lines; `name` is that of their file."""
    builder = _Builder(name, strict)
    number = 0
    for number, line in lines:
        if line == "EOS":
            yield builder.finish(number)
            builder = _Builder(name, strict)
        elif line.startswith("# ") and not (builder.opened and WORD.fullmatch(line)):
            builder.comment(number, line)
        elif line[:2] in ("* ", "+ ") and (structure := STRUCTURE.fullmatch(line)):
            builder.structure(number, structure)
        elif line[:2] in ("* ", "+ ") and ALMOST_STRUCTURE.fullmatch(line):
            raise CorpusError(
                name,
                number,
                f"'{_short(line)}' should be a head and one of the types D, P, I, A, as in '* 2D'",
            )
        elif line.strip(" "):
            builder.morpheme(number, line)
        else:
            raise CorpusError(name, number, "there is an empty line inside the text: KNP has none")
    if not builder.empty:
        raise CorpusError(name, number, "the file ends in the middle of a sentence: EOS is missing")


class _Builder:
    """Collects one sentence; a base phrase or bunsetsu is made when the next one starts."""

    def __init__(self, name: str, strict: bool) -> None:
        self.name = name
        self.strict = strict
        self.comments: list[str] = []
        self.bunsetsu: list[Bunsetsu] = []
        self.phrases: list[BasePhrase] = []
        self.morphemes: list[Morpheme] = []
        self.opened: tuple[int, str, str] | None = None  # the open bunsetsu: head, kind, features
        self.phrase: tuple[int, str, str] | None = None
        self.bunsetsu_lines: list[int] = []
        self.phrase_lines: list[int] = []

    @property
    def empty(self) -> bool:
        return not self.comments and self.opened is None

    def comment(self, number: int, line: str) -> None:
        if self.opened is not None:
            raise CorpusError(self.name, number, "a new sentence starts before EOS has ended the last one")
        self.comments.append(line.rstrip(" "))

    def structure(self, number: int, match: re.Match[str]) -> None:
        sign, head, kind, features = match.groups()
        described = int(head), kind, (features or "").rstrip(" ")
        if sign == "*":
            self._close_bunsetsu(number)
            self.opened = described
            self.bunsetsu_lines.append(number)
        else:
            if self.opened is None:
                raise CorpusError(self.name, number, "a base phrase ('+') starts before any bunsetsu ('*')")
            if self.phrase is None and self.morphemes:
                raise CorpusError(self.name, number, "the bunsetsu has words before its first '+' line")
            self._close_phrase(number)
            self.phrase = described
            self.phrase_lines.append(number)

    def morpheme(self, number: int, line: str) -> None:
        if self.opened is None:
            raise CorpusError(self.name, number, f"'{_short(line)}' stands before any bunsetsu ('*')")
        self.morphemes.append(parse_morpheme(self.name, number, line))

    def finish(self, number: int) -> JapaneseSentence:
        self._close_bunsetsu(number)
        if self.strict:
            self._refuse_faults([b.head for b in self.bunsetsu], "bunsetsu", self.bunsetsu_lines)
            if self.phrase_lines:
                heads = [phrase.head for b in self.bunsetsu for phrase in b.phrases]
                self._refuse_faults(heads, "base phrase", self.phrase_lines)
        return JapaneseSentence(tuple(self.bunsetsu), tuple(self.comments), "knp")

    def _refuse_faults(self, heads: list[int], unit: str, lines: list[int]) -> None:
        for index, reason in head_faults(heads, unit):
            raise CorpusError(self.name, lines[index], reason)

    def _close_phrase(self, number: int) -> None:
        if self.phrase is None:
            return
        if not self.morphemes:
            raise CorpusError(self.name, number, "the base phrase before this line has no words")
        head, kind, features = self.phrase
        self.phrases.append(BasePhrase(head, kind, tuple(self.morphemes), features))
        self.morphemes = []
        self.phrase = None

    def _close_bunsetsu(self, number: int) -> None:
        if self.opened is None:
            return
        head, kind, features = self.opened
        if self.phrase is not None:
            if len(self.phrase_lines) and len(self.bunsetsu_lines) > 1 and not self._with_phrases():
                raise CorpusError(self.name, number, "only some of the bunsetsu have '+' lines")
            self._close_phrase(number)
        elif self.morphemes:
            # Files without '+' lines: each bunsetsu is one base phrase.
            if self.phrase_lines:
                raise CorpusError(self.name, number, "only some of the bunsetsu have '+' lines")
            self.phrases = [BasePhrase(head, kind, tuple(self.morphemes))]
            self.morphemes = []
        if not self.phrases:
            raise CorpusError(self.name, number, "the bunsetsu before this line has no words")
        self.bunsetsu.append(Bunsetsu(head, kind, tuple(self.phrases), features))
        self.phrases = []
        self.opened = None

    def _with_phrases(self) -> bool:
        return len(self.phrase_lines) > sum(len(b.phrases) for b in self.bunsetsu)


def parse_morpheme(name: str, number: int, line: str) -> Morpheme:
    """Read a morpheme line: eleven fields between single blanks, then anything."""
    try:
        return _morpheme(line)
    except _LineError as error:
        raise CorpusError(name, number, str(error)) from None


class _LineError(ValueError):
    """An error in a line, without its place."""


@lru_cache(1 << 16)
def _morpheme(line: str) -> Morpheme:
    """Read a line. Results are cached: half of a text's lines have been seen before."""
    fields = line.split(" ", 11)
    if len(fields) < FIELDS:
        raise _LineError(f"'{_short(line)}' has {len(fields)} fields; a morpheme line has at least 11")
    surface, reading, base, pos, code1, subpos, code2, conj_type, code3, conj_form, code4 = fields[:11]
    try:
        codes = (int(code1), int(code2), int(code3), int(code4))
    except ValueError:
        raise _LineError(f"'{_short(line)}': fields 5, 7, 9 and 11 of a morpheme line are JUMAN's numbers") from None
    if not surface or not pos:
        raise _LineError("a morpheme line has an empty surface or part of speech")
    return Morpheme(
        surface,
        reading,
        base,
        (pos,) if subpos == "*" else (pos, subpos),
        "" if conj_type == "*" else conj_type,
        "" if conj_form == "*" else conj_form,
        codes,
        fields[11].rstrip(" ") if len(fields) == 12 else "",
    )


def _short(line: str) -> str:
    return line if len(line) <= 40 else line[:40] + "…"


def format_knp(sentence: JapaneseSentence, *, phrases: bool = True) -> str:
    """Write a sentence as KNP text, with or without base-phrase lines.

    Examples
    --------
    >>> word = Morpheme("はい", "はい", "はい", ("感動詞",), codes=(12, 0, 0, 0), features="NIL")
    >>> phrase = BasePhrase(-1, "D", (word,))
    >>> print(format_knp(JapaneseSentence((Bunsetsu(-1, "D", (phrase,)),), origin="knp")), end="")
    * -1D
    + -1D
    はい はい はい 感動詞 12 * 0 * 0 * 0 NIL
    EOS
    """
    own = sentence.origin == "knp"
    lines = [comment for comment in sentence.comments if comment.startswith("# ")]
    for bunsetsu in sentence.bunsetsu:
        lines.append(f"* {bunsetsu.head}{bunsetsu.kind}" + _tail(bunsetsu.features, own))
        for phrase in bunsetsu.phrases:
            if phrases:
                lines.append(f"+ {phrase.head}{phrase.kind}" + _tail(phrase.features, own))
            lines.extend(_format_morpheme(morpheme, own) for morpheme in phrase.morphemes)
    lines.append("EOS\n")
    return "\n".join(lines)


def _tail(features: str, own: bool) -> str:
    return f" {features}" if own and features else ""


def _format_morpheme(m: Morpheme, own: bool) -> str:
    pos, subpos = (*m.pos, "*", "*")[:2]
    surface, reading, base = m.surface, m.reading or m.surface, m.base or m.surface
    if " " in surface + reading + base:  # fields end at blanks
        surface, reading, base = (field.replace(" ", "\u3000") for field in (surface, reading, base))
    return (
        f"{surface} {reading} {base} {pos} {m.codes[0]} {subpos} {m.codes[1]}"
        f" {m.conj_type or '*'} {m.codes[2]} {m.conj_form or '*'} {m.codes[3]}" + _tail(m.features, own)
    )


def write_knp(sentences: Iterable[JapaneseSentence], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write sentences to a KNP file."""
    write_text(map(format_knp, sentences), target)


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
