from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedWeights
from kakari.parsers.english.constituency.shift_reduce import TreeGrammar
from kakari.parsers.english.words.words import EnglishWords

def derivations(
    words: EnglishWords,
    tags: ArrayLike,
    weights: HashedWeights,
    grammar: TreeGrammar,
    beam: int = ...,
) -> list[tuple[NDArray[np.int32], int, NDArray[np.int32], list[NDArray[Any]]]]: ...
