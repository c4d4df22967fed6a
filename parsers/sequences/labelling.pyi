from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.parsers.sequences.templates import TemplateSet
from kakari.parsers.sequences.tokens import TokenTable

MOST_LABELS: int
Choices = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]

class FrozenLabeller:
    templates: TemplateSet
    weights: HashedWeights
    labels: int
    beam: int
    def __init__(self, templates: TemplateSet, weights: HashedWeights, labels: int, *, beam: int = ...) -> None: ...
    def label(self, table: TokenTable, choices: Choices | None = ...) -> NDArray[np.uint8]: ...

def label_batch(
    table: TokenTable,
    templates: TemplateSet,
    weights: HashedWeights | HashedLearner | Sequence[FrozenModel],
    labels: int,
    *,
    beam: int = ...,
    pairs: bool = ...,
    choices: Choices | None = ...,
) -> NDArray[np.uint8]: ...
def learn_batch(
    table: TokenTable,
    templates: TemplateSet,
    gold: ArrayLike,
    learner: HashedLearner,
    labels: int,
    order: ArrayLike,
    *,
    beam: int = ...,
) -> int: ...
def feature_sets(table: TokenTable, templates: TemplateSet, gold: ArrayLike) -> FeatureSets: ...
