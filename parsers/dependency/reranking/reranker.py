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

TEMPLATES = 2  # goes up when figures, properties of edges or hashed features change
MOST_TREES = 1000
MOST_FEATURES = 2**20
LARGEST_FIGURE = 2**20
SCORE_SCALE = 64.0  # of the figures, which are integers
LEAD_SCALE, LIGHT_SCALE, CONSENSUS_SCALE = 0.25, 32.0, 64.0
Arrays = Mapping[str, NDArray[Any]]
Units = tuple[float, float]  # what a score of 1 stands for, of trees and of the first pass


def figures_of(lists: Arrays, units: Units) -> NDArray[np.int32]:
    """Return the figures of each tree, most of them told against the first tree's.

    They are the base score, how sure the relations are (leads over the second-best ones, scores), whether it is the
    first tree, the score of the first pass, and how many heads are right by the other trees of the list.
    """
    counts = np.asarray(lists["counts"], dtype=np.int64)
    firsts = np.cumsum(counts) - counts
    found = np.zeros((int(counts.sum()), FIGURES))
    scales = {
        "scores": SCORE_SCALE * units[0], "leads": LEAD_SCALE, "label_scores": LEAD_SCALE,
        "first": 1.0, "light": LIGHT_SCALE * units[1], "consensus": CONSENSUS_SCALE,
    }  # fmt: skip
    for column, (name, scale) in enumerate(scales.items()):
        if name == "first":
            found[firsts, column] = scale
        else:
            values = np.asarray(lists[name], dtype=np.float64)
            found[:, column] = (values - np.repeat(values[firsts], counts)) * scale
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
        """The encoding of words and edges as rows of numbers."""
        return layout_of(self.properties, self.relations, len(self.linear) - FIGURES)

    def batch(self, sentences: Sequence[Sequence[Columns]], lists: Arrays, units: Units) -> TreeBatch:
        """Return sentences and their trees as rows of numbers."""
        starts = np.concatenate([[0], np.cumsum([len(line) for line in sentences], dtype=np.int64)])
        own = self.properties.numbers(sentences)
        return TreeBatch(self.layout, starts, own, lists, figures_of(lists, units))

    def choose(self, sentences: Sequence[Sequence[Columns]], lists: Arrays, units: Units) -> NDArray[np.int32]:
        """Return which tree of each list is best; `units` are what scores of 1 stand for."""
        scale = 1 if self.combinations is None else round(self.combinations.unit / UNIT)
        return self.batch(sentences, lists, units).choose(self.combinations, self.linear, scale)

    def contents(self) -> Contents:
        """Return the saved form of the reranker."""
        places = np.flatnonzero(self.linear)
        parts = {"properties": self.properties.contents()}
        if self.combinations is not None:
            parts["combinations"] = self.combinations.contents()
        settings = {
            "templates": TEMPLATES, "trees": self.trees, "relations": self.relations, "features": len(self.linear),
        }  # fmt: skip
        arrays: dict[str, NDArray[Any]] = {"places": places.astype(np.int32), "weights": self.linear[places]}
        return Contents(arrays, settings, parts)

    @staticmethod
    def from_contents(contents: Contents) -> Reranker:
        """Rebuild a reranker from its `contents()`."""
        if contents.integer("templates", 1, 2**31) != TEMPLATES:
            raise contents.refuse("the reranker has other features")
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
