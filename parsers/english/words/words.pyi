from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.stored import Contents

class WordLexicon:
    arrays: dict[str, NDArray[Any]]
    def __init__(self, forms: ArrayLike, kinds: ArrayLike) -> None: ...
    def contents(self) -> Contents: ...
    @staticmethod
    def from_contents(contents: Contents) -> WordLexicon: ...

class EnglishWords:
    starts: NDArray[np.int64]
    def __init__(self, sentences: Sequence[Sequence[str]], lexicon: WordLexicon) -> None: ...
    def __len__(self) -> int: ...

def word_hashes(words: Sequence[str]) -> NDArray[np.uint64]: ...
