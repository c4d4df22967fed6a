from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from kakari.parsers.arguments.candidates.frames import FramedSentence

CATEGORIES: tuple[tuple[str, ...], ...]
TEMPLATES: list[str]
TEMPLATE_BITS: int
FEATURES: int
MARKS: tuple[str, ...]
PASSIVE_WORDS: list[str]
GOLD: int
CHAIN: int
NEAR: int

class CandidateExtractor:
    labels: list[str]
    frozen: bool
    features: bool
    trees: bool
    siblings: bool
    prune: bool
    def __init__(
        self,
        labels: Sequence[str] = ...,
        *,
        features: bool = ...,
        trees: bool = ...,
        siblings: bool = ...,
        prune: bool = ...,
    ) -> None: ...
    def freeze(self) -> None: ...
    def name(self, label: int) -> str: ...
    def extract(self, sentences: Iterable[FramedSentence]) -> dict[str, NDArray[Any]]: ...
