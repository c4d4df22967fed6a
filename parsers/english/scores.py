"""Accuracy of English tags and trees, by the conventions of EVALB.

A bracket is a constituent's label and what it covers; one that is both found and gold counts, as often as it is in
both. As in EVALB with the parameters of Collins: the root is left out; words whose gold tag is one of , : `` '' .
are left out before what is covered is compared, and with them constituents that have no other words; ADVP and PRT
are the same label. Unlike in EVALB, spans are in characters of the text and not in words, so that brackets over other
tokens than the gold ones can be right. Tag accuracy is the F1 of tokens with their tags, which is the share of right
ones if the tokens are given. With trees, the tags are those that were decided together with them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

from kakari.parsers.english.model import EnglishModel
from kakari.parsers.english.parser import tokens_of
from kakari.parsers.english.words.detokenising import Span, detokenised
from kakari.parsers.english.words.flat_trees import ROOT, FlatTree, Node

Given = Literal["text", "tokens", "tags"]
Task = Literal["tags", "trees"]
IGNORED_TAGS = frozenset({",", ":", "``", "''", "."})
SAME_LABELS = {"PRT": "ADVP"}
Bracket = tuple[str, int, int]


@dataclass
class EnglishScores:
    """All measures of an evaluation; `as_dict` returns them as plain numbers."""

    sentences: int = 0
    seconds: float = 0.0
    tokens: list[int] = field(default_factory=lambda: [0, 0, 0])  # matched, found, gold
    tags: list[int] = field(default_factory=lambda: [0, 0, 0])
    brackets: list[int] = field(default_factory=lambda: [0, 0, 0])
    exact: int = 0
    crossing: int = 0
    without_crossing: int = 0
    by_label: dict[str, list[int]] = field(default_factory=dict)

    def add_tags(self, gold: FlatTree, spans: Sequence[Span], tags: Sequence[str], found: Sequence[Span]) -> None:
        """Count the tokens and tags of a sentence."""
        _count(self.tokens, set(found), set(spans))
        _count(self.tags, set(zip(found, tags, strict=True)), set(zip(spans, gold.tags, strict=True)))

    def add_tree(self, gold: FlatTree, spans: Sequence[Span], nodes: Sequence[Node], found: Sequence[Span]) -> None:
        """Count the brackets of a sentence."""
        counted = _counted_characters(gold, spans)
        wanted, have = _brackets(gold.nodes, spans, counted), _brackets(nodes, found, counted)
        both = wanted & have
        self.brackets[0] += both.total()
        self.brackets[1] += have.total()
        self.brackets[2] += wanted.total()
        self.exact += wanted == have
        crossing = sum(times for one, times in have.items() if any(_cross(one, other) for other in wanted))
        self.crossing += crossing
        self.without_crossing += not crossing
        for place, counter in enumerate((both, have, wanted)):
            for (label, _, _), times in counter.items():
                self.by_label.setdefault(label, [0, 0, 0])[place] += times

    def as_dict(self, task: Task = "trees") -> dict[str, Any]:
        """Return the measures as plain numbers.

        Examples
        --------
        >>> sorted(EnglishScores().as_dict("tags"))
        ['seconds', 'sentences', 'tag_accuracy', 'token_f1']
        """
        told: dict[str, Any] = {"tag_accuracy": _f1(self.tags), "token_f1": _f1(self.tokens)}
        if task == "trees":
            matched, found, gold = self.brackets
            told |= {
                "bracket_precision": matched / found if found else 0.0,
                "bracket_recall": matched / gold if gold else 0.0,
                "bracket_f1": _f1(self.brackets),
                "exact_match": self.exact / max(1, self.sentences),
                "crossing_brackets": self.crossing / max(1, self.sentences),
                "no_crossing": self.without_crossing / max(1, self.sentences),
            }
        told |= {"sentences": self.sentences, "seconds": round(self.seconds, 4)}
        if task == "trees":
            told["recall_by_label"] = {
                label: [right, gold] for label, (right, _, gold) in self.by_label.items() if gold
            }
        return told


def evaluate(
    model: EnglishModel, trees: Sequence[FlatTree], *, task: Task = "trees", given: Given = "text"
) -> EnglishScores:
    """Score a model on trees.

    Parameters
    ----------
    task : "tags" or "trees"
    given : "text", "tokens" or "tags"
        Input of the model: the text of each sentence, which it tokenises itself, its gold tokens, or its
        gold tags as well.

    Examples
    --------
    >>> from kakari.parsers.english.model import pretrained_model
    >>> tree = FlatTree(("Dogs", "bark", "."), ("NNS", "VBP", "."), (("S", 0, 3), ("NP", 0, 1), ("VP", 1, 2)))
    >>> evaluate(pretrained_model(), [tree]).as_dict()["bracket_f1"]
    1.0
    """
    if given not in ("text", "tokens", "tags"):
        raise ValueError(f"given is text, tokens or tags, not {given!r}")
    texts = [detokenised(tree) for tree in trees]
    scores = EnglishScores(sentences=len(trees))
    began = time.process_time()
    spans: list[list[Span]] = [own for _, own in texts]
    if given == "text":
        cut = [tokens_of(text, one_sentence=True) for text, _ in texts]
        # A sentence may have been cut because it is very long.
        spans = [[span for piece in pieces for span in piece] for pieces in cut]
        words = [tuple(text[begin:end] for begin, end in own) for (text, _), own in zip(texts, spans, strict=True)]
    else:
        words = [tree.words for tree in trees]
    found = model.parse(words, [tree.tags for tree in trees] if given == "tags" else None) if task == "trees" else []
    if given == "tags":
        tags = [tree.tags for tree in trees]
    else:
        tags = [tree.tags for tree in found] if task == "trees" else model.tag(words)
    scores.seconds = time.process_time() - began
    for (_, gold_spans), gold, line, own in zip(texts, trees, tags, spans, strict=True):
        scores.add_tags(gold, gold_spans, line, own)
    for (_, gold_spans), gold, tree, own in zip(texts, trees, found, spans, strict=False):
        scores.add_tree(gold, gold_spans, tree.nodes, own)
    return scores


def _f1(counts: Sequence[int]) -> float:
    matched, found, gold = counts
    return 2 * matched / (found + gold) if found + gold else 0.0


def _count(counts: list[int], found: set[Any], gold: set[Any]) -> None:
    counts[0] += len(found & gold)
    counts[1] += len(found)
    counts[2] += len(gold)


def _counted_characters(gold: FlatTree, spans: Sequence[Span]) -> list[int]:
    """Return for each place in the text the number of characters before it that belong to counted words."""
    counts = [0] * (spans[-1][1] + 1 if spans else 1)
    for (begin, end), tag in zip(spans, gold.tags, strict=True):
        if tag not in IGNORED_TAGS:
            counts[begin + 1 : end + 1] = [1] * (end - begin)
    return list(accumulate(counts))


def _brackets(nodes: Sequence[Node], spans: Sequence[Span], counted: Sequence[int]) -> Counter[Bracket]:
    found: Counter[Bracket] = Counter()
    for label, begin, end in nodes:
        first, last = counted[spans[begin][0]], counted[spans[end - 1][1]]
        if label != ROOT and first < last:
            found[SAME_LABELS.get(label, label), first, last] += 1
    return found


def _cross(one: Bracket, other: Bracket) -> bool:
    return one[1] < other[1] < one[2] < other[2] or other[1] < one[1] < other[2] < one[2]
