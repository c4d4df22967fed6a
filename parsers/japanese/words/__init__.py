"""Words of Japanese text as rows of numbers, from Sudachi, spaCy, records or KNP lines; sentence boundaries.

In: text, tokens or lines
Out: `Morphemes`
Uses: corpora.formats, corpora.records, kernels.hardware, models, parsers
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.japanese.words.morphemes import Lexicon as Lexicon
    from kakari.parsers.japanese.words.morphemes import Morphemes as Morphemes
    from kakari.parsers.japanese.words.sentences import sentence_spans as sentence_spans
    from kakari.parsers.japanese.words.sources import Sudachi as Sudachi
    from kakari.parsers.japanese.words.sources import record_morphemes as record_morphemes

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "morphemes": "Lexicon Morphemes",
        "sentences": "sentence_spans",
        "sources": "Sudachi record_morphemes",
    },
)
