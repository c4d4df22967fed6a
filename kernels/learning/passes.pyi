from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents

RULES: tuple[str, ...]
STEPS: tuple[str, ...]
MOST_VISITS: int

class Progress(NamedTuple):
    finished_passes: int
    passes: int
    examples: int
    total: int
    updates: int
    mistakes: int

def visiting_order(examples: int, seed: int, pass_number: int) -> NDArray[np.int64]: ...
def checked_options(
    degree: Any, learner: Any, cost: Any, step: Any, common: Any, memory_limit: Any, seed: Any
) -> dict[str, Any]: ...
def stored_options(contents: Contents) -> dict[str, Any]: ...

class OnlineLearner:
    options: dict[str, Any]
    mistakes: list[int]
    passes_left: int
    def fit(
        self,
        sets: FeatureSets,
        labels: ArrayLike,
        *,
        passes: int = ...,
        weights: ArrayLike | None = ...,
        progress: Callable[[Progress], object] | None = ...,
        every: int | None = ...,
    ) -> Self: ...
    def partial_fit(
        self,
        sets: FeatureSets,
        labels: ArrayLike,
        *,
        passes: int = ...,
        weights: ArrayLike | None = ...,
        progress: Callable[[Progress], object] | None = ...,
        every: int | None = ...,
    ) -> Self: ...
    def resume(self, *, progress: Callable[[Progress], object] | None = ..., every: int | None = ...) -> Self: ...
    @property
    def updates(self) -> int: ...
    @property
    def peak_bytes(self) -> int: ...
    @property
    def common(self) -> int: ...
    @property
    def running(self) -> bool: ...
    @property
    def support_rows(self) -> NDArray[np.int64]: ...
    def support(self) -> FeatureSets: ...
