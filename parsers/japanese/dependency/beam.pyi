from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.frozen.model import FrozenModel
from kakari.parsers.japanese.dependency.decoders import Decoder
from kakari.parsers.japanese.dependency.pairs import Sentence
from kakari.parsers.japanese.words.morphemes import Morphemes

class WholeTrees: ...

class Beam:
    def __init__(self, decoder: Decoder, width: int) -> None: ...

def parse_kbest(
    morphemes: Morphemes,
    opens: ArrayLike,
    models: Sequence[FrozenModel],
    sentence: Sentence,
    beam: int,
    rankers: Sequence[FrozenModel] = ...,
    weight: float = ...,
    scale: float = ...,
    trees: WholeTrees | None = ...,
    tree_weight: float = ...,
) -> list[list[tuple[list[int], float]]]: ...
def parse_reranked(
    morphemes: Morphemes,
    opens: ArrayLike,
    models: Sequence[FrozenModel],
    sentence: Sentence,
    beam: int,
    rankers: Sequence[FrozenModel],
    weight: float,
    scale: float,
    trees: WholeTrees | None = ...,
    tree_weight: float = ...,
    sure: float = ...,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
