from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.checks import TrainingError as TrainingError
from kakari.kernels.featuresets import FeatureSets

RULES: tuple[str, ...]
METHODS: tuple[str, ...]
STEPS: tuple[str, ...]
STATE_FORMAT: int

class Progress(NamedTuple):
    finished_passes: int
    passes: int
    examples: int
    total: int
    updates: int
    mistakes: int

def visiting_order(examples: int, seed: int, pass_number: int) -> NDArray[np.int64]: ...

class KernelLearner:
    options: dict[str, Any]
    mistakes: list[int]
    passes_left: int
    def __init__(
        self,
        degree: int = ...,
        *,
        learner: str = ...,
        cost: float = ...,
        step: str = ...,
        method: str = ...,
        reuse: bool = ...,
        common: int | str = ...,
        memory_limit: int | None = ...,
        seed: int | None = ...,
        class_weights: Mapping[int, float] | None = ...,
    ) -> None: ...
    def fit(
        self,
        sets: FeatureSets,
        labels: ArrayLike,
        *,
        passes: int = ...,
        weights: ArrayLike | None = ...,
        progress: Callable[[Progress], object] | None = ...,
        every: int | None = ...,
    ) -> KernelLearner: ...
    def partial_fit(
        self,
        sets: FeatureSets,
        labels: ArrayLike,
        *,
        passes: int = ...,
        weights: ArrayLike | None = ...,
        progress: Callable[[Progress], object] | None = ...,
        every: int | None = ...,
    ) -> KernelLearner: ...
    def resume(
        self, *, progress: Callable[[Progress], object] | None = ..., every: int | None = ...
    ) -> KernelLearner: ...
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
    def coefficients(self, *, averaged: bool = ...) -> NDArray[np.float64]: ...
    def state(self) -> dict[str, NDArray[Any]]: ...
    @staticmethod
    def from_state(
        state: Mapping[str, NDArray[Any]],
        sets: FeatureSets | None = ...,
        labels: ArrayLike | None = ...,
        *,
        weights: ArrayLike | None = ...,
    ) -> KernelLearner: ...
