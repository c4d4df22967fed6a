"""A part of boundary models that is small: weights of manual features and named conjunctions, one byte each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.linear_table import LinearTable
from kakari.parsers.argument_conjunctions import Conjunctions, conjoined, template_table
from kakari.parsers.argument_examples import Candidates


@dataclass
class ConjoinedWeights:
    """A weight for each manual feature and each conjunction of them.

    Examples
    --------
    >>> from kakari.parsers.argument_candidates import CandidateExtractor
    >>> from kakari.parsers.argument_conjunctions import named_conjunctions
    >>> from kakari.parsers.argument_frames import read_frames
    >>> from kakari.models.linear_table import train_table
    >>> candidates = Candidates(CandidateExtractor(trees=False).extract(read_frames("sample-en")))
    >>> pairs = named_conjunctions("lemma*phrase path*voice")
    >>> table = train_table(conjoined(template_table(candidates.arrays), pairs), candidates.gold)
    >>> part = ConjoinedWeights(table, pairs)
    >>> again = ConjoinedWeights.restored(*part.stored())
    >>> bool((again.margins(candidates) == part.margins(candidates)).all())
    True
    """

    table: LinearTable
    conjunctions: Conjunctions
    kind: str = field(default="conjunctions", init=False)
    needs: frozenset[str] = field(default=frozenset({"features"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Give the summand of every candidate."""
        return self.table.scores(conjoined(template_table(candidates.arrays), self.conjunctions))[:, 0]

    def stored(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Give the part as arrays and settings."""
        arrays, settings = self.table.stored()
        return arrays, {"table": settings, "conjunctions": [list(one) for one in self.conjunctions]}

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> ConjoinedWeights:
        """Rebuild what `stored` gave."""
        conjunctions = tuple(tuple(one) for one in settings["conjunctions"])
        return ConjoinedWeights(LinearTable.restored(arrays, settings["table"]), conjunctions)
