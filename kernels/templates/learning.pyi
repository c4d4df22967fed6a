from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.templates.parts import Parts
from kakari.kernels.templates.support import Support

UNIT: float
LARGEST_FEATURE: int

class CandidateLists:
    parts: Parts
    columns: dict[str, NDArray[Any]]
    features: int
    def __init__(
        self,
        parts: Parts,
        *,
        part_starts: ArrayLike,
        candidate_starts: ArrayLike,
        occurrence_starts: ArrayLike,
        occurrences: ArrayLike,
        feature_starts: ArrayLike,
        features: ArrayLike,
        values: ArrayLike,
        losses: ArrayLike,
        wanted: ArrayLike,
    ) -> None: ...
    def __len__(self) -> int: ...
    def scores(self, sums: ArrayLike, weights: ArrayLike) -> NDArray[np.int64]: ...
    def best(self, scores: NDArray[np.int64]) -> NDArray[np.int64]: ...

class RerankLearner:
    lists: CandidateLists
    def __init__(
        self,
        lists: CandidateLists,
        *,
        C: float = ...,
        start: Mapping[int, float] | None = ...,
        cost_augmented: bool = ...,
        share: bool = ...,
        remember: bool = ...,
        expand: bool = ...,
        kernel: bool = ...,
        linear: bool = ...,
    ) -> None: ...
    @property
    def examples(self) -> int: ...
    @property
    def updates(self) -> int: ...
    @property
    def support_parts(self) -> int: ...
    def visit(self, order: ArrayLike) -> int: ...
    def averaged(self) -> tuple[Support, NDArray[np.int64]]: ...
    def last(self) -> tuple[Support, NDArray[np.int64]]: ...

def check_lists(parts: int, columns: Mapping[str, NDArray[Any]]) -> None: ...
def averages(amounts: NDArray[np.int64], moments: NDArray[np.int64], examples: int) -> NDArray[np.int64]: ...
