"""Parsed Japanese sentences as records, which every format can be written from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kakari.corpora import catalogue
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.parsers.japanese.parser import JapaneseParser, ParsedSentence


def to_record(sentence: ParsedSentence, morphemes: Sequence[Morpheme]) -> JapaneseSentence:
    """Put morphemes into the bunsetsu of a parsed sentence.

    White space belongs to no morpheme, but to the bunsetsu around it.
    """
    return JapaneseSentence(
        tuple(
            Bunsetsu(b.head, b.kind, (BasePhrase(b.head, b.kind, tuple(morphemes[b.first : b.last])),))
            for b in sentence.bunsetsu
        )
    )


def read_japanese(reference: str) -> list[JapaneseSentence]:
    """Read the sentences of a corpus or file that has bunsetsu; annotation errors in it are read as they are.

    Examples
    --------
    >>> read_japanese("sample-ja")[0].bunsetsu[0].text
    '太郎は'
    """
    entry = catalogue.format_in(reference)
    if entry.name not in ("knp", "cabocha"):
        raise CorpusError(reference, None, f"bunsetsu stand in KNP and CaboCha files; here are {entry.title}")
    sentences = list(catalogue.read(reference, strict=False))
    if not sentences:
        raise CorpusError(reference, None, "there are no Japanese sentences with bunsetsu in it")
    return sentences


def reparsed(parser: JapaneseParser, records: Sequence[JapaneseSentence]) -> list[JapaneseSentence]:
    """Parse the morphemes of records anew; comments and morphemes stay as they are."""
    return [
        replace(to_record(sentence, record.morphemes), comments=record.comments, origin="")
        for sentence, record in zip(parser.parse_records(records), records, strict=True)
    ]


def to_json(text: str, sentence: ParsedSentence, record: JapaneseSentence) -> dict[str, Any]:
    """Describe a sentence for programs: offsets count characters of the whole text."""
    told: dict[str, Any] = {
        "text": text[sentence.begin : sentence.end],
        "start": sentence.begin,
        "end": sentence.end,
        "bunsetsu": [
            {
                "text": text[b.begin : b.end],
                "start": b.begin,
                "end": b.end,
                "head": b.head,
                "type": b.kind,
                "score": b.score,
                "morphemes": [
                    {
                        "surface": m.surface,
                        "base": m.base,
                        "reading": m.reading,
                        "pos": list(m.pos),
                        "conjugation": [m.conj_type, m.conj_form],
                    }
                    for m in bunsetsu.morphemes
                ],
            }
            for b, bunsetsu in zip(sentence.bunsetsu, record.bunsetsu, strict=True)
        ],
    }
    if sentence.alternatives:
        told["alternatives"] = [{"heads": list(heads), "score": score} for heads, score in sentence.alternatives]
    return told
