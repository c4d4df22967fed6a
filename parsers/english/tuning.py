"""Online learning of a finished tagger and parser from a few trees.

The finished weights search, as in training, for where a wrong analysis beats the annotated one by most; all
changes of a batch are made at once, `STEP` units each, and the result is a finished model again. The lexicon, the tags
and the grammar's actions stay the same; the set of contexts in which an action is allowed grows with the trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kakari.kernels.hashed.weights import HashedLearner
from kakari.parsers.english.constituency import shift_reduce as constituency
from kakari.parsers.english.constituency import tagging
from kakari.parsers.english.constituency.binarising import actions_of, note_seen
from kakari.parsers.english.model import EnglishModel, MissingParserError
from kakari.parsers.english.partial import filled
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.words import EnglishWords, WordLexicon

STEP = 2  # of 127


class UnknownNameError(ValueError):
    """A tree has a tag or a constituent that the model cannot build."""


def tuned_tagger(model: EnglishModel, trees: Sequence[FlatTree], step: int = STEP) -> tuple[EnglishModel, int]:
    """Return a model that has learned from the tags of trees, and how many of these changed it.

    Examples
    --------
    >>> from kakari.parsers.english.model import pretrained_model
    >>> tree = FlatTree(("Blorg",), ("VB",), ())
    >>> model, wrong = tuned_tagger(pretrained_model(), [tree])
    >>> wrong, tuned_tagger(model, [tree])[1] <= wrong
    (1, True)
    """
    numbers = {tag: number for number, tag in enumerate(model.tags)}
    for tag in {tag for tree in trees for tag in tree.tags} - numbers.keys():
        raise UnknownNameError(f"the model has no tag {tag!r}: it takes a model trained from the beginning")
    words = EnglishWords([tree.words for tree in trees], model.lexicon)
    gold = np.array([numbers[tag] for tree in trees for tag in tree.tags], dtype=np.uint8)
    changes = HashedLearner()
    wrong = tagging.learn_batch(
        words, gold, changes, len(model.tags), np.arange(len(trees)), model.tagger_beam, frozen=model.tagger
    )
    return (replace(model, tagger=model.tagger.changed(changes, step)) if wrong else model), wrong


def tuned_parser(model: EnglishModel, trees: Sequence[FlatTree], step: int = STEP) -> tuple[EnglishModel, int]:
    """Return a model that has learned from trees, parsed with its own tags, and how many of these changed it."""
    if model.parser is None:
        raise MissingParserError("this model has a tagger only, no constituency parser")
    trees = filled(trees, model)
    grammar, derivations = model.parser.grammar, [actions_of(tree) for tree in trees]
    numbers = {action: number for number, action in enumerate(grammar.actions)}
    for action in {action for derivation in derivations for action in derivation} - numbers.keys():
        raise UnknownNameError(f"the model cannot build {action!r}: it takes a model trained from the beginning")
    tags = model.tag([tree.words for tree in trees])
    symbols = {symbol: number for number, symbol in enumerate(grammar.symbols)}
    seen = {(left, right, action) for left, right, action in grammar.seen.tolist()}
    known = len(seen)
    for line, derivation in zip(tags, derivations, strict=True):
        note_seen(line, derivation, symbols, numbers, seen)
    if len(seen) > known:
        grammar = constituency.TreeGrammar(grammar.tags, grammar.labels, grammar.actions, np.array(sorted(seen)))
    words = EnglishWords([tree.words for tree in trees], WordLexicon([], []))
    gold = np.array([numbers[action] for derivation in derivations for action in derivation], dtype=np.uint8)
    met = np.array([symbols.get(tag, 0) for line in tags for tag in line], dtype=np.uint8)
    changes = HashedLearner()
    wrong = constituency.learn_batch(
        words, met, gold, changes, grammar, np.arange(len(trees)), model.parser.beam, frozen=model.parser.weights
    )
    weights = model.parser.weights.changed(changes, step) if wrong else model.parser.weights
    return replace(model, parser=replace(model.parser, grammar=grammar, weights=weights)), wrong
