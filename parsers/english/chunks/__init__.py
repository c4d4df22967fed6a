"""Chunks of English text: noun phrases, verb groups and the like, without nesting.

In: text, or words with tags
Out: labels B-NP, I-NP, …, O, and `ChunkedSentence`
Uses: parsers, parsers.english, parsers.sequences
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.english.chunks.chunker import ChunkedSentence as ChunkedSentence
    from kakari.parsers.english.chunks.chunker import Chunker as Chunker
    from kakari.parsers.english.chunks.chunker import pretrained_chunks as pretrained_chunks
    from kakari.parsers.english.chunks.settings import chunk_settings as chunk_settings

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "chunker": "ChunkedSentence Chunker pretrained_chunks",
        "settings": "chunk_settings",
    },
)
