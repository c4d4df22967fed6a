"""English text to chunks: tokens and tags of the English parser, then a sequence labeller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice

from kakari.parsers.english.model import EnglishModel, TreeTagger, pretrained_model
from kakari.parsers.english.parser import BATCH_TEXTS, tokens_of
from kakari.parsers.sequences.chunk_tags import Chunk, chunks_of
from kakari.parsers.sequences.model import SequenceModel


@dataclass(frozen=True)
class ChunkedSentence:
    """A sentence of a text with its chunks.

    Attributes
    ----------
    words, tags : tuple of str
    spans : tuple of (int, int)
        The characters of each word.
    chunks : tuple of (int, int, str)
        Each with its first word, the word behind it, and its type.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    chunks: tuple[Chunk, ...]

    @property
    def brackets(self) -> str:
        """The sentence on one line, chunks in brackets.

        Examples
        --------
        >>> spans = ((0, 4), (5, 9), (9, 10))
        >>> sentence = ChunkedSentence(("Dogs", "bark", "."), ("NNS", "VBP", "."), spans, ((0, 1, "NP"), (1, 2, "VP")))
        >>> sentence.brackets
        '[NP Dogs] [VP bark] .'
        """
        opening = {begin: kind for begin, _, kind in self.chunks}
        closing = {end - 1 for _, end, _ in self.chunks}
        pieces = [
            (f"[{opening[place]} " if place in opening else "") + word + ("]" if place in closing else "")
            for place, word in enumerate(self.words)
        ]
        return " ".join(pieces)


class Chunker:
    """Finds chunks with a labeller and the tags of an English model; safe to use from many threads.

    Tags of text are decided together with trees where the model has a parser, as everywhere.

    Examples
    --------
    >>> (sentence,) = Chunker.pretrained().chunk("The old dog has barked at a cat.")
    >>> sentence.brackets
    '[NP The old dog] [VP has barked] [PP at] [NP a cat] .'
    """

    def __init__(self, labeller: SequenceModel, tagger: EnglishModel) -> None:
        self.labeller, self.tagger = labeller, tagger

    @staticmethod
    def pretrained() -> Chunker:
        """Make a chunker of the embedded models."""
        return Chunker(pretrained_chunks(), pretrained_model())

    def chunk(self, text: str, *, one_sentence: bool = False) -> list[ChunkedSentence]:
        """Return the chunked sentences of a text."""
        return next(self.pipe([text], one_sentence=one_sentence))

    def pipe(self, texts: Iterable[str], *, one_sentence: bool = False) -> Iterator[list[ChunkedSentence]]:
        """Yield the chunked sentences of each text, in order, some texts at a time."""
        waiting = iter(texts)
        while batch := list(islice(waiting, BATCH_TEXTS)):
            cut = [tokens_of(text, one_sentence=one_sentence) for text in batch]
            words = [
                tuple(text[begin:end] for begin, end in spans)
                for text, found in zip(batch, cut, strict=True)
                for spans in found
            ]
            tags = self.tags(words)
            labels = self.labels(words, tags)
            sentences = iter(zip(words, tags, labels, strict=True))
            for found in cut:
                yield [
                    ChunkedSentence(own, marks, tuple(spans), tuple(chunks_of(line)))
                    for spans, (own, marks, line) in zip(found, islice(sentences, len(found)), strict=True)
                ]

    def tags(self, words: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """Return the tags of words."""
        return (self.tagger if self.tagger.parser is None else TreeTagger(self.tagger)).tag(words)

    def labels(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the labels of words with given tags."""
        return self.labeller.predict_fields([words, tags])


@cache
def pretrained_chunks() -> SequenceModel:
    """Return the embedded labeller of chunks."""
    return SequenceModel.load(str(resources.files("kakari.models") / "pretrained" / "en-chunks.safetensors"))
