from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.japanese import Morpheme
from kakari.parsers.japanese.tagging.dictionary import Words
from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes

Word = TypeVar("Word")
REMEMBERED_TYPES: int

class TypeCache: ...

def found_words(
    texts: Sequence[str],
    words: Words,
    tags: NDArray[np.uint8],
    model: Any,
    make: Callable[[tuple[Any, ...]], Word],
    cache: TypeCache,
) -> list[list[Word]]: ...
def found_morphemes(
    texts: Sequence[str],
    words: Words,
    tags: NDArray[np.uint8],
    model: Any,
    cache: TypeCache,
    lexicon: Lexicon,
    records: list[list[Morpheme]] | None = None,
) -> Morphemes: ...
