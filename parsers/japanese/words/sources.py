"""From analysed text to `Morphemes`: records of a corpus or SudachiPy; `from_spacy` has spaCy's tokens.

Sudachi directly and spaCy's `ja` tokenizer (which is Sudachi in split mode A) give the same rows. White
space is no morpheme: it lengthens the one before it, which is marked, since spaCy keeps some of it as
tokens and some not.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from kakari.parsers.japanese.words.morphemes import Lexicon, MorphemeBatch, Morphemes, split_tag
from kakari.parsers.japanese.words.sentences import GOOD_BREAKS
from kakari.parsers.limits import SURROGATES

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import JapaneseSentence, Morpheme

EDITIONS = ("core", "small", "full")
SPLIT_MODES = ("A", "B", "C")
LARGEST_PIECE = 12_000  # characters: at most four bytes each, below Sudachi's limit of 49,149 bytes
Word = tuple[str, str, tuple[str, ...], str, str]  # surface, base form, levels of the part of speech, conjugation


def record_morphemes(sentences: Iterable[JapaneseSentence], lexicon: Lexicon) -> Morphemes:
    """Take the morphemes of a corpus's records as they are.

    Examples
    --------
    >>> from kakari.corpora import read
    >>> from kakari.models.vocabulary import Vocabulary
    >>> record_morphemes(list(read("sample-ja"))[:1], Lexicon(Vocabulary(), "juman"))
    <1 sentences, 12 morphemes>
    """
    batch = MorphemeBatch(lexicon)
    texts: list[str] | None = [] if lexicon.tagset == "sudachi" else None  # JUMAN's words need no second opinion
    for sentence in sentences:
        begin = 0
        if texts is not None:
            texts.append(sentence.text)
        for bunsetsu in sentence.bunsetsu:
            for morpheme in bunsetsu.morphemes:
                end = begin + len(morpheme.surface)
                batch.add(
                    morpheme.surface,
                    morpheme.base,
                    morpheme.pos,
                    morpheme.conj_type,
                    morpheme.conj_form,
                    begin,
                    end,
                )
                begin = end
        batch.end_sentence()
    return batch.finish(texts)


class Sudachi:
    """SudachiPy; a tokenizer for each thread.

    Parameters
    ----------
    dictionary : str
        "core", "small" or "full" (whose packages must be installed), or the path of a compiled system dictionary.
    user : sequence of str
        Paths of compiled user dictionaries.
    split : str
        The split mode: A (short units, which the embedded models were trained on), B or C (long units).

    Examples
    --------
    >>> [morpheme.base for morpheme in Sudachi().records("本を読んだ。")]
    ['本', 'を', '読む', 'だ', '。']
    >>> [morpheme.surface for morpheme in Sudachi(split="C").records("選挙管理委員会")]
    ['選挙管理委員会']
    """

    def __init__(self, dictionary: str = "core", user: Sequence[str] = (), split: str = "A") -> None:
        if split not in SPLIT_MODES:
            raise ValueError(f"the split mode is one of {', '.join(SPLIT_MODES)}, not {split!r}")
        self.dictionary, self.user, self.split = dictionary, tuple(user), split
        self._threads = threading.local()

    def tokenize(self, text: str) -> Any:
        """Return SudachiPy's own list of morphemes."""
        tokenizer = getattr(self._threads, "tokenizer", None)
        if tokenizer is None:
            dictionary = _dictionary(self.dictionary, self.user)
            make = getattr(dictionary, "tokenizer", None) or dictionary.create  # its name before SudachiPy 0.7
            tokenizer = self._threads.tokenizer = make(mode=_split_mode(self.split))
        return tokenizer.tokenize(SURROGATES.sub("\ufffd", text))

    def morphemes(
        self,
        texts: Iterable[str],
        lexicon: Lexicon,
        records: list[list[Any]] | None = None,
        note_of: Callable[[Morpheme], object] | None = None,
    ) -> Morphemes:
        """Analyse sentences. One that is nothing but white space becomes a single morpheme.

        If `records` is given, each sentence's morphemes are added to it, for the writers of formats; white space is
        none there. With `note_of`, what it returns for each morpheme stands there instead.
        """
        batch = MorphemeBatch(lexicon)
        tags = _tags(self.dictionary, self.user)
        found: list[Any] | None = None
        kept = list(texts)
        for text in kept:
            if records is not None:
                found = []
                records.append(found)
            for offset, piece in pieces(text):
                batch.add_sudachi(self.tokenize(piece), tags, offset, found, note_of)
            if text and not batch.sentence_size():
                batch.add(text, text, ("空白",), "", "", 0, len(text))
            batch.end_sentence()
        return batch.finish(kept)

    def records(self, text: str) -> list[Morpheme]:
        """Return the morphemes of a text as records, for the writers of formats; white space left out."""
        from kakari.corpora.records.japanese import Morpheme

        tags = _tags(self.dictionary, self.user)
        return [
            Morpheme(
                found.surface(),
                found.reading_form(),
                found.dictionary_form(),
                *tags[found.part_of_speech_id()],
            )
            for _, piece in pieces(text)
            for found in self.tokenize(piece)
            if found.begin() < found.end() and not found.surface().isspace()
        ]

    def __reduce__(self) -> tuple[type[Sudachi], tuple[str, tuple[str, ...], str]]:
        return Sudachi, (self.dictionary, self.user, self.split)


