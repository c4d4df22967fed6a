"""Predicates and their arguments in trees: which words, which spans, which roles. One file holds all of it.

A `PredicateFinder` classifies words, a `BoundaryModel` of any kind constituents; its margins are resolved so that no
argument lies inside another. A linear table scores roles; those of a predicate are chosen together. A `SenseModel`
chooses the sense of a predicate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel, model_task
from kakari.parsers.arguments.boundary.model import BATCH, BoundaryModel
from kakari.parsers.arguments.candidates.conjunctions import ConjoinedTable
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import FEATURES
from kakari.parsers.arguments.candidates.frames import Frame, FramedSentence
from kakari.parsers.arguments.predicates import PredicateFinder
from kakari.parsers.arguments.resolution import chosen_candidates
from kakari.parsers.arguments.roles import named_candidates
from kakari.parsers.arguments.senses import SenseModel
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.limits import MOST_PREDICATES, tell

if TYPE_CHECKING:  # only a corrected model needs it
    from kakari.models.correcting.stored import Corrections

UNNAMED = "ARG"
MOST_CANDIDATES = 50_000  # in memory at a time, some hundred bytes each


@dataclass
class ArgumentModel(StoredModel):
    """Model of predicates and arguments.

    Attributes
    ----------
    predicates : PredicateFinder
    boundary : BoundaryModel
    roles : ConjoinedTable, optional
        Without one, every argument is called ARG.
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    corrections : Corrections, optional
        A user's corrections, and what they add to the margins of candidates and the scores of roles.
    senses : SenseModel, optional
        Without one, no roleset is told.

    Examples
    --------
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> (found,) = pretrained_arguments().find([tree])
    >>> found.frames
    (Frame(token=1, lemma='bark', spans=((0, 1),), roles=('ARG0',), roleset='bark.01'),)
    """

    task: ClassVar[str] = "en-arguments"
    predicates: PredicateFinder
    boundary: BoundaryModel
    roles: ConjoinedTable | None = None
    details: dict[str, Any] = field(default_factory=dict)
    corrections: Corrections[Any] | None = None
    senses: SenseModel | None = None

    def find(self, trees: Sequence[FlatTree], *, nominal: bool = False) -> list[FramedSentence]:
        """Find predicates and their arguments; `nominal` says whether nouns and adjectives can be predicates."""
        frames = self.predicates.find(trees, nominal=nominal)
        asked = [FramedSentence(tree, own) for tree, own in zip(trees, frames, strict=True)]
        return self.fill(asked)

    def fill(self, sentences: Sequence[FramedSentence]) -> list[FramedSentence]:
        """Find the arguments of given predicates; spans that they have are forgotten."""
        bare = [
            replace(one, frames=tuple(Frame(frame.token, frame.lemma) for frame in one.frames)) for one in sentences
        ]
        return [one for answered, _, _ in self.batches(bare) for one in answered]

    def batches(
        self, sentences: Sequence[FramedSentence]
    ) -> Iterator[tuple[list[FramedSentence], Candidates, NDArray[np.float64]]]:
        """Yield some sentences at a time with the arguments found, all candidates and the margins of these."""
        for batch in handy_batches(sentences):
            candidates = self.boundary.candidates([replace(one, frames=one.frames[:MOST_PREDICATES]) for one in batch])
            margins = self.margins(candidates)
            decided = iter(self.decide(candidates, margins, [one.tree for one in batch]))
            answered = []
            for one in batch:
                if len(one.frames) > MOST_PREDICATES:
                    tell(f"a sentence has more than {MOST_PREDICATES} predicates: only the first ones got arguments")
                filled = [replace(frame, **next(decided)) for frame in one.frames[:MOST_PREDICATES]]
                answered.append(replace(one, frames=(*filled, *one.frames[MOST_PREDICATES:])))
            yield answered if self.senses is None else self.senses.answered(answered), candidates, margins

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the margin of every candidate, corrections included: above 0, it is an argument."""
        found = self.boundary.margins(candidates)
        if self.corrections is not None:
            found += self.corrections.layers["boundary"].frozen.margins(candidates.features)
        return found

    def decide(
        self, candidates: Candidates, margins: NDArray[np.float64], trees: Sequence[FlatTree]
    ) -> list[dict[str, Any]]:
        """Return spans, roles and margins of each predicate's arguments, by name; `trees` are the candidates'."""
        begins, ends = candidates.arrays["begins"].tolist(), candidates.arrays["ends"].tolist()
        if self.roles is None:
            alone = float("inf")
            chosen = [[(place, UNNAMED, alone) for place in own] for own in chosen_candidates(candidates, margins)]
        else:
            added = None if self.corrections is None else self.corrections.layers.get("roles")
            chosen = named_candidates(self.roles, candidates, margins, trees, added)
        return [
            {
                "spans": tuple((begins[place], ends[place]) for place, _, _ in own),
                "roles": tuple(role for _, role, _ in own),
                "margins": tuple((float(margins[place]), lead) for place, _, lead in own),
            }
            for own in chosen
        ]

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        parts = {"predicates": self.predicates.contents(), "boundary": self.boundary.contents()}
        if self.roles is not None:
            parts["roles"] = self.roles.contents()
        if self.senses is not None:
            parts["senses"] = self.senses.contents()
        if self.corrections is not None:
            parts["corrections"] = self.corrections.contents()
        return Contents.joined(parts, {"details": self.details})

    @classmethod
    def from_contents(cls, contents: Contents) -> ArgumentModel:
        """Rebuild a model from its `contents()`."""
        roles = ConjoinedTable.from_contents(contents.part("roles")) if contents.has_part("roles") else None
        return ArgumentModel(
            PredicateFinder.from_contents(contents.part("predicates")),
            BoundaryModel.from_contents(contents.part("boundary")),
            roles,
            contents.table("details"),
            _corrections(contents, 0 if roles is None else len(roles.table.classes)),
            SenseModel.from_contents(contents.part("senses")) if contents.has_part("senses") else None,
        )

    @classmethod
    def schema(cls) -> str:
        """Return the name of the candidates' features; a model with other ones is refused."""
        return f"features {FEATURES}"


