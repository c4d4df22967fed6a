from collections.abc import Callable
from typing import Any, Literal

from numpy.typing import ArrayLike

from kakari.kernels.frozen.conjunction_mining import Conjunctions
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.featuresets import FeatureSets

Kind = Literal["inverted", "splitting", "expansion"]
Weights = Literal["float64", "float32", "int16", "int8"]

KINDS: tuple[Kind, ...]
WEIGHTS: dict[str, Any]

def freeze(
    sets: FeatureSets,
    coefficients: ArrayLike,
    degree: int,
    *,
    bias: float = ...,
    kind: Kind = ...,
    common: int | Literal["auto"] = ...,
    weights: Weights = ...,
    sigma: float = ...,
    minimum_support: int = ...,
    keep: int | None = ...,
    refit: Callable[[Conjunctions], Conjunctions] | None = ...,
) -> FrozenModel: ...
def single_dtype(weights: Weights) -> Any: ...
def index_dtype(largest: int) -> Any: ...
