from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.forest import Forest
from kakari.kernels.trees.parameters import Parameters

class TreeKernelError(ValueError): ...

class TreeKernel(Parameters):
    kind: str
    decay: float
    mu: float
    max_children: int | None
    normalize: bool
    pairing: str
    terminal_factor: float
    def __init__(
        self,
        kind: str = ...,
        *,
        decay: float = ...,
        mu: float = ...,
        max_children: int | None = ...,
        normalize: bool = ...,
        pairing: str = ...,
        terminal_factor: float = ...,
    ) -> None: ...
    @staticmethod
    def from_contents(contents: Contents) -> TreeKernel: ...
    def gram(
        self, a: Forest, b: Forest | None = ..., *, threads: int = ..., method: str = ...
    ) -> NDArray[np.float64]: ...
    def diagonal(self, a: Forest, *, threads: int = ...) -> NDArray[np.float64]: ...
    def self_kernels(self, a: Forest, *, threads: int = ...) -> NDArray[np.float64]: ...
    def scales(self, a: Forest, *, threads: int = ...) -> NDArray[np.float64]: ...

class TreeColumns:
    @property
    def kernel(self) -> TreeKernel: ...
    def __init__(self, kernel: TreeKernel) -> None: ...
    def __len__(self) -> int: ...
    def extend(self, forest: Forest, scales: NDArray[np.float64] | None = ...) -> None: ...
    def rows(self, forest: Forest, *, first: int = ..., threads: int = ...) -> NDArray[np.float64]: ...

def known_scales(kernel: TreeKernel, trees: Forest, scales: NDArray[np.float64] | None) -> NDArray[np.float64]: ...
def places(kernel: Any, forest: Forest) -> list[tuple[Forest, NDArray[np.int64]]]: ...
def gram_of_examples(
    kernel: Any, a: Forest, b: Forest, values: Callable[[Forest, Forest], NDArray[np.float64]]
) -> NDArray[np.float64]: ...
def diagonal_of_examples(
    kernel: Any, a: Forest, self_kernels: Callable[[Forest], NDArray[np.float64]], threads: int
) -> NDArray[np.float64]: ...
def gathered(
    out: NDArray[np.float64] | None,
    shape: tuple[int, int],
    values: NDArray[np.float64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> NDArray[np.float64]: ...
