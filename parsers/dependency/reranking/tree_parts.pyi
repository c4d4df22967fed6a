from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.templates.learning import CandidateLists
from kakari.kernels.templates.parts import TemplateKernel
from kakari.kernels.templates.support import CombinationWeights

FIGURES: int
AROUND: tuple[str, ...]
EDGE: tuple[str, ...]
TAG: int
COARSE: int

class Layout:
    def __init__(self, *, own: int, relations: int, tags: int, coarses: int, features: int) -> None: ...
    @property
    def features(self) -> int: ...
    def kernel(
        self, *, head_degree: int = ..., modifier_degree: int = ..., edge_degree: int = ...
    ) -> TemplateKernel: ...

class TreeBatch:
    starts: NDArray[np.int64]
    counts: NDArray[np.int32]
    def __init__(
        self, layout: Layout, starts: ArrayLike, own: ArrayLike, lists: Mapping[str, NDArray[Any]], figures: ArrayLike
    ) -> None: ...
    def candidate_lists(
        self, kernel: TemplateKernel, losses: ArrayLike, wanted: ArrayLike, *, linear: bool = ...
    ) -> CandidateLists: ...
    def choose(self, weights: CombinationWeights | None, linear: ArrayLike, scale: int) -> NDArray[np.int32]: ...
