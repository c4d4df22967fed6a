from collections.abc import Sequence

from numpy.typing import ArrayLike

from kakari.kernels.frozen import FrozenModel
from kakari.parsers.dependency import Decoder
from kakari.parsers.morphemes import Morphemes
from kakari.parsers.pairs import Sentence

class Beam:
    def __init__(self, decoder: Decoder, width: int) -> None: ...

def parse_kbest(
    morphemes: Morphemes, opens: ArrayLike, models: Sequence[FrozenModel], sentence: Sentence, beam: int
) -> list[list[tuple[list[int], float]]]: ...
