"""Why the constituency parser built a constituent: the decisions behind it, with weights that add up to their margins.

A constituent is made by one decision that joins two items (or by several, where it has more than two parts), or by one
that puts it on top of another. Each decision is told against the best other one in the same state: a conjunction's
weight is what it gives the action that was taken minus what it gives the other. The beam compares whole trees, so that
a margin can be negative: then later decisions made up for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.english.constituency.conjunction_names import Named, StackItem
from kakari.parsers.english.constituency.explaining import derivations
from kakari.parsers.english.constituency.shift_reduce import TreeGrammar
from kakari.parsers.english.model import EnglishModel, MissingParserError
from kakari.parsers.english.words.flat_trees import Node
from kakari.parsers.english.words.words import EnglishWords
from kakari.parsers.pictures.bars import Explanation

HEAD, ITEMS, NUMBERS = 3, 4, 12  # of a row of `derivations`
SHIFT, NO_UNARY = 0, 1


class Decision(NamedTuple):
    """A scored decision: the action, the state it was made in, and the hashes of what it saw."""

    action: int
    unary: bool
    depth: int
    items: tuple[StackItem, ...]
    hashes: NDArray[Any]

    @property
    def span(self) -> tuple[int, int]:
        """The words of what a join, or a unary node, covers."""
        top, below = self.items[:2]
        return (top.begin if self.unary else below.begin), top.end


def decisions_of(states: NDArray[np.int32], hashes: Sequence[NDArray[Any]]) -> list[Decision]:
    """Return the decisions of a derivation, the first one first."""
    found = []
    for row, own in zip(states.tolist(), hashes, strict=True):
        items = tuple(StackItem(*row[HEAD + NUMBERS * i : HEAD + NUMBERS * (i + 1)]) for i in range(ITEMS))
        found.append(Decision(row[0], bool(row[1]), row[2], items, own))
    return found[::-1]


class ExplainedTree:
    """The first derivation of a sentence that builds a constituent, with names for what its decisions saw."""

    def __init__(
        self, model: EnglishModel, words: Sequence[str], node: Node, tags: Sequence[str] | None = None
    ) -> None:
        if model.parser is None:
            raise MissingParserError("this model has a tagger only, no constituency parser")
        self.words, self.node = list(words), node
        self.tags = tuple(tags) if tags is not None else model.parse([self.words])[0].tags
        self.grammar: TreeGrammar = model.parser.grammar
        self.weights = model.parser.weights
        numbers = {tag: place + 1 for place, tag in enumerate(self.grammar.tags)}
        symbols = [numbers.get(tag, 0) for tag in self.tags]
        seen = EnglishWords([self.words], model.lexicon)
        label = self.grammar.symbols.index(node[0]) if node[0] in self.grammar.symbols else -1
        wanted = [label, *node[1:]]
        self.decisions: list[Decision] | None = None
        if self.words:
            for nodes, _, states, hashes in derivations(seen, symbols, self.weights, self.grammar, model.parser.beam):
                if wanted in nodes.tolist():
                    self.decisions = decisions_of(states, hashes)
                    break

    def makers(self) -> Iterator[Decision]:
        """Yield the decisions that made the constituent: unary ones on top of it, the join, and those below it."""
        label, begin, end = self.node
        for one in reversed(self.decisions or ()):
            names = self.grammar.actions[one.action].split()
            if one.unary and one.span == (begin, end) and label in names[1:]:
                yield one
        joins = list(self._joins(label, (begin, end)))
        if not joins:  # the last one was no choice: those that led to it
            unfinished = [
                one.span
                for one in self.decisions or ()
                if self.grammar.actions[one.action].split()[1:] == [f"{label}*"]
                and begin <= one.span[0] < one.span[1] <= end
            ]
            widest = max(unfinished, key=lambda span: span[1] - span[0], default=None)
            joins = [] if widest is None else list(self._joins(f"{label}*", widest))
        yield from joins

    def _joins(self, symbol: str, span: tuple[int, int]) -> Iterator[Decision]:
        for one in self.decisions or ():
            names = self.grammar.actions[one.action].split()
            if names[0] in ("L", "R") and names[1] == symbol and one.span == span:
                yield one
                starred = f"{symbol.rstrip('*')}*"
                for item in one.items[:2]:
                    if self.grammar.symbols[item.symbol] == starred:
                        yield from self._joins(starred, (item.begin, item.end))

    def rivals(self, one: Decision) -> list[int]:
        """Return the other actions that were possible."""
        seen = self.grammar.seen
        top, below = one.items[:2]
        if one.unary:
            rows = seen[(seen[:, 0] < 0) & (seen[:, 1] == top.symbol)]
            possible = {NO_UNARY, *rows[:, 2].tolist()}
        else:
            rows = seen[(seen[:, 0] == below.symbol) & (seen[:, 1] == top.symbol)]
            possible = {*rows[:, 2].tolist()} if below.phase != 2 else set()
            if top.end < len(self.words) and top.phase != 2:
                possible.add(SHIFT)
            if one.depth == 2:  # a starred node that could never be finished
                possible -= {action for action in possible if self._hopeless(action, top)}
        return sorted(possible - {one.action})

    def _hopeless(self, action: int, top: StackItem) -> bool:
        names = self.grammar.actions[action].split()
        return names[-1].endswith("*") and (names[0] == "R" or top.end == len(self.words))

    def told(self, action: int) -> str:
        """Write an action for people."""
        kind, *labels = self.grammar.actions[action].split()
        if kind in ("L", "R"):
            more = ", more to come" if labels[0].endswith("*") else ""
            return f"join to {labels[0].rstrip('*')} (head {'left' if kind == 'L' else 'right'}{more})"
        return {"shift": "go on to the next word", "=": "nothing on top"}.get(
            kind, f"put {' over '.join(labels)} on top"
        )

    def explanation(self, one: Decision, top: int) -> Explanation:
        """Explain a decision against the best other one."""
        named = Named(self.words, self.tags, self.grammar.symbols, one.items, one.depth, one.unary).conjunctions()
        actions = len(self.grammar.actions)
        rows = np.array([self.weights.scores([value], actions) for value in one.hashes.tolist()], dtype=np.int64)
        sums = rows.sum(axis=0)
        rivals = self.rivals(one)
        best = max(rivals, key=lambda action: (sums[action], -action)) if rivals else None
        weights = rows[:, one.action] - (0 if best is None else rows[:, best])
        ranked = [(name, float(weight)) for name, weight in zip(named, weights.tolist(), strict=True) if weight]
        ranked.sort(key=lambda item: -abs(item[1]))
        parts = [
            f"{self.grammar.symbols[item.symbol].rstrip('*')} “{self._text(item)}”"
            for item in one.items[: 1 if one.unary else 2][::-1]
        ]
        before = "" if best is None else f", before: {self.told(best)}"
        return Explanation.of(
            f"{' + '.join(parts)}: {self.told(one.action)}{before}", float(weights.sum()), ranked, top
        )

    def _text(self, item: StackItem) -> str:
        return " ".join(self.words[item.begin : item.end])


def explain_constituent(
    model: EnglishModel, words: Sequence[str], node: Node, top: int, tags: Sequence[str] | None = None
) -> list[Explanation]:
    """Explain a constituent (label, first word, behind the last) of a tree that the beam is left with.

    Examples
    --------
    >>> from kakari.parsers.english.model import pretrained_model
    >>> told = explain_constituent(pretrained_model(), ["The", "dog", "barked", "."], ("NP", 0, 2), 5)
    >>> [one["machine"] for one in told]
    ['DT “The” + NN “dog”: join to NP (head right), before: go on to the next word']
    >>> sum(item["weight"] for item in told[0]["items"]) == told[0]["margin"]
    True
    """
    tree = ExplainedTree(model, words, node, tags)
    if tree.decisions is None:
        label, begin, end = node
        raise CorpusError("text", None, f"no tree that was found has {label} over words {begin + 1} to {end}")
    found = [tree.explanation(one, top) for one in tree.makers()]
    shown = f"{node[0]} “{' '.join(words[node[1] : node[2]])}”"
    return found or [Explanation.of(f"{shown}: nothing else was possible", 0.0, [], top)]
