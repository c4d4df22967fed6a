"""A part of boundary models that is small: weights of manual features and named conjunctions, one byte each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

    def stored(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return the part as arrays and settings."""
        return self.table.stored()

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> ConjoinedWeights:
        """Rebuild what `stored` gave."""
        return ConjoinedWeights(ConjoinedTable.restored(arrays, settings))
