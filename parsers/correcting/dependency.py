"""Corrections of dependency trees: which word another one depends on, or that it is the root.

Among the best trees of a sentence the first one with the corrected arcs is what is wanted; where none has them, the
best tree is bent: the word moves below its new head, and if that one stood below it, the head takes the word's old
place. The weights step along the difference between that tree and the one that was found (MIRA), again and again until
it wins; a head that the first pass would not have kept is raised there first. Conjunctions of the embedded sample's
trees, which are those of very many trees, are left alone. Earlier corrections that a step broke are learned again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.corpora import read
from kakari.models.correcting.part_layer import PartLayer
from kakari.models.correcting.stored import Corrections
from kakari.parsers.correcting.records import Correction, CorrectionError
from kakari.parsers.correcting.sentences import Owners
from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.parser import DependencyParser, ParsedSentence, tagger_of
from kakari.parsers.dependency.parsing import candidate_heads, conjunctions_of, light_conjunctions
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.treebank import read_treebank

Hashes = NDArray[np.uint64]
ROUNDS = 12
SEARCHED = 64  # trees among which one with the corrected arcs is looked for
TARGET = 1.0  # what the wanted tree shall lead by
REHEARSALS = 3


@dataclass(frozen=True)
class Wanted:
    """A sentence, and the heads that some of its words shall have; both are counted from 1, a root's head is 0."""

    sentence: ParsedSentence
    arcs: Mapping[int, int]

    def holds(self, heads: Sequence[int]) -> bool:
        """Return whether a tree has the wanted arcs."""
        return all(heads[word - 1] == head for word, head in self.arcs.items())


class DependencyCorrector:
    """Teaches a dependency parser what a user corrected.

    Examples
    --------
    >>> from kakari.parsers.dependency.model import pretrained_model
    >>> one = Correction("I saw the man with a telescope.", "arc", (21, 30), (10, 13))
    >>> corrector = DependencyCorrector(pretrained_model())
    >>> corrector.holds(one), DependencyCorrector(corrector.learned([one])).holds(one)
    (False, True)
    """

    kinds: ClassVar[tuple[str, ...]] = ("arc",)

    def __init__(self, model: DependencyModel) -> None:
        self.model = model
        self.parser = DependencyParser(model, tagger_of(model))

    def learned(self, corrections: Sequence[Correction]) -> DependencyModel:
        """Return the model after it has learned corrections, one after another, beside those that it had."""
        before: Corrections[PartLayer] = self.model.corrections or Corrections()
        owners = Owners(lambda one: one.text, [Correction.from_line(line) for line in before.history])
        model = self.model
        history = list(before.history)
        for one in corrections:
            _, own = owners.add(one)
            history.append(one.line())
            layers = {} if model.corrections is None else model.corrections.layers
            model = model.with_corrections(Corrections(tuple(history), layers))
            model = _taught(model, self.wanted(own))
            for _ in range(REHEARSALS):
                broken = self._broken(model, owners)
                if not broken:
                    break
                for wanted in broken:
                    model = _taught(model, wanted)
        return model

    def _broken(self, model: DependencyModel, owners: Owners) -> list[Wanted]:
        """Return the sentences whose corrections do not hold."""
        wanted = [one for own in owners.sentences.values() for one in self.wanted(own)]
        trees = model.parse_tagged([one.sentence.tree.words for one in wanted])
        return [one for one, tree in zip(wanted, trees, strict=True) if not one.holds(tree.heads)]

    def holds(self, correction: Correction) -> bool:
        """Return whether the model's tree is as a correction says."""
        return all(wanted.holds(wanted.sentence.tree.heads) for wanted in self.wanted([correction]))

    def shown(self, texts: Sequence[str]) -> list[str]:
        """Return each word of each text with the number of its head in its sentence.

        Examples
        --------
        >>> from kakari.parsers.dependency.model import pretrained_model
        >>> DependencyCorrector(pretrained_model()).shown(["The dog barked."])
        ['The:2 dog:3 barked:0 .:3']
        """
        return [
            " ".join(_written(one.tree.forms, one.tree.heads) for one in found) for found in self.parser.pipe(texts)
        ]

    @staticmethod
    def sample() -> list[tuple[str, str]]:
        """Return the sentences of the embedded sample with their heads, in the form of `shown`."""
        found = []
        for record in read("sample-ud"):
            heads = [int(word.head) for word in record.words]
            found.append((record.text, _written([word.form for word in record.words], heads)))
        return found

    def wanted(self, corrections: Sequence[Correction]) -> list[Wanted]:
        """Return what corrections of one text say of its sentences."""
        parsed = self.parser.parse(corrections[0].text)
        arcs: dict[int, dict[int, int]] = {}
        for one in corrections:
            if one.kind != "arc":
                raise CorrectionError(f"a dependency parser learns arcs, not what a {one.kind!r} is")
            number, word = _word(one, one.at, parsed)
            other, head = (number, 0) if one.value is None else _word(one, one.value, parsed)
            if other != number:
                raise CorrectionError(f"{one.told()}: the two words are in different sentences")
            own = arcs.setdefault(number, {})
            if own.setdefault(word, head) != head:
                raise CorrectionError(f"{one.told()}: another correction gives this word another head")
            if not _can_be(own, one_root=self.model.settings.as_dict()["one_root"]):
                raise CorrectionError(f"{one.told()}: no tree has this arc and the others that were corrected")
        return [Wanted(parsed[number], own) for number, own in arcs.items()]


