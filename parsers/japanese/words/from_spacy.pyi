from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes

ATTRIBUTES: tuple[str, ...]

def table_rows(
    documents: Iterable[tuple[Any, NDArray[np.uint64], list[int]]], lexicon: Lexicon
) -> tuple[Morphemes, NDArray[np.int32], NDArray[np.int32]]: ...
def sentence_firsts(table: NDArray[np.uint64], column: int) -> list[int] | None: ...
