"""Japanese text to bunsetsu and dependencies: the pipeline that the command line, spaCy and users share.

One path for all of them: sentences are found with their offsets, cut into words by Sudachi or by our own model, then
into bunsetsu, and parsed, a batch at a time. A parser is safe to use from many threads; after it was made, only its
caches change.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.japanese.dependency.decoders import chunk_counts
from kakari.parsers.japanese.model import JapaneseModel, UnfitModelError
from kakari.parsers.japanese.parsed import Note, ParsedArrays, ParsedBatch, ParsedBunsetsu, ParsedSentence
from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes
from kakari.parsers.japanese.words.sentences import sentence_spans
from kakari.parsers.japanese.words.sources import Sudachi, record_morphemes

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import JapaneseSentence, Morpheme
    from kakari.parsers.japanese.tagging.source import KakariWords
    from kakari.parsers.japanese.universal.model import Converter

BATCH_CHARACTERS = 50_000
__all__ = [
    "JapaneseParser",
    "ParsedArrays",
    "ParsedBatch",
    "ParsedBunsetsu",
    "ParsedSentence",
    "model_for",
    "pretrained_model",
    "word_source",
]
STANDARDS = ("kwdlc", "gsd")


class JapaneseParser:
    """Finds bunsetsu and dependencies with one model.

    Parameters
    ----------
    model : JapaneseModel
    decoder : "shift-reduce", "cascade" or "backward"
        Use the one that the model was trained for.
    kinds : bool
        Whether to find arc types, if the model can.
    beam : int
        If positive, that many analyses of each sentence are searched for and kept in `alternatives`.
    universal : bool
        Whether to find Universal Dependencies as well: `words` of each sentence. Sudachi's words only.
    words : "sudachi" or "kakari", optional
        Word segmenter for text: Sudachi, or kakari's own model of JUMAN's units, which needs no other package. By
        default, the one that the model was trained with; another one is refused.
    boundaries : bool
        Whether to compute the probabilities of bunsetsu boundaries.
    standard : "kwdlc" or "gsd"
        Standard of bunsetsu boundaries: KWDLC's, or that of UD Japanese GSD, which keeps dates and names whole (for
        Sudachi's words only). An arc of several joined bunsetsu has the score of the last.
    sudachi : Sudachi, optional
        The analyser; by default Sudachi's core dictionary in split mode A.

    Examples
    --------
    >>> parser = JapaneseParser.pretrained()
    >>> text = "太郎は花子が読んでいる本を次郎に渡した。"
    >>> (sentence,) = parser.parse(text)
    >>> [text[b.begin : b.end] for b in sentence.bunsetsu]
    ['太郎は', '花子が', '読んでいる', '本を', '次郎に', '渡した。']
    >>> sentence.heads
    (5, 2, 3, 5, 5, -1)
    """

    def __init__(
        self,
        model: JapaneseModel,
        *,
        decoder: str = "shift-reduce",
        kinds: bool = False,
        beam: int = 0,
        universal: bool = False,
        words: str | None = None,
        boundaries: bool = False,
        sudachi: Sudachi | None = None,
        standard: str = "kwdlc",
    ) -> None:
        # Words of another dictionary are cached in a lexicon of their own.
        own = Lexicon(model.lexicon.strings, model.lexicon.tagset) if sudachi else model.lexicon
        self.model = replace(model, lexicon=own) if sudachi else model
        self.decoder = decoder
        self.kinds = kinds
        self.beam = beam
        self.boundaries = boundaries
        self.source = sudachi or word_source(model, words)
        if standard not in STANDARDS:
            raise ValueError(f"bunsetsu are cut by one of {', '.join(STANDARDS)}, not {standard!r}")
        self.converter = self._converter() if universal else None
        self.cutter = self._converter() if standard == "gsd" else None

    def _converter(self) -> Converter:
        from kakari.parsers.japanese.universal.model import Converter, pretrained_universal

        if self.model.lexicon.tagset != "sudachi":
            raise UnfitModelError(
                "Universal Dependencies are found for Sudachi's words, which this model does not know"
            )
        return Converter(pretrained_universal(), self.model.lexicon.strings)

    @staticmethod
    def pretrained(**options: Any) -> JapaneseParser:
        """Make a parser with the embedded model for these `words`, Sudachi's by default."""
        return JapaneseParser(pretrained_model(model_for(options.get("words"))), **options)

    @staticmethod
    def load(path: str | os.PathLike[str], **options: Any) -> JapaneseParser:
        """Make a parser with a model file."""
        return JapaneseParser(JapaneseModel.load(path), **options)

    def parse(self, text: str, *, one_sentence: bool = False) -> list[ParsedSentence]:
        """Parse a text; `one_sentence` keeps it in one piece. An empty text has no sentences."""
        return next(iter(self.pipe([text], one_sentence=one_sentence)), [])

    def pipe(
        self, texts: Iterable[str], *, one_sentence: bool = False, batch_characters: int = BATCH_CHARACTERS
    ) -> Iterator[list[ParsedSentence]]:
        """Parse many texts, in order, some at a time.

        Examples
        --------
        >>> [len(found) for found in JapaneseParser.pretrained().pipe(["行く。来る。", "", "見た"])]
        [2, 0, 1]
        """
        for found in self._pipe(texts, one_sentence, batch_characters, with_words=False):
            yield [sentence for sentence, _ in found]

    def pipe_words(
        self, texts: Iterable[str], *, one_sentence: bool = False, batch_characters: int = BATCH_CHARACTERS
    ) -> Iterator[list[tuple[ParsedSentence, list[Morpheme]]]]:
        """Parse many texts as `pipe` does, with the morphemes of each sentence, white space left out.

        Examples
        --------
        >>> ((_, words),) = next(JapaneseParser.pretrained().pipe_words(["本を読んだ。"]))
        >>> [word.base for word in words]
        ['本', 'を', '読む', 'だ', '。']
        """
        return self._pipe(texts, one_sentence, batch_characters, with_words=True)

    def _pipe(
        self, texts: Iterable[str], one_sentence: bool, batch_characters: int, *, with_words: bool
    ) -> Iterator[list[tuple[ParsedSentence, list[Morpheme]]]]:
        for batch, spans in _batches(texts, one_sentence, batch_characters):
            pieces = [batch[place][begin:end] for place, begin, end in spans]
            words: list[list[Morpheme]] = [] if with_words else [[] for _ in spans]
            found: list[list[tuple[ParsedSentence, list[Morpheme]]]] = [[] for _ in batch]
            morphemes = self.source.morphemes(pieces, self.model.lexicon, words if with_words else None)
            parsed = zip(spans, pieces, self.parse_morphemes(morphemes), words, strict=True)
            for (place, begin, _), piece, sentence, own in parsed:
                shifted = _shifted(sentence, begin)
                object.__setattr__(shifted, "text", piece)  # not shared yet, and a copy would cost more
                found[place].append((shifted, own))
            yield from found

    def pipe_arrays(
        self,
        texts: Iterable[str],
        note_of: Callable[[Morpheme], Note],
        *,
        one_sentence: bool = False,
        batch_characters: int = BATCH_CHARACTERS,
    ) -> Iterator[ParsedBatch[Note]]:
        """Parse many texts as `pipe_words` does, without objects; `note_of` tells what to keep of a word's record.

        Examples
        --------
        >>> found = JapaneseParser.pretrained().pipe_arrays(["本を読む。行く。"], lambda word: word.base)
        >>> (batch,) = found
        >>> batch.spans, batch.notes, batch.parsed.heads
        ([(0, 0, 5), (0, 5, 8)], [['本', 'を', '読む', '。'], ['行く', '。']], [1, -1, -1])
        """
        for batch, spans in _batches(texts, one_sentence, batch_characters):
            pieces = [batch[place][begin:end] for place, begin, end in spans]
            notes: list[list[Any]] = []
            if isinstance(self.source, Sudachi):
                morphemes = self.source.morphemes(pieces, self.model.lexicon, notes, note_of)
            else:
                morphemes = self.source.morphemes(pieces, self.model.lexicon, notes)
                notes = [list(map(note_of, own)) for own in notes]
            opens, boundaries = self._opens(morphemes)
            parsed = self.parse_arrays(morphemes, opens, boundaries)
            shown = parsed if self.cutter is None else self._cut_again(morphemes, opens, parsed, self.cutter)
            yield ParsedBatch(batch, spans, morphemes, shown, notes)

    def parse_records(self, sentences: Sequence[JapaneseSentence]) -> list[ParsedSentence]:
        """Parse the morphemes of records (KNP, CaboCha); their own bunsetsu are ignored."""
        return self.parse_morphemes(record_morphemes(sentences, self.model.lexicon))

    def parse_morphemes(self, morphemes: Morphemes, opens: NDArray[np.uint8] | None = None) -> list[ParsedSentence]:
        """Parse a batch of sentences; `opens` are the bunsetsu boundaries, if they are known."""
        opens, boundaries = self._opens(morphemes) if opens is None else (opens, None)
        parsed = self.parse_arrays(morphemes, opens, boundaries)
        shown = parsed if self.cutter is None else self._cut_again(morphemes, opens, parsed, self.cutter)
        sentences = list(_assembled(morphemes, shown))
        if self.converter is not None:
            trees = self.converter.convert(morphemes, opens, parsed.heads)
            sentences = [replace(sentence, words=words) for sentence, words in zip(sentences, trees, strict=True)]
        if self.beam > 0:
            searched = self.model.parse_kbest(morphemes, opens, beam=self.beam)
            return [
                replace(sentence, alternatives=tuple((tuple(arcs), score) for arcs, score in analyses))
                for sentence, analyses in zip(sentences, searched, strict=True)
            ]
        return sentences

    def _opens(self, morphemes: Morphemes) -> tuple[NDArray[np.uint8], NDArray[np.float64] | None]:
        """Find bunsetsu, and the probabilities of boundaries if they are wanted."""
        if not self.boundaries:
            return self.model.segment(morphemes), None
        opens, margins = self.model.boundary_margins(morphemes)
        return opens, self.model.boundary_probabilities(margins)

    def _cut_again(
        self, morphemes: Morphemes, opens: NDArray[np.uint8], parsed: ParsedArrays, cutter: Converter
    ) -> ParsedArrays:
        """Change parsed bunsetsu to GSD's standard."""
        marks, heads = cutter.cut(morphemes, opens, np.array(parsed.heads, dtype=np.int32))
        firsts = [*np.flatnonzero(marks).tolist(), len(marks)]
        # The old bunsetsu that contains the last word of each new one.
        old = (np.searchsorted(parsed.firsts, np.array(firsts[1:]) - 1, side="right") - 1).tolist()
        return ParsedArrays(
            chunk_counts(morphemes, marks).tolist(),
            firsts,
            heads.tolist(),
            [parsed.scores[place] for place in old],
            [parsed.kinds[place] for place in old],
            [1.0] * len(old),
        )

    def parse_arrays(
        self,
        morphemes: Morphemes,
        opens: NDArray[np.uint8] | None = None,
        boundaries: NDArray[np.float64] | None = None,
    ) -> ParsedArrays:
        """Parse a batch of sentences as `parse_morphemes` does, without an object for each of them."""
        opens = self.model.segment(morphemes) if opens is None else opens
        heads, margins = self.model.parse(morphemes, opens, decoder=self.decoder)
        kinds = self.model.arc_kinds(morphemes, opens, heads).tolist() if self.kinds else ["D"] * len(heads)
        opening = np.array(opens, dtype=bool)
        opening[morphemes.starts[:-1][np.diff(morphemes.starts) > 0]] = True
        firsts = np.flatnonzero(opening)
        return ParsedArrays(
            chunk_counts(morphemes, opens).tolist(),
            [*firsts.tolist(), len(opening)],
            heads.tolist(),
            self.model.arc_probabilities(margins).tolist(),
            kinds,
            [1.0] * len(firsts) if boundaries is None else boundaries[firsts].tolist(),
        )


