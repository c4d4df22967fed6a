from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.forest import Forest

def mine(
    dag: ForestDag,
    *,
    keep: int | None = ...,
    minimum_count: float = ...,
    factor: float = ...,
    depth: int | None = ...,
    breadth: int = ...,
    exact: bool = ...,
    output: int = ...,
    counts: int | None = ...,
    progress: Callable[[int], object] | None = ...,
) -> FragmentDictionary: ...
def enumerated_vectors(
    forest: Forest,
    *,
    depth: int = ...,
    longest: int = ...,
    bits: int = ...,
    decay: float = ...,
    normalize: bool = ...,
    threads: int = ...,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...
