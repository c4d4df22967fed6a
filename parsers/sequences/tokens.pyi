from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

ABSENT: int
KINDS: tuple[str, ...]

class TokenTable:
    starts: NDArray[np.int64]
    values: NDArray[np.uint64]
    def __init__(self, starts: ArrayLike, values: ArrayLike) -> None: ...
    def __len__(self) -> int: ...

def string_table(
    sentences: Sequence[Sequence[Sequence[str]]], derived: Sequence[tuple[int, str, int]]
) -> TokenTable: ...
def column_table(fields: Sequence[Sequence[Sequence[str]]], derived: Sequence[tuple[int, str, int]]) -> TokenTable: ...