class DictionaryError(ValueError):
    """A dictionary that Sudachi cannot load; the text says which and why."""


@cache
def _dictionary(name: str = "core", user: tuple[str, ...] = ()) -> Any:
    import sudachipy

    given = name if name in EDITIONS else os.path.abspath(name)  # noqa: PTH100 (Sudachi wants an absolute path)
    try:
        if not user:
            return sudachipy.Dictionary(dict=given)
        files = [os.path.abspath(file) for file in user]  # noqa: PTH100
        return sudachipy.Dictionary(config=sudachipy.Config(user=files), dict=given)
    except Exception as error:  # whatever Sudachi raises, its own error and Rust's among them
        shown = name if not user else f"{name} with {', '.join(user)}"
        hint = f" (is sudachidict-{name} installed?)" if name in EDITIONS else ""
        raise DictionaryError(f"Sudachi cannot load the dictionary {shown}{hint}: {error}") from None


def _split_mode(name: str) -> Any:
    import sudachipy

    return getattr(sudachipy.SplitMode, name)


@cache
def _tags(name: str = "core", user: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str, str]]:
    """Return the split tag of each of the dictionary's part-of-speech numbers."""
    dictionary = _dictionary(name, user)
    tags: list[tuple[tuple[str, ...], str, str]] = []
    while (tag := dictionary.pos_of(len(tags))) is not None:
        tags.append(split_tag(tag))
    return tags


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """Cut a text that is too long for Sudachi, if possible after a comma, bracket or blank.

    Examples
    --------
    >>> [(offset, len(piece)) for offset, piece in pieces("あ" * 11_990 + "、" + "い" * 20)]
    [(0, 11991), (11991, 20)]
    """
    begin = 0
    while len(text) - begin > LARGEST_PIECE:
        window = text[begin : begin + LARGEST_PIECE]
        cut = 1 + max(window.rfind(mark, LARGEST_PIECE // 2) for mark in GOOD_BREAKS)
        end = begin + (cut or LARGEST_PIECE)
        yield begin, text[begin:end]
        begin = end
    if begin < len(text):
        yield begin, text[begin:]


def spacy_word(strings: Any, tagset: str, orth: int, lemma: int, tag: int, morph: int) -> Word:
    """Return the word type of a spaCy token by its hashes.

    This undoes how spaCy writes tags: levels joined by `-`, conjugation type and form by `;`.
    """
    features = dict(item.split("=", 1) for item in strings[morph].split("|") if "=" in item) if morph else {}
    conj_type, _, conj_form = features.get("Inflection", "").partition(";")
    surface, name = strings[orth], strings[tag]
    levels = tuple(name.split("-")) if tagset == "juman" else _levels_by_name().get(name) or (name,)
    return surface, strings[lemma] or surface, levels, conj_type, conj_form


@cache
def _levels_by_name() -> dict[str, tuple[str, ...]]:
    return {"-".join(levels): levels for levels, _, _ in _tags()}
