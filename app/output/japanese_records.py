"""Parsed Japanese sentences as records, which every format can be written from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.output.places import Place
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


def to_json(place: Place, sentence: ParsedSentence, record: JapaneseSentence) -> dict[str, Any]:
    """Describe a sentence for programs: lines and offsets (characters) are those of the whole input."""
    text, origin = place.text, place.origin
    begin, end = origin.span(sentence.begin, sentence.end)
    told: dict[str, Any] = {
        "text": text[sentence.begin : sentence.end],
        "line": place.line(sentence),
        "start": begin,
        "end": end,
        "bunsetsu": [
            {
                "text": text[b.begin : b.end],
                **dict(zip(("start", "end"), origin.span(b.begin, b.end), strict=True)),
                "head": b.head,
                "type": b.kind,
                "score": round(b.score, 6),
                "boundary": round(b.boundary, 6),
                "content": bunsetsu.content_index(),
                "function": bunsetsu.function_index(),
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
