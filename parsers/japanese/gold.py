"""Gold structure as flat arrays: which morphemes open a bunsetsu, and the head and type of each bunsetsu.

For morphemes other than the corpus's own, boundaries are mapped by character offsets. One that falls
inside a morpheme moves to its nearer edge; a bunsetsu that loses all its morphemes this way joins its
neighbour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.japanese import JapaneseSentence, Morpheme
from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes
from kakari.parsers.japanese.words.sources import Sudachi, record_morphemes


@dataclass(frozen=True)
class Gold:
    """The gold structure of a batch.

    Attributes
    ----------
    opens : numpy array of uint8
        For each morpheme, whether it opens a bunsetsu.
    heads : numpy array of int32
        For each bunsetsu, counted within its sentence; -1 for the last.
    kinds : numpy array of str
        D, P, I or A.
    moved, joined : int
        Number of boundaries that fell inside a morpheme, and of bunsetsu that were joined because of that.
    """

    opens: NDArray[np.uint8]
    heads: NDArray[np.int32]
    kinds: NDArray[np.str_]
    moved: int = 0
    joined: int = 0


def carry_over(sentences: Sequence[JapaneseSentence], morphemes: Morphemes) -> Gold:
    """Map the structure of records to other morphemes of the same texts.

    Examples
    --------
    >>> from kakari.corpora import read
    >>> from kakari.models.vocabulary import Vocabulary
    >>> from kakari.parsers.japanese.words.sources import record_morphemes
    >>> from kakari.parsers.japanese.words.morphemes import Lexicon
    >>> sentences = list(read("sample-ja"))
    >>> gold = carry_over(sentences, record_morphemes(sentences, Lexicon(Vocabulary(), "juman")))
    >>> gold.moved, gold.heads[:3].tolist()
    (0, [5, 2, 3])
    """
    if len(sentences) != len(morphemes):
        raise ValueError(f"{len(sentences)} sentences, but morphemes of {len(morphemes)}")
    opens = np.zeros(len(morphemes.begins), dtype=np.uint8)
    heads: list[int] = []
    kinds: list[str] = []
    moved = joined = 0
    for index, sentence in enumerate(sentences):
        first, last = int(morphemes.starts[index]), int(morphemes.starts[index + 1])
        begins = morphemes.begins[first:last]
        places, shifted = _morphemes_at(sentence, begins, morphemes.ends[first:last])
        moved += shifted
        new_heads, new_kinds = _renumbered(sentence, places)
        joined += len(sentence.bunsetsu) - len(new_heads)
        opens[first + np.unique(places)] = 1
        heads.extend(new_heads)
        kinds.extend(new_kinds)
    return Gold(opens, np.array(heads, dtype=np.int32), np.array(kinds, dtype=np.str_), moved, joined)


def _morphemes_at(
    sentence: JapaneseSentence, begins: NDArray[np.int32], ends: NDArray[np.int32]
) -> tuple[NDArray[np.int64], int]:
    """Return the morpheme that opens each bunsetsu, and how many boundaries had to move."""
    lengths = [len(bunsetsu.text) for bunsetsu in sentence.bunsetsu]
    boundaries = np.concatenate(([0], np.cumsum(lengths[:-1], dtype=np.int64))) if lengths else np.empty(0, np.int64)
    places = np.maximum(np.searchsorted(begins, boundaries, side="right") - 1, 0)
    inside = begins[places] != boundaries
    nearer_end = inside & (boundaries - begins[places] >= ends[places] - boundaries)
    places = np.minimum(places + nearer_end, len(begins) - 1)
    return places.astype(np.int64), int(inside.sum())


def _renumbered(sentence: JapaneseSentence, places: NDArray[np.int64]) -> tuple[list[int], list[str]]:
    """Return heads and types after joining bunsetsu that open at the same morpheme; the last one's count."""
    opened, numbers = np.unique(places, return_inverse=True)
    last = len(opened) - 1
    heads, kinds = [-1] * len(opened), ["D"] * len(opened)
    for number, bunsetsu in zip(numbers.tolist(), sentence.bunsetsu, strict=True):
        valid = 0 <= bunsetsu.head < len(numbers)
        head = int(numbers[bunsetsu.head]) if valid else -1
        heads[number] = -1 if number == last else head if head > number else number + 1
        kinds[number] = bunsetsu.kind
    return heads, kinds


class WordSource(Protocol):
    """Interface of word segmenters."""

    def morphemes(self, texts: Iterable[str], lexicon: Lexicon) -> Morphemes:
        """Analyse sentences."""

    def records(self, text: str) -> list[Morpheme]:
        """Return the morphemes of a sentence as records."""


def analysed(sentences: Sequence[JapaneseSentence], lexicon: Lexicon, source: WordSource | None = None) -> Morphemes:
    """Return the morphemes of the lexicon's kind: the records' own, or those that a source finds in the same texts."""
    if lexicon.tagset == "juman" and source is None:
        return record_morphemes(sentences, lexicon)
    return (source or Sudachi()).morphemes((sentence.text for sentence in sentences), lexicon)
