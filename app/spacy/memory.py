"""What a memory zone gives back, beside what spaCy gives back by itself.

`with nlp.memory_zone():` takes strings and lexemes of the texts within it away at its end. Two things stay, which let a
service grow with every word that it has not met before:

- `Morphology` keeps each analysis for ever, and the reading of a Japanese word is part of its analysis.
  `ZoneMorphology` holds the strings of an analysis for the zone alone, and when analyses without strings are in the
  majority, the next zone begins with a table of the others.
- A string that was taken away leaves a mark in the table of strings, which doubles when marks fill it. `compact` writes
  such a table anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from spacy.morphology import Morphology  # type: ignore[import-not-found]  # compiled, without a stub
from spacy.vocab import Vocab

MOST_ENDED_ANALYSES = 1 << 13
MOST_ENDED_STRINGS = 1 << 17


class ZoneMorphology(Morphology):  # type: ignore[misc]
    """spaCy's morphology, whose analyses of a memory zone end with it.

    Examples
    --------
    >>> import spacy
    >>> vocab = spacy.blank("ja").vocab
    >>> take_over_morphology(vocab)
    >>> with vocab.memory_zone():
    ...     reading = vocab.strings[vocab.morphology.add({"Reading": "ネコ"})]
    >>> reading, reading in vocab.strings
    ('Reading=ネコ', False)
    """

    def __init__(self, vocab: Vocab, analyses: set[str]) -> None:
        super().__init__(vocab.strings)
        self.vocab: Any = vocab  # spaCy's stub knows nothing of zones
        self.analyses: set[str] = set()
        # Analyses that need not be added again, as `normalize_features` has them: `Doc.from_array` adds that of every
        # token. Those of a zone are known until it ends, if its beginning was seen.
        self.lasting: dict[str, int] = {}
        self.zoned: dict[str, int] | None = None
        self.most = 2 * len(analyses) + MOST_ENDED_ANALYSES
        for analysis in analyses:
            self.add(analysis)

    def add(self, features: Any) -> int:
        """Add an analysis, a string or a dictionary, and return its hash; in a memory zone it is there for the zone."""
        if type(features) is str:
            zoned = self.zoned
            known = self.lasting.get(features) or (zoned and zoned.get(features))
            if known:
                return known
        analysis: str = self.normalize_features(features)
        strings: Any = self.strings
        # What stands there already is not made permanent by spaCy.
        strings.add(analysis)
        for field, values in self.feats_to_dict(analysis).items():
            strings.add(field, allow_transient=False)
            for value in values.split(self.VALUE_SEP):
                strings.add(f"{field}{self.FIELD_SEP}{value}")
        self.analyses.add(analysis)
        key: int = super().add(analysis)
        if self.zoned is not None:
            self.zoned[analysis] = key
        elif not self.vocab.in_memory_zone:
            self.lasting[analysis] = key
        return key

    @contextmanager
    def memory_zone(self, mem: Any = None) -> Iterator[Any]:
        """Begin a zone; `Vocab.memory_zone` calls this. A table that has become long loses what earlier zones left."""
        if len(self.analyses) > self.most:
            kept = {analysis for analysis in self.analyses if analysis in self.strings}
            self.vocab.morphology = ZoneMorphology(self.vocab, kept)
        current = self.vocab.morphology
        current.zoned = {}
        try:
            yield mem
        finally:
            current.zoned = None


def take_over_morphology(vocab: Vocab) -> None:
    """Give a vocabulary a morphology that memory zones bound, with the analyses that it has."""
    known: Any = vocab.morphology
    if not isinstance(known, ZoneMorphology):
        strings: Any = vocab.strings
        vocab.morphology = ZoneMorphology(vocab, {found for text in strings if (found := known.get(strings[text]))})


def compact(strings: Any) -> None:
    """Write a table of strings anew, without the marks of what memory zones took away; not within a zone."""
    strings.from_bytes(strings.to_bytes())
