"""Examples as sparse matrices of ones, as LIBLINEAR and vector kernels take them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.kernels.sets.columns import FeatureColumns


def frequent(portions: Iterable[NDArray[np.int32]], rare: int) -> FeatureColumns:
    """Return columns for the features that occur often enough, ordered by id."""
    seen = FeatureColumns()
    for portion in portions:
        seen.count(portion)
    kept = (seen.counts >= rare) & (seen.ids >= 0)
    return FeatureColumns(np.sort(seen.ids[kept]))


def indicators(columns: FeatureColumns, offsets: NDArray[np.int64], ids: NDArray[np.int32]) -> sparse.csr_array:
    """Return examples as sparse rows of ones; features without a column are left out.

    Examples
    --------
    >>> indicators(FeatureColumns([5, 9]), np.array([0, 2, 3]), np.array([9, 4, 5], dtype=np.int32)).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    found = columns.columns_of(ids)
    known = found >= 0
    ends = np.concatenate([[0], np.cumsum(known)])[offsets]
    shape = (len(offsets) - 1, len(columns))
    return sparse.csr_array((np.ones(int(ends[-1]), dtype=np.float32), found[known], ends), shape=shape)
