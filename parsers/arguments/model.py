"""Predicates and their arguments in trees: which words, which spans, which roles. One file holds all of it.

Words are asked by a `PredicateFinder`, constituents by a `BoundaryModel` of any kind, whose margins are resolved so
that no argument lies inside another; roles are told by a linear table.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.files import ModelFileError, model_bytes, named, read_model, read_model_bytes, write_model
from kakari.models.linear.table import LinearTable
from kakari.parsers.arguments.boundary.model import BATCH, BoundaryModel
from kakari.parsers.arguments.candidates.conjunctions import ConjoinedTable
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import FEATURES
from kakari.parsers.arguments.candidates.frames import ArgumentError, FramedSentence
from kakari.parsers.arguments.predicates import Lemmatiser, PredicateFinder
from kakari.parsers.arguments.roles import roles_of
from kakari.parsers.english.words.flat_trees import FlatTree

TASK = "en-arguments"
UNNAMED = "ARG"
OWN_DETAILS = frozenset({"templates", "predicates", "lemmas", "boundary", "roles", "format", "kakari", "task"})


@dataclass
class ArgumentModel:
    """What is trained for predicates and arguments.

    Attributes
    ----------
    predicates : PredicateFinder
    boundary : BoundaryModel
    roles : ConjoinedTable, optional
        Without one, every argument is called ARG.
    details : dict
        Training data, hyper-parameters and scores, for the model card.

    Examples
    --------
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> (found,) = pretrained_arguments().find([tree])
    >>> found.frames
    (Frame(token=1, lemma='bark', spans=((0, 1),), roles=('ARG0',)),)
    """

    predicates: PredicateFinder
    boundary: BoundaryModel
    roles: ConjoinedTable | None = None
    details: dict[str, Any] = field(default_factory=dict)

    def find(self, trees: Sequence[FlatTree], *, nominal: bool = False) -> list[FramedSentence]:
        """Find predicates and their arguments; `nominal` says whether nouns and adjectives can be predicates."""
        frames = self.predicates.find(trees, nominal=nominal)
        asked = [FramedSentence(tree, own) for tree, own in zip(trees, frames, strict=True)]
        return self.fill(asked)

    def fill(self, sentences: Sequence[FramedSentence]) -> list[FramedSentence]:
        """Find the arguments of given predicates; spans that they have are forgotten."""
        bare = [
            replace(one, frames=tuple(replace(frame, spans=(), roles=()) for frame in one.frames)) for one in sentences
        ]
        return [one for answered, _, _ in self.batches(bare) for one in answered]

    def batches(
        self, sentences: Sequence[FramedSentence]
    ) -> Iterator[tuple[list[FramedSentence], Candidates, NDArray[np.float64]]]:
        """Yield some sentences at a time with the arguments found, all candidates and the margins of these."""
        for begin in range(0, len(sentences), BATCH):
            batch = sentences[begin : begin + BATCH]
            candidates = self.boundary.candidates(batch)
            margins = self.boundary.margins(candidates)
            decided = iter(self.decide(candidates, margins))
            answered = [
                replace(one, frames=tuple(replace(frame, **next(decided)) for frame in one.frames)) for one in batch
            ]
            yield answered, candidates, margins

    def decide(self, candidates: Candidates, margins: NDArray[np.float64]) -> list[dict[str, Any]]:
        """Return the spans and roles of each predicate's arguments, by name."""
        chosen = chosen_candidates(candidates, margins)
        every = np.array([place for own in chosen for place in own], dtype=np.int64)
        roles = iter([UNNAMED] * len(every) if self.roles is None else roles_of(self.roles, candidates, every))
        begins, ends = candidates.arrays["begins"], candidates.arrays["ends"]
        return [
            {
                "spans": tuple((int(begins[place]), int(ends[place])) for place in own),
                "roles": tuple(next(roles) for _ in own),
            }
            for own in chosen
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file."""
        write_model(path, TASK, *self._parts())

    def to_bytes(self) -> bytes:
        """Return the model as the bytes of its file."""
        return model_bytes(TASK, *self._parts())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> ArgumentModel:
        """Read a model from a file."""
        return _joined(*read_model(path, TASK), os.fspath(path))

    @staticmethod
    def from_bytes(data: bytes) -> ArgumentModel:
        """Read a model from the bytes of a file."""
        return _joined(*read_model_bytes(data, TASK), "<bytes>")

    def _parts(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        words, word_settings = self.predicates.table.stored()
        spans, boundary = self.boundary.to_parts()
        arrays = {f"predicates/{name}": array for name, array in words.items()}
        arrays |= {f"boundary/{name}": array for name, array in spans.items()}
        details = {**self.details, "templates": FEATURES, "lemmas": self.predicates.lemmas.rules}
        details |= {"predicates": word_settings, "boundary": boundary}
        if self.roles is not None:
            names, details["roles"] = self.roles.stored()
            arrays |= {f"roles/{name}": array for name, array in names.items()}
        return arrays, details


def chosen_candidates(candidates: Candidates, margins: NDArray[np.float64]) -> list[list[int]]:
    """Return the candidates that are arguments of each predicate, from left to right."""
    begins, ends = candidates.arrays["begins"], candidates.arrays["ends"]
    likely = np.flatnonzero(margins > 0)
    owners = candidates.predicates[likely]
    count = len(candidates.arrays["tokens"])
    cuts = np.searchsorted(owners, np.arange(count + 1))
    first, last, sizes, places = (
        begins[likely].tolist(),
        ends[likely].tolist(),
        margins[likely].tolist(),
        likely.tolist(),
    )
    chosen = []
    for begin, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        own = resolved(first[begin:end], last[begin:end], sizes[begin:end])
        chosen.append([places[begin + place] for place in own])
    return chosen


def resolved(begins: Sequence[int], ends: Sequence[int], margins: Sequence[float]) -> list[int]:
    """Choose the constituents without overlap whose margins have the largest sum.

    A constituent whose margin is not above 0 is never chosen, so that the tree is first cut down to the others. In it,
    from the leaves to the root, the best of a node is its own margin or the sum of the best of its children. Where both
    are equal, the larger constituent wins.

    Parameters
    ----------
    begins, ends : sequence of int
        Constituents of one tree, in any order; some may have one span.
    margins : sequence of float

    Returns
    -------
    list of int
        The places of the chosen ones, from left to right.

    Examples
    --------
    >>> resolved([0, 0, 3, 6], [7, 2, 5, 7], [1.0, 0.5, 0.25, 0.5])
    [1, 2, 3]
    >>> resolved([0, 0, 3, 6], [7, 2, 5, 7], [1.5, 0.5, 0.25, 0.5])
    [0]
    """
    order = [place for place, margin in enumerate(margins) if margin > 0]
    order.sort(key=lambda place: (begins[place], -ends[place]))
    # Open nodes from the outside in: place, and what was best inside so far, as a sum and as places.
    opened: list[tuple[int, float, list[int]]] = []
    total: list[int] = []

    def close() -> None:
        place, inside, chosen = opened.pop()
        best, found = (margins[place], [place]) if margins[place] >= inside else (inside, chosen)
        if not opened:
            total.extend(found)
            return
        above, so_far, others = opened[-1]
        opened[-1] = (above, so_far + best, others + found)

    for place in order:
        while opened and ends[opened[-1][0]] <= begins[place]:
            close()
        if opened and ends[opened[-1][0]] < ends[place]:
            raise ArgumentError("two constituents overlap, but none of them lies inside the other")
        opened.append((place, 0.0, []))
    while opened:
        close()
    return total


@cache
def pretrained_arguments() -> ArgumentModel:
    """Return the embedded model."""
    return ArgumentModel.load(str(resources.files("kakari.models") / "pretrained" / "en-arguments.safetensors"))


def _joined(arrays: Mapping[str, NDArray[Any]], details: dict[str, Any], name: str) -> ArgumentModel:
    if details.get("templates") != FEATURES:
        raise ModelFileError(name, "the model was trained with other features than this version extracts")
    try:
        words = LinearTable.restored(named(arrays, "predicates/"), details["predicates"])
        roles = None
        if "roles" in details:
            roles = ConjoinedTable.restored(named(arrays, "roles/"), details["roles"])
        return ArgumentModel(
            PredicateFinder(words, Lemmatiser(details["lemmas"])),
            BoundaryModel.from_parts(named(arrays, "boundary/"), details["boundary"]),
            roles,
            {key: value for key, value in details.items() if key not in OWN_DETAILS},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(name, f"the model's parts do not fit together: {error}") from None
