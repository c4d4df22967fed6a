"""Linear weights of hashed features for many classes, learnt in place.

In: rows of feature hashes
Out: `HashedWeights`
Uses: kernels.hardware, kernels.stored
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.hashed.weights import HashedLearner as HashedLearner
    from kakari.kernels.hashed.weights import HashedWeights as HashedWeights

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "weights": "HashedLearner HashedWeights",
    },
)
