from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from kakari.kernels.sets.featuresets import FeatureSets

def solve_expanded(
    sets: FeatureSets,
    labels: ArrayLike,
    degree: int,
    *,
    cost: float = ...,
    tolerance: float = ...,
    passes: int = ...,
    seed: int = ...,
    progress: Callable[[int, float], object] | None = ...,
) -> dict[str, Any]: ...
