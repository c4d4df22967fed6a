from typing import Any

from numpy.typing import NDArray

from kakari.kernels.hashed.scalars import PartWeights
from kakari.kernels.hashed.weights import HashedWeights
from kakari.parsers.dependency.parsing import TreeSettings
from kakari.parsers.dependency.tokens import TokenBatch

def best_lists(
    batch: TokenBatch,
    k: int,
    light: PartWeights,
    full: PartWeights,
    settings: TreeSettings,
    labels: HashedWeights,
    relations: int,
) -> dict[str, NDArray[Any]]: ...
