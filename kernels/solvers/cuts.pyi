import numpy as np
from numpy.typing import ArrayLike, NDArray

def multipliers(
    gram: ArrayLike,
    offsets: ArrayLike,
    total: float,
    *,
    start: ArrayLike | None = ...,
    tolerance: float = ...,
    max_steps: int = ...,
) -> NDArray[np.float64]: ...
