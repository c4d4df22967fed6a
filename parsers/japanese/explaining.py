"""Explanations of the Japanese parser's arcs and boundaries: the conjunctions behind one decision, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kakari.corpora.records.errors import CorpusError
from kakari.kernels.frozen.explaining import contributions
from kakari.parsers.japanese.bunsetsu.feature_names import feature_name as boundary_feature
from kakari.parsers.japanese.bunsetsu.segmentation import SURE_MARGIN, Segmenter, boundary_examples
from kakari.parsers.japanese.dependency.decoders import training_pairs
from kakari.parsers.japanese.dependency.feature_groups import feature_name
from kakari.parsers.japanese.dependency.pairs import Sentence, function_words
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.second_opinion import boundary_advice
from kakari.parsers.pictures.bars import Explanation


def decisions(heads: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs that the shift-reduce parser asked about on its way to these heads; forced arcs are not asked.

    Examples
    --------
    >>> list(decisions([2, 2, 3, -1]))
    [(0, 1), (1, 2), (0, 2)]
    """
    stack = [0]
    for right in range(1, len(heads) - 1):
        while stack:
            yield stack[-1], right
            if heads[stack[-1]] != right:
                break
            stack.pop()
        stack.append(right)


def explain_pair(text: str, pair: tuple[int, int], model: str, top: int) -> list[Explanation]:
    """Explain whether one bunsetsu depends on another, in the same form as a classifier's explanation.

    An arc to the last bunsetsu is what remains when all nearer heads were refused: these decisions explain it.
    """
    return ExplainedSentence(text, parser_of(model)).pair(pair, top)


def explain_arcs(text: str, model: str, top: int) -> list[Explanation]:
    """Explain every arc of a sentence: the decision for it, or those against nearer heads."""
    sentence = ExplainedSentence(text, parser_of(model))
    return [part for dependent in range(sentence.count - 1) for part in sentence.arc(dependent, top)]


def explain_boundary(text: str, place: int, model: str, top: int) -> list[Explanation]:
    """Explain whether a bunsetsu begins at a character of a sentence.

    Examples
    --------
    >>> (told,) = explain_boundary("本を読む。", 2, "ja", 5)
    >>> told["machine"], told["margin"] > 0
    ('を|読む', True)
    """
    return ExplainedSentence(text, parser_of(model)).boundary(place, top)


def parser_of(model: str) -> JapaneseParser:
    """Return a parser of the embedded model or of a file."""
    return JapaneseParser.pretrained() if model == "ja" else JapaneseParser.load(model)


