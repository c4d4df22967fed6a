"""Candidates for arguments as examples: signs, feature sets and forests over the extractor's flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.parsers.arguments.candidates.extraction import CHAIN, GOLD, NEAR, TEMPLATE_BITS, TEMPLATES

if TYPE_CHECKING:
    from kakari.kernels.sets.featuresets import FeatureSets
    from kakari.kernels.trees.forest import Forest

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Candidates:
    """Candidates of some predicates.

    Parameters
    ----------
    arrays : mapping
        The result of `CandidateExtractor.extract`.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.extraction import CandidateExtractor
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> candidates = Candidates(CandidateExtractor().extract(read_frames("sample-en")))
    >>> len(candidates) == len(candidates.forest) == len(candidates.features) == candidates.signs.size
    True
    >>> candidates.spans()[:2].tolist(), candidates.gold[:2].tolist()
    ([[0, 1], [0, 1]], [True, True])
    """

    arrays: Arrays

    def __len__(self) -> int:
        return int(self.arrays["begins"].size)

    @property
    def gold(self) -> NDArray[np.bool_]:
        """True for each candidate whose span is that of an argument."""
        marked: NDArray[np.bool_] = self.arrays["flags"] & GOLD != 0
        return marked

    @property
    def signs(self) -> NDArray[np.int64]:
        """1 for arguments, -1 for all others."""
        return np.where(self.gold, 1, -1)

    @property
    def near(self) -> NDArray[np.bool_]:
        """True for each candidate that Xue and Palmer's pruning keeps."""
        marked: NDArray[np.bool_] = self.arrays["flags"] & NEAR != 0
        return marked

    @property
    def below(self) -> NDArray[np.bool_]:
        """True for each candidate that is the only child of its parent: not the top of its unary chain."""
        marked: NDArray[np.bool_] = self.arrays["flags"] & CHAIN != 0
        return marked

    @property
    def predicates(self) -> NDArray[np.int64]:
        """Number of each candidate's predicate."""
        sizes = np.diff(self.arrays["candidate_offsets"])
        return np.repeat(np.arange(sizes.size), sizes)

    def spans(self) -> NDArray[np.int32]:
        """Return begin and end of each candidate."""
        return np.stack([self.arrays["begins"], self.arrays["ends"]], axis=1)

    def span_numbers(self) -> NDArray[np.int64]:
        """Return the same number to the candidates of one predicate that have one span."""
        keys = (self.predicates.astype(np.int64) << 32) | (self.arrays["begins"].astype(np.int64) << 16)
        numbers: NDArray[np.int64] = np.unique(keys | self.arrays["ends"], return_inverse=True)[1]
        return numbers

    @cached_property
    def features(self) -> FeatureSets:
        """The manual features, one set a candidate."""
        from kakari.kernels.sets.featuresets import FeatureSets

        return FeatureSets.from_arrays(self.arrays["feature_offsets"], self.arrays["features"])

    @cached_property
    def forest(self) -> Forest:
        """The argument spanning trees, one a candidate."""
        from kakari.kernels.trees.forest import Forest

        return Forest.from_arrays(self.arrays["labels"], self.arrays["arities"], self.arrays["tree_offsets"])

    def contents(self) -> Contents:
        """Return the saved form of the candidates."""
        return Contents(self.arrays)

    @staticmethod
    def from_contents(contents: Contents) -> Candidates:
        """Rebuild candidates from their `contents()`."""
        begins = contents.array("begins", np.int32, minimum=0)
        count = begins.shape
        tokens = contents.array("tokens", np.int32, minimum=0)
        arrays = {
            "sentences": contents.array("sentences", np.int32, shape=tokens.shape, minimum=0),
            "tokens": tokens,
            "arguments": contents.array("arguments", np.int32, shape=tokens.shape, minimum=0),
            "candidate_offsets": contents.offsets("candidate_offsets", begins.size, rows=tokens.size),
            "begins": begins,
            "ends": contents.array("ends", np.int32, shape=count, minimum=0),
            "nodes": contents.array("nodes", np.int32, shape=count),
            "flags": contents.array("flags", np.uint8, shape=count),
        }
        if contents.has_array("features"):
            arrays["features"] = contents.array("features", np.int32, minimum=0)
            arrays["feature_offsets"] = contents.offsets("feature_offsets", arrays["features"].size, rows=begins.size)
        if contents.has_array("labels"):
            arrays["labels"] = contents.array("labels", np.int32, minimum=0)
            arrays["arities"] = contents.array("arities", np.int32, shape=arrays["labels"].shape, minimum=0)
            arrays["tree_offsets"] = contents.offsets("tree_offsets", arrays["labels"].size, rows=begins.size)
        return Candidates(arrays)

    def first(self, predicates: int) -> Candidates:
        """Return the candidates of the first predicates."""
        count = int(self.arrays["candidate_offsets"][predicates])
        ends = dict.fromkeys(("sentences", "tokens", "arguments"), predicates) | {"candidate_offsets": predicates + 1}
        for offsets, flat in (("feature_offsets", ("features",)), ("tree_offsets", ("labels", "arities"))):
            if offsets in self.arrays:
                ends |= {offsets: count + 1} | dict.fromkeys(flat, int(self.arrays[offsets][count]))
        return Candidates({name: array[: ends.get(name, count)] for name, array in self.arrays.items()})

    def upto(self, examples: int) -> Candidates:
        """Return the candidates of the first predicates, at most `examples` in all, but of at least one predicate."""
        offsets = self.arrays["candidate_offsets"]
        return self.first(max(1, int(np.searchsorted(offsets, examples, side="right")) - 1))

    def only(self, templates: Iterable[str]) -> Candidates:
        """Return the candidates with the features of some templates alone.

        Examples
        --------
        >>> from kakari.parsers.arguments.candidates.extraction import CandidateExtractor
        >>> from kakari.parsers.arguments.candidates.frames import read_frames
        >>> candidates = Candidates(CandidateExtractor().extract(read_frames("sample-en")))
        >>> set(candidates.only(["path", "voice"]).features.row_lengths().tolist())
        {2}
        """
        numbers = [TEMPLATES.index(name) for name in templates]
        kept = np.isin(self.arrays["features"] % (1 << TEMPLATE_BITS), numbers)
        offsets = np.concatenate([[0], np.cumsum(kept)])[self.arrays["feature_offsets"]]
        return Candidates({**self.arrays, "features": self.arrays["features"][kept], "feature_offsets": offsets})
