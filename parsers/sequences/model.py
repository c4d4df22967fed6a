"""A sequence labeller in one file: templates, labels, and linear weights or frozen kernel machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.hashed.weights import MOST_CLASSES, HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.parsers.sequences.labelling import FrozenLabeller, label_batch
from kakari.parsers.sequences.templates import TemplateError, TemplateSet
from kakari.parsers.sequences.tokens import TokenTable, column_table, string_table

SCHEMES = ("linear", "direct", "pairs")
# Increase it when features or hashes change: older models would be misread.
FEATURES = 1
WIDEST_BEAM = 256  # of a file
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
class SequenceModel(StoredModel):
    """Labels tokens by features of a window around them.

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

    task: ClassVar[str] = "sequence"
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    templates: TemplateSet
    scheme: str
    weights: HashedWeights | list[FrozenModel]
    beam: int = 1
    details: dict[str, Any] = field(default_factory=dict)

    def table(self, sentences: Sentences) -> TokenTable:
        """Return the tokens as a table of hashed columns."""
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
        return self._labelled(self.table(sentences))

    def predict_fields(self, fields: Sequence[Sequence[Sequence[str]]]) -> list[list[str]]:
        """Return the labels of tokens that are given by field, `fields[field][sentence][token]`; faster than `predict`.

        Examples
        --------
        >>> from kakari.parsers.sequences.training import SequenceSettings, train
        >>> model = train([[("a",), ("b",)]] * 3, [["X", "Y"]] * 3, SequenceSettings(fields=("word",)))
        >>> model.predict_fields([[["a", "b"], ["a"]]])
        [['X', 'Y'], ['X']]
        """
        if len(fields) != len(self.fields):
            raise WrongColumnsError(self.fields, len(fields))
        return self._labelled(column_table(fields, derived_columns(self.fields, self.templates)))

    def _labelled(self, table: TokenTable) -> list[list[str]]:
        if self.labeller is not None:
            found = self.labeller.label(table)
        else:
            found = label_batch(
                table, self.templates, self.weights, len(self.labels), beam=self.beam, pairs=self.scheme == "pairs"
            )
        names = [self.labels[number] for number in found.tolist()]
        return [names[begin:end] for begin, end in pairwise(table.starts.tolist())]

    @cached_property
    def labeller(self) -> FrozenLabeller | None:
        """The decoder of linear weights; None for kernel machines."""
        if not isinstance(self.weights, HashedWeights):
            return None
        return FrozenLabeller(self.templates, self.weights, len(self.labels), beam=self.beam)

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        if isinstance(self.weights, HashedWeights):
            parts = {"weights": self.weights.contents()}
        else:
            parts = {str(number): machine.contents() for number, machine in enumerate(self.weights)}
        settings = {
            "fields": list(self.fields),
            "labels": list(self.labels),
            "templates": list(self.templates.texts),
            "backwards": bool(self.templates.backwards),
            "scheme": self.scheme,
            "beam": self.beam,
            "details": self.details,
        }
        return Contents.joined(parts, settings)

    @classmethod
    def from_contents(cls, contents: Contents) -> SequenceModel:
        """Rebuild a model from its `contents()`."""
        fields, labels = tuple(contents.texts("fields", distinct=True)), tuple(contents.texts("labels", distinct=True))
        templates = TemplateSet(contents.texts("templates"), backwards=contents.flag("backwards"))
        derived_columns(fields, templates)
        scheme, beam = contents.choice("scheme", SCHEMES), contents.integer("beam", 1, WIDEST_BEAM)
        if not 2 <= len(labels) <= MOST_CLASSES:
            raise contents.refuse(f"there are {len(labels)} labels, not 2 to {MOST_CLASSES}")
        weights: HashedWeights | list[FrozenModel]
        if scheme == "linear":
            weights = HashedWeights.from_contents(contents.part("weights"), len(labels))
        else:
            weights = [FrozenModel.from_contents(part) for part in contents.numbered_parts()]
            if len(weights) != machines_needed(len(labels), scheme):
                raise contents.refuse(f"there are {len(weights)} machines for {len(labels)} labels")
        return SequenceModel(fields, labels, templates, scheme, weights, beam, contents.table("details"))

    @classmethod
    def schema(cls) -> str:
        """Return the name of the features and hashes; a model with other ones is refused."""
        return f"features {FEATURES}"


def token_table(sentences: Sentences, fields: Sequence[str], templates: TemplateSet) -> TokenTable:
    """Return tokens with named columns as a table of the templates' columns."""
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
