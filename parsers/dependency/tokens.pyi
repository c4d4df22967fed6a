from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

class TokenBatch:
    starts: NDArray[np.int64]
    def __init__(self, sentences: Sequence[Sequence[tuple[str, str, str, str, str]]]) -> None: ...
    def __len__(self) -> int: ...
