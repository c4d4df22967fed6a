"""Analysis of texts for the API: language, sentences, warnings. No HTTP here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from kakari.reading.scripts import is_japanese
from kakari.web.limits import Deadline, told_warnings

if TYPE_CHECKING:
    from kakari.web.store import Store

PORTION = 20_000  # characters that are worked on without looking at the clock
INCLUDED = ("universal", "dependencies", "chunks", "question", "pictures")


def language_of(text: str) -> str:
    """Return the language of a text; one without letters is Japanese, as `kakari parse` has it.

    Examples
    --------
    >>> language_of("本を読む。"), language_of("Read!"), language_of("")
    ('ja', 'en', 'ja')
    """
    return "ja" if not text.strip() or is_japanese(text) else "en"


def analysed(
    store: Store,
    texts: Sequence[str],
    *,
    language: str | None = None,
    include: Sequence[str] = (),
    alternatives: int = 0,
    pictures: int = 20,
    deadline: Deadline,
) -> Iterator[dict[str, Any]]:
    """Yield the results of each text: its language, its sentences, and warnings if there are any."""
    wanted = frozenset(include)
    left = pictures if "pictures" in wanted else 0
    for spoken, portion in portions(texts, language):
        deadline.check()
        with told_warnings() as messages:
            found = list(_described(store, spoken, portion, wanted, alternatives, left))
        left -= min(left, sum(map(len, found)))
        for sentences in found:
            told = {"language": spoken, "sentences": sentences}
            yield {**told, "warnings": messages} if messages else told


def _described(
    store: Store, language: str, texts: list[str], wanted: frozenset[str], alternatives: int, pictures: int
) -> Iterator[list[dict[str, Any]]]:
    if language == "ja":
        from kakari.web.japanese import described

        universal = "universal" in wanted
        return described(store, texts, alternatives=alternatives, universal=universal, pictures=pictures)
    from kakari.web.english import described as english

    options = {name: name in wanted for name in ("dependencies", "chunks", "question")}
    return english(store, texts, alternatives=alternatives, pictures=pictures, **options)


def portions(texts: Sequence[str], language: str | None) -> Iterator[tuple[str, list[str]]]:
    """Yield neighbouring texts of one language, not too many at a time.

    Examples
    --------
    >>> list(portions(["本。", "木。", "Yes."], None))
    [('ja', ['本。', '木。']), ('en', ['Yes.'])]
    """
    for spoken, group in groupby(texts, lambda text: language or language_of(text)):
        portion: list[str] = []
        size = 0
        for text in group:
            portion.append(text)
            size += len(text)
            if size >= PORTION:
                yield spoken, portion
                portion, size = [], 0
        if portion:
            yield spoken, portion
