from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.morphemes import Lexicon, Morphemes

def spacy_rows(sentences: Iterable[tuple[Any, int, int]], lexicon: Lexicon) -> tuple[Morphemes, NDArray[np.int32]]: ...
