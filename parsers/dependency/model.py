"""A trained dependency parser in one file: the tagger with its lemmas, the parser's weights, the relations."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.scalars import PartWeights
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
from kakari.parsers.dependency.labelling import label_batch
from kakari.parsers.dependency.parsing import TreeSettings, best_trees, parse_batch
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.treebank import Columns, TreeSentence
from kakari.parsers.dependency.words.lemmas import Lemmatiser
from kakari.parsers.dependency.words.tagger import WordTagger
from kakari.parsers.english.words.words import WordLexicon

TASK = "dependency"
# Goes up when templates or hashes change: a model of other ones would be misread.
TEMPLATES = 1
ROW_TYPES = {"sizes": np.uint16, "checks": np.uint16, "counts": np.uint8, "places": np.uint8, "amounts": np.int8}
PART_TYPES = {"counts": np.uint8, "checks": np.uint16, "amounts": np.int8}


@dataclass(frozen=True)
class DependencyModel:
    """What finds tags, features, lemmas and trees.

    Attributes
    ----------
    language : str
        Whose tokenizer cuts raw text: a code that spaCy knows.
    tagger : WordTagger
    relations : tuple of str
    settings : TreeSettings
    light, full : PartWeights
        Of the first pass, and of the trees.
    labels : HashedWeights
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    """

    language: str
    tagger: WordTagger
    relations: tuple[str, ...]
    settings: TreeSettings
    light: PartWeights
    full: PartWeights
    labels: HashedWeights
    details: dict[str, Any] = field(default_factory=dict)

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[Columns]]:
        """Return the columns (form, lemma, coarse tag, fine tag, features) of the words of each sentence."""
        return self.tagger.tag(sentences)

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[TreeSentence]:
        """Return the tree of each sentence of words."""
        return self.parse_tagged(self.tag(sentences))

    def parse_tagged(self, sentences: Sequence[Sequence[Columns]]) -> list[TreeSentence]:
        """Return the tree of each sentence of tagged words."""
        batch = TokenBatch(sentences)
        heads = parse_batch(batch, self.light, self.full, self.settings)
        numbers = label_batch(batch, heads, self.labels, len(self.relations)).tolist()
        relations = [self.relations[number] for number in numbers]
        heads = heads.tolist()
        return [
            TreeSentence(tuple(words), tuple(heads[begin:end]), tuple(relations[begin:end]))
            for words, (begin, end) in zip(sentences, pairwise(batch.starts.tolist()), strict=True)
        ]

    def best_trees(self, words: Sequence[Columns], k: int) -> list[tuple[float, TreeSentence]]:
        """Return the k best trees of one sentence of tagged words with their scores, the best first."""
        batch = TokenBatch([words])
        found = best_trees(batch, 0, k, self.light, self.full, self.settings)
        return [
            (
                score * self.full.unit,
                TreeSentence(
                    tuple(words),
                    tuple(heads),
                    tuple(
                        self.relations[n]
                        for n in label_batch(batch, np.array(heads), self.labels, len(self.relations)).tolist()
                    ),
                ),
            )
            for score, heads in found
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file."""
        write_model(path, TASK, *self._parts())

    def to_bytes(self) -> bytes:
        """Return the model as the bytes of its file."""
        return model_bytes(TASK, *self._parts())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> DependencyModel:
        """Read a model from a file."""
        return _joined(*read_model(path, TASK), os.fspath(path))

    @staticmethod
    def from_bytes(data: bytes) -> DependencyModel:
        """Read a model from the bytes of a file."""
        return _joined(*read_model_bytes(data, TASK), "<bytes>")

    def _parts(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        tagger = self.tagger
        arrays = {f"lexicon/{name}": array for name, array in tagger.lexicon.arrays.items()}
        rows = {"tagger": tagger.weights, "attributes": tagger.attribute_weights, "labels": self.labels}
        for name, weights in rows.items():
            arrays |= {f"{name}/{key}": deflated(array) for key, array in weights.columns().items()}
        for name, parts in (("light", self.light), ("full", self.full)):
            arrays |= {f"{name}/{key}": deflated(array) for key, array in parts.arrays.items()}
        own = {
            "templates": TEMPLATES,
            "language": self.language,
            "tagger": {
                "column": tagger.column,
                "tags": tagger.tags,
                "attributes": tagger.attributes,
                "beam": tagger.beam,
            },
            "lemmas": tagger.lemmatiser.to_settings(),
            "relations": self.relations,
            "search": self.settings.as_dict(),
            "units": {"light": self.light.unit, "full": self.full.unit},
        }
        return arrays, {**self.details, **own}


OWN_DETAILS = frozenset("templates language tagger lemmas relations search units format kakari task".split())


def _joined(arrays: Mapping[str, NDArray[Any]], details: dict[str, Any], name: str) -> DependencyModel:
    if details.get("templates") != TEMPLATES:
        raise ModelFileError(name, "the model was trained with other features than this version extracts")
    try:
        rows = {
            part: HashedWeights.from_columns(
                {key: inflated(arrays[f"{part}/{key}"], dtype) for key, dtype in ROW_TYPES.items()}
            )
            for part in ("tagger", "attributes", "labels")
        }
        parts = {
            part: PartWeights(
                {key: inflated(arrays[f"{part}/{key}"], dtype) for key, dtype in PART_TYPES.items()},
                float(details["units"][part]),
            )
            for part in ("light", "full")
        }
        own = details["tagger"]
        tagger = WordTagger(
            int(own["column"]),
            tuple(own["tags"]),
            WordLexicon(arrays["lexicon/forms"], arrays["lexicon/kinds"]),
            rows["tagger"],
            tuple((str(key), tuple(values)) for key, values in own["attributes"]),
            rows["attributes"],
            Lemmatiser.from_settings(details["lemmas"]),
            int(own["beam"]),
        )
        return DependencyModel(
            str(details["language"]),
            tagger,
            tuple(details["relations"]),
            TreeSettings(**details["search"]),
            parts["light"],
            parts["full"],
            rows["labels"],
            {key: value for key, value in details.items() if key not in OWN_DETAILS},
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelFileError(name, f"the model's parts do not fit together: {error}") from None