class ExplainedSentence:
    """A parsed sentence and the decisions that led to it."""

    def __init__(self, text: str, parser: JapaneseParser) -> None:
        self.text = text
        self.parser = parser
        parsed = self.parser.parse(text, one_sentence=True)
        if not parsed:
            raise CorpusError("text", None, "there is nothing to explain in an empty text")
        self.bunsetsu, self.heads = parsed[0].bunsetsu, parsed[0].heads
        self.count = len(self.bunsetsu)
        self.asked = list(decisions(self.heads))
        self.morphemes = self.parser.source.morphemes([text], self.parser.model.lexicon)
        self.opens = opens = self.parser.model.segment(self.morphemes)
        features = Sentence(self.parser.model.width, self.parser.model.pair_slots)
        heads = np.array(self.heads, dtype=np.int32)
        self.sets, _ = training_pairs(self.morphemes, opens, heads, features, "shift-reduce")
        begins, ends = self.morphemes.begins.tolist(), self.morphemes.ends.tolist()
        self.functions = {
            value: text[begins[first] : ends[last - 1]].strip()
            for value, first, last in function_words(features, self.morphemes, opens)
            if first < last
        }

    def shown(self) -> str:
        """Return the bunsetsu with their numbers."""
        return " ".join(f"{i}:{self.name(i)}" for i in range(self.count))

    def name(self, number: int) -> str:
        """Return the text of a bunsetsu."""
        return self.text[self.bunsetsu[number].begin : self.bunsetsu[number].end].strip()

    def pair(self, pair: tuple[int, int], top: int) -> list[Explanation]:
        """Explain whether one bunsetsu depends on another."""
        dependent, head = pair
        if not 0 <= dependent < head < self.count:
            raise CorpusError("--pair", None, f"I must be before J and both among the bunsetsu: {self.shown()}")
        if pair in self.asked:
            return self.decision(pair, top)
        if head == self.count - 1 and self.heads[dependent] == head:
            return self.arc(dependent, top)
        reason = (
            f"it depends on {self.heads[dependent]}, which is nearer"
            if 0 <= self.heads[dependent] < head
            else "another bunsetsu was attached between them"
        )
        raise CorpusError("--pair", None, f"the parser never asked whether {dependent} depends on {head}: {reason}")

    def arc(self, dependent: int, top: int) -> list[Explanation]:
        """Explain the arc of a bunsetsu."""
        head = self.heads[dependent]
        if (dependent, head) in self.asked:
            return self.decision((dependent, head), top)
        against = [pair for pair in self.asked if pair[0] == dependent]
        reason = "the nearer heads were refused" if against else "there is no other head"
        told = Explanation.of(f"{self.name(dependent)} → {self.name(head)}: {reason}", 0.0, [], top)
        return [told, *(part for pair in against for part in self.decision(pair, top))]

    def boundary(self, place: int, top: int) -> list[Explanation]:
        """Explain whether a bunsetsu begins at a character: positive margins are for a boundary.

        Where the parts of speech alone tell, there is nothing to add up, unless a user's corrections are in the model.
        Where a second segmenter was asked, what it added comes last.
        """
        model = self.parser.model
        begins = self.morphemes.begins.tolist()
        if place not in begins[1:] or model.segmenter is None:
            words = "|".join(self.text[a:b] for a, b in zip(begins, [*begins[1:], len(self.text)], strict=True))
            raise CorpusError("text", None, f"no word that could begin a bunsetsu begins at {place}: {words}")
        number = begins.index(place)
        segmenter = Segmenter(model.width, model.segment_slots, model.certain)
        # Each segmenter sees its own decisions, not what the second opinion makes of them.
        own = replace(model, second=None).segment(self.morphemes)
        sets, places, known = boundary_examples(self.morphemes, own, segmenter)
        row = places.tolist().index(number)
        mark = "|" if self.opens[number] else "+"
        left, right = (self.text[begins[n] : int(self.morphemes.ends[n])] for n in (number - 1, number))
        shown = f"{left}{mark}{right}"
        told = []
        added = model.added("segmenter")
        advice = float(boundary_advice(model, self.morphemes)[number])
        if known[row] < 0:
            told.append(self._of_boundary(shown, model.segmenter, sets[row], top))
        else:
            sure = SURE_MARGIN if known[row] else -SURE_MARGIN
            named = [("the parts of speech alone: always" if known[row] else "the parts of speech alone: never", sure)]
            told.append(Explanation.of(shown, sure, named, top))
        if added is not None:
            told.append(self._of_boundary(f"{shown} (corrections)", added, sets[row], top))
        if advice:
            told.append(
                Explanation.of(f"{shown} (second opinion)", advice, [("the segmenter of JUMAN's words", advice)], top)
            )
        return told

    def _of_boundary(self, shown: str, classifier: Any, ids: Any, top: int) -> Explanation:
        model = self.parser.model
        strings: Any = model.lexicon.strings
        parts = contributions(classifier, ids)
        ranked = [
            (" & ".join(boundary_feature(model.width, i, strings) for i in one) or "(bias)", weight)
            for one, weight in parts.items[:top]
        ]
        ranked += [("", weight) for _, weight in parts.items[top:]]  # these are summed up
        return Explanation.of(shown, parts.margin, ranked, top)

    def decision(self, pair: tuple[int, int], top: int) -> list[Explanation]:
        """Explain a decision about a pair, by each classifier."""
        model = self.parser.model
        strings: Any = model.lexicon.strings
        ids = self.sets[self.asked.index(pair)]
        told = []
        for number, classifier in enumerate(model.pair_classifiers()):
            parts = contributions(classifier, ids)
            ranked = [
                (
                    " & ".join(feature_name(model.width, i, strings, self.functions) for i in one) or "(bias)",
                    weight,
                )
                for one, weight in parts.items[:top]
            ]
            ranked += [("", weight) for _, weight in parts.items[top:]]  # these are summed up
            of = "corrections" if number >= len(model.parsers) else number
            arrow = f"{self.name(pair[0])} → {self.name(pair[1])} ({of})"
            told.append(Explanation.of(arrow, parts.margin, ranked, top))
        return told
