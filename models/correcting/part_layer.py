"""Weights of hashed conjunctions that corrections add to the frozen ones of a decoder of parts.

The decoder's scores are sums of whole numbers, in units of the frozen weights; so are these. A structure that should
have won takes the shortest step along the difference of the conjunctions that lets it lead by the target:

    amount(c) += round(ℓ / ‖δ‖² · δ(c))

where δ(c) is how often c is in the wanted structure, less how often it is in the found one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.scalars import PartWeights
from kakari.kernels.stored import Contents

MOST = 2**30  # the largest amount


@dataclass(frozen=True)
class PartLayer:
    """Hashes of conjunctions in ascending order, and what is added to the weight of each.

    Examples
    --------
    >>> layer = PartLayer.empty().stepped([5, 9], [9, 7, 7], 60)
    >>> layer.hashes.tolist(), layer.amounts.tolist()
    ([5, 7], [12, -24])
    """

    hashes: NDArray[np.uint64]
    amounts: NDArray[np.int32]

    @staticmethod
    def empty() -> PartLayer:
        """Return a layer that adds nothing."""
        return PartLayer(np.empty(0, np.uint64), np.empty(0, np.int32))

    def stepped(self, wanted: ArrayLike, found: ArrayLike, loss: float) -> PartLayer:
        """Return the layer after the shortest step that raises wanted over found conjunctions by `loss`."""
        first, second = np.asarray(wanted, dtype=np.uint64), np.asarray(found, dtype=np.uint64)
        names, places = np.unique(np.concatenate([first, second]), return_inverse=True)
        signs = np.concatenate([np.ones(len(first)), -np.ones(len(second))])
        difference = np.bincount(places, signs, minlength=len(names))
        length = float((difference**2).sum())
        if length == 0 or loss <= 0:
            return self
        step = np.rint(difference * (loss / length)).astype(np.int64)
        every, back = np.unique(np.concatenate([self.hashes, names]), return_inverse=True)
        total = np.zeros(len(every), dtype=np.int64)
        np.add.at(total, back, np.concatenate([self.amounts.astype(np.int64), step]))
        kept = total != 0
        return PartLayer(every[kept], np.clip(total[kept], -MOST, MOST).astype(np.int32))

    def beside(self, weights: PartWeights) -> PartWeights:
        """Return frozen weights with this layer added to them."""
        return weights.with_added(self.hashes, self.amounts)

    def contents(self) -> Contents:
        """Return the saved form of the layer."""
        arrays: dict[str, NDArray[Any]] = {"hashes": self.hashes, "amounts": self.amounts}
        return Contents(arrays)

    @staticmethod
    def from_contents(contents: Contents) -> PartLayer:
        """Rebuild a layer from its `contents()`."""
        hashes = contents.array("hashes", np.uint64, ascending=True, distinct=True)
        return PartLayer(hashes, contents.array("amounts", np.int32, shape=hashes.shape, minimum=-MOST, below=MOST + 1))
