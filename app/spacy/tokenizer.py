"""A faster tokenizer for spaCy's Japanese: the same documents as spaCy's own, without its limit on a text's length.

spaCy asks Sudachi for every string of every token and sets each attribute of each token by itself. Here a word of
Sudachi's dictionary is looked at once: its attributes are remembered as hashes under its surface and Sudachi's
number (`parsers/japanese/words/spacy_words`), and a document is filled from one array. What is remembered is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from spacy.attrs import IDS
from spacy.lang.ja import JapaneseTokenizer, resolve_pos
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from kakari.parsers.japanese.words.sources import Sudachi, pieces
from kakari.parsers.japanese.words.spacy_words import Column, TokenBatch, WordTable

if TYPE_CHECKING:
    from kakari.parsers.japanese.words.spacy_words import Row

# What a document is filled with: the last columns of `spacy_words.Column`, of which spaCy sets ORTH by itself.
ATTRIBUTES: list[int | str] = [IDS[name] for name in ("LEMMA", "TAG", "MORPH", "NORM", "POS")]
ORTH, SPACE_BEHIND, FIRST_SET = int(Column.ORTH), int(Column.SPACE_BEHIND), int(Column.LEMMA)
universal_part: Any = resolve_pos
GAP = "空白"
_ZONES = count()
MOST_WORDS = 1 << 17
MOST_UNKNOWN_WORDS = 1 << 13  # numbers, names: of such there is no end


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
        self.split_mode = None
        self.need_subtokens = False
        self.sudachi = sudachi or Sudachi()
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.words = WordTable()  # others may still hold numbers of the old one
        self.unknown_words: dict[tuple[Any, ...], tuple[str, Row]] = {}
        self._zone: str | None = None  # a string that is there for as long as the memory zone of these words

    def _leave_memory_zone(self) -> None:
        """Begin anew if a memory zone has ended since words were remembered: their strings may be gone with it."""
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
