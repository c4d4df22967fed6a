from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.checks import TrainingError as TrainingError
from kakari.kernels.featuresets import FeatureSets
from kakari.kernels.runs import RULES as RULES
from kakari.kernels.runs import STEPS as STEPS
from kakari.kernels.runs import OnlineLearner
from kakari.kernels.runs import Progress as Progress
from kakari.kernels.runs import visiting_order as visiting_order

METHODS: tuple[str, ...]
STATE_FORMAT: int

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
    def coefficients(self, *, averaged: bool = ..., after: int = ...) -> NDArray[np.float64]: ...
    def state(self) -> dict[str, NDArray[Any]]: ...
    @staticmethod
    def from_state(
        state: Mapping[str, NDArray[Any]],
        sets: FeatureSets | None = ...,
        labels: ArrayLike | None = ...,
        *,
        weights: ArrayLike | None = ...,
    ) -> KernelLearner: ...
