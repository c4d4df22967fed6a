import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.parsers.english.words.words import EnglishWords

MOST_TAGS: int
NO_TAG: int

def tag_batch(
    words: EnglishWords, weights: HashedWeights | HashedLearner, tags: int, beam: int = ...
) -> NDArray[np.uint8]: ...
def tag_lists(
    words: EnglishWords, weights: HashedWeights, tags: int, beam: int = ..., doubt: int = ...
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]: ...
def tag_conjunctions(
    words: EnglishWords,
    weights: HashedWeights,
    tags: int,
    place: int,
    before: int | None = ...,
    before2: int | None = ...,
) -> NDArray[np.uint64]: ...
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
