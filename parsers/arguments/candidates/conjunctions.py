"""Conjunctions of a candidate's manual features, by the names of their templates, hashed to 31 bits.

The features themselves carry no conjunction (features.hpp); here pairs and triples of them are named, for
linear models that must be small. Rows have one place for each template and each conjunction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.models.linear.model import LinearModel
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import TEMPLATE_BITS, TEMPLATES

PLACES = {name: place for place, name in enumerate(TEMPLATES)}
MIX, SECOND_MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)

Conjunctions = tuple[tuple[str, ...], ...]


def named_conjunctions(text: str) -> Conjunctions:
    """Read conjunctions from a text: names of templates with * between them.

    Examples
    --------
    >>> named_conjunctions("lemma*phrase path*voice*tag")
    (('lemma', 'phrase'), ('path', 'voice', 'tag'))
    """
    found = tuple(tuple(one.split("*")) for one in text.split())
    for name in (name for one in found for name in one):
        if name not in PLACES:
            raise ValueError(f"there is no template {name!r}")
    return found


def template_table(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.int32]:
    """Return the manual features of candidates as a table, a column for each template; -1 where there is none.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.extraction import CandidateExtractor
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> arrays = CandidateExtractor(trees=False).extract(read_frames("sample-en"))
    >>> table = template_table(arrays)
    >>> int((table >= 0).sum()) == arrays["features"].size
    True
    """
    offsets, features = arrays["feature_offsets"], arrays["features"]
    table = np.full((len(offsets) - 1, len(TEMPLATES)), -1, dtype=np.int32)
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    table[owners, features & ((1 << TEMPLATE_BITS) - 1)] = features
    return table


def conjoined(table: NDArray[np.int32], conjunctions: Conjunctions) -> NDArray[np.int32]:
    """Return a table of features with a column more for each conjunction; -1 where one of its parts is not there.

    Examples
    --------
    >>> table = np.zeros((2, len(TEMPLATES)), dtype=np.int32)
    >>> table[1, PLACES["lemma"]] = -1
    >>> conjoined(table, named_conjunctions("phrase*lemma phrase*voice"))[:, -2:] >= 0
    array([[ True,  True],
           [False,  True]])
    """
    made = np.empty((len(table), table.shape[1] + len(conjunctions)), dtype=np.int32)
    made[:, : table.shape[1]] = table
    for number, names in enumerate(conjunctions):
        made[:, table.shape[1] + number] = _joined(table, [PLACES[name] for name in names], number)
    return made


def _joined(table: NDArray[np.int32], places: Sequence[int], number: int) -> NDArray[np.int32]:
    hashes = np.full(len(table), number + 1, dtype=np.uint64)
    missing = np.zeros(len(table), dtype=np.bool_)
    for place in places:
        hashes = (hashes ^ table[:, place].astype(np.uint64)) * MIX
        hashes = (hashes ^ (hashes >> np.uint64(29))) * SECOND_MIX
        missing |= table[:, place] < 0
    found: NDArray[np.int32] = (hashes >> np.uint64(33)).astype(np.int32)
    found[missing] = -1
    return found


@dataclass
class ConjoinedTable:
    """Weights of manual features and of conjunctions of them.

    Examples
    --------
    >>> from kakari.models.linear.training import train_rows
    >>> from kakari.parsers.arguments.candidates.extraction import CandidateExtractor
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> features = template_table(CandidateExtractor(trees=False).extract(read_frames("sample-en")))
    >>> pairs = named_conjunctions("lemma*phrase path*voice")
    >>> made = ConjoinedTable(train_rows(conjoined(features, pairs), np.arange(len(features)) % 3 > 0), pairs)
    >>> again = ConjoinedTable.from_contents(made.contents())
    >>> bool((again.scores(features) == made.scores(features)).all())
    True
    """

    table: LinearModel
    conjunctions: Conjunctions

    def scores(self, features: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the scores of rows of a `template_table`, an output a column."""
        return self.table.scores(conjoined(features, self.conjunctions))

    def contents(self) -> Contents:
        """Return the saved form of the table."""
        told = {"conjunctions": ["*".join(one) for one in self.conjunctions]}
        return Contents.joined({"table": self.table.contents()}, told)

    @staticmethod
    def from_contents(contents: Contents) -> ConjoinedTable:
        """Rebuild a table from its `contents()`."""
        conjunctions = named_conjunctions(" ".join(contents.texts("conjunctions")))
        return ConjoinedTable(LinearModel.from_contents(contents.part("table")), conjunctions)


@dataclass
class ConjoinedWeights:
    """A part of boundary models: a weight for each manual feature and each conjunction of them, one byte each."""

    table: ConjoinedTable
    kind: str = field(default="conjunctions", init=False)
    needs: frozenset[str] = field(default=frozenset({"features"}), init=False)

    def margins(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the summand of every candidate."""
        return self.table.scores(template_table(candidates.arrays))[:, 0]

    def contents(self) -> Contents:
        """Return the saved form of the part."""
        return self.table.contents()

    @staticmethod
    def from_contents(contents: Contents) -> ConjoinedWeights:
        """Rebuild a part from its `contents()`."""
        return ConjoinedWeights(ConjoinedTable.from_contents(contents))
