from numpy.typing import ArrayLike

from kakari.kernels.hashed.weights import HashedLearner

def fit_examples(
    offsets: ArrayLike, hashes: ArrayLike, classes: ArrayLike, *, passes: int = ..., seed: int = ...
) -> HashedLearner: ...
