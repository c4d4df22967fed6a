from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from kakari.kernels.sets.featuresets import FeatureSets

CHUNK: int

class ExpandedLogLinear:
    @property
    def degree(self) -> int: ...
    @property
    def peak_bytes(self) -> int: ...
    @property
    def running(self) -> bool: ...
    @property
    def conjunctions(self) -> int: ...
    @property
    def active(self) -> int: ...
    def __init__(
        self, degree: int = ..., *, cost: float = ..., rate: float = ..., decay: float = ..., seed: int = ...
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
