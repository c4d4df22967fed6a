from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

class WordLexicon:
    arrays: dict[str, NDArray[Any]]
    def __init__(self, forms: ArrayLike, kinds: ArrayLike) -> None: ...

class EnglishWords:
    starts: NDArray[np.int64]
    def __init__(self, sentences: Sequence[Sequence[str]], lexicon: WordLexicon) -> None: ...
    def __len__(self) -> int: ...

def word_hashes(words: Sequence[str]) -> NDArray[np.uint64]: ...
