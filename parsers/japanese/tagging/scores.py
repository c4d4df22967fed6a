"""Scores of predicted words against gold ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
    unknown, unknown_words : int
        Gold words that the model's dictionary lacks, and those of them whose spans are right.
    plain : (int, int, int)
        Gold words, found words and right spans of the sentences that have no unknown word.
    """

    sentences: int = 0
    gold: int = 0
    found: int = 0
    words: int = 0
    with_pos: int = 0
    with_base: int = 0
    boundaries: int = 0
    right_boundaries: int = 0
    unknown: int = 0
    unknown_words: int = 0
    plain: tuple[int, int, int] = (0, 0, 0)

    def add(
        self,
        gold: Sequence[tuple[int, int, str, str]],
        found: Sequence[tuple[int, int, str, str]],
        unknown: Collection[tuple[int, int]] = (),
    ) -> None:
        """Count one sentence, given as (start, end, part of speech, base form) of words, and spans of unknown ones."""
        self.sentences += 1
        self.gold += len(gold)
        self.found += len(found)
        right = {word[:2] for word in gold} & {word[:2] for word in found}
        self.words += len(right)
        self.unknown += len(unknown)
        self.unknown_words += len(right & set(unknown))
        if not unknown:
            self.plain = (self.plain[0] + len(gold), self.plain[1] + len(found), self.plain[2] + len(right))
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
            return share(2 * right, total)

        return {
            "sentences": self.sentences,
            "words": self.gold,
            "word_f1": f1(self.words),
            "word_pos_f1": f1(self.with_pos),
            "word_base_f1": f1(self.with_base),
            "boundary_accuracy": share(self.right_boundaries, self.boundaries),
            "unknown_words": self.unknown,
            "unknown_word_recall": share(self.unknown_words, self.unknown),
            "known_word_recall": share(self.words - self.unknown_words, self.gold - self.unknown),
            "word_f1_without_unknown": share(2 * self.plain[2], self.plain[0] + self.plain[1]),
        }


def share(part: int, whole: int) -> float:
    """Return a part of a whole as a fraction, 0 of nothing.

    Examples
    --------
    >>> share(2, 3), share(0, 0)
    (0.666667, 0.0)
    """
    return round(part / whole, 6) if whole else 0.0


def evaluate(model: WordsModel, lines: Sequence[Sequence[Entry]]) -> WordScores:
    """Score the words that a model finds in the text of annotated sentences."""
    texts = ["".join(entry.surface for entry in line) for line in lines]
    surfaces = sorted({entry.surface for line in lines for entry in line})
    known = {word for word, kind in zip(surfaces, model.dictionary.kinds_of(surfaces), strict=True) if kind}
    found = ([(word.start, word.end, word.tag.pos, word.base) for word in own] for own in model.pipe(texts))
    return score(lines, found, known)


def score(
    lines: Sequence[Sequence[Entry]],
    found: Iterable[Sequence[tuple[int, int, str, str]]],
    known: Collection[str] | None = None,
) -> WordScores:
    """Score words that were found in the text of annotated sentences.

    Parameters
    ----------
    lines : sequence of sequences of Entry
    found : iterable of sequences of (int, int, str, str)
        Start, end, part of speech and base form of the words of each sentence.
    known : collection of str, optional
        Words of the dictionary that was used; by default none is counted as unknown.

    Examples
    --------
    >>> from kakari.parsers.japanese.tagging.entries import Tag
    >>> score([[Entry("本", Tag("名詞", "普通名詞", "", ""), "本", "ほん")]], [[(0, 1, "名詞", "本")]]).words
    1
    """
    scores = WordScores()
    for line, words in zip(lines, found, strict=True):
        gold = list(placed(line))
        pairs = zip(gold, line, strict=True)
        scores.add(gold, words, [word[:2] for word, entry in pairs if known is not None and entry.surface not in known])
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
