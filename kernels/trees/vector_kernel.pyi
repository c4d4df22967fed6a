from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.parameters import Parameters

HIGHEST_STORED_DEGREE: int

class VectorKernelError(ValueError): ...

class VectorKernel(Parameters):
    kind: str
    degree: int
    gamma: float
    constant: float
    normalize: bool
    def __init__(
        self,
        kind: str = ...,
        *,
        degree: int = ...,
        gamma: float = ...,
        constant: float = ...,
        normalize: bool = ...,
    ) -> None: ...
    @property
    def sums_as(self) -> str: ...
    @staticmethod
    def from_contents(contents: Contents) -> VectorKernel: ...
    def gram(self, a: Any, b: Any = ..., *, threads: int = ...) -> NDArray[np.float64]: ...
    def diagonal(self, a: Any, *, threads: int = ...) -> NDArray[np.float64]: ...
    def self_kernels(self, a: Any) -> NDArray[np.float64]: ...
    def scales(self, a: Any) -> NDArray[np.float64]: ...

def checked_rows(given: Any) -> Any: ...
