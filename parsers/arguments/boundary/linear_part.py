"""A part of boundary models that is small: weights of manual features and named conjunctions, one byte each."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored.contents import Contents
from kakari.parsers.arguments.candidates.conjunctions import ConjoinedTable, template_table
from kakari.parsers.arguments.candidates.examples import Candidates


@dataclass
class ConjoinedWeights:
    """A weight for each manual feature and each conjunction of them."""

    table: ConjoinedTable
    kind: str = field(default="conjunctions", init=False)
    needs: frozenset[str] = field(default=frozenset({"features"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        return self.table.scores(template_table(candidates.arrays))[:, 0]

    def contents(self) -> Contents:
        """Return what a file holds of the part."""
        return self.table.contents()

    @staticmethod
    def from_contents(contents: Contents) -> ConjoinedWeights:
        """Rebuild a part from its `contents()`."""
        return ConjoinedWeights(ConjoinedTable.from_contents(contents))
