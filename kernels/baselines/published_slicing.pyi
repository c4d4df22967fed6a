from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from kakari.kernels.sets.featuresets import FeatureSets

CHUNK: int
STEPS: tuple[str, ...]

class PublishedSlicing:
    @property
    def degree(self) -> int: ...
    @property
    def running(self) -> bool: ...
    @property
    def update_count(self) -> int: ...
    @property
    def ended_early(self) -> int: ...
    @property
    def peak_bytes(self) -> int: ...
    def __init__(
        self,
        degree: int = ...,
        *,
        common: int = ...,
        cost: float = ...,
        step: str = ...,
        reuse: bool = ...,
        terminate: bool = ...,
    ) -> None: ...
    def fit(
        self,
        sets: FeatureSets,
        labels: ArrayLike,
        *,
        passes: int = ...,
        progress: Callable[[float], object] | None = ...,
    ) -> Self: ...
    def margins(self, sets: FeatureSets) -> NDArray[np.float64]: ...
    def updates(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]: ...
