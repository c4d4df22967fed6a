from collections.abc import Callable, Iterable
from typing import Any

from kakari.corpora.records.japanese import Morpheme
from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes

class KnpRows:
    def __init__(self, lexicon: Lexicon, note_of: Callable[[Morpheme], Any]) -> None: ...
    def read(self, name: str, lines: Iterable[tuple[int, str]]) -> tuple[Morphemes, list[list[str]], list[Any]]: ...