def _corrections(contents: Contents, roles: int) -> Corrections[Any] | None:
    if not contents.has_part("corrections"):
        return None
    from kakari.models.correcting.class_layer import ClassLayer, any_layer
    from kakari.models.correcting.stored import Corrections

    found = Corrections.from_contents(contents.part("corrections"), any_layer)
    own = found.layers.get("roles")
    fits = "boundary" in found.layers and not isinstance(found.layers["boundary"], ClassLayer)
    named = own is None if not roles else isinstance(own, ClassLayer) and own.base.shape[1] == roles
    if not fits or not named or len(found.layers) > 2:
        raise contents.refuse("the corrections are not those of arguments with these roles")
    return found


def handy_batches(sentences: Sequence[FramedSentence]) -> Iterator[list[FramedSentence]]:
    """Yield sentences in batches whose candidates need little memory."""
    batch: list[FramedSentence] = []
    pairs = 0
    for one in sentences:
        own = min(len(one.frames), MOST_PREDICATES) * (len(one.tree.words) + len(one.tree.nodes))
        if batch and (len(batch) == BATCH or pairs + own > MOST_CANDIDATES):
            yield batch
            batch, pairs = [], 0
        batch.append(one)
        pairs += own
    if batch:
        yield batch


def load_arguments(name: str) -> ArgumentModel:
    """Load what finds predicates and arguments: `en`, or a file of `train en-arguments` or `train en-boundary`.

    A classifier of boundaries has the predicates and senses of the embedded model beside it, and no roles.
    """
    if name == "en":
        return pretrained_arguments()
    if model_task(name) != BoundaryModel.task:
        return ArgumentModel.load(name)
    embedded = pretrained_arguments()
    return ArgumentModel(embedded.predicates, BoundaryModel.load(name), senses=embedded.senses)


@cache
def pretrained_arguments() -> ArgumentModel:
    """Return the embedded model."""
    return ArgumentModel.load(str(resources.files("kakari.models") / "pretrained" / "en-arguments.safetensors"))
