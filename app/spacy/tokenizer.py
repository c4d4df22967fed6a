"""Tokenizers for spaCy's Japanese.

The first one makes the same documents as spaCy's own, faster and without its limit on a text's length.

spaCy asks Sudachi for every string of every token and sets each attribute of each token by itself. Here a word of
Sudachi's dictionary is looked at once: its attributes are remembered as hashes under its surface and Sudachi's
number (`parsers/japanese/words/spacy_words`), and a document is filled from one array. What is remembered is bounded.

The second one makes documents of our own words, in JUMAN's units, without Sudachi.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.attrs import IDS
from spacy.lang.ja import JapaneseTokenizer, resolve_pos
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import DummyTokenizer
from spacy.vocab import Vocab

from kakari.parsers.japanese.tagging.model import FoundWord
from kakari.parsers.japanese.tagging.source import KakariWords
from kakari.parsers.japanese.words.sentences import sentence_spans
from kakari.parsers.japanese.words.sources import Sudachi, pieces
from kakari.parsers.japanese.words.spacy_words import Column, TokenBatch, WordTable
from kakari.parsers.limits import SURROGATES
from kakari.spacy.memory import take_over_morphology

if TYPE_CHECKING:
    from kakari.parsers.japanese.words.spacy_words import Row

# What a document is filled with: the last columns of `spacy_words.Column`, of which spaCy sets ORTH by itself.
ATTRIBUTES: list[int | str] = [IDS[name] for name in ("LEMMA", "TAG", "MORPH", "NORM", "POS")]
ORTH, SPACE_BEHIND, FIRST_SET = int(Column.ORTH), int(Column.SPACE_BEHIND), int(Column.LEMMA)
universal_part: Any = resolve_pos
GAP = "空白"
_ZONES = count()
MOST_WORDS = 1 << 17
MOST_UNKNOWN_WORDS = 1 << 13  # numbers, names: of these there is no end


class FastJapaneseTokenizer(JapaneseTokenizer):
    """Sudachi for spaCy, one array a document; by default its core dictionary in split mode A.

    Examples
    --------
    >>> import spacy
    >>> [token.lemma_ for token in FastJapaneseTokenizer(spacy.blank("ja").vocab)("本を読んだ。")]
    ['本', 'を', '読む', 'だ', '。']
    """

    universal_part = staticmethod(universal_part)

    def __init__(self, vocab: Vocab, sudachi: Sudachi | None = None) -> None:
        self.vocab = vocab
        take_over_morphology(vocab)
        self.split_mode = None
        self.need_subtokens = False
        self.sudachi = sudachi or Sudachi()
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.words = WordTable()  # others may still hold numbers of the old one
        self.unknown_words: dict[tuple[Any, ...], tuple[str, Row]] = {}
        self._zone: str | None = None  # a string that is there for as long as the memory zone of these words

    def _leave_memory_zone(self) -> None:
        """Begin again if a memory zone has ended since words were remembered: their strings may be gone with it."""
        vocab: Any = self.vocab  # spaCy's stub knows nothing of zones
        strings = vocab.strings
        if self._zone is not None and self._zone not in strings:
            self._begin_anew()
        if self._zone is None and vocab.in_memory_zone:
            self._zone = f"\0memory zone {next(_ZONES)}"
            strings.add(self._zone, allow_transient=True)

    def __reduce__(self) -> tuple[type[FastJapaneseTokenizer], tuple[Vocab, Sudachi]]:
        return FastJapaneseTokenizer, (self.vocab, self.sudachi)

    def __call__(self, text: str) -> Doc:
        """Make a document of a text of any length."""
        table = self.batch([text]).attributes()
        words = table[:, ORTH].tolist()
        doc = Doc(self.vocab, words=words, spaces=table[:, SPACE_BEHIND].tolist())
        if words:
            own: Any = table[:, FIRST_SET:]
            doc.from_array(ATTRIBUTES, own)
        return doc

    def batch(self, texts: Iterable[str]) -> TokenBatch:
        """Return the tokens of texts without documents around them."""
        if len(self.words) >= MOST_WORDS:
            self._begin_anew()
        self._leave_memory_zone()
        tokens = TokenBatch(self.words, self)
        for text in texts:
            for offset, piece in pieces(text):
                tokens.add(text, self.sudachi.tokenize(piece), offset)
            tokens.end_text(text)
        return tokens

    def describe(self, morpheme: Any, surface: str) -> tuple[str, Row, bool]:
        """Return a word's tag, its row in a table of words, and whether Sudachi's number is enough to know it again."""
        if not morpheme.is_oov():
            return *self._described(morpheme, surface, passing=False), True
        # Sudachi joins numerals, whose readings then differ under one number.
        forms = morpheme.reading_form(), morpheme.dictionary_form(), morpheme.normalized_form()
        key = surface, morpheme.part_of_speech_id(), *forms
        found = self.unknown_words.get(key)
        if found is None:
            passing = len(self.unknown_words) >= MOST_UNKNOWN_WORDS
            found = self._described(morpheme, surface, passing=passing)
            if not passing:
                self.unknown_words[key] = found
        return *found, False

    def _described(self, morpheme: Any, surface: str, *, passing: bool) -> tuple[str, Row]:
        strings: Any = self.vocab.strings
        levels = morpheme.part_of_speech()
        tag = "-".join(level for level in levels[:4] if level != "*")
        inflection = ";".join(level for level in levels[4:] if level != "*")
        features = {"Inflection": inflection} if inflection else {}
        if reading := morpheme.reading_form():
            features["Reading"] = re.sub("[=|]", "_", reading)
        # In a memory zone everything is remembered for the zone alone; before it, what is remembered must outlive it.
        transient = passing or self._zone is not None
        texts = surface, morpheme.dictionary_form() or surface, tag, morpheme.normalized_form()
        orth, lemma, tag_hash, norm = (strings.add(text, allow_transient=transient) for text in texts)
        return tag, (len(surface), orth, lemma, tag_hash, self.vocab.morphology.add(features), norm)

    def describe_gap(self, gap: str) -> tuple[str, Row]:
        """Return the tag and the row of white space."""
        strings: Any = self.vocab.strings
        number, tag = strings.add(gap, allow_transient=True), strings.add(GAP)
        return GAP, (len(gap), number, number, tag, self.vocab.morphology.add({}), number)

    def from_bytes(self, data: bytes, **options: Any) -> FastJapaneseTokenizer:
        """Take over no state but the vocabulary's, which is another from now on."""
        self._begin_anew()
        return self

    def from_disk(self, path: Any, **options: Any) -> FastJapaneseTokenizer:
        """Take over no state but the vocabulary's, which is another from now on."""
        self._begin_anew()
        return self


