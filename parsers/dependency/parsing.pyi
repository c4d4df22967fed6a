from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.hashed.scalars import PartLearner, PartWeights
from kakari.kernels.stored import Contents
from kakari.parsers.dependency.tokens import TokenBatch

MOST_HEADS: int
LONGEST_SEARCHED: int

class TreeSettings:
    def __init__(
        self, *, order: int = ..., heads: int = ..., one_root: bool = ..., projective: bool = ..., reach: int = ...
    ) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def contents(self) -> Contents: ...
    @staticmethod
    def from_contents(contents: Contents) -> TreeSettings: ...

def parse_batch(
    batch: TokenBatch, light: PartWeights, full: PartWeights, settings: TreeSettings
) -> NDArray[np.int32]: ...
def best_trees(
    batch: TokenBatch,
    number: int,
    k: int,
    light: PartWeights | PartLearner,
    full: PartWeights | PartLearner,
    settings: TreeSettings,
) -> list[tuple[int, list[int]]]: ...
def candidate_heads(
    batch: TokenBatch, light: PartWeights, settings: TreeSettings
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def head_shares(batch: TokenBatch, heads: ArrayLike, light: PartWeights) -> NDArray[np.float64]: ...
def conjunctions_of(batch: TokenBatch, number: int, heads: ArrayLike, order: int = ...) -> NDArray[np.uint64]: ...
def light_conjunctions(batch: TokenBatch, number: int, head: int, modifier: int) -> NDArray[np.uint64]: ...
def learn_batch(
    batch: TokenBatch,
    gold: ArrayLike,
    learner: PartLearner,
    light: PartWeights | None,
    settings: TreeSettings,
    order: ArrayLike,
    most: float = ...,
) -> int: ...