def _taught(model: DependencyModel, wanted: Wanted | Sequence[Wanted]) -> DependencyModel:
    """Return the model after rounds of learning, until its trees are as they are wanted."""
    for one in [wanted] if isinstance(wanted, Wanted) else wanted:
        batch = TokenBatch([one.sentence.tree.words])
        for _ in range(ROUNDS):
            found = model.parse_tagged([one.sentence.tree.words])[0].heads
            if one.holds(found):
                break
            model = _step(model, one, batch, found)
    return model


def _step(model: DependencyModel, wanted: Wanted, batch: TokenBatch, found: Sequence[int]) -> DependencyModel:
    """Return the model after a step towards the wanted tree."""
    learned: Corrections[PartLayer] = model.corrections or Corrections()
    layers = {name: learned.layers.get(name) or PartLayer.empty() for name in ("light", "full")}
    tree = _tree(model, wanted, found)
    kept, _ = candidate_heads(batch, model.light, model.settings)
    held = {(int(token) + 1, int(head)) for token, head in kept.tolist()}
    for word, head in enumerate(tree, 1):
        if (word, head) not in held:
            rows = [light_conjunctions(batch, 0, other, word) for other in range(len(tree) + 1) if other != word]
            scores = [model.light.score(row) for row in rows]
            best = int(np.argmax(scores))
            own = light_conjunctions(batch, 0, head, word)
            loss = scores[best] - model.light.score(own) + TARGET / model.light.unit
            layers["light"] = layers["light"].stepped(*telling(own, rows[best], common_arcs()), loss)
    order = model.settings.as_dict()["order"]
    good, bad = (conjunctions_of(batch, 0, heads, order) for heads in (tree, found))
    lead = model.full.score(good) - model.full.score(bad)
    # A reranker may prefer another tree than the one that leads: then the lead is doubled.
    loss = max(TARGET / model.full.unit, 2 * lead) - lead
    layers["full"] = layers["full"].stepped(*telling(good, bad, common_parts(order)), loss)
    return model.with_corrections(Corrections(learned.history, layers))


def telling(wanted: Hashes, found: Hashes, common: Hashes) -> tuple[Hashes, Hashes]:
    """Return the conjunctions of two structures without common ones, or all where nothing else tells them apart.

    Examples
    --------
    >>> one, other, common = (np.array(own, dtype=np.uint64) for own in ([1, 2, 3], [2, 4], [1, 4]))
    >>> [own.tolist() for own in telling(one, other, common)]
    [[2, 3], [2]]
    """
    first, second = (own[~np.isin(own, common)] for own in (wanted, found))
    return (wanted, found) if Counter(first.tolist()) == Counter(second.tolist()) else (first, second)


@cache
def common_parts(order: int) -> Hashes:
    """Return the conjunctions of the trees of the embedded sample."""
    trees = list(read_treebank("sample-ud"))
    batch = TokenBatch([tree.words for tree in trees])
    return np.unique(np.concatenate([conjunctions_of(batch, n, tree.heads, order) for n, tree in enumerate(trees)]))


@cache
def common_arcs() -> Hashes:
    """Return the conjunctions of the arcs of the embedded sample in the first pass."""
    trees = list(read_treebank("sample-ud"))
    batch = TokenBatch([tree.words for tree in trees])
    arcs = [(n, head, word) for n, tree in enumerate(trees) for word, head in enumerate(tree.heads, 1)]
    return np.unique(np.concatenate([light_conjunctions(batch, *arc) for arc in arcs]))


def _tree(model: DependencyModel, wanted: Wanted, found: Sequence[int]) -> list[int]:
    """Return the best tree that has the wanted arcs."""
    for _, tree in model.best_trees(wanted.sentence.tree.words, SEARCHED):
        if wanted.holds(tree.heads):
            return list(tree.heads)
    return bent(found, wanted.arcs)


def bent(heads: Sequence[int], arcs: Mapping[int, int]) -> list[int]:
    """Return a tree with some arcs changed: a new head that stood below its word takes the word's place.

    Words are counted from 1; a root has the head 0, and when another word becomes the root, the old one moves below it.

    Examples
    --------
    >>> bent([2, 0, 2], {1: 3}), bent([2, 0, 2], {2: 3}), bent([2, 0, 2], {3: 0})
    ([3, 0, 2], [2, 3, 0], [2, 3, 0])
    """
    found = list(heads)
    for word, head in arcs.items():
        above = head
        while above not in (0, word):
            above = found[above - 1]
        if head and above == word:  # the head stands below the word
            if head not in arcs:
                found[head - 1] = found[word - 1]
        elif head == 0 and 0 in found:
            old = found.index(0) + 1
            if old not in arcs:
                found[old - 1] = word
        found[word - 1] = head
    return found


def _can_be(arcs: Mapping[int, int], *, one_root: bool) -> bool:
    """Return whether arcs have no circle and, where that is asked for, not two roots."""
    for word in arcs:
        seen, above = {word}, arcs[word]
        while above in arcs:
            if above in seen:
                return False
            seen.add(above)
            above = arcs[above]
        if above in seen:
            return False
    return not one_root or list(arcs.values()).count(0) < 2


def _word(one: Correction, span: object, parsed: Sequence[ParsedSentence]) -> tuple[int, int]:
    """Return the sentence and the number of the word that has these characters."""
    for number, sentence in enumerate(parsed):
        for place, own in enumerate(sentence.spans, 1):
            if own == span:
                return number, place
    shown = one.text[slice(*span)] if isinstance(span, tuple) else ""
    raise CorrectionError(f"{one.told()}: {shown!r} is not a word of the text")


def _written(words: Sequence[str], heads: Sequence[int]) -> str:
    return " ".join(f"{word}:{head}" for word, head in zip(words, heads, strict=True))
