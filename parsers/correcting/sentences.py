"""Which corrections are about one sentence: they are learned together, and so are their examples replaced."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from kakari.parsers.correcting.records import Correction, CorrectionError


class Owners:
    """Numbers of sentences, in the order in which they were first corrected.

    Examples
    --------
    >>> owners = Owners(lambda one: one.text, [Correction("Who?", "class", None, "HUM:ind")])
    >>> owners.add(Correction("Where?", "class", None, "LOC:other"))[0]
    1
    >>> number, own = owners.add(Correction("Who?", "class", None, "HUM:ind"))
    >>> number, len(own)
    (0, 2)
    """

    def __init__(self, key: Callable[[Correction], Hashable], known: Iterable[Correction]) -> None:
        self.key = key
        self.sentences: dict[Hashable, list[Correction]] = {}
        self.numbers: dict[Hashable, int] = {}
        for one in known:
            self.add(one)

    def add(self, one: Correction) -> tuple[int, list[Correction]]:
        """Return the number of a correction's sentence, and all corrections of it, this one the last."""
        key = self.key(one)
        own = self.sentences.setdefault(key, [])
        own.append(one)
        return self.numbers.setdefault(key, len(self.numbers)), own


def token_span(one: Correction, span: Any, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the tokens of a sentence that a span of characters is made of, begin and end.

    Examples
    --------
    >>> one = Correction("The dog barked.", "arc", (0, 3), (4, 7))
    >>> token_span(one, (0, 7), [(0, 3), (4, 7), (8, 14), (14, 15)])
    (0, 2)
    """
    begins = [place for place, (begin, _) in enumerate(spans) if begin == span[0]]
    ends = [place + 1 for place, (_, end) in enumerate(spans) if end == span[1]]
    if not begins or not ends or begins[0] >= ends[-1]:
        raise CorrectionError(f"{one.text[span[0] : span[1]]!r} does not begin and end with words of one sentence")
    return begins[0], ends[-1]
