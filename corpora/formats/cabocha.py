"""CaboCha's lattice format: `* id headD head/func score`, `surface⇥features`, `EOS`.

Read: any relation label, comment lines, lines of annotation (`#! SEGMENT_S …`, as in GSD's and BCCWJ's files), an
entity column, more or fewer feature columns than IPAdic's nine. A feature that holds a comma stands in quotation marks,
as in MeCab's dictionaries. Written back, a file is what was read, except for line ends (LF), feature columns
that are empty (written `*`), fewer than seven columns (filled up with `*`), a reading of `*` that ends the line (left
out) and lines of annotation between words, which move to the end of their sentence.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import IO

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme, head_faults
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text

CHUNK = re.compile(r"\* ([0-9]{1,9}) (-?[0-9]{1,9})([A-Z])(?: (.*))?")
COLUMN = re.compile(r'(?:^|(?<=,))("(?:[^"]|"")*"|[^,]*)(?=,|$)')
POS_LEVELS = 4


def quoted(column: str) -> str:
    """Put a feature into quotation marks if it holds a comma.

    Examples
    --------
    >>> quoted("3,000"), quoted("本")
    ('"3,000"', '本')
    """
    return '"' + column.replace('"', '""') + '"' if "," in column or column.startswith('"') else column


def split_features(features: str) -> list[str]:
    r"""Split features at commas; a column in quotation marks may hold commas, if that is how it would be written.

    Examples
    --------
    >>> split_features('名詞,数詞,"3,000"'), split_features('補助記号,","')
    (['名詞', '数詞', '3,000'], ['補助記号', ','])
    >>> split_features('記号,"'), split_features("a,b")
    (['記号', '"'], ['a', 'b'])
    """
    if '"' not in features:
        return features.split(",")
    found = COLUMN.findall(features)
    columns = [one[1:-1].replace('""', '"') if len(one) > 1 and one[0] == one[-1] == '"' else one for one in found]
    return columns if join_features(columns) == features else features.split(",")


def join_features(columns: Iterable[str]) -> str:
    """Join features with commas; a feature with a comma is put in quotation marks.

    Examples
    --------
    >>> join_features(["名詞", "3,000"])
    '名詞,"3,000"'
    """
    return ",".join(map(quoted, columns))


def read_cabocha(source: Source, *, strict: bool = True) -> Iterator[JapaneseSentence]:
    r"""Yield the sentences of a file in CaboCha's lattice format; `strict` as in `read_knp`.

    Examples
    --------
    >>> import io
    >>> text = "* 0 -1D 0/0 0.000000\nはい\t感動詞,*,*,*,*,*,はい,ハイ,ハイ\nEOS\n"
    >>> [(s.text, s.bunsetsu[0].head, s.morphemes[0].pos) for s in read_cabocha(io.StringIO(text))]
    [('はい', -1, ('感動詞',))]
    """
    yield from cabocha_sentences(source_name(source), numbered_lines(source), strict=strict)


def cabocha_sentences(
    name: str, lines: Iterable[tuple[int, str]], *, strict: bool = True
) -> Iterator[JapaneseSentence]:
    """Yield the sentences of numbered lines; `name` is that of their file."""
    sentence = _Lattice(name)
    number = 0
    for number, line in lines:
        if line == "EOS":
            yield sentence.finish(number, strict)
            sentence = _Lattice(name)
        elif line.startswith("#! ") and not sentence.is_word(line):
            sentence.annotate(line)
        elif chunk := CHUNK.fullmatch(line):
            sentence.open_chunk(number, chunk)
        elif "\t" in line:
            sentence.add(number, line)
        elif line.startswith("#"):
            sentence.comment(number, line)
        elif line.startswith("* "):
            raise CorpusError(name, number, f"'{line[:40]}' is no bunsetsu line: it should look like '* 0 2D 0/1 1.5'")
        else:
            raise CorpusError(name, number, f"'{line[:40]}' has no tab between the word and its features")
    if not sentence.empty:
        raise CorpusError(name, number, "the file ends in the middle of a sentence: EOS is missing")


class _Lattice:
    """Collects one sentence."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.comments: list[str] = []
        self.annotations: list[str] = []
        self.chunks: list[tuple[int, str, str, list[Morpheme]]] = []
        self.lines: list[int] = []

    @property
    def empty(self) -> bool:
        return not self.chunks and not self.comments

    def is_word(self, line: str) -> bool:
        """Return whether a line that looks like an annotation is a word that begins with `#! `."""
        return bool(self.chunks) and line.partition("\t")[2].count(",") >= 6

    def annotate(self, line: str) -> None:
        (self.annotations if self.chunks else self.comments).append(line)

    def comment(self, number: int, line: str) -> None:
        if self.chunks:
            raise CorpusError(self.name, number, "a comment stands inside a sentence")
        self.comments.append(line)

    def open_chunk(self, number: int, match: re.Match[str]) -> None:
        index, head, kind, features = match.groups()
        if int(index) != len(self.chunks):
            raise CorpusError(
                self.name, number, f"this bunsetsu is numbered {index}, but it is number {len(self.chunks)}"
            )
        self._refuse_empty(number)
        self.chunks.append((int(head), kind, features or "", []))
        self.lines.append(number)

    def add(self, number: int, line: str) -> None:
        if not self.chunks:
            raise CorpusError(self.name, number, f"'{line[:40]}' stands before any bunsetsu ('* 0 …')")
        self.chunks[-1][3].append(parse_morpheme(self.name, number, line))

    def finish(self, number: int, strict: bool) -> JapaneseSentence:
        self._refuse_empty(number)
        if strict:
            for index, reason in head_faults([chunk[0] for chunk in self.chunks], "bunsetsu"):
                raise CorpusError(self.name, self.lines[index], reason)
        bunsetsu = (
            Bunsetsu(head, kind, (BasePhrase(head, kind, tuple(morphemes)),), features)
            for head, kind, features, morphemes in self.chunks
        )
        return JapaneseSentence(tuple(bunsetsu), tuple(self.comments), "cabocha", tuple(self.annotations))

    def _refuse_empty(self, number: int) -> None:
        if self.chunks and not self.chunks[-1][3]:
            raise CorpusError(self.name, number, "the bunsetsu before this line has no words")


