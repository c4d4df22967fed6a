import numpy as np
from numpy.typing import NDArray

def binary_lines(data: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]] | None: ...
