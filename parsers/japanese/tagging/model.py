"""A word segmenter and tagger in one file: two labellers and a dictionary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.weights import HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.parsers.japanese.tagging.assembly import TypeCache, found_morphemes, found_words
from kakari.parsers.japanese.tagging.dictionary import (
    CHARACTER_COLUMNS,
    WORD_COLUMNS,
    WordDictionary,
    Words,
    character_table,
    word_table,
)
from kakari.parsers.sequences.labelling import MOST_LABELS, FrozenLabeller
from kakari.parsers.sequences.templates import TemplateSet

if TYPE_CHECKING:  # only writers of formats want records, only the paper's segmenter is a kernel machine
    from kakari.corpora.records.japanese import Morpheme
    from kakari.parsers.japanese.tagging.kernel_boundaries import KernelBoundaries
    from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes

# Increase it when columns or hashes change: older models would be misread.
FEATURES = 1
BATCH = 500
WIDEST_BEAM = 1024  # of a file
NO_CHANGE = (0, "")
KATAKANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}


class Tag(NamedTuple):
    """A tagger's decision about a word: JUMAN's part of speech, sub-class, conjugation type and form."""

    pos: str
    subpos: str
    conj_type: str
    conj_form: str


class FoundWord(NamedTuple):
    """A word of a text: its characters, and its analysis in JUMAN's terms."""

    start: int
    end: int
    surface: str
    reading: str
    base: str
    tag: Tag
    codes: tuple[int, int, int, int]

    def to_morpheme(self) -> Morpheme:
        """Return the word as the corpora's record."""
        from kakari.corpora.records.japanese import Morpheme

        pos = (self.tag.pos, self.tag.subpos) if self.tag.subpos else (self.tag.pos,)
        return Morpheme(
            self.surface, self.reading, self.base, pos, self.tag.conj_type, self.tag.conj_form, self.codes, "NIL"
        )


@dataclass
class WordsModel(StoredModel):
    """Cuts texts into words and analyses them; safe to use from many threads.

    Attributes
    ----------
    boundaries : FrozenLabeller or KernelBoundaries
        The labeller of characters.
    tagger : FrozenLabeller
        The labeller of words.
    dictionary : WordDictionary
    tags : tuple of Tag
    codes : tuple of (int, int, int, int)
        JUMAN's numbers of each tag.
    endings : tuple of (int, str)
        How to make the base form from the surface, for each tag: characters to remove, and the ending to add.
    choices : (array of int32, array of uint8)
        The tags of each kind of word in the dictionary: where each list begins, from kind 1 on; the lists.
    readings : dict of int to str
        Readings of the dictionary's entries whose reading is not their surface.
    bases : dict of (str, int) to str
        Base forms of a surface with a tag that do not follow from the endings.
    """

    task: ClassVar[str] = "ja-words"
    boundaries: FrozenLabeller | KernelBoundaries
    tagger: FrozenLabeller
    dictionary: WordDictionary
    tags: tuple[Tag, ...]
    codes: tuple[tuple[int, int, int, int], ...]
    endings: tuple[tuple[int, str], ...]
    choices: tuple[NDArray[np.int32], NDArray[np.uint8]]
    readings: dict[int, str]
    bases: dict[tuple[str, int], str]
    details: dict[str, Any] = field(default_factory=dict)
    _cache: TypeCache = field(default_factory=TypeCache, repr=False, compare=False)

    def cut(self, texts: Sequence[str]) -> Words:
        """Return where words end in each text."""
        characters = character_table(texts, self.dictionary)
        return word_table(characters, self.boundaries.label(characters), self.dictionary)

    def tag(self, words: Words) -> NDArray[np.uint8]:
        """Return the number of each word's tag; a word of the dictionary has one of its tags there."""
        which = words.table.values[:, 1].astype(np.int32) - 1
        return self.tagger.label(words.table, (which, *self.choices))

    def analyse(self, text: str) -> list[FoundWord]:
        """Return the words of one sentence.

        Examples
        --------
        >>> [(word.surface, word.base, word.tag.pos) for word in pretrained_words().analyse("本を読んだ。")]
        [('本', '本', '名詞'), ('を', 'を', '助詞'), ('読んだ', '読む', '動詞'), ('。', '。', '特殊')]
        """
        return next(self.pipe([text]))

    def pipe(self, texts: Iterable[str]) -> Iterator[list[FoundWord]]:
        """Yield the words of each text, in order, some texts at a time; a text is one sentence."""
        waiting = iter(texts)
        while batch := list(islice(waiting, BATCH)):
            words = self.cut(batch)
            yield from found_words(batch, words, self.tag(words), self, FoundWord._make, self._cache)

    def analysis(self, surface: str, entry: int, tag: int) -> tuple[str, str, Tag, tuple[int, int, int, int]]:
        """Return reading, base form, tag and JUMAN's numbers of a word by its entry in the dictionary, -1 for none."""
        reading = self.readings.get(entry) or surface.translate(KATAKANA)
        base = self.bases.get((surface, tag))
        if base is None:
            away, more = self.endings[tag]
            base = surface[: len(surface) - away] + more
        return reading, base, self.tags[tag], self.codes[tag]

    def record(self, surface: str, entry: int, tag: int) -> Morpheme:
        """Return a word as the corpora's record."""
        return FoundWord(0, len(surface), surface, *self.analysis(surface, entry, tag)).to_morpheme()

    def morphemes(
        self, texts: Sequence[str], lexicon: Lexicon, cache: TypeCache, records: list[list[Morpheme]] | None = None
    ) -> Morphemes:
        """Return the words of sentences as a parser reads them; `cache` is for this model and lexicon alone."""
        words = self.cut(texts)
        return found_morphemes(texts, words, self.tag(words), self, cache, lexicon, records)

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        starts, labels = self.choices
        entries = sorted(self.readings)
        text = "\n".join(self.readings[entry] for entry in entries)
        readings: dict[str, NDArray[Any]] = {
            "entries": np.array(entries, dtype=np.int32),
            "text": np.frombuffer(text.encode(), dtype=np.uint8),
        }
        parts = {
            "dictionary": Contents(self.dictionary.arrays),
            "boundaries": (
                _stored(self.boundaries) if isinstance(self.boundaries, FrozenLabeller) else self.boundaries.contents()
            ),
            "tagger": _stored(self.tagger),
            "choices": Contents({"starts": starts, "labels": labels}),
            "readings": Contents(readings),
        }
        settings = {
            "tags": [list(tag) for tag in self.tags],
            "codes": [list(codes) for codes in self.codes],
            "endings": [list(ending) for ending in self.endings],
            "bases": [[surface, tag, base] for (surface, tag), base in sorted(self.bases.items())],
            "details": self.details,
        }
        return Contents.joined(parts, settings)

    @classmethod
    def from_contents(cls, contents: Contents) -> WordsModel:
        """Rebuild a model from its `contents()`."""
        tags = tuple(Tag(*row) for row in _rows(contents, "tags", (str,) * 4))
        codes = tuple((a, b, c, d) for a, b, c, d in _rows(contents, "codes", (int,) * 4))
        endings = tuple((away, more) for away, more in _rows(contents, "endings", (int, str)))
        if not len(tags) == len(codes) == len(endings) or not 2 <= len(tags) <= MOST_LABELS:
            raise contents.refuse("its tags do not fit together")
        if min(away for away, _ in endings) < 0:
            raise contents.refuse("an ending removes a negative number of characters")
        chosen = contents.part("choices")
        labels = chosen.array("labels", np.uint8, below=len(tags))
        starts = chosen.offsets("starts", len(labels), dtype=np.int32)
        dictionary = _dictionary(contents.part("dictionary"), len(starts) - 1)
        return WordsModel(
            _boundaries(contents.part("boundaries")),
            _labeller(contents.part("tagger"), len(tags), WORD_COLUMNS),
            dictionary,
            tags,
            codes,
            endings,
            (starts, labels),
            _readings(contents.part("readings"), len(dictionary.arrays["kinds"])),
            {(surface, tag): base for surface, tag, base in _rows(contents, "bases", (str, int, str))},
            contents.table("details"),
        )

    @classmethod
    def schema(cls) -> str:
        """Return the name of the features and hashes; a model with other ones is refused."""
        return f"features {FEATURES}"


