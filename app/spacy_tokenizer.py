"""A faster tokenizer for spaCy's Japanese: the same documents as spaCy's own, without its limit on a text's length.

spaCy asks Sudachi for every string of every token and sets each attribute of each token by itself. Here a word of
Sudachi's dictionary is looked at once: its attributes are remembered as hashes under its surface and Sudachi's
number, and a document is filled from one array. What is remembered is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from spacy.lang.ja import JapaneseTokenizer, resolve_pos
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from kakari.parsers.adapters import Sudachi, pieces

ATTRIBUTES: list[int | str] = ["TAG", "POS", "LEMMA", "NORM", "MORPH"]
universal_part: Any = resolve_pos
GAP = "空白"
MOST_WORDS = 1 << 17

# Surface, tag, and the hashes of tag, lemma, norm and morphology.
Word = tuple[str, str, int, int, int, int]


class FastJapaneseTokenizer(JapaneseTokenizer):
    """Sudachi in split mode A for spaCy, one array a document.

    Examples
    --------
    >>> import spacy
    >>> [token.lemma_ for token in FastJapaneseTokenizer(spacy.blank("ja").vocab)("本を読んだ。")]
    ['本', 'を', '読む', 'だ', '。']
    """

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self.split_mode = None
        self.need_subtokens = False
        self.sudachi = Sudachi()
        self.words: dict[tuple[str, int], Word] = {}
        self.parts: dict[tuple[str, str, str | None], tuple[int, int | None]] = {}

    def __reduce__(self) -> tuple[type[FastJapaneseTokenizer], tuple[Vocab]]:
        return FastJapaneseTokenizer, (self.vocab,)

    def __call__(self, text: str) -> Doc:
        """Make a document of a text of any length."""
        words, spaces = self._words(text)
        doc = Doc(self.vocab, words=[word[0] for word in words], spaces=spaces)
        if words:
            tags = [word[1] for word in words]
            rows = [(word[2], part, *word[3:]) for word, part in zip(words, self._parts(words, tags), strict=True)]
            table: Any = np.array(rows, dtype=np.uint64)
            doc.from_array(ATTRIBUTES, table)
        return doc

    def _words(self, text: str) -> tuple[list[Word], list[bool]]:
        """Give the text's words, and which of them have one blank behind them; other white space is a word."""
        words: list[Word] = []
        spaces: list[bool] = []
        place = 0
        known = self.words
        for offset, piece in pieces(text):
            for morpheme in self.sudachi.tokenize(piece):
                surface, begin = morpheme.surface(), offset + morpheme.begin()
                if not surface or surface.isspace():
                    continue
                key = surface, morpheme.word_id()
                word = known.get(key) or self._remembered(key, morpheme)
                if begin > place:
                    place = self._fill_gap(text, place, begin, words, spaces)
                words.append(word)
                spaces.append(False)
                place = begin + len(surface)
        if place < len(text):
            self._fill_gap(text, place, len(text), words, spaces)
        return words, spaces

    def _fill_gap(self, text: str, place: int, end: int, words: list[Word], spaces: list[bool]) -> int:
        """Add the white space between two words: one blank to the word before, the rest as a word."""
        if words and text[place] == " ":
            spaces[-1] = True
            place += 1
        if place < end:
            gap = text[place:end]
            number = self.vocab.strings.add(gap)
            empty = self.vocab.morphology.add({})
            words.append((gap, GAP, self.vocab.strings.add(GAP), number, number, empty))
            spaces.append(False)
        return end

    def _remembered(self, key: tuple[str, int], morpheme: Any) -> Word:
        surface, _ = key
        strings: Any = self.vocab.strings
        levels = morpheme.part_of_speech()
        tag = "-".join(level for level in levels[:4] if level != "*")
        inflection = ";".join(level for level in levels[4:] if level != "*")
        features = {"Inflection": inflection} if inflection else {}
        if reading := morpheme.reading_form():
            features["Reading"] = re.sub("[=|]", "_", reading)
        # What is remembered must outlive spaCy's memory zones; unknown words, of which there is no end, are not.
        passing = bool(morpheme.is_oov())
        texts = tag, morpheme.dictionary_form() or surface, morpheme.normalized_form()
        numbers = [strings.add(text, allow_transient=passing) for text in texts]
        word = surface, tag, *numbers, self.vocab.morphology.add(features)
        if not passing:
            if len(self.words) >= MOST_WORDS:
                self.words.clear()
            self.words[key] = word
        return word

    def _parts(self, words: list[Word], tags: list[str]) -> list[int]:
        """Give the universal part of speech of each word, by spaCy's rules, some of which see the next word."""
        parts: list[int] = []
        decided: int | None = None
        for word, following in zip(words, [*tags[1:], None], strict=True):
            if decided:
                parts.append(decided)
                decided = None
                continue
            key = word[0], word[1], following
            found = self.parts.get(key)
            if found is None:
                if len(self.parts) >= MOST_WORDS:
                    self.parts.clear()
                found = self.parts[key] = universal_part(*key)
            parts.append(found[0])
            decided = found[1]
        return parts

    def from_bytes(self, data: bytes, **options: Any) -> FastJapaneseTokenizer:
        """Take over no state but the vocabulary's, which is another from now on."""
        self.words.clear()
        return self

    def from_disk(self, path: Any, **options: Any) -> FastJapaneseTokenizer:
        """Take over no state but the vocabulary's, which is another from now on."""
        self.words.clear()
        return self


def make_tokenizer() -> Callable[[Language], FastJapaneseTokenizer]:
    """Make the tokenizer's factory, `kakari.JapaneseTokenizer.v1` in a pipeline's configuration."""
    return _of_pipeline


def _of_pipeline(nlp: Language) -> FastJapaneseTokenizer:
    return FastJapaneseTokenizer(nlp.vocab)
