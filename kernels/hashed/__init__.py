"""Linear weights of hashed features, for many classes or for the parts of a structure, learnt in place.

In: rows of feature hashes
Out: `HashedWeights`, `PartWeights`
Uses: kernels.hardware, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.hashed.scalars import PartLearner as PartLearner
    from kakari.kernels.hashed.scalars import PartWeights as PartWeights
    from kakari.kernels.hashed.weights import HashedLearner as HashedLearner
    from kakari.kernels.hashed.weights import HashedWeights as HashedWeights

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "scalars": "PartLearner PartWeights",
        "weights": "HashedLearner HashedWeights",
    },
)
