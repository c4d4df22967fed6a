"""A word segmenter and tagger in one file: two labellers and a dictionary."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.japanese import Morpheme
from kakari.kernels.hashed.weights import HashedWeights
from kakari.models.files import Arrays, ModelFileError, model_bytes, read_model, read_model_bytes, write_model
from kakari.parsers.japanese.tagging.dictionary import WordDictionary, Words, character_table, word_table
from kakari.parsers.japanese.tagging.entries import Tag
from kakari.parsers.sequences.labelling import label_batch
from kakari.parsers.sequences.templates import TemplateSet

TASK = "ja-words"
# Goes up when columns or hashes change: a model of other ones would be misread.
FEATURES = 1
BATCH = 500
NO_CHANGE = (0, "")
KATAKANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}


@dataclass(frozen=True, slots=True)
class FoundWord:
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
        pos = (self.tag.pos, self.tag.subpos) if self.tag.subpos else (self.tag.pos,)
        return Morpheme(
            self.surface, self.reading, self.base, pos, self.tag.conj_type, self.tag.conj_form, self.codes, "NIL"
        )


@dataclass
class WordsModel:
    """Cuts texts into words and analyses them; safe to use from many threads.

    Attributes
    ----------
    boundaries, tagger : (TemplateSet, HashedWeights, int)
        The labellers of characters and of words: templates, weights, beam.
    dictionary : WordDictionary
    tags : tuple of Tag
    codes : tuple of (int, int, int, int)
        JUMAN's numbers of each tag.
    endings : tuple of (int, str)
        How the base form follows from the surface, for each tag: characters to take away, and what to add.
    choices : (array of int32, array of uint8)
        The tags of each kind of word in the dictionary: where each list begins, from kind 1 on; the lists.
    readings : dict of int to str
        Of entries of the dictionary whose reading is not their surface.
    bases : dict of (str, int) to str
        Base forms of a surface with a tag that do not follow from the endings.
    """

    boundaries: tuple[TemplateSet, HashedWeights, int]
    tagger: tuple[TemplateSet, HashedWeights, int]
    dictionary: WordDictionary
    tags: tuple[Tag, ...]
    codes: tuple[tuple[int, int, int, int], ...]
    endings: tuple[tuple[int, str], ...]
    choices: tuple[NDArray[np.int32], NDArray[np.uint8]]
    readings: dict[int, str]
    bases: dict[tuple[str, int], str]
    details: dict[str, Any] = field(default_factory=dict)

    def cut(self, texts: Sequence[str]) -> Words:
        """Return where words end in each text."""
        characters = character_table(texts, self.dictionary)
        templates, weights, beam = self.boundaries
        return word_table(characters, label_batch(characters, templates, weights, 2, beam=beam), self.dictionary)

    def tag(self, words: Words) -> NDArray[np.uint8]:
        """Return the number of each word's tag; a word of the dictionary has one of its tags there."""
        templates, weights, beam = self.tagger
        which = words.table.values[:, 1].astype(np.int32) - 1
        choices = (which, *self.choices)
        return label_batch(words.table, templates, weights, len(self.tags), beam=beam, choices=choices)

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
            tags, ends, entries = self.tag(words).tolist(), words.ends.tolist(), words.entries.tolist()
            for text, (first, last) in zip(batch, pairwise(words.table.starts.tolist()), strict=True):
                found, begin = [], 0
                for place in range(first, last):
                    found.append(self._word(text, begin, ends[place], tags[place], entries[place]))
                    begin = ends[place]
                yield found

    def _word(self, text: str, begin: int, end: int, tag: int, entry: int) -> FoundWord:
        surface = text[begin:end]
        reading = self.readings.get(entry) or surface.translate(KATAKANA)
        base = self.bases.get((surface, tag))
        if base is None:
            away, more = self.endings[tag]
            base = surface[: len(surface) - away] + more
        return FoundWord(begin, end, surface, reading, base, self.tags[tag], self.codes[tag])

    def parts(self) -> tuple[Arrays, dict[str, Any]]:
        """Return what a file holds: arrays and settings."""
        arrays: Arrays = {f"dictionary.{name}": array for name, array in self.dictionary.arrays.items()}
        for name, (_, weights, _) in (("boundaries", self.boundaries), ("tagger", self.tagger)):
            arrays |= {f"{name}.{key}": array for key, array in weights.columns().items()}
        arrays["choices.starts"], arrays["choices.labels"] = self.choices
        entries = sorted(self.readings)
        arrays["readings.entries"] = np.array(entries, dtype=np.int32)
        text = "\n".join(self.readings[entry] for entry in entries)
        arrays["readings.text"] = np.frombuffer(text.encode(), dtype=np.uint8)
        settings = {
            "features": FEATURES,
            "tags": [list(tag) for tag in self.tags],
            "codes": [list(codes) for codes in self.codes],
            "endings": [list(ending) for ending in self.endings],
            "bases": [[surface, tag, base] for (surface, tag), base in sorted(self.bases.items())],
            "templates": {"boundaries": self.boundaries[0].texts, "tagger": self.tagger[0].texts},
            "beams": {"boundaries": self.boundaries[2], "tagger": self.tagger[2]},
            "details": self.details,
        }
        return arrays, settings

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file."""
        arrays, settings = self.parts()
        write_model(path, TASK, arrays, settings, compressed=True)

    def to_bytes(self) -> bytes:
        """Return the content of a model file."""
        arrays, settings = self.parts()
        return model_bytes(TASK, arrays, settings, compressed=True)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> WordsModel:
        """Read a model file."""
        return _checked(os.fspath(path), *read_model(path, TASK))

    @staticmethod
    def from_bytes(content: bytes) -> WordsModel:
        """Read the content of a model file."""
        return _checked("<bytes>", *read_model_bytes(content, TASK))


@cache
def pretrained_words() -> WordsModel:
    """Return the embedded model."""
    return WordsModel.load(str(resources.files("kakari.models") / "pretrained" / "ja-words.safetensors"))


def _checked(name: str, arrays: Arrays, settings: dict[str, Any]) -> WordsModel:
    if settings.get("features") != FEATURES:
        raise ModelFileError(name, "the model was made by a version of kakari with other features: train it again")
    try:
        return _assembled(arrays, settings)
    except (KeyError, TypeError, IndexError) as error:
        raise ModelFileError(name, f"the model lacks {error}") from None
    except ValueError as error:
        raise ModelFileError(name, f"the model is damaged: {error}") from None


def _assembled(arrays: Arrays, settings: dict[str, Any]) -> WordsModel:
    tags = tuple(Tag(*map(str, tag)) for tag in settings["tags"])
    codes = tuple((int(a), int(b), int(c), int(d)) for a, b, c, d in settings["codes"])
    endings = tuple((int(away), str(more)) for away, more in settings["endings"])
    dictionary = WordDictionary(**_named(arrays, "dictionary."))
    starts, labels = arrays["choices.starts"], arrays["choices.labels"]
    if not len(tags) == len(codes) == len(endings) >= 2 or min(away for away, _ in endings) < 0:
        raise ValueError("its tags do not fit together")
    if (
        starts.dtype != np.int32
        or starts.ndim != 1
        or int(np.max(dictionary.arrays["kinds"], initial=0)) >= len(starts)
    ):
        raise ValueError("its dictionary has words of unknown kinds")
    if labels.size and int(labels.max()) >= len(tags):
        raise ValueError("its dictionary has unknown tags")
    entries = arrays["readings.entries"].tolist()
    readings = arrays["readings.text"].tobytes().decode().split("\n") if entries else []
    bases = {(str(surface), int(tag)): str(base) for surface, tag, base in settings["bases"]}
    return WordsModel(
        _labeller(arrays, settings, "boundaries", 2),
        _labeller(arrays, settings, "tagger", len(tags)),
        dictionary,
        tags,
        codes,
        endings,
        (starts, labels),
        dict(zip(entries, readings, strict=True)),
        bases,
        dict(settings["details"]),
    )


def _labeller(
    arrays: Arrays, settings: Mapping[str, Any], name: str, labels: int
) -> tuple[TemplateSet, HashedWeights, int]:
    weights = HashedWeights.from_columns(_named(arrays, f"{name}."))
    if int(np.max(weights.columns()["places"], initial=0)) >= labels:
        raise ValueError("there are weights of a label that it does not have")
    beam = int(settings["beams"][name])
    if beam < 1:
        raise ValueError(f"its beam is {beam}")
    return TemplateSet([str(text) for text in settings["templates"][name]]), weights, beam


def _named(arrays: Arrays, prefix: str) -> Arrays:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
