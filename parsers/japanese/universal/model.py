"""What is trained for the conversion to Universal Dependencies, in one file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedWeights
from kakari.models.files import ModelFileError, read_model, write_model
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.japanese.universal.conversion import WordHashes, convert_batch
from kakari.parsers.japanese.words.morphemes import Morphemes

TASK = "ja-universal"
CONTENT, FIXED, ROOT = "content", "fixed", "root"
QUESTIONS = ("boundary", "part", "relation", "arc")


class UniversalWord(NamedTuple):
    """A word of a tree: part of speech, head within the sentence (-1 for the root), relation."""

    part: str
    head: int
    relation: str


@dataclass(frozen=True)
class UniversalModel:
    """Weights of the four questions, and the labels that answer them.

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

    parts: tuple[str, ...]
    relations: tuple[str, ...]
    arcs: tuple[str, ...]
    weights: tuple[HashedWeights, HashedWeights, HashedWeights, HashedWeights]
    details: dict[str, Any] = field(default_factory=dict)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file."""
        columns = {
            f"{question}.{name}": array
            for question, weights in zip(QUESTIONS, self.weights, strict=True)
            for name, array in weights.columns().items()
        }
        labels = {"parts": self.parts, "relations": self.relations, "arcs": self.arcs}
        write_model(path, TASK, columns, {**labels, "details": self.details}, compressed=True)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> UniversalModel:
        """Read a model file."""
        arrays, metadata = read_model(path, TASK)
        try:
            boundary, part, relation, arc = (_weights(arrays, question) for question in QUESTIONS)
            labels = {name: tuple(map(str, metadata[name])) for name in ("parts", "relations", "arcs")}
            model = UniversalModel(**labels, weights=(boundary, part, relation, arc), details=metadata["details"])
            if {CONTENT, FIXED} - {*model.relations} or ROOT not in model.arcs:
                raise ValueError("labels that the conversion needs are not there")
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFileError(os.fspath(path), f"the model is damaged: {error}") from None
        return model


def _weights(arrays: Mapping[str, NDArray[Any]], question: str) -> HashedWeights:
    prefix = f"{question}."
    return HashedWeights.from_columns(
        {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
    )


class Converter:
    """A model beside the strings of a parser's lexicon; safe to use from many threads.

    Examples
    --------
    >>> from kakari.parsers.japanese.parser import JapaneseParser
    >>> (sentence,) = JapaneseParser.pretrained(universal=True).parse("本を読んだ。")
    >>> [tuple(word) for word in sentence.words]
    [('NOUN', 2, 'obj'), ('ADP', 0, 'case'), ('VERB', -1, 'root'), ('AUX', 2, 'aux'), ('PUNCT', 2, 'punct')]
    """

    def __init__(self, model: UniversalModel, strings: Vocabulary) -> None:
        self.model = model
        self.hashes = WordHashes(strings)
        self.labels = (
            *(len(model.parts), len(model.relations), len(model.arcs)),
            *(model.relations.index(CONTENT), model.relations.index(FIXED), model.arcs.index(ROOT)),
        )

    def convert(self, morphemes: Morphemes, opens: ArrayLike, heads: ArrayLike) -> list[tuple[UniversalWord, ...]]:
        """Convert sentences whose bunsetsu open where `opens` says and lean on `heads`; return a tree each."""
        parts, found, relations, contents = convert_batch(
            morphemes, opens, heads, self.hashes, self.model.weights, self.labels
        )
        names = self.model.parts, (self.model.relations, self.model.arcs)
        words = [
            UniversalWord(names[0][part], head, names[1][content][relation])
            for part, head, relation, content in zip(
                parts.tolist(), found.tolist(), relations.tolist(), contents.tolist(), strict=True
            )
        ]
        starts = morphemes.starts.tolist()
        return [tuple(words[begin:end]) for begin, end in pairwise(starts)]


@cache
def pretrained_universal() -> UniversalModel:
    """Return the embedded model."""
    return UniversalModel.load(str(resources.files("kakari.models") / "pretrained" / "ja-universal.safetensors"))
