"""Readers of analysed Japanese: words, with or without bunsetsu, from every format as records.

The format follows from the file's name or an option; files without CaboCha's or KNP's bunsetsu lines (the output of
MeCab or JUMAN) are recognised by their lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kakari.corpora.formats.cabocha import cabocha_sentences
from kakari.corpora.formats.conllu import ConlluSentence, conllu_sentences, conllu_to_japanese
from kakari.corpora.formats.knp import STRUCTURE, knp_sentences
from kakari.corpora.formats.tagged import tagged_sentences
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.reading.portions import Portion


def sentences_of(portion: Portion, kind: str) -> Iterator[JapaneseSentence]:
    """Yield the sentences of a portion of an analysed file."""
    yield from READERS[kind](portion)


def _cabocha(portion: Portion) -> Iterator[JapaneseSentence]:
    if any(line[:2] == "* " and "\t" not in line for _, line in portion.lines):  # a bunsetsu line, valid or not
        return cabocha_sentences(portion.name, portion, strict=False)
    return tagged_sentences(portion.name, portion)


def _knp(portion: Portion) -> Iterator[JapaneseSentence]:
    if any(line[:2] == "* " and STRUCTURE.fullmatch(line) for _, line in portion.lines):
        return knp_sentences(portion.name, portion, strict=False)
    return tagged_sentences(portion.name, portion)


def _tagged(portion: Portion) -> Iterator[JapaneseSentence]:
    return tagged_sentences(portion.name, portion)


def _conllu(portion: Portion) -> Iterator[JapaneseSentence]:
    for sentence in conllu_sentences(portion.name, portion):
        if not sentence.words:
            raise CorpusError(portion.name, None, "a sentence has no words")
        marked = all("BunsetuBILabel" in dict(word.misc) for word in sentence.words)
        try:
            yield conllu_to_japanese(sentence, heads_needed=False) if marked else _words_alone(sentence)
        except ValueError as error:
            raise CorpusError(portion.name, None, str(error)) from None


def _words_alone(sentence: ConlluSentence) -> JapaneseSentence:
    """Take the words of a sentence without bunsetsu."""
    words = tuple(
        Morpheme(word.form, dict(word.misc).get("Reading") or "", word.lemma, tuple(word.xpos.split("-")))
        for word in sentence.words
    )
    return JapaneseSentence((Bunsetsu(-1, "D", (BasePhrase(-1, "D", words),)),), sentence.comments, "conllu")


def _json(portion: Portion) -> Iterator[JapaneseSentence]:
    for number, line in portion:
        try:
            told = json.loads(line)
            yield JapaneseSentence(tuple(_bunsetsu(one) for one in told["bunsetsu"]), (), "json")
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise CorpusError(portion.name, number, f"this is not a line of `kakari parse -f json`: {error}") from None


def _bunsetsu(told: dict[str, Any]) -> Bunsetsu:
    words = tuple(
        Morpheme(m["surface"], m["reading"], m["base"], tuple(m["pos"]), *m["conjugation"]) for m in told["morphemes"]
    )
    head, kind = int(told["head"]), str(told["type"])
    return Bunsetsu(head, kind, (BasePhrase(head, kind, words),), str(told.get("score", "")))


READERS: dict[str, Callable[[Portion], Iterable[JapaneseSentence]]] = {
    "knp": _knp,
    "cabocha": _cabocha,
    "mecab": _cabocha,
    "juman": _knp,
    "sudachi": _tagged,
    "unidic": _cabocha,
    "conllu": _conllu,
    "json": _json,
}
