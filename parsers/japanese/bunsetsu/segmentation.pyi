from collections.abc import Iterable
from enum import IntFlag

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.parsers.japanese.words.morphemes import Morphemes

class SegmentSlot(IntFlag):
    S2_SURFACE = ...
    SEGMENT_SLOTS = ...

SURE_MARGIN: float
SEGMENT_GROUPS: dict[str, str]

def segment_slots_of(groups: Iterable[str]) -> list[int]: ...

class Segmenter:
    def __init__(self, width: int, slots: Iterable[int], certain: NDArray[np.int32] | None = ...) -> None: ...

def segment_batch(
    morphemes: Morphemes,
    model: FrozenModel,
    segmenter: Segmenter,
    margins: NDArray[np.float64] | None = ...,
    added: FrozenModel | None = ...,
) -> NDArray[np.uint8]: ...
def training_tokens(
    morphemes: Morphemes, gold_opens: ArrayLike, segmenter: Segmenter
) -> tuple[FeatureSets, NDArray[np.int8]]: ...
def boundary_examples(
    morphemes: Morphemes, opens: ArrayLike, segmenter: Segmenter, *, certain: bool = True
) -> tuple[FeatureSets, NDArray[np.int32], NDArray[np.int32]]: ...
