"""Rows of a matrix as sets of features."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from kakari.kernels.sets.featuresets import FeatureSets


def to_sets(X: Any, binarize: float | None) -> FeatureSets:
    """Turn a matrix into feature sets.

    Examples
    --------
    >>> to_sets(np.array([[0.2, 0.0, 3.0]]), binarize=0.1).tolist()
    [[0, 2]]
    """
    if binarize is None:
        return FeatureSets.from_sparse(sparse.csr_array(X))
    if sparse.issparse(X):
        if binarize < 0:
            raise ValueError("a sparse matrix cannot be binarised at a threshold below 0")
        rows = sparse.csr_array(X)
        kept = sparse.csr_array((rows.data > binarize, rows.indices, rows.indptr), shape=rows.shape)
        return FeatureSets.from_sparse(kept)
    return FeatureSets.from_sparse(sparse.csr_array(np.asarray(X) > binarize))
