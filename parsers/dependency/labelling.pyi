import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.parsers.dependency.tokens import TokenBatch

MOST_LABELS: int
NO_LABEL: int

def label_batch(batch: TokenBatch, heads: ArrayLike, weights: HashedWeights, labels: int) -> NDArray[np.uint8]: ...
def learn_labels(
    batch: TokenBatch, heads: ArrayLike, gold: ArrayLike, learner: HashedLearner, labels: int, order: ArrayLike
) -> int: ...