WORDS = {"sudachi": "ja", "kakari": "ja-juman"}  # word segmenters, and the embedded model for each
WORDS_WITH = {"sudachi": "sudachi", "juman": "kakari"}  # word segmenters by the tags that they give


def model_for(words: str | None) -> str:
    """Return the name of the embedded model for a source of words.

    Examples
    --------
    >>> model_for(None), model_for("kakari")
    ('ja', 'ja-juman')
    """
    if words is not None and words not in WORDS:
        raise UnfitModelError(f"words are found by {' or '.join(WORDS)}, not by {words!r}")
    return WORDS[words or "sudachi"]


def word_source(model: JapaneseModel, words: str | None = None) -> Sudachi | KakariWords:
    """Return the word segmenter for a model; one with other words than the model's is refused."""
    model_for(words)
    known = WORDS_WITH[model.lexicon.tagset]
    if words is not None and words != known:
        raise UnfitModelError(f"this model knows the words of {known}, not those of {words}")
    if known == "sudachi":
        return Sudachi()
    from kakari.parsers.japanese.tagging.source import KakariWords

    return KakariWords()


@cache
def pretrained_model(name: str = "ja") -> JapaneseModel:
    """Return an embedded model: "ja" reads Sudachi's words, "ja-juman" JUMAN's, found in text or in KNP files."""
    return JapaneseModel.load(str(resources.files("kakari.models") / "pretrained" / f"{name}.safetensors"))


