from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from kakari.kernels.learning.passes import RULES as RULES
from kakari.kernels.learning.passes import STEPS as STEPS
from kakari.kernels.learning.passes import OnlineLearner
from kakari.kernels.learning.passes import Progress as Progress
from kakari.kernels.learning.passes import visiting_order as visiting_order
from kakari.kernels.sets.checks import TrainingError as TrainingError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents

METHODS: tuple[str, ...]

class KernelLearner(OnlineLearner):
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
        vectors: Any = ...,
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
        vectors: Any = ...,
        progress: Callable[[Progress], object] | None = ...,
        every: int | None = ...,
    ) -> Self: ...
    def coefficients(self, *, averaged: bool = ..., after: int = ...) -> NDArray[np.float64]: ...
    def vector_weights(self, *, averaged: bool = ...) -> NDArray[np.float64]: ...
    def contents(self) -> Contents: ...
    @staticmethod
    def from_contents(
        contents: Contents,
        sets: FeatureSets | None = ...,
        labels: ArrayLike | None = ...,
        *,
        weights: ArrayLike | None = ...,
        vectors: Any = ...,
    ) -> KernelLearner: ...
