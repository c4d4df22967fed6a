import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.learning.passes import OnlineLearner
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents

MOST_CLASSES: int

class MulticlassLearner(OnlineLearner):
    def __init__(
        self,
        classes: int,
        degree: int = ...,
        *,
        learner: str = ...,
        cost: float = ...,
        step: str = ...,
        common: int | str = ...,
        memory_limit: int | None = ...,
        seed: int | None = ...,
    ) -> None: ...
    def coefficients(self, *, averaged: bool = ..., after: int = ...) -> NDArray[np.float64]: ...
    def contents(self) -> Contents: ...
    @staticmethod
    def from_contents(
        contents: Contents,
        sets: FeatureSets | None = ...,
        labels: ArrayLike | None = ...,
        *,
        weights: ArrayLike | None = ...,
    ) -> MulticlassLearner: ...
