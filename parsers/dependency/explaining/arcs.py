"""Why a word has its head: conjunctions by name, with weights that add up to scores of the parser.

A tree's score is the sum over its parts: arcs, and arcs together with their neighbours on the same side and with the
head's own arc. Two sums are told of an arc. The first is how far the tree is before the best one that was found in
which the word has another head; what both trees share cancels out. The second is the arc's own score: of all parts that
have it as their last arc.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.dependency.explaining.conjunction_names import tree_parts
from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.parsing import conjunctions_of
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.treebank import Columns, TreeSentence
from kakari.parsers.pictures.bars import Explanation

LISTED = 32  # trees among which one with another head is looked for


class WeightedTree:
    """The conjunctions of a tree with names and weights, part by part."""

    def __init__(self, model: DependencyModel, words: Sequence[Columns], heads: Sequence[int]) -> None:
        order = int(model.settings.as_dict()["order"])
        self.parts = list(tree_parts(words, heads, order))
        hashes = iter(conjunctions_of(TokenBatch([words]), 0, heads, order).tolist())
        self.weights = [
            [(name, model.full.score([next(hashes)])) for name in part.names] for part in self.parts
        ]  # as integers, in units of `model.full.unit`

    def conjunctions(self, modifier: int | None = None) -> Counter[tuple[int, str]]:
        """Return the sum of the weights of each conjunction: of all parts, or of those of one word's arc."""
        found: Counter[tuple[int, str]] = Counter()
        for part, weights in zip(self.parts, self.weights, strict=True):
            if modifier is None or part.modifier == modifier:
                for name, weight in weights:
                    found[part.modifier, name] += weight
        return found


def explain_arc(model: DependencyModel, tree: TreeSentence, modifier: int, top: int) -> list[Explanation]:
    """Explain the head of a word, counted from 1, in a tree of the model.

    Examples
    --------
    >>> from kakari.parsers.dependency.model import pretrained_model
    >>> model = pretrained_model()
    >>> (tree,) = model.parse([["The", "dog", "barked", "."]])
    >>> before, own = explain_arc(model, tree, 2, 3)
    >>> before["machine"], own["machine"], len(own["items"])
    ('dog → barked, before dog → ROOT', 'dog → barked, the arc alone', 4)
    """
    words, heads = tree.words, tree.heads
    if not 0 < modifier <= len(words):
        known = " ".join(f"{place}:{word[0]}" for place, word in enumerate(words, 1))
        raise CorpusError("--pair", None, f"there is no word {modifier}: {known}")
    own = WeightedTree(model, words, heads)
    told = []
    arc = f"{words[modifier - 1][0]} → {_name(words, heads[modifier - 1])}"
    rival = next((t for _, t in model.best_trees(words, LISTED) if t.heads[modifier - 1] != heads[modifier - 1]), None)
    if rival is not None:
        difference = own.conjunctions()
        difference.subtract(WeightedTree(model, words, rival.heads).conjunctions())
        # What another word's arc adds is told with that word.
        ranked = _ranked(difference, model.full.unit)
        shown = [(name if m == modifier else f"{_owner(words, m)}: {name}", weight) for (m, name), weight in ranked]
        other = f"{words[modifier - 1][0]} → {_name(words, rival.heads[modifier - 1])}"
        margin = sum(difference.values()) * model.full.unit
        told.append(Explanation.of(f"{arc}, before {other}", margin, shown, top))
    weights = own.conjunctions(modifier)
    shown = [(name, weight) for (_, name), weight in _ranked(weights, model.full.unit)]
    told.append(Explanation.of(f"{arc}, the arc alone", sum(weights.values()) * model.full.unit, shown, top))
    return told


def _name(words: Sequence[Columns], place: int) -> str:
    return "ROOT" if place == 0 else words[place - 1][0]


def _owner(words: Sequence[Columns], place: int) -> str:
    return "end of a side" if place == 0 else words[place - 1][0]


def _ranked(weights: Counter[tuple[int, str]], unit: float) -> list[tuple[tuple[int, str], float]]:
    held = [(name, weight) for name, weight in weights.items() if weight]
    return [(name, weight * unit) for name, weight in sorted(held, key=lambda item: -abs(item[1]))]
