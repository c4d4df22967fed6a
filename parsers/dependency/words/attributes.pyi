from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.parsers.english.words.words import EnglishWords

MOST_VALUES: int

def attribute_batch(
    words: EnglishWords, tags: ArrayLike, weights: HashedWeights, ends: Sequence[int]
) -> NDArray[np.uint8]: ...
def learn_attributes(
    words: EnglishWords, tags: ArrayLike, gold: ArrayLike, learner: HashedLearner, ends: Sequence[int], order: ArrayLike
) -> int: ...
