from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

INFINITE: str

class DualError(ValueError): ...

class GramCache:
    @property
    def diagonal(self) -> NDArray[np.float64]: ...
    @property
    def evaluations(self) -> int: ...
    @property
    def complete(self) -> bool: ...
    def __init__(
        self,
        diagonal: ArrayLike,
        block: Callable[[NDArray[np.int64], int], NDArray[np.float64]],
        *,
        limit: int = ...,
        lazy: bool = ...,
        matrix: NDArray[np.float64] | None = ...,
        order: ArrayLike | None = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    def row(self, number: int) -> NDArray[np.float32]: ...

def solve(
    cache: GramCache,
    labels: ArrayLike,
    costs: ArrayLike,
    *,
    members: ArrayLike | None = ...,
    targets: ArrayLike | None = ...,
    start: ArrayLike | None = ...,
    bias: bool = ...,
    tolerance: float = ...,
    max_steps: int = ...,
    progress: Callable[[int, float], object] | None = ...,
) -> dict[str, Any]: ...