def parse_morpheme(name: str, number: int, line: str) -> Morpheme:
    """Read `surface⇥pos,pos,pos,pos,type,form,base,reading,…[⇥entity]`."""
    surface, features = line.split("\t", 1)
    if not surface:
        raise CorpusError(name, number, "the word before the tab is empty")
    features, tab, entity = features.partition("\t")
    columns = ["" if column == "*" else column for column in split_features(features)]
    columns += [""] * (8 - len(columns))
    levels = columns[:POS_LEVELS]
    while levels and not levels[-1]:
        levels.pop()
    extra = join_features(column or "*" for column in columns[8:])
    return Morpheme(
        surface,
        columns[7],
        columns[6],
        tuple(level or "*" for level in levels),
        columns[4],
        columns[5],
        features=extra + tab + entity,
    )


def format_cabocha(sentence: JapaneseSentence, scores: Sequence[float] = ()) -> str:
    r"""Write a sentence as CaboCha's lattice, with the scores of its arcs if there are any.

    Examples
    --------
    >>> word = Morpheme("はい", "ハイ", "はい", ("感動詞",))
    >>> sentence = JapaneseSentence((Bunsetsu(-1, "D", (BasePhrase(-1, "D", (word,)),)),))
    >>> format_cabocha(sentence)
    '* 0 -1D 0/0 0.000000\nはい\t感動詞,*,*,*,*,*,はい,ハイ\nEOS\n'
    """
    own = sentence.origin == "cabocha"
    lines = list(sentence.comments)
    for index, bunsetsu in enumerate(sentence.bunsetsu):
        if own:
            features = f" {bunsetsu.features}" if bunsetsu.features else ""
        else:
            score = scores[index] if scores else 0.0
            features = f" {bunsetsu.content_index()}/{bunsetsu.function_index()} {score:.6f}"
        lines.append(f"* {index} {bunsetsu.head}{bunsetsu.kind}{features}")
        lines.extend(format_morpheme(morpheme, own=own) for morpheme in bunsetsu.morphemes)
    lines.extend(sentence.annotations)
    lines.append("EOS\n")
    return "\n".join(lines)


def format_morpheme(m: Morpheme, *, own: bool = False) -> str:
    r"""Write a morpheme's line; `own` if its features are CaboCha's.

    Examples
    --------
    >>> format_morpheme(Morpheme("はい", "ハイ", "はい", ("感動詞",)))
    'はい\t感動詞,*,*,*,*,*,はい,ハイ'
    """
    base, reading = quoted(m.base), quoted(m.reading)
    line = f"{m.surface}\t{_levels(m.pos)},{m.conj_type or '*'},{m.conj_form or '*'},{base or '*'}"
    extra, tab, entity = m.features.partition("\t") if own else ("", "", "")
    if reading or extra:
        line += f",{reading or '*'}"
    return f"{line},{extra}{tab}{entity}" if extra else f"{line}{tab}{entity}"


@lru_cache(4096)
def _levels(pos: tuple[str, ...]) -> str:
    """Join the levels of a part of speech, filled up to four; there are few of them."""
    return ",".join([*pos[:POS_LEVELS], *["*"] * (POS_LEVELS - len(pos))])


def write_cabocha(sentences: Iterable[JapaneseSentence], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write sentences to a file in CaboCha's lattice format."""
    write_text(map(format_cabocha, sentences), target)
