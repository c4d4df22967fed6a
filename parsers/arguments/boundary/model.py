"""The boundary classifier: which constituents are arguments of a predicate? One file holds it whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path  # noqa: F401  (for the examples)
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.files import ModelFileError, named, read_model, write_model
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import FEATURES, CandidateExtractor
from kakari.parsers.arguments.candidates.frames import FramedSentence

if TYPE_CHECKING:
    from kakari.parsers.arguments.boundary.parts import Part

TASK = "en-boundary"
BATCH = 200  # sentences classified together
PARTS = {  # by kind: module and class
    "features": ("boundary.parts", "FeatureWeights"),
    "fragments": ("boundary.parts", "FragmentWeights"),
    "enumerated": ("boundary.parts", "EnumeratedWeights"),
    "polynomial": ("boundary.parts", "PolynomialWeights"),
    "cascade": ("boundary.parts", "Cascade"),
    "kernel": ("boundary.parts", "KernelMachine"),
    "conjunctions": ("candidates.conjunctions", "ConjoinedWeights"),
    "normalised": ("boundary.normalised_part", "NormalisedPolynomial"),
}


@dataclass
class BoundaryModel:
    """A sum of parts over candidates.

    Attributes
    ----------
    parts : sequence of Part
    bias : float
    extractor : CandidateExtractor
        Frozen, with the labels that the parts know.
    details : dict
        What it was trained from and how.

    Examples
    --------
    >>> import tempfile
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> from kakari.parsers.arguments.boundary.shards import write_shards
    >>> from kakari.parsers.arguments.boundary.training import BoundaryOptions, train_boundaries
    >>> folder = Path(tempfile.mkdtemp())
    >>> model = train_boundaries(write_shards(["sample-en"], folder), BoundaryOptions("mf"))
    >>> model.save(folder / "model.safetensors")
    >>> candidates, margins = next(BoundaryModel.load(folder / "model.safetensors").classify(read_frames("sample-en")))
    >>> [candidates.spans()[i].tolist() for i in np.flatnonzero(margins > 0)[:3]]
    [[0, 1], [0, 1], [2, 7]]
    """

    parts: Sequence[Part]
    bias: float
    extractor: CandidateExtractor
    details: dict[str, Any] = field(default_factory=dict)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the margin of every candidate: above 0, it is an argument."""
        total = np.full(len(candidates), self.bias)
        for part in self.parts:
            total += part.margins(candidates)
        return total

    def candidates(self, sentences: Iterable[FramedSentence]) -> Candidates:
        """Return the candidates of sentences as this model sees them."""
        return Candidates(self.extractor.extract(sentences))

    def classify(self, sentences: Iterable[FramedSentence]) -> Iterator[tuple[Candidates, NDArray[np.float64]]]:
        """Yield candidates with their margins, for some sentences at a time, in order."""
        waiting: list[FramedSentence] = []
        for sentence in sentences:
            waiting.append(sentence)
            if len(waiting) == BATCH:
                yield self._classified(waiting)
                waiting = []
        if waiting:
            yield self._classified(waiting)

    def _classified(self, sentences: list[FramedSentence]) -> tuple[Candidates, NDArray[np.float64]]:
        candidates = self.candidates(sentences)
        return candidates, self.margins(candidates)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file."""
        write_model(path, TASK, *self.to_parts())

    def to_parts(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return the state as flat arrays, by name, and as metadata that JSON can hold."""
        arrays: dict[str, NDArray[Any]] = {}
        told = []
        for number, part in enumerate(self.parts):
            own, settings = part.stored()
            arrays |= {f"{number}.{name}": array for name, array in own.items()}
            told.append({"kind": part.kind, "settings": settings})
        kept = {name: getattr(self.extractor, name) for name in ("siblings", "prune")}
        metadata = {
            "bias": self.bias,
            "parts": told,
            "labels": self.extractor.labels,
            "candidates": kept,
            "features": FEATURES,
            "details": self.details,
        }
        return arrays, metadata

    @staticmethod
    def from_parts(arrays: dict[str, NDArray[Any]], metadata: dict[str, Any]) -> BoundaryModel:
        """Rebuild what `to_parts` gave; what does not fit is a `KeyError`, `TypeError` or `ValueError`."""
        if metadata["features"] != FEATURES:
            raise ValueError("it was trained with other features than this version extracts")
        parts = [
            part_type(part["kind"]).restored(named(arrays, f"{number}."), part["settings"])
            for number, part in enumerate(metadata["parts"])
        ]
        made = assembled(parts, float(metadata["bias"]), metadata["labels"], **metadata["candidates"])
        made.details.update(metadata["details"])
        return made

    @staticmethod
    def load(path: str | os.PathLike[str]) -> BoundaryModel:
        """Read a model file."""
        arrays, metadata = read_model(path, TASK)
        try:
            return BoundaryModel.from_parts(arrays, metadata)
        except (KeyError, TypeError) as error:
            raise ModelFileError(os.fspath(path), f"the model lacks {error}") from None
        except ValueError as error:
            raise ModelFileError(os.fspath(path), f"the model cannot be used: {error}") from None


def part_type(kind: str) -> Any:
    """Return the class of a part; only the parts that a model has are imported."""
    module, name = PARTS[kind]
    return getattr(import_module(f"kakari.parsers.arguments.{module}"), name)


def assembled(
    parts: Sequence[Part], bias: float, labels: Sequence[str], *, siblings: bool, prune: bool
) -> BoundaryModel:
    """Make a model with an extractor that makes no more than its parts need."""
    needs = frozenset().union(*(part.needs for part in parts))
    extractor = CandidateExtractor(
        labels, features="features" in needs, trees="trees" in needs, siblings=siblings, prune=prune
    )
    extractor.freeze()
    return BoundaryModel(parts, bias, extractor)


def compact(parts: Sequence[Part], labels: list[str]) -> tuple[list[Part], list[str]]:
    """Return parts and labels without the labels that no part knows, where that can be told."""
    if not any("trees" in part.needs for part in parts):
        return list(parts), []
    if [part.kind for part in parts if "trees" in part.needs] != ["fragments"]:
        return list(parts), labels
    from kakari.parsers.arguments.boundary.parts import FragmentWeights

    made: list[Part] = []
    for part in parts:
        if isinstance(part, FragmentWeights):
            part, labels = part.relabelled(labels)
        made.append(part)
    return made, labels
