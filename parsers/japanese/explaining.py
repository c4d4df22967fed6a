"""Why the Japanese parser made an arc, or did not: the conjunctions behind one decision, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kakari.corpora.records.errors import CorpusError
from kakari.kernels.frozen.explaining import contributions
from kakari.parsers.japanese.dependency.decoders import training_pairs
from kakari.parsers.japanese.dependency.feature_groups import feature_name
from kakari.parsers.japanese.dependency.pairs import Sentence, function_words
from kakari.parsers.japanese.parser import JapaneseParser


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


def explain_pair(text: str, pair: tuple[int, int], model: str, top: int) -> list[dict[str, Any]]:
    """Explain whether one bunsetsu depends on another, in the same form as a classifier's explanation.

    An arc to the last bunsetsu is what remains when all nearer heads were refused: these decisions explain it.
    """
    sentence = _Explained(text, model)
    dependent, head = pair
    if not 0 <= dependent < head < sentence.count:
        raise CorpusError("--pair", None, f"I must be before J and both among the bunsetsu: {sentence.shown()}")
    if pair in sentence.asked:
        return sentence.decision(pair, top)
    if head == sentence.count - 1 and sentence.heads[dependent] == head:
        return sentence.arc(dependent, top)
    reason = (
        f"it depends on {sentence.heads[dependent]}, which is nearer"
        if 0 <= sentence.heads[dependent] < head
        else "another bunsetsu was attached between them"
    )
    raise CorpusError("--pair", None, f"the parser never asked whether {dependent} depends on {head}: {reason}")


def explain_arcs(text: str, model: str, top: int) -> list[dict[str, Any]]:
    """Explain every arc of a sentence: the decision for it, or those against nearer heads."""
    sentence = _Explained(text, model)
    return [part for dependent in range(sentence.count - 1) for part in sentence.arc(dependent, top)]


class _Explained:
    """A parsed sentence and the decisions that led to it."""

    def __init__(self, text: str, model: str) -> None:
        self.text = text
        self.parser = JapaneseParser.pretrained() if model == "ja" else JapaneseParser.load(model)
        parsed = self.parser.parse(text, one_sentence=True)
        if not parsed:
            raise CorpusError("text", None, "there is nothing to explain in an empty text")
        self.bunsetsu, self.heads = parsed[0].bunsetsu, parsed[0].heads
        self.count = len(self.bunsetsu)
        self.asked = list(decisions(self.heads))
        self.morphemes = self.parser.source.morphemes([text], self.parser.model.lexicon)
        opens = self.parser.model.segment(self.morphemes)
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
        return " ".join(f"{i}:{self.name(i)}" for i in range(self.count))

    def name(self, number: int) -> str:
        return self.text[self.bunsetsu[number].begin : self.bunsetsu[number].end].strip()

    def arc(self, dependent: int, top: int) -> list[dict[str, Any]]:
        """Explain the arc of a bunsetsu."""
        head = self.heads[dependent]
        if (dependent, head) in self.asked:
            return self.decision((dependent, head), top)
        against = [pair for pair in self.asked if pair[0] == dependent]
        reason = "the nearer heads were refused" if against else "there is no other head"
        told = {"machine": f"{self.name(dependent)} → {self.name(head)}: {reason}", "margin": 0.0, "items": []}
        return [told, *(part for pair in against for part in self.decision(pair, top))]

    def decision(self, pair: tuple[int, int], top: int) -> list[dict[str, Any]]:
        """Explain a decision about a pair, by each classifier."""
        model = self.parser.model
        strings: Any = model.lexicon.strings
        ids = self.sets[self.asked.index(pair)]
        told = []
        for number, classifier in enumerate(model.parsers):
            parts = contributions(classifier, ids)
            items = [
                {
                    "conjunction": " & ".join(feature_name(model.width, i, strings, self.functions) for i in one)
                    or "(bias)",
                    "weight": weight,
                }
                for one, weight in parts.items[:top]
            ]
            rest = parts.items[top:]
            if rest:
                total = float(sum(weight for _, weight in rest))
                items.append({"conjunction": f"({len(rest)} others)", "weight": total})
            arrow = f"{self.name(pair[0])} → {self.name(pair[1])} ({number})"
            told.append({"machine": arrow, "margin": parts.margin, "items": items})
        return told
