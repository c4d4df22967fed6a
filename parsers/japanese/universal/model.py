"""Model of the conversion to Universal Dependencies, in one file."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import MOST_CLASSES, HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.japanese.universal.conversion import (
    BoundaryLines,
    ClassLines,
    WordHashes,
    convert_batch,
    cut_batch,
)
from kakari.parsers.japanese.words.morphemes import Morphemes

CONTENT, FIXED, ROOT = "content", "fixed", "root"
QUESTIONS = ("boundary", "part", "relation", "arc")


class UniversalWord(NamedTuple):
    """A word of a tree: part of speech, head within the sentence (-1 for the root), relation."""

    part: str
    head: int
    relation: str


@dataclass(frozen=True)
class UniversalModel(StoredModel):
    """Weights and labels of the four classifiers.

    Attributes
    ----------
    parts : tuple of str
        Parts of speech (UPOS).
    relations, arcs : tuple of str
        Relations of words within a bunsetsu, where `content` stands for its content word, and of content words.
    weights : tuple of HashedWeights
        For boundaries, parts of speech, relations and arcs.
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    """

    task: ClassVar[str] = "ja-universal"
    parts: tuple[str, ...]
    relations: tuple[str, ...]
    arcs: tuple[str, ...]
    weights: tuple[HashedWeights, HashedWeights, HashedWeights, HashedWeights]
    details: dict[str, Any] = field(default_factory=dict)

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        parts = {question: weights.contents() for question, weights in zip(QUESTIONS, self.weights, strict=True)}
        labels = {"parts": list(self.parts), "relations": list(self.relations), "arcs": list(self.arcs)}
        return Contents.joined(parts, {**labels, "details": self.details})

    @classmethod
    def from_contents(cls, contents: Contents) -> UniversalModel:
        """Rebuild a model from its `contents()`."""
        parts, relations, arcs = (tuple(contents.texts(name, distinct=True)) for name in ("parts", "relations", "arcs"))
        if not parts or {CONTENT, FIXED} - {*relations} or ROOT not in arcs:
            raise contents.refuse("labels that the conversion needs are not there")
        if max(len(parts), len(relations), len(arcs)) > MOST_CLASSES:
            raise contents.refuse(f"there are more than {MOST_CLASSES} labels")
        weights = (
            HashedWeights.from_contents(contents.part("boundary")),
            HashedWeights.from_contents(contents.part("part"), len(parts)),
            HashedWeights.from_contents(contents.part("relation"), len(relations)),
            HashedWeights.from_contents(contents.part("arc"), len(arcs)),
        )
        return UniversalModel(parts, relations, arcs, weights, contents.table("details"))


class Converter:
    """A model with the strings of a parser's lexicon; safe to use from many threads.

    Examples
    --------
    >>> from kakari.parsers.japanese.parser import JapaneseParser
    >>> (sentence,) = JapaneseParser.pretrained(universal=True).parse("本を読んだ。")
    >>> [tuple(word) for word in sentence.words]
    [('NOUN', 2, 'obj'), ('ADP', 0, 'case'), ('VERB', -1, 'root'), ('AUX', 2, 'aux'), ('PUNCT', 2, 'punct')]
    """

    def __init__(self, model: UniversalModel, strings: Vocabulary) -> None:
        self.model, self.strings = model, strings
        self.hashes = WordHashes(strings)
        boundary, part, relation, arc = model.weights
        self.lines = (
            BoundaryLines(boundary),
            ClassLines(part, len(model.parts)),
            ClassLines(relation, len(model.relations)),
            ClassLines(arc, len(model.arcs)),
        )
        self.labels = (
            *(len(model.parts), len(model.relations), len(model.arcs)),
            *(model.relations.index(CONTENT), model.relations.index(FIXED), model.arcs.index(ROOT)),
        )

    def __reduce__(self) -> tuple[type[Converter], tuple[UniversalModel, Vocabulary]]:
        return Converter, (self.model, self.strings)

    @property
    def relation_names(self) -> tuple[str, ...]:
        """The relations by the numbers that `convert_arrays` returns."""
        return (*self.model.relations, *self.model.arcs)

    def cut(
        self, morphemes: Morphemes, opens: ArrayLike, heads: ArrayLike
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """Return opening marks of words and heads of bunsetsu by the standard of UD Japanese GSD."""
        return cut_batch(morphemes, opens, heads, self.hashes, self.lines[0])

    def convert_arrays(
        self, morphemes: Morphemes, opens: ArrayLike, heads: ArrayLike
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8]]:
        """Convert sentences as `convert` does; return numbers of parts, heads and numbers of relations of all words."""
        parts, found, relations, contents = convert_batch(morphemes, opens, heads, self.hashes, self.lines, self.labels)
        return parts, found, relations + np.uint8(len(self.model.relations)) * contents

    def convert(self, morphemes: Morphemes, opens: ArrayLike, heads: ArrayLike) -> list[tuple[UniversalWord, ...]]:
        """Convert sentences with the bunsetsu boundaries `opens` and the heads `heads`; return a tree for each."""
        parts, found, relations = self.convert_arrays(morphemes, opens, heads)
        part_names, relation_names = self.model.parts, self.relation_names
        words = [
            UniversalWord(part_names[part], head, relation_names[relation])
            for part, head, relation in zip(parts.tolist(), found.tolist(), relations.tolist(), strict=True)
        ]
        starts = morphemes.starts.tolist()
        return [tuple(words[begin:end]) for begin, end in pairwise(starts)]


@cache
def pretrained_universal() -> UniversalModel:
    """Return the embedded model."""
    return UniversalModel.load(str(resources.files("kakari.models") / "pretrained" / "ja-universal.safetensors"))
