from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedWeights
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.japanese.words.morphemes import Morphemes

Questions = tuple[NDArray[np.int64], NDArray[np.uint64]]

class WordHashes:
    def __init__(self, strings: Vocabulary) -> None: ...
    def whole_of(self, number: int) -> int: ...
    def short_of(self, number: int) -> int: ...

class BoundaryLines:
    def __init__(self, weights: HashedWeights) -> None: ...

class ClassLines:
    def __init__(self, weights: HashedWeights, classes: int) -> None: ...

def boundary_examples(morphemes: Morphemes, opens: ArrayLike, heads: ArrayLike, hashes: WordHashes) -> Questions: ...
def word_examples(morphemes: Morphemes, opens: ArrayLike, heads: ArrayLike, hashes: WordHashes) -> Questions: ...
def arc_examples(
    morphemes: Morphemes, opens: ArrayLike, heads: ArrayLike, contents: ArrayLike, hashes: WordHashes
) -> Questions: ...
def cut_batch(
    morphemes: Morphemes,
    opens: ArrayLike,
    heads: ArrayLike,
    hashes: WordHashes,
    lines: BoundaryLines | None = ...,
    *,
    boundaries: ArrayLike | None = ...,
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]: ...
def convert_batch(
    morphemes: Morphemes,
    opens: ArrayLike,
    heads: ArrayLike,
    hashes: WordHashes,
    lines: tuple[BoundaryLines, ClassLines, ClassLines, ClassLines],
    labels: Sequence[int],
) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]]: ...
