"""Parsed Japanese sentences as records, which every format can be written from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.parsers.japanese.parser import ParsedSentence


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
