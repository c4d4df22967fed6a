from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes

ATTRIBUTES: tuple[str, ...]

def table_rows(
    documents: Iterable[tuple[Any, NDArray[np.uint64], list[int]]], lexicon: Lexicon
) -> tuple[Morphemes, NDArray[np.int32], NDArray[np.int32]]: ...

class TableTexts:
    places: Sequence[tuple[Any, NDArray[np.uint64], int, int]]
    def __init__(self, places: Sequence[tuple[Any, NDArray[np.uint64], int, int]]) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> str: ...

def table_text(strings: Any, table: NDArray[np.uint64], first: int, last: int) -> str: ...
def sentence_firsts(table: NDArray[np.uint64], column: int) -> list[int] | None: ...
