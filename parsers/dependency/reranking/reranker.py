"""A finished reranker: properties of words, weights of combinations of properties, linear weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.templates.learning import UNIT
from kakari.kernels.templates.support import CombinationWeights
from kakari.parsers.dependency.reranking.properties import COARSE, TAG, Columns, WordProperties
from kakari.parsers.dependency.reranking.tree_parts import FIGURES, Layout, TreeBatch

MOST_TREES = 1000
MOST_FEATURES = 2**20
LARGEST_FIGURE = 2**20
SCORE_SCALE, LEAD_SCALE = 64.0, 0.25  # of the figures, which are integers
Arrays = Mapping[str, NDArray[Any]]


def figures_of(lists: Arrays, unit: float) -> NDArray[np.int32]:
    """Return the figures of each tree: how far its scores are from the first tree's, and whether it is the first.

    `unit` is what a score of 1 stands for.
    """
    counts = np.asarray(lists["counts"], dtype=np.int64)
    firsts = np.cumsum(counts) - counts
    found = np.zeros((int(counts.sum()), FIGURES))
    for column, (name, scale) in enumerate(
        (("scores", SCORE_SCALE * unit), ("leads", LEAD_SCALE), ("label_scores", LEAD_SCALE))
    ):
        values = np.asarray(lists[name], dtype=np.float64)
        found[:, column] = (values - np.repeat(values[firsts], counts)) * scale
    found[firsts, FIGURES - 1] = 1
    return np.clip(np.rint(found), -LARGEST_FIGURE, LARGEST_FIGURE).astype(np.int32)


@dataclass(frozen=True)
class Reranker:
    """Chooses among the k best trees of a sentence.

    Attributes
    ----------
    trees : int
        How many trees a list has.
    relations : int
        How many relations the parser knows.
    properties : WordProperties
    linear : array of int64
        Weights of the figures and of hashed features, in units of 2^-32.
    combinations : CombinationWeights or None
        The template kernel's part, frozen; without it the linear weights decide alone.
    """

    trees: int
    relations: int
    properties: WordProperties
    linear: NDArray[np.int64]
    combinations: CombinationWeights | None

    @property
    def layout(self) -> Layout:
        """How words and edges become rows of numbers."""
        return layout_of(self.properties, self.relations, len(self.linear) - FIGURES)

    def batch(self, sentences: Sequence[Sequence[Columns]], lists: Arrays, unit: float) -> TreeBatch:
        """Return sentences and their trees as rows of numbers."""
        starts = np.concatenate([[0], np.cumsum([len(line) for line in sentences], dtype=np.int64)])
        own = self.properties.numbers(sentences)
        return TreeBatch(self.layout, starts, own, lists, figures_of(lists, unit))

    def choose(self, sentences: Sequence[Sequence[Columns]], lists: Arrays, unit: float) -> NDArray[np.int32]:
        """Return which tree of each list is best; `unit` is what a base score of 1 stands for."""
        scale = 1 if self.combinations is None else round(self.combinations.unit / UNIT)
        return self.batch(sentences, lists, unit).choose(self.combinations, self.linear, scale)

    def contents(self) -> Contents:
        """Return what a file holds of the reranker."""
        places = np.flatnonzero(self.linear)
        parts = {"properties": self.properties.contents()}
        if self.combinations is not None:
            parts["combinations"] = self.combinations.contents()
        settings = {"trees": self.trees, "relations": self.relations, "features": len(self.linear)}
        arrays: dict[str, NDArray[Any]] = {"places": places.astype(np.int32), "weights": self.linear[places]}
        return Contents(arrays, settings, parts)

    @staticmethod
    def from_contents(contents: Contents) -> Reranker:
        """Rebuild a reranker from its `contents()`."""
        size = contents.integer("features", FIGURES + 1, MOST_FEATURES + FIGURES)
        places = contents.array("places", np.int32, minimum=0, below=size, ascending=True, distinct=True)
        linear = np.zeros(size, dtype=np.int64)
        linear[places] = contents.array("weights", np.int64, shape=places.shape, minimum=-(2**44), below=2**44)
        properties = WordProperties.from_contents(contents.part("properties"))
        relations = contents.integer("relations", 1, 255)
        combinations = None
        if contents.has_part("combinations"):
            combinations = CombinationWeights.from_contents(contents.part("combinations"))
            layout = layout_of(properties, relations, size - FIGURES)
            slots = combinations.kernel.kinds[0]
            if combinations.kernel.widths != layout.kernel().widths or len(combinations.kernel.kinds) > 1:
                raise contents.refuse("the combinations are not those of arcs with these properties")
            if [slot[0] for slot in slots] != [0, 0, 1]:
                raise contents.refuse("the combinations are not those of arcs with these properties")
            if not 1 <= round(combinations.unit / UNIT) < 2**31:
                raise contents.refuse("the unit of the combinations is damaged")
        return Reranker(contents.integer("trees", 2, MOST_TREES), relations, properties, linear, combinations)


def layout_of(properties: WordProperties, relations: int, features: int) -> Layout:
    """Return the layout of rows with these properties."""
    return Layout(
        own=properties.width,
        relations=relations,
        tags=len(properties.values[TAG]),
        coarses=len(properties.values[COARSE]),
        features=features,
    )
