from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.sets.featuresets import FeatureSets

Level = tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]

def subset_weights(degree: int) -> list[int]: ...

class Conjunctions:
    ids: NDArray[np.int32]
    levels: list[Level]
    constant: float
    threshold_positive: float
    threshold_negative: float
    def __init__(
        self,
        ids: NDArray[np.int32],
        levels: list[Level],
        constant: float,
        threshold_positive: float,
        threshold_negative: float,
    ) -> None: ...
    def __len__(self) -> int: ...
    def items(self) -> Iterator[tuple[tuple[int, ...], float]]: ...

def mine(
    sets: FeatureSets,
    coefficients: ArrayLike,
    degree: int,
    *,
    sigma: float = ...,
    minimum_support: int = ...,
    keep: int | None = ...,
) -> Conjunctions: ...
def checked_coefficients(sets: FeatureSets, coefficients: ArrayLike) -> NDArray[np.float64]: ...
