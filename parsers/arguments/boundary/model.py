"""The boundary classifier in one file: it decides which constituents are arguments of a predicate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path  # noqa: F401  (for the examples)
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import FEATURES, CandidateExtractor
from kakari.parsers.arguments.candidates.frames import FramedSentence

if TYPE_CHECKING:
    from kakari.parsers.arguments.boundary.parts import Part

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
class BoundaryModel(StoredModel):
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

    task: ClassVar[str] = "en-boundary"
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
        """Return the candidates of sentences with the features that this model needs."""
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

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        parts = {str(number): part.contents() for number, part in enumerate(self.parts)}
        settings = {
            "kinds": [part.kind for part in self.parts],
            "bias": self.bias,
            "labels": list(self.extractor.labels),
            "siblings": bool(self.extractor.siblings),
            "prune": bool(self.extractor.prune),
            "details": self.details,
        }
        return Contents.joined(parts, settings)

    @classmethod
    def from_contents(cls, contents: Contents) -> BoundaryModel:
        """Rebuild a model from its `contents()`."""
        kinds, stored = contents.texts("kinds"), contents.numbered_parts()
        if len(kinds) != len(stored) or not PARTS.keys() >= set(kinds):
            raise contents.refuse("the kinds are not those of the parts")
        parts = [part_type(kind).from_contents(part) for kind, part in zip(kinds, stored, strict=True)]
        labels = contents.texts("labels", distinct=True)
        options = {name: contents.flag(name) for name in ("siblings", "prune")}
        made = assembled(parts, contents.number("bias"), labels, **options)
        made.details.update(contents.table("details"))
        return made

    @classmethod
    def schema(cls) -> str:
        """Return the name of the candidates' features; a model with other ones is refused."""
        return f"features {FEATURES}"


def part_type(kind: str) -> Any:
    """Return the class of a part; only the parts that a model has are imported."""
    module, name = PARTS[kind]
    return getattr(import_module(f"kakari.parsers.arguments.{module}"), name)


def assembled(
    parts: Sequence[Part], bias: float, labels: Sequence[str], *, siblings: bool, prune: bool
) -> BoundaryModel:
    """Make a model with an extractor that computes only what its parts need."""
    needs = frozenset().union(*(part.needs for part in parts))
    extractor = CandidateExtractor(
        labels, features="features" in needs, trees="trees" in needs, siblings=siblings, prune=prune
    )
    extractor.freeze()
    return BoundaryModel(parts, bias, extractor)


def compact(parts: Sequence[Part], labels: list[str]) -> tuple[list[Part], list[str]]:
    """Return parts and labels without the labels that no part uses, if that can be known."""
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
