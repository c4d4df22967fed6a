"""What the Japanese parser returns: objects of one sentence, or arrays of a batch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from kakari.parsers.japanese.universal.model import UniversalWord
    from kakari.parsers.japanese.words.morphemes import Morphemes

Note = TypeVar("Note")


@dataclass(frozen=True, slots=True)
class ParsedBunsetsu:
    """A bunsetsu of a parsed sentence.

    Attributes
    ----------
    begin, end : int
        Characters of the text that was parsed.
    first, last : int
        Its morphemes within the sentence; `last` is the first one after it.
    head : int
        The bunsetsu it depends on, counted within the sentence; -1 for the last one.
    score : float
        The probability that the arc is right, given the bunsetsu; 1 if there was no choice.
    kind : str
        D, P, I or A.
    boundary : float
        The probability that a bunsetsu begins here, if `boundaries` was set, else 1.
    """

    begin: int
    end: int
    first: int
    last: int
    head: int
    score: float
    kind: str = "D"
    boundary: float = 1.0


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence of the text: characters `begin` to `end`, all of them in its bunsetsu.

    `alternatives` holds further analyses as (heads, log probability), the best first, and `words` the tree of
    Universal Dependencies over the sentence's morphemes, each if it was requested. `text` is None if words were given.
    """

    begin: int
    end: int
    bunsetsu: tuple[ParsedBunsetsu, ...]
    alternatives: tuple[tuple[tuple[int, ...], float], ...] = ()
    words: tuple[UniversalWord, ...] = ()
    text: str = field(default="", compare=False, repr=False)

    def _repr_svg_(self) -> str | None:
        """Draw the bunsetsu with their arcs, for notebooks; None if the sentence was not parsed from a text."""
        if not self.text:
            return None
        from kakari.parsers.pictures.arcs import Drawing, draw_svg

        shown = [self.text[b.begin - self.begin : b.end - self.begin].strip() for b in self.bunsetsu]
        kinds, sure = [b.kind for b in self.bunsetsu], [b.score for b in self.bunsetsu]
        return draw_svg([Drawing(shown, self.heads, kinds, sure)])

    @property
    def heads(self) -> tuple[int, ...]:
        """The head of each bunsetsu."""
        return tuple(bunsetsu.head for bunsetsu in self.bunsetsu)


@dataclass(frozen=True, slots=True)
class ParsedArrays:
    """A parsed batch: the bunsetsu of all its sentences one after another.

    Attributes
    ----------
    counts : list of int
        How many bunsetsu each sentence has.
    firsts : list of int
        The morpheme, counted over the batch, that opens each bunsetsu; last, the number of morphemes.
    heads, scores, kinds, boundaries : list
        One entry for each bunsetsu; heads count within the sentence; scores and boundaries are probabilities.
    """

    counts: list[int]
    firsts: list[int]
    heads: list[int]
    scores: list[float]
    kinds: list[str]
    boundaries: list[float]


@dataclass(frozen=True, slots=True)
class ParsedBatch(Generic[Note]):
    """Some of the texts that were parsed together.

    Attributes
    ----------
    texts : list of str
    spans : list of (int, int, int)
        The number of the text that each sentence is in, and its characters.
    morphemes : Morphemes
    parsed : ParsedArrays
    notes : list of list
        What was kept of each sentence's words; white space is none.
    """

    texts: list[str]
    spans: list[tuple[int, int, int]]
    morphemes: Morphemes
    parsed: ParsedArrays
    notes: list[list[Note]]
