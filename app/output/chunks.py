"""Chunks of English text as `kakari parse -f chunks` writes them."""

from __future__ import annotations

from collections.abc import Sequence

from kakari.parsers.english.chunks.chunker import Chunker, pretrained_chunks
from kakari.parsers.english.parser import EnglishParser


def write_chunks(parser: EnglishParser, texts: Sequence[str], *, one_sentence: bool = False) -> str:
    """Find the chunks of texts with a parser's tags and write them in brackets, a sentence a line.

    Examples
    --------
    >>> print(write_chunks(EnglishParser.pretrained(), ["The dog barked."]), end="")
    [NP The dog] [VP barked] .
    """
    chunker = Chunker(pretrained_chunks(), parser.model)
    found = chunker.pipe(texts, one_sentence=one_sentence)
    return "".join(sentence.brackets + "\n" for sentences in found for sentence in sentences)
