from numpy.typing import ArrayLike

from kakari.kernels.featuresets import FeatureSets
from kakari.kernels.mining import Conjunctions

def refit(
    found: Conjunctions,
    sets: FeatureSets,
    labels: ArrayLike,
    *,
    cost: float,
    passes: int = ...,
    fresh: bool = ...,
) -> Conjunctions: ...