@cache
def pretrained_words() -> WordsModel:
    """Return the embedded model."""
    return WordsModel.load(str(resources.files("kakari.models") / "pretrained" / "ja-words.safetensors"))


def _stored(labeller: FrozenLabeller) -> Contents:
    settings = {"templates": list(labeller.templates.texts), "beam": labeller.beam}
    return Contents.joined({"weights": labeller.weights.contents()}, settings)


def _boundaries(contents: Contents) -> FrozenLabeller | KernelBoundaries:
    if not contents.has_part("machine"):
        return _labeller(contents, 2, CHARACTER_COLUMNS)
    from kakari.parsers.japanese.tagging.kernel_boundaries import KernelBoundaries

    return KernelBoundaries.from_contents(contents)


def _labeller(contents: Contents, labels: int, columns: Sequence[str]) -> FrozenLabeller:
    templates = TemplateSet(contents.texts("templates"))
    if [(column.name, column.kind) for column in templates.derived] != [(name, "whole") for name in columns]:
        raise contents.refuse(f"its templates do not have the columns {', '.join(columns)}")
    weights = HashedWeights.from_contents(contents.part("weights"), labels)
    return FrozenLabeller(templates, weights, labels, beam=contents.integer("beam", 1, WIDEST_BEAM))


def _dictionary(contents: Contents, most: int) -> WordDictionary:
    """Read words with kinds up to `most`."""
    return WordDictionary(
        contents.array("shared", np.uint8),
        contents.array("added", np.uint8),
        contents.array("characters", np.uint32, below=0x110000),
        contents.array("kinds", np.uint16, minimum=1, below=most + 1),
    )


def _readings(contents: Contents, words: int) -> dict[int, str]:
    """Read the readings of some of the dictionary's words."""
    entries = contents.array("entries", np.int32, minimum=0, below=words, ascending=True, distinct=True).tolist()
    text = contents.array("text", np.uint8).tobytes().decode()
    readings = text.split("\n") if entries else []
    if len(entries) != len(readings):
        raise contents.refuse(f"there are {len(readings)} readings of {len(entries)} words")
    return dict(zip(entries, readings, strict=True))


def _rows(contents: Contents, name: str, types: Sequence[type]) -> list[list[Any]]:
    """Read lists whose values have these types."""
    rows = contents.lists(name)
    if any(list(map(type, row)) != list(types) for row in rows):
        raise contents.refuse(f"'{name}' has a row that does not fit")
    return rows
