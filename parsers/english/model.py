"""What is trained for English, in one file: the tagger and, in most models, the constituency parser."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.weights import HashedWeights
from kakari.models.files import (
    ModelFileError,
    deflated,
    inflated,
    model_bytes,
    read_model,
    read_model_bytes,
    write_model,
)
from kakari.parsers.english.constituency.shift_reduce import TreeGrammar, parse_batch
from kakari.parsers.english.constituency.tagging import tag_batch
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.words import EnglishWords, WordLexicon

TASK = "en-constituency"
# Goes up when templates or hashes change: a model of other ones would be misread.
TEMPLATES = 2
# The columns of weights that a file holds compressed; the others are bits of hashes, which do not get any smaller.
COMPRESSED = {"sizes": np.uint16, "counts": np.uint8, "places": np.uint8, "amounts": np.int8}
Sentences = Sequence[Sequence[str]]


class MissingParserError(ValueError):
    """A model without a parser was asked for trees."""


@dataclass
class TreeParser:
    """The constituency parser's part of a model."""

    grammar: TreeGrammar
    weights: HashedWeights
    beam: int = 8


@dataclass
class EnglishModel:
    """The tagger and the parser, with what they know.

    Attributes
    ----------
    tags : tuple of str
    lexicon : WordLexicon
    tagger : HashedWeights
    tagger_beam : int
    parser : TreeParser, optional
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    """

    tags: tuple[str, ...]
    lexicon: WordLexicon
    tagger: HashedWeights
    tagger_beam: int = 4
    parser: TreeParser | None = None
    details: dict[str, Any] = field(default_factory=dict)

    def tag(self, sentences: Sentences) -> list[tuple[str, ...]]:
        """Return the tags of the words of each sentence.

        Examples
        --------
        >>> pretrained_model().tag([["The", "dog", "barked", "."]])
        [('DT', 'NN', 'VBD', '.')]
        """
        words = EnglishWords(sentences, self.lexicon)
        return _divided(tag_batch(words, self.tagger, len(self.tags), self.tagger_beam), words.starts, self.tags)

    def parse(self, sentences: Sentences, tags: Iterable[Sequence[str]] | None = None) -> list[FlatTree]:
        """Return the tree of each sentence, with the given tags or else its own.

        Examples
        --------
        >>> pretrained_model().parse([["Dogs", "bark", "."]])[0].nodes
        (('S', 0, 3), ('NP', 0, 1), ('VP', 1, 2))
        """
        if self.parser is None:
            raise MissingParserError("this model has a tagger only, no constituency parser")
        chosen = self.tag(sentences) if tags is None else [tuple(line) for line in tags]
        grammar = self.parser.grammar
        numbers = {tag: place + 1 for place, tag in enumerate(grammar.tags)}  # 0 is a tag that was never seen
        symbols = np.array([numbers.get(tag, 0) for line in chosen for tag in line], dtype=np.uint8)
        words = EnglishWords(sentences, self.lexicon)
        nodes, starts = parse_batch(words, symbols, self.parser.weights, grammar, self.parser.beam)
        names, table, ends = grammar.symbols, nodes.tolist(), starts.tolist()
        return [
            FlatTree(
                tuple(sentence), line, tuple((names[label], begin, end) for label, begin, end in table[first:last])
            )
            for sentence, line, first, last in zip(sentences, chosen, ends, ends[1:], strict=False)
        ]

    def save(self, path: str | os.PathLike[str], *, smallest: bool = False) -> None:
        """Write the model to a file; to make it as small as can be takes twenty times longer."""
        write_model(path, TASK, *self._parts(9 if smallest else 1))

    def to_bytes(self, *, smallest: bool = False) -> bytes:
        """Return the model as the bytes of its file."""
        return model_bytes(TASK, *self._parts(9 if smallest else 1))

    @staticmethod
    def load(path: str | os.PathLike[str]) -> EnglishModel:
        """Read a model from a file."""
        return _joined(*read_model(path, TASK), os.fspath(path))

    @staticmethod
    def from_bytes(data: bytes) -> EnglishModel:
        """Read a model from the bytes of a file."""
        return _joined(*read_model_bytes(data, TASK), "<bytes>")

    def _parts(self, level: int) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        arrays = {f"lexicon/{name}": array for name, array in self.lexicon.arrays.items()}
        arrays |= _packed("tagger", self.tagger, level)
        details = {**self.details, "templates": TEMPLATES, "tags": self.tags, "tagger_beam": self.tagger_beam}
        if self.parser is not None:
            grammar = self.parser.grammar
            arrays |= _packed("parser", self.parser.weights, level)
            arrays["grammar/seen"] = grammar.seen.astype(np.int16)
            details["grammar"] = {"tags": grammar.tags, "labels": grammar.labels, "actions": grammar.actions}
            details["parser_beam"] = self.parser.beam
        return arrays, details


@cache
def pretrained_model() -> EnglishModel:
    """Return the embedded model."""
    return EnglishModel.load(str(resources.files("kakari.models") / "pretrained" / "en.safetensors"))


def _packed(name: str, weights: HashedWeights, level: int) -> dict[str, NDArray[Any]]:
    """Return weights as a file holds them: about half the size that they have in memory."""
    columns = weights.columns()
    return {f"{name}/{key}": array if key == "checks" else deflated(array, level) for key, array in columns.items()}


def _unpacked(name: str, arrays: Mapping[str, NDArray[Any]]) -> HashedWeights:
    columns = {key: inflated(arrays[f"{name}/{key}"], dtype) for key, dtype in COMPRESSED.items()}
    return HashedWeights.from_columns({**columns, "checks": arrays[f"{name}/checks"]})


def _divided(numbers: NDArray[np.uint8], starts: NDArray[np.int64], names: Sequence[str]) -> list[tuple[str, ...]]:
    found, ends = [names[number] for number in numbers.tolist()], starts.tolist()
    return [tuple(found[begin:end]) for begin, end in pairwise(ends)]


def _joined(arrays: Mapping[str, NDArray[Any]], details: dict[str, Any], name: str) -> EnglishModel:
    if details.get("templates") != TEMPLATES:
        raise ModelFileError(name, "the model was trained with other features than this version extracts")
    try:
        parser = None
        if "grammar" in details:
            grammar = TreeGrammar(**details["grammar"], seen=arrays["grammar/seen"])
            weights = _unpacked("parser", arrays)
            parser = TreeParser(grammar, weights, int(details["parser_beam"]))
        return EnglishModel(
            tuple(details["tags"]),
            WordLexicon(arrays["lexicon/forms"], arrays["lexicon/kinds"]),
            _unpacked("tagger", arrays),
            int(details["tagger_beam"]),
            parser,
            {key: value for key, value in details.items() if key not in OWN_DETAILS},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(name, f"the model's parts do not fit together: {error}") from None


OWN_DETAILS = frozenset({"templates", "tags", "tagger_beam", "grammar", "parser_beam", "format", "kakari", "task"})
