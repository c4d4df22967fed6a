import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.parsers.english.words.words import EnglishWords

MOST_TAGS: int

def tag_batch(
    words: EnglishWords, weights: HashedWeights | HashedLearner, tags: int, beam: int = ...
) -> NDArray[np.uint8]: ...
def learn_batch(
    words: EnglishWords,
    gold: NDArray[np.uint8],
    learner: HashedLearner,
    tags: int,
    order: ArrayLike,
    beam: int = ...,
    cost: int = ...,
    frozen: HashedWeights | None = ...,
) -> int: ...
