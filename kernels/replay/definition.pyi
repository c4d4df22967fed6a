import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.sets.featuresets import FeatureSets

def naive_margins(
    sets: FeatureSets, support: FeatureSets, coefficients: ArrayLike, degree: int
) -> NDArray[np.float64]: ...
