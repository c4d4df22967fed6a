"""A sequence labeller in one file: templates, labels, and linear weights or frozen kernel machines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.hashed.weights import HashedWeights
from kakari.models.files import Arrays, ModelFileError, model_bytes, read_model, read_model_bytes, write_model
from kakari.parsers.sequences.labelling import label_batch
from kakari.parsers.sequences.templates import TemplateError, TemplateSet
from kakari.parsers.sequences.tokens import TokenTable, string_table

TASK = "sequence"
SCHEMES = ("linear", "direct", "pairs")
# Goes up when features or hashes change: a model of other ones would be misread.
FEATURES = 1
Sentences = Sequence[Sequence[Sequence[str]]]


class WrongColumnsError(ValueError):
    """Tokens do not have the columns that a model was trained with.

    Examples
    --------
    >>> str(WrongColumnsError(("word", "tag"), 1))
    'the model needs 2 columns a token (word, tag), but a token has 1'
    """

    def __init__(self, fields: Sequence[str], found: int) -> None:
        super().__init__(tuple(fields), found)
        self.fields, self.found = fields, found

    def __str__(self) -> str:
        needed = f"{len(self.fields)} column{'s' * (len(self.fields) != 1)} a token ({', '.join(self.fields)})"
        return f"the model needs {needed}, but a token has {self.found}"


@dataclass
class SequenceModel:
    """Labels tokens by what stands around them.

    Attributes
    ----------
    fields : tuple of str
        The names of a token's columns, in order, without the label.
    labels : tuple of str
    templates : TemplateSet
    scheme : str
        "linear": hashed conjunctions with linear weights; "direct": a kernel machine for each label; "pairs": one for
        each pair of labels, and votes.
    weights : HashedWeights or list of FrozenModel
    beam : int
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    """

    fields: tuple[str, ...]
    labels: tuple[str, ...]
    templates: TemplateSet
    scheme: str
    weights: HashedWeights | list[FrozenModel]
    beam: int = 1
    details: dict[str, Any] = field(default_factory=dict)

    def table(self, sentences: Sentences) -> TokenTable:
        """Return the tokens as their features see them."""
        return token_table(sentences, self.fields, self.templates)

    def predict(self, sentences: Sentences) -> list[list[str]]:
        """Return the labels of the tokens of each sentence; a token is a row of strings.

        Examples
        --------
        >>> from kakari.parsers.sequences.training import SequenceSettings, train
        >>> rows = [[("a", "DT"), ("dog", "NN"), ("barks", "VBZ")]] * 3
        >>> model = train(rows, [["B-NP", "I-NP", "O"]] * 3, SequenceSettings(fields=("word", "tag")))
        >>> model.predict([[("a", "DT"), ("dog", "NN")], []])
        [['B-NP', 'I-NP'], []]
        """
        table = self.table(sentences)
        found = label_batch(
            table, self.templates, self.weights, len(self.labels), beam=self.beam, pairs=self.scheme == "pairs"
        )
        names = [self.labels[number] for number in found.tolist()]
        return [names[begin:end] for begin, end in pairwise(table.starts.tolist())]

    def parts(self) -> tuple[Arrays, dict[str, Any]]:
        """Return what a file holds: arrays and settings."""
        arrays: Arrays = {}
        machines: list[dict[str, Any]] = []
        if isinstance(self.weights, HashedWeights):
            arrays |= {f"weights.{name}": array for name, array in self.weights.columns().items()}
        else:
            for number, machine in enumerate(self.weights):
                arrays |= {f"{number}.{name}": array for name, array in machine.arrays.items()}
                machines.append(machine.settings)
        settings = {
            "features": FEATURES,
            "fields": list(self.fields),
            "labels": list(self.labels),
            "templates": list(self.templates.texts),
            "backwards": self.templates.backwards,
            "scheme": self.scheme,
            "beam": self.beam,
            "machines": machines,
            "details": self.details,
        }
        return arrays, settings

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file."""
        arrays, settings = self.parts()
        write_model(path, TASK, arrays, settings, compressed=True)

    def to_bytes(self) -> bytes:
        """Return the content of a model file."""
        arrays, settings = self.parts()
        return model_bytes(TASK, arrays, settings, compressed=True)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> SequenceModel:
        """Read a model file."""
        return _checked(os.fspath(path), *read_model(path, TASK))

    @staticmethod
    def from_bytes(content: bytes) -> SequenceModel:
        """Read the content of a model file."""
        return _checked("<bytes>", *read_model_bytes(content, TASK))


def token_table(sentences: Sentences, fields: Sequence[str], templates: TemplateSet) -> TokenTable:
    """Return tokens with named columns as templates see them."""
    for sentence in sentences:
        for token in sentence:
            if len(token) != len(fields):
                raise WrongColumnsError(fields, len(token))
    return string_table(sentences, derived_columns(fields, templates))


def derived_columns(fields: Sequence[str], templates: TemplateSet) -> list[tuple[int, str, int]]:
    """Return the templates' columns by the numbers of their fields."""
    places = {name: place for place, name in enumerate(fields)}
    for column in templates.derived:
        if column.name not in places:
            raise TemplateError(f"{column.name}[…]", f"there is no such column (there are: {', '.join(fields)})")
    return [(places[column.name], column.kind, column.size) for column in templates.derived]


def _checked(name: str, arrays: Arrays, settings: dict[str, Any]) -> SequenceModel:
    try:
        return _assembled(name, arrays, settings)
    except (KeyError, TypeError) as error:
        raise ModelFileError(name, f"the model lacks {error}") from None
    except ModelFileError:
        raise
    except ValueError as error:
        raise ModelFileError(name, f"the model is damaged: {error}") from None


def _assembled(name: str, arrays: Arrays, settings: dict[str, Any]) -> SequenceModel:
    if settings["features"] != FEATURES:
        raise ModelFileError(name, "the model was made by a version of kakari with other features: train it again")
    fields, labels = (tuple(map(str, settings[key])) for key in ("fields", "labels"))
    templates = TemplateSet([str(text) for text in settings["templates"]], backwards=bool(settings["backwards"]))
    derived_columns(fields, templates)
    scheme, beam = str(settings["scheme"]), int(settings["beam"])
    if scheme not in SCHEMES or beam < 1 or len(labels) < 2:
        raise ValueError("its labels, its beam or its scheme are not possible")
    weights: HashedWeights | list[FrozenModel]
    if scheme == "linear":
        weights = HashedWeights.from_columns(_named(arrays, "weights."))
        if int(np.max(weights.columns()["places"], initial=0)) >= len(labels):
            raise ValueError("there are weights of a label that it does not have")
    else:
        weights = [FrozenModel(own, _named(arrays, f"{number}.")) for number, own in enumerate(settings["machines"])]
        if len(weights) != machines_needed(len(labels), scheme):
            raise ValueError(f"there are {len(weights)} machines for {len(labels)} labels")
    return SequenceModel(fields, labels, templates, scheme, weights, beam, dict(settings["details"]))


def machines_needed(labels: int, scheme: str) -> int:
    """Return how many kernel machines decide between labels.

    Examples
    --------
    >>> machines_needed(2, "pairs"), machines_needed(3, "pairs"), machines_needed(4, "direct")
    (1, 3, 4)
    """
    if labels == 2:
        return 1
    return labels * (labels - 1) // 2 if scheme == "pairs" else labels


def _named(arrays: Arrays, prefix: str) -> Arrays:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
