"""Scores of words that were found in text, beside gold ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kakari.parsers.japanese.tagging.entries import Entry
from kakari.parsers.japanese.tagging.model import WordsModel


@dataclass
class WordScores:
    """Counts of gold and found words, of those that are right, and of boundaries.

    Attributes
    ----------
    words, with_pos, with_base : int
        Right spans; those with the right part of speech; and with the base form as well.
    boundaries, right_boundaries : int
        Places between two characters of a sentence, and those where the decision is right.
    """

    sentences: int = 0
    gold: int = 0
    found: int = 0
    words: int = 0
    with_pos: int = 0
    with_base: int = 0
    boundaries: int = 0
    right_boundaries: int = 0

    def add(self, gold: Sequence[tuple[int, int, str, str]], found: Sequence[tuple[int, int, str, str]]) -> None:
        """Count one sentence, given as (start, end, part of speech, base form) of words."""
        self.sentences += 1
        self.gold += len(gold)
        self.found += len(found)
        self.words += len({word[:2] for word in gold} & {word[:2] for word in found})
        self.with_pos += len({word[:3] for word in gold} & {word[:3] for word in found})
        self.with_base += len(set(gold) & set(found))
        length = gold[-1][1] if gold else 0
        self.boundaries += max(0, length - 1)
        different = {word[0] for word in gold} ^ {word[0] for word in found}
        self.right_boundaries += max(0, length - 1) - len(different)

    def as_dict(self) -> dict[str, float]:
        """Return the figures, as fractions."""
        total = self.gold + self.found

        def f1(right: int) -> float:
            return round(2 * right / total, 6) if total else 0.0

        return {
            "sentences": self.sentences,
            "words": self.gold,
            "word_f1": f1(self.words),
            "word_pos_f1": f1(self.with_pos),
            "word_base_f1": f1(self.with_base),
            "boundary_accuracy": round(self.right_boundaries / self.boundaries, 6) if self.boundaries else 0.0,
        }


def evaluate(model: WordsModel, lines: Sequence[Sequence[Entry]]) -> WordScores:
    """Score the words that a model finds in the text of annotated sentences."""
    scores = WordScores()
    texts = ["".join(entry.surface for entry in line) for line in lines]
    for line, found in zip(lines, model.pipe(texts), strict=True):
        scores.add(list(placed(line)), [(word.start, word.end, word.tag.pos, word.base) for word in found])
    return scores


def placed(line: Iterable[Entry]) -> Iterable[tuple[int, int, str, str]]:
    """Yield the words of a sentence with their places.

    Examples
    --------
    >>> from kakari.parsers.japanese.tagging.entries import Tag
    >>> list(placed([Entry("本", Tag("名詞", "普通名詞", "", ""), "本", "ほん")]))
    [(0, 1, '名詞', '本')]
    """
    begin = 0
    for entry in line:
        yield begin, begin + len(entry.surface), entry.tag.pos, entry.base
        begin += len(entry.surface)
