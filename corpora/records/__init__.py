"""What the formats share: numbered lines of files, errors with file and line, the Japanese sentence.

In: paths and streams
Out: lines, and files that are never half written
Uses: nothing
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.corpora.records.errors import CorpusError as CorpusError
    from kakari.corpora.records.japanese import BasePhrase as BasePhrase
    from kakari.corpora.records.japanese import Bunsetsu as Bunsetsu
    from kakari.corpora.records.japanese import JapaneseSentence as JapaneseSentence
    from kakari.corpora.records.japanese import Morpheme as Morpheme
    from kakari.corpora.records.textfiles import Source as Source
    from kakari.corpora.records.textfiles import numbered_lines as numbered_lines
    from kakari.corpora.records.textfiles import source_name as source_name
    from kakari.corpora.records.textfiles import write_text as write_text

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "errors": "CorpusError",
        "japanese": "BasePhrase Bunsetsu JapaneseSentence Morpheme",
        "textfiles": "Source numbered_lines source_name write_text",
    },
)
