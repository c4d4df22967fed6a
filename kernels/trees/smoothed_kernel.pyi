from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.forest import Forest
from kakari.kernels.trees.parameters import Parameters

class SmoothedTreeKernel(Parameters):
    similarity: Any
    decay: float
    mu: float
    terminal_factor: float
    threshold: float
    max_children: int | None
    normalize: bool
    pairing: str
    def __init__(
        self,
        similarity: Any = ...,
        *,
        decay: float = ...,
        mu: float = ...,
        terminal_factor: float = ...,
        threshold: float = ...,
        max_children: int | None = ...,
        normalize: bool = ...,
        pairing: str = ...,
    ) -> None: ...
    @staticmethod
    def from_contents(contents: Contents) -> SmoothedTreeKernel: ...
    def gram(self, a: Forest, b: Forest | None = ..., *, threads: int = ...) -> NDArray[np.float64]: ...
    def diagonal(self, a: Forest, *, threads: int = ...) -> NDArray[np.float64]: ...
