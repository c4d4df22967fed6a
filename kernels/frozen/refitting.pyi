from numpy.typing import ArrayLike

from kakari.kernels.frozen.conjunction_mining import Conjunctions
from kakari.kernels.sets.featuresets import FeatureSets

def refit(
    found: Conjunctions,
    sets: FeatureSets,
    labels: ArrayLike,
    *,
    cost: float,
    passes: int = ...,
    fresh: bool = ...,
) -> Conjunctions: ...