def _batches(
    texts: Iterable[str], one_sentence: bool, characters: int
) -> Iterator[tuple[list[str], list[tuple[int, int, int]]]]:
    """Yield texts, some at a time, with the spans of their sentences: number of the text, and characters."""
    waiting = iter(texts)
    while batch := list(_until(waiting, characters)):
        yield (
            batch,
            [
                (place, begin, end)
                for place, text in enumerate(batch)
                for begin, end in sentence_spans(text, whole=one_sentence)
            ],
        )


def _until(texts: Iterator[str], characters: int) -> Iterator[str]:
    """Yield texts until they have this many characters together."""
    for text in islice(texts, 100_000):
        yield text
        characters -= len(text) + 1
        if characters < 0:
            return


def _shifted(sentence: ParsedSentence, by: int) -> ParsedSentence:
    if by == 0:
        return sentence
    bunsetsu = tuple(
        ParsedBunsetsu(b.begin + by, b.end + by, b.first, b.last, b.head, b.score, b.kind, b.boundary)
        for b in sentence.bunsetsu
    )
    return replace(sentence, begin=sentence.begin + by, end=sentence.end + by, bunsetsu=bunsetsu)


def _assembled(morphemes: Morphemes, parsed: ParsedArrays) -> Iterator[ParsedSentence]:
    begins, ends, starts = morphemes.begins.tolist(), morphemes.ends.tolist(), morphemes.starts.tolist()
    firsts = parsed.firsts
    place = 0
    for start, count in zip(starts, parsed.counts, strict=False):
        stop = place + count
        bunsetsu = tuple(
            ParsedBunsetsu(
                begins[firsts[at]],
                ends[firsts[at + 1] - 1],
                firsts[at] - start,
                firsts[at + 1] - start,
                parsed.heads[at],
                parsed.scores[at],
                parsed.kinds[at],
                parsed.boundaries[at],
            )
            for at in range(place, stop)
        )
        place = stop
        yield ParsedSentence(0, bunsetsu[-1].end if bunsetsu else 0, bunsetsu)
