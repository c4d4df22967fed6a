"""Features as numbers below a power of two, without a vocabulary: memory does not grow with the number of features.

Two features that meet in one number are one feature. With n features and b bits, about n / 2^b of them do.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.sets.featuresets import FeatureSets

ODD = np.uint32(2654435769)  # 2^32 divided by the golden ratio: spreads neighbours


def hashed_names(rows: Iterable[Iterable[str]], bits: int) -> FeatureSets:
    """Return sets of named features as numbers of so many bits.

    Examples
    --------
    >>> hashed_names([["a", "b"], ["b"]], 8).tolist()
    [[67, 249], [249]]
    """
    mask = (1 << bits) - 1
    return FeatureSets.from_lists([sorted({crc32(name.encode()) & mask for name in row}) for row in rows])


def hashed_sets(sets: FeatureSets, bits: int) -> FeatureSets:
    """Return sets of numbered features as numbers of so many bits.

    Examples
    --------
    >>> hashed_sets(FeatureSets.from_lists([[1, 2_000_000_000], [1]]), 8).tolist()
    [[68, 158], [158]]
    """
    mixed = (sets.ids.astype(np.uint32) * ODD) >> np.uint32(32 - bits)
    rows: NDArray[np.int64] = np.repeat(np.arange(len(sets)), np.diff(sets.offsets))
    pairs = np.unique(rows.astype(np.uint64) << np.uint64(32) | mixed)
    counts = np.bincount((pairs >> np.uint64(32)).astype(np.int64), minlength=len(sets))
    ids = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int32)
    return FeatureSets.from_arrays(np.concatenate([[0], np.cumsum(counts)]), ids)
