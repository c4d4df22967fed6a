"""Places of written sentences in the input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kakari.corpora.records.origins import Origin
from kakari.parsers.japanese.parser import ParsedSentence


@dataclass(frozen=True)
class Place:
    """A sentence's place: its text, the text's place in the input, comments, and its number within the text."""

    text: str
    origin: Origin = field(default_factory=Origin)
    comments: Sequence[str] = ()
    number: int = 1

    def line(self, sentence: ParsedSentence) -> int:
        """Return the line of the sentence's first character that is no white space."""
        shown = self.text[sentence.begin : sentence.end]
        return self.origin.line(sentence.begin + len(shown) - len(shown.lstrip()))

    def sid(self, sentence: ParsedSentence) -> str:
        """Return an id for the sentence: its line and its number in the text."""
        return f"{self.line(sentence)}-{self.number}"
