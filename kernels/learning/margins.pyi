import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.sets.featuresets import FeatureSets, FrequencyRanking

METHODS: tuple[str, ...]

class SupportMargins:
    degree: int
    method: str
    reuse: bool
    def __init__(
        self,
        support: FeatureSets,
        coefficients: ArrayLike,
        degree: int,
        *,
        method: str = ...,
        common: int | None = ...,
        reuse: bool = ...,
        ranking: FrequencyRanking | None = ...,
    ) -> None: ...
    def margins(self, sets: FeatureSets, *, signs_only: bool = ...) -> NDArray[np.float64]: ...
    @property
    def common(self) -> int: ...
    @property
    def bytes(self) -> int: ...
