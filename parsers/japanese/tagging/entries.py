"""Words with their analyses, out of annotated sentences and of a dictionary in MeCab's columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import JapaneseSentence
from kakari.parsers.japanese.tagging.model import Tag

JUMANDIC = Path("/usr/share/mecab/dic/juman")  # where Debian's mecab-jumandic-utf8 has its columns
# Not words as texts have them: faces, and titles of articles.
LEFT_OUT = frozenset({"Emoticon.csv", "Wikipedia.csv"})


class Entry(NamedTuple):
    """A word with one of its analyses."""

    surface: str
    tag: Tag
    base: str
    reading: str


def sentence_entries(sentence: JapaneseSentence) -> list[Entry]:
    """Return the words of an annotated sentence."""
    return [
        Entry(
            word.surface,
            Tag(word.pos[0], word.pos[1] if len(word.pos) > 1 else "", word.conj_type, word.conj_form),
            word.base or word.surface,
            word.reading or word.surface,
        )
        for bunsetsu in sentence.bunsetsu
        for phrase in bunsetsu.phrases
        for word in phrase.morphemes
    ]


def read_dictionary(folder: Path) -> Iterator[Entry]:
    """Yield the words of a folder of CSV files in MeCab's columns with JUMAN's parts of speech.

    Lines whose bytes are not UTF-8 are passed over: Debian's files have some.
    """
    files = sorted(path for path in folder.glob("*.csv") if path.name not in LEFT_OUT)
    if not files:
        raise CorpusError(str(folder), None, "there are no CSV files of a dictionary (mecab-jumandic-utf8) in it")
    for path in files:
        lines = path.read_bytes().decode("utf-8", "replace").splitlines()
        yield from _dictionary_rows(str(path), [line for line in lines if "\ufffd" not in line])


def _dictionary_rows(name: str, lines: Iterable[str]) -> Iterator[Entry]:
    for number, row in enumerate(csv.reader(lines), 1):
        if len(row) < 10:
            raise CorpusError(
                name, number, f"the line has {len(row)} columns; a word of this dictionary has at least 10"
            )
        tag = Tag(*("" if value == "*" else value for value in row[4:8]))
        yield Entry(row[0], tag, row[8] if row[8] != "*" else row[0], row[9] if row[9] != "*" else row[0])
