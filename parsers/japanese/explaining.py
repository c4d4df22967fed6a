"""Why the Japanese parser made an arc, or did not: the conjunctions behind one decision, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

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
    """Explain whether one bunsetsu depends on another, in the same form as a classifier's explanation."""
    parser = JapaneseParser.pretrained() if model == "ja" else JapaneseParser.load(model)
    parsed = parser.parse(text, one_sentence=True)
    if not parsed:
        raise CorpusError("text", None, "there is nothing to explain in an empty text")
    sentence = parsed[0]
    count = len(sentence.bunsetsu)
    if not 0 <= pair[0] < pair[1] < count:
        shown = " ".join(f"{i}:{text[b.begin : b.end]}" for i, b in enumerate(sentence.bunsetsu))
        raise CorpusError("--pair", None, f"I must be before J and both among the bunsetsu: {shown}")
    asked = list(decisions(sentence.heads))
    if pair not in asked:
        reason = (
            "bunsetsu J is the last, so there was no choice" if pair[1] == count - 1 else "a nearer decision came first"
        )
        raise CorpusError("--pair", None, f"the parser never asked whether {pair[0]} depends on {pair[1]}: {reason}")
    morphemes = parser.source.morphemes([text], parser.model.lexicon)
    opens = parser.model.segment(morphemes)
    features = Sentence(parser.model.width, parser.model.pair_slots)
    heads, _ = parser.model.parse(morphemes, opens)
    sets, _ = training_pairs(morphemes, opens, heads, features, "shift-reduce")
    ids = sets[asked.index(pair)]
    begins, ends = morphemes.begins.tolist(), morphemes.ends.tolist()
    functions = {
        value: text[begins[first] : ends[last - 1]].strip()
        for value, first, last in function_words(features, morphemes, opens)
        if first < last
    }
    strings: Any = parser.model.lexicon.strings
    told = []
    for number, classifier in enumerate(parser.model.parsers):
        parts = contributions(classifier, ids)
        items = [
            {
                "conjunction": " & ".join(feature_name(parser.model.width, i, strings, functions) for i in one)
                or "(bias)",
                "weight": weight,
            }
            for one, weight in parts.items[:top]
        ]
        rest = parts.items[top:]
        if rest:
            total = float(sum(weight for _, weight in rest))
            items.append({"conjunction": f"({len(rest)} others)", "weight": total})
        dependent, head = (text[b.begin : b.end] for b in (sentence.bunsetsu[pair[0]], sentence.bunsetsu[pair[1]]))
        told.append({"machine": f"{dependent} → {head} ({number})", "margin": parts.margin, "items": items})
    return told
