from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.parsers.japanese.dependency.pairs import Sentence
from kakari.parsers.japanese.words.morphemes import Morphemes

DECODERS: tuple[str, ...]

class Decoder:
    def __init__(self, sentence: Sentence, models: Sequence[FrozenModel] = ..., adaptive: bool = ...) -> None: ...

def checked_openings(morphemes: Morphemes, opens: ArrayLike) -> NDArray[np.uint8]: ...
def chunk_counts(morphemes: Morphemes, opens: ArrayLike) -> NDArray[np.int64]: ...
def parse_batch(
    morphemes: Morphemes,
    opens: ArrayLike,
    models: Sequence[FrozenModel],
    sentence: Sentence,
    decoder: str = ...,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
def training_pairs(
    morphemes: Morphemes, opens: ArrayLike, gold_heads: ArrayLike, sentence: Sentence, decoder: str = ...
) -> tuple[FeatureSets, NDArray[np.int8]]: ...
def arc_examples(morphemes: Morphemes, opens: ArrayLike, heads: ArrayLike, sentence: Sentence) -> FeatureSets: ...
def first_askings(questions: Sequence[tuple[int, int, list[int]]]) -> list[int]: ...