def make_tokenizer(
    dictionary: str = "core", user: Sequence[str] = (), split: str = "A"
) -> Callable[[Language], FastJapaneseTokenizer]:
    """Make the tokenizer's factory, `kakari.JapaneseTokenizer.v1` in a pipeline's configuration; see `Sudachi`."""
    return partial(_of_pipeline, Sudachi(dictionary, tuple(user), split))


def _of_pipeline(sudachi: Sudachi, nlp: Language) -> FastJapaneseTokenizer:
    return FastJapaneseTokenizer(nlp.vocab, sudachi)


# Universal parts of speech by JUMAN's sub-classes, or else by its classes.
JUMAN_PARTS = {
    "名詞": "NOUN",
    "固有名詞": "PROPN",
    "人名": "PROPN",
    "地名": "PROPN",
    "組織名": "PROPN",
    "数詞": "NUM",
    "指示詞": "PRON",
    "連体詞形態指示詞": "DET",
    "副詞形態指示詞": "ADV",
    "動詞": "VERB",
    "形容詞": "ADJ",
    "副詞": "ADV",
    "助詞": "ADP",
    "接続助詞": "SCONJ",
    "終助詞": "PART",
    "助動詞": "AUX",
    "判定詞": "AUX",
    "接続詞": "CCONJ",
    "連体詞": "DET",
    "感動詞": "INTJ",
    "接頭辞": "NOUN",
    "接尾辞": "NOUN",
    "動詞性接尾辞": "AUX",
    "形容詞性述語接尾辞": "AUX",
    "形容詞性名詞接尾辞": "PART",
    "特殊": "PUNCT",
    "記号": "SYM",
    "未定義語": "X",
}
WORD_ATTRIBUTES: list[int | str] = [IDS[name] for name in ("LEMMA", "TAG", "MORPH", "POS")]


class WordTokenizer(DummyTokenizer):
    """Our own words for spaCy: JUMAN's units and tags, by `ja-words`. Neither Sudachi nor a dictionary is needed.

    Examples
    --------
    >>> import spacy
    >>> [(token.text, token.tag_, token.lemma_) for token in WordTokenizer(spacy.blank("ja").vocab)("本を読んだ")]
    [('本', '名詞-普通名詞', '本'), ('を', '助詞-格助詞', 'を'), ('読んだ', '動詞', '読む')]
    """

    def __init__(self, vocab: Vocab, words: KakariWords | None = None) -> None:
        self.vocab = vocab
        take_over_morphology(vocab)
        self.words = words or KakariWords()

    def __reduce__(self) -> tuple[type[WordTokenizer], tuple[Vocab, KakariWords]]:
        return WordTokenizer, (self.vocab, self.words)

    def __call__(self, text: str) -> Doc:
        """Make a document of a text of any length; a single blank behind a word is the word's."""
        text = SURROGATES.sub("\ufffd", text)
        spans = list(sentence_spans(text))
        surfaces: list[str] = []
        blanks: list[bool] = []
        rows: list[tuple[int, int, int, int]] = []
        for words in self.words.model.pipe(text[begin:end] for begin, end in spans):
            for word in words:
                if word.surface == " " and blanks and not blanks[-1] and not surfaces[-1].isspace():
                    blanks[-1] = True
                    continue
                surfaces.append(word.surface)
                blanks.append(False)
                rows.append(self._attributes(word))
        doc = Doc(self.vocab, words=surfaces, spaces=blanks)
        if rows:
            filled: Any = np.array(rows, dtype=np.uint64)
            doc.from_array(WORD_ATTRIBUTES, filled)
        return doc

    def _attributes(self, word: FoundWord) -> tuple[int, int, int, int]:
        """Return the hashes of a word's base form, tag, inflection and reading, and part of speech."""
        strings, morphology = self.vocab.strings, self.vocab.morphology
        if word.surface.isspace():
            return strings.add(word.surface), strings.add(GAP), morphology.add({}), strings.add("SPACE")
        tag = word.tag
        features = {"Reading": re.sub("[=|]", "_", word.reading)}
        if tag.conj_type or tag.conj_form:
            features["Inflection"] = f"{tag.conj_type};{tag.conj_form}"
        name = f"{tag.pos}-{tag.subpos}" if tag.subpos else tag.pos
        part = JUMAN_PARTS.get(tag.subpos) or JUMAN_PARTS.get(tag.pos, "X")
        lemma = strings.add(word.base or word.surface)
        return lemma, strings.add(name), morphology.add(features), strings.add(part)


def make_word_tokenizer() -> Callable[[Language], WordTokenizer]:
    """Make the factory of our own words, `kakari.JapaneseWords.v1` in a pipeline's configuration."""
    return _own_words


def _own_words(nlp: Language) -> WordTokenizer:
    return WordTokenizer(nlp.vocab)
