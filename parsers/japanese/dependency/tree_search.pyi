from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.parsers.japanese.dependency.beam import WholeTrees
from kakari.parsers.japanese.dependency.pairs import Sentence
from kakari.parsers.japanese.words.morphemes import Morphemes

class TreeScorer(WholeTrees):
    weights: HashedWeights
    unit: float
    def __init__(self, weights: HashedWeights, unit: float) -> None: ...

def learn_pass(
    morphemes: Morphemes,
    opens: NDArray[np.uint8],
    heads: NDArray[np.int32],
    sentence: Sentence,
    learner: HashedLearner,
    order: ArrayLike,
    *,
    beam: int = ...,
    bonus: int = ...,
) -> int: ...
def search_trees(
    morphemes: Morphemes, opens: NDArray[np.uint8], weights: HashedWeights, sentence: Sentence, beam: int = ...
) -> list[list[tuple[list[int], int]]]: ...
def score_trees(
    morphemes: Morphemes, opens: NDArray[np.uint8], heads: Any, weights: HashedWeights, sentence: Sentence
) -> Sequence[float]: ...
