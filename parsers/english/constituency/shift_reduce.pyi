from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.kernels.stored import Contents
from kakari.parsers.english.words.words import EnglishWords

MOST_NAMES: int
UNKNOWN: str
TRAITS: tuple[frozenset[str], ...]

class TreeGrammar:
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    actions: tuple[str, ...]
    symbols: tuple[str, ...]
    seen: NDArray[np.int32]
    def __init__(self, tags: Sequence[str], labels: Sequence[str], actions: Sequence[str], seen: ArrayLike) -> None: ...
    def contents(self) -> Contents: ...
    @staticmethod
    def from_contents(contents: Contents) -> TreeGrammar: ...

def parse_batch(
    words: EnglishWords,
    tags: ArrayLike,
    weights: HashedWeights | HashedLearner,
    grammar: TreeGrammar,
    beam: int = ...,
    narrow: int = ...,
    margin: int = ...,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
def parse_taggings(
    words: EnglishWords,
    taggings: ArrayLike,
    scores: ArrayLike,
    lists: ArrayLike,
    weights: HashedWeights,
    grammar: TreeGrammar,
    beam: int = ...,
    narrow: int = ...,
    margin: int = ...,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]: ...
def best_batch(
    words: EnglishWords,
    tags: ArrayLike,
    weights: HashedWeights,
    grammar: TreeGrammar,
    beam: int = ...,
    *,
    shared: bool = ...,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...
def learn_batch(
    words: EnglishWords,
    tags: ArrayLike,
    gold: NDArray[np.uint8],
    learner: HashedLearner,
    grammar: TreeGrammar,
    order: ArrayLike,
    beam: int = ...,
    averaged: bool = ...,
    frozen: HashedWeights | None = ...,
) -> int: ...
