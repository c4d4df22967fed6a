"""Scores of predicted labels: accuracy, and chunks by the definition of conlleval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kakari.parsers.sequences.chunk_tags import chunks_of


@dataclass
class Counts:
    """Chunks in the gold analysis, found ones, and those in both."""

    gold: int = 0
    found: int = 0
    right: int = 0

    @property
    def precision(self) -> float:
        """The share of found chunks that are right; 0 if none was found."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of gold chunks that were found."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (self.gold + self.found) if self.gold + self.found else 0.0


@dataclass
class SequenceScores:
    """Scores for labels.

    Attributes
    ----------
    sentences, tokens, right : int
        `right` tokens have the gold label.
    chunks : Counts
        Over all types; a chunk is right if its span and its type are.
    types : dict of str to Counts
    """

    sentences: int = 0
    tokens: int = 0
    right: int = 0
    chunks: Counts = field(default_factory=Counts)
    types: dict[str, Counts] = field(default_factory=dict)

    def add(self, gold: Sequence[str], found: Sequence[str]) -> None:
        """Count one sentence."""
        self.sentences += 1
        self.tokens += len(gold)
        self.right += sum(one == other for one, other in zip(gold, found, strict=True))
        wanted, had = set(chunks_of(gold)), set(chunks_of(found))
        for name, chunks in (("gold", wanted), ("found", had), ("right", wanted & had)):
            for kind, count in Counter(chunk[2] for chunk in chunks).items():
                own = self.types.setdefault(kind, Counts())
                setattr(own, name, getattr(own, name) + count)
                setattr(self.chunks, name, getattr(self.chunks, name) + count)

    def as_dict(self, *, chunks: bool) -> dict[str, Any]:
        """Return the figures as fractions; those of chunks if `chunks` is set."""
        figures: dict[str, Any] = {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "accuracy": round(self.right / self.tokens, 6) if self.tokens else 0.0,
        }
        if chunks:
            figures |= {
                "chunks": self.chunks.gold,
                "chunk_precision": round(self.chunks.precision, 6),
                "chunk_recall": round(self.chunks.recall, 6),
                "chunk_f1": round(self.chunks.f1, 6),
                "f1": {kind: round(own.f1, 6) for kind, own in sorted(self.types.items())},
            }
        return figures


def score(pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> SequenceScores:
    """Compare labels of sentences, given as pairs of gold and found ones.

    Examples
    --------
    >>> scores = score([(["B-NP", "I-NP", "O"], ["B-NP", "O", "O"])])
    >>> scores.as_dict(chunks=True)["chunk_f1"], scores.as_dict(chunks=False)["accuracy"]
    (0.0, 0.666667)
    """
    result = SequenceScores()
    for gold, found in pairs:
        result.add(gold, found)
    return result
