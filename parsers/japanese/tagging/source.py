"""Kakari's own word segmenter as a source of morphemes for the parser; it needs no other package or dictionary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kakari.parsers.japanese.tagging.assembly import TypeCache
from kakari.parsers.japanese.tagging.model import FoundWord, WordsModel, pretrained_words
from kakari.parsers.japanese.words.morphemes import MorphemeBatch
from kakari.parsers.limits import SURROGATES

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import Morpheme
    from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes

BLANK = ("特殊", "空白")


class KakariWords:
    """Words in JUMAN's units, by the embedded `ja-words` or another model.

    Examples
    --------
    >>> [morpheme.base for morpheme in KakariWords().records("本を読んだ。")]
    ['本', 'を', '読む', '。']
    """

    def __init__(self, model: WordsModel | None = None) -> None:
        self._model = model
        self._cache: tuple[Lexicon | None, TypeCache] = None, TypeCache()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        if self._model is None or self._model is pretrained_words():
            return KakariWords, ()
        return _of_bytes, (self._model.to_bytes(),)

    @property
    def model(self) -> WordsModel:
        """The model; the embedded one is loaded on first use."""
        if self._model is None:
            self._model = pretrained_words()
        return self._model

    def morphemes(
        self, texts: Iterable[str], lexicon: Lexicon, records: list[list[Morpheme]] | None = None
    ) -> Morphemes:
        """Analyse sentences. One that is nothing but white space becomes a single morpheme.

        If `records` is given, each sentence's morphemes are added to it, for the writers of formats; white space is
        none there.
        """
        known, cache = self._cache
        if known is not lexicon:
            cache = TypeCache()
            self._cache = lexicon, cache
        return self.model.morphemes([SURROGATES.sub("\ufffd", text) for text in texts], lexicon, cache, records)

    def records(self, text: str) -> list[Morpheme]:
        """Return the morphemes of a sentence as records; white space left out."""
        return [word.to_morpheme() for word in self.model.analyse(text) if not word.surface.isspace()]


def _of_bytes(data: bytes) -> KakariWords:
    return KakariWords(WordsModel.from_bytes(data))


def words_as_morphemes(lines: Sequence[Sequence[FoundWord]], lexicon: Lexicon) -> Morphemes:
    """Return words that were found before, as `KakariWords` would.

    Examples
    --------
    >>> from kakari.models.vocabulary import Vocabulary
    >>> from kakari.parsers.japanese.words.morphemes import Lexicon
    >>> words_as_morphemes([pretrained_words().analyse("本 を")], Lexicon(Vocabulary(), "juman"))
    <1 sentences, 2 morphemes>
    """
    batch = MorphemeBatch(lexicon)
    for line in lines:
        for word in line:
            if word.surface.isspace():
                batch.add_space(word.end)
            else:
                start = word.start if batch.sentence_size() else 0  # white space before it belongs to the first word
                batch.add(*word_type(word), start, word.end)
        if line and not batch.sentence_size():
            text = "".join(word.surface for word in line)
            batch.add(text, text, BLANK, "", "", 0, len(text))
        batch.end_sentence()
    return batch.finish()


def word_type(word: FoundWord) -> tuple[str, str, tuple[str, ...], str, str]:
    """Return the key of a word in a lexicon."""
    pos = (word.tag.pos, word.tag.subpos) if word.tag.subpos else (word.tag.pos,)
    return word.surface, word.base or word.surface, pos, word.tag.conj_type, word.tag.conj_form
