from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.stored import Contents

MOST_KINDS: int
MOST_SLOTS: int
MOST_WIDTH: int

class TemplateError(ValueError): ...

class TemplateKernel:
    kinds: tuple[tuple[tuple[int, int, bool], ...], ...]
    widths: tuple[int, ...]
    def __init__(self, widths: Sequence[int], kinds: Sequence[Sequence[tuple[int, int, bool]]]) -> None: ...
    def gram(self, one: Parts, other: Parts) -> NDArray[np.int64]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def contents(self) -> Contents: ...
    @staticmethod
    def from_contents(contents: Contents) -> TemplateKernel: ...

class Parts:
    kernel: TemplateKernel
    tables: list[NDArray[np.int32]]
    kinds: NDArray[np.uint8]
    slots: NDArray[np.int32]
    def __init__(
        self, kernel: TemplateKernel, tables: Sequence[ArrayLike], kinds: ArrayLike, slots: ArrayLike
    ) -> None: ...
    def __len__(self) -> int: ...
