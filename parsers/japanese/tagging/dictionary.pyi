from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.parsers.sequences.tokens import TokenTable

CHARACTER_COLUMNS: tuple[str, ...]
WORD_COLUMNS: tuple[str, ...]
LONGEST_WORD: int

def normalized(text: str) -> str: ...

class WordDictionary:
    arrays: dict[str, NDArray[Any]]
    def __init__(self, shared: ArrayLike, added: ArrayLike, characters: ArrayLike, kinds: ArrayLike) -> None: ...
    @staticmethod
    def of_words(words: Mapping[str, int]) -> WordDictionary: ...
    def words(self) -> list[str]: ...
    def kinds_of(self, words: Sequence[str]) -> list[int]: ...

class Words:
    table: TokenTable
    ends: NDArray[np.int32]
    entries: NDArray[np.int32]
    def __init__(self, table: TokenTable, ends: NDArray[np.int32], entries: NDArray[np.int32]) -> None: ...

def character_table(texts: Sequence[str], dictionary: WordDictionary) -> TokenTable: ...
def word_table(characters: TokenTable, marks: ArrayLike, dictionary: WordDictionary) -> Words: ...
