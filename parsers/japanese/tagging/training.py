"""Training of the word segmenter and tagger on annotated sentences and a dictionary.

Features show which words are known. If the words of a training sentence were among them, all would be known, which
never happens in other texts. So each fold of the sentences sees the words of the dictionary and of the other folds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.japanese import JapaneseSentence
from kakari.kernels.hashed.weights import HashedLearner
from kakari.models.reporting import Report, silent
from kakari.parsers.japanese.tagging.dictionary import (
    LONGEST_WORD,
    WordDictionary,
    character_table,
    normalized,
    word_table,
)
from kakari.parsers.japanese.tagging.entries import Entry, sentence_entries
from kakari.parsers.japanese.tagging.kernel_training import learned_kernel_boundaries
from kakari.parsers.japanese.tagging.model import KATAKANA, NO_CHANGE, Tag, WordsModel
from kakari.parsers.japanese.tagging.partial import PartialSentence, allowed_marks
from kakari.parsers.japanese.tagging.settings import WordsSettings
from kakari.parsers.sequences.labelling import MOST_LABELS, FrozenLabeller, label_batch, learn_batch
from kakari.parsers.sequences.templates import TemplateSet
from kakari.parsers.sequences.tokens import TokenTable

Line = Sequence[Entry]
Fill = Callable[[HashedLearner], None]
BLOCK = 50  # sentences that stay together in a fold: neighbours share words


class WordsTrainingError(ValueError):
    """Data on which no segmenter can be trained."""


def train(
    sentences: Iterable[JapaneseSentence],
    dictionary: Iterable[Entry] = (),
    settings: WordsSettings | None = None,
    *,
    partial: Iterable[PartialSentence] = (),
    report: Report = silent,
) -> WordsModel:
    """Train a segmenter and tagger.

    Parameters
    ----------
    sentences : iterable of JapaneseSentence
        With JUMAN's parts of speech, as the KNP corpora have them.
    dictionary : iterable of Entry
        More words, see `read_dictionary`.
    partial : iterable of PartialSentence
        Texts with some boundaries, which the segmenter learns from as well; see `read_partial`.

    Examples
    --------
    >>> from kakari.corpora.catalogue import read
    >>> model = train(read("sample-ja"))
    >>> [word.surface for word in model.analyse("太郎は本を読んだ。")]
    ['太郎', 'は', '本', 'を', '読んだ', '。']
    """
    chosen = settings or WordsSettings()
    kept = list(sentences)
    lines: list[Line] = [sentence_entries(sentence) for sentence in kept]
    if not any(lines):
        raise WordsTrainingError("there are no words to train on")
    tags = common_tags(lines)
    known = KnownWords(tags)
    known.add(entry for entry in dictionary)
    folds = [
        [place for place in range(len(lines)) if place // BLOCK % chosen.folds == fold] for fold in range(chosen.folds)
    ]
    full = KnownWords(tags, known)
    full.add(entry for line in lines for entry in line)
    model = WordsModel(
        FrozenLabeller(TemplateSet(chosen.boundaries), HashedLearner().freeze(), 2, beam=chosen.decoding_beam),
        FrozenLabeller(TemplateSet(chosen.tags), HashedLearner().freeze(), len(tags)),
        full.dictionary(),
        tags,
        codes_of(tags, kept),
        endings_of(tags, [entry for line in lines for entry in line]),
        full.choices(),
        {},
        {},
    )
    characters, words = jackknifed_tables(lines, folds, known, tags, full)
    report("training the segmenter")
    corrections = list(partial)
    if chosen.kernel is None:
        known_parts = PartialData(corrections, character_table([one.text for one in corrections], model.dictionary))
        model.boundaries = learned_boundaries(characters, lines, chosen, known_parts)
    elif corrections:
        raise WordsTrainingError("a support vector machine cannot learn from partly annotated text")
    else:
        model.boundaries = learned_kernel_boundaries(characters, marks_of(lines), chosen.boundaries, chosen.kernel)
    report("training the tagger")
    model.tagger = learned_tags(words, lines, tags, chosen)
    add_readings(model, full)
    add_bases(model, lines)
    model.details = {"sentences": len(lines), "words": sum(map(len, lines)), "settings": chosen.told()}
    if corrections:
        model.details["partial_sentences"] = len(corrections)
    return model


def common_tags(lines: Iterable[Line]) -> tuple[Tag, ...]:
    """Return the tags of words, the most frequent ones if there are more than a labeller can have."""
    counts = Counter(entry.tag for line in lines for entry in line)
    ordered = sorted(counts, key=lambda tag: (-counts[tag], tag))
    if len(ordered) < 2:
        raise WordsTrainingError("all words have the same part of speech")
    return tuple(sorted(ordered[:MOST_LABELS]))


class KnownWords:
    """Words and their tags, and for each set of tags a number, the word's kind.

    The kinds of a collection that is made from another one continue its numbers.
    """

    def __init__(self, tags: Sequence[Tag], before: KnownWords | None = None) -> None:
        self.numbers = {tag: number for number, tag in enumerate(tags)}
        self.tags: dict[str, set[int]] = defaultdict(set)
        self.readings: dict[str, str] = {}
        self.kinds: dict[tuple[int, ...], int] = {}
        if before is not None:
            self.tags.update({word: set(own) for word, own in before.tags.items()})
            self.readings = dict(before.readings)

    def add(self, entries: Iterable[Entry]) -> None:
        """Add words whose tags are known."""
        for entry in entries:
            number = self.numbers.get(entry.tag)
            if number is not None and len(entry.surface) <= LONGEST_WORD:
                surface = normalized(entry.surface)
                self.tags[surface].add(number)
                self.readings.setdefault(surface, entry.reading)

    def number_kinds(self, shared: dict[tuple[int, ...], int]) -> None:
        """Assign a number to each set of tags; sets that are in `shared` keep the number there, and new ones go in."""
        for word in sorted(self.tags):
            shared.setdefault(tuple(sorted(self.tags[word])), len(shared) + 1)
        self.kinds = shared

    def dictionary(self) -> WordDictionary:
        """Return the words with their kinds."""
        if not self.kinds:
            self.number_kinds({})
        return WordDictionary.of_words({word: self.kinds[tuple(sorted(own))] for word, own in self.tags.items()})

    def choices(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return the lists of tags of all kinds."""
        lists = sorted(self.kinds, key=self.kinds.__getitem__)
        starts = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.int32)
        return starts, np.array([tag for one in lists for tag in one], dtype=np.uint8)


def jackknifed_tables(
    lines: Sequence[Line], folds: Sequence[Sequence[int]], known: KnownWords, tags: Sequence[Tag], full: KnownWords
) -> tuple[TokenTable, TokenTable]:
    """Return characters and gold words of all sentences, each fold with the words of the others."""
    characters: list[NDArray[Any]] = [np.empty((0, 0))] * len(lines)
    words: list[NDArray[Any]] = [np.empty((0, 0))] * len(lines)
    shared = dict(full.kinds)
    for fold in folds:
        inside = set(fold)
        others = KnownWords(tags, known)
        others.add(entry for place, line in enumerate(lines) if place not in inside for entry in line)
        others.number_kinds(shared)
        dictionary = others.dictionary()
        own = character_table([text_of(lines[place]) for place in fold], dictionary)
        gold = word_table(own, marks_of([lines[place] for place in fold]), dictionary)
        for number, place in enumerate(fold):
            characters[place] = own.values[own.starts[number] : own.starts[number + 1]]
            words[place] = gold.table.values[gold.table.starts[number] : gold.table.starts[number + 1]]
    return _joined(characters), _joined(words)


def _joined(parts: Sequence[NDArray[Any]]) -> TokenTable:
    starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
    return TokenTable(starts, np.concatenate(list(parts)))


def _rows_of(table: TokenTable, place: int) -> NDArray[Any]:
    return table.values[table.starts[place] : table.starts[place + 1]]


def text_of(line: Line) -> str:
    """Return the text of a sentence's words."""
    return "".join(entry.surface for entry in line)


def marks_of(lines: Iterable[Line]) -> NDArray[np.uint8]:
    """Mark the characters at which words begin."""
    marks = [mark for line in lines for entry in line for mark in [1] + [0] * (len(entry.surface) - 1)]
    return np.array(marks, dtype=np.uint8)


class PartialData(NamedTuple):
    """Partly annotated sentences, and their characters."""

    sentences: list[PartialSentence]
    table: TokenTable


def learned_boundaries(
    table: TokenTable, lines: Sequence[Line], settings: WordsSettings, partial: PartialData
) -> FrozenLabeller:
    """Train the segmenter.

    Partly annotated sentences are used from the second pass on: before each pass, their open places are filled with the
    best labels that agree with the known ones.
    """
    templates, gold = TemplateSet(settings.boundaries), marks_of(lines)
    visited: NDArray[Any] | None = None
    fill: Fill | None = None
    if partial.sentences and settings.passes < 2:
        raise WordsTrainingError("partly annotated text takes part from the second pass on: ask for two or more")
    if partial.sentences:
        whole, choices = len(gold), allowed_marks(partial.sentences)
        visited = np.arange(len(table))
        table = _joined(
            [_rows_of(table, place) for place in range(len(table))]
            + [_rows_of(partial.table, place) for place in range(len(partial.table))]
        )
        gold = np.concatenate([gold, np.zeros(len(partial.table.values), dtype=np.uint8)])

        def fill(learner: HashedLearner) -> None:
            gold[whole:] = label_batch(partial.table, templates, learner, 2, beam=settings.beam, choices=choices)

    total: HashedLearner | None = None
    for seed in range(settings.seed, settings.seed + settings.learners):
        learner = _passes(table, templates, gold, 2, settings.passes, settings.beam, seed, visited, fill)
        if total is None:
            total = learner
        else:
            total.absorb(learner)
    if total is None:
        raise WordsTrainingError("at least one learner is needed")
    weights = total.freeze(most=settings.most_boundaries)
    return FrozenLabeller(templates, weights, 2, beam=settings.decoding_beam)


def learned_tags(
    table: TokenTable, lines: Sequence[Line], tags: Sequence[Tag], settings: WordsSettings
) -> FrozenLabeller:
    """Train the tagger; sentences with a tag that it cannot have are left out."""
    templates = TemplateSet(settings.tags)
    numbers = {tag: number for number, tag in enumerate(tags)}
    fitting = np.array([place for place, line in enumerate(lines) if all(entry.tag in numbers for entry in line)])
    gold = np.array([numbers.get(entry.tag, 0) for line in lines for entry in line], dtype=np.uint8)
    learner = _passes(table, templates, gold, len(tags), settings.tag_passes, 1, settings.seed, fitting)
    return FrozenLabeller(templates, learner.freeze(most=settings.most_tags), len(tags))


def _passes(
    table: TokenTable,
    templates: TemplateSet,
    gold: NDArray[np.uint8],
    labels: int,
    passes: int,
    beam: int,
    seed: int,
    sentences: NDArray[Any] | None = None,
    fill: Fill | None = None,
) -> HashedLearner:
    """Learn in `passes` passes; after the first, `fill` updates the gold labels and adds the other sentences."""
    learner = HashedLearner()
    visited = np.arange(len(table)) if sentences is None else sentences
    for number in range(passes):
        if fill is not None and number == 1:
            visited = np.arange(len(table))
        if fill is not None and number:
            fill(learner)
        order = visited[np.random.default_rng([seed, number]).permutation(len(visited))]
        learn_batch(table, templates, gold, learner, labels, order, beam=beam)
    return learner


def codes_of(tags: Sequence[Tag], sentences: Iterable[JapaneseSentence]) -> tuple[tuple[int, int, int, int], ...]:
    """Return JUMAN's numbers of each tag, as the sentences have them."""
    found: dict[Tag, Counter[tuple[int, int, int, int]]] = defaultdict(Counter)
    for sentence in sentences:
        words = (word for bunsetsu in sentence.bunsetsu for phrase in bunsetsu.phrases for word in phrase.morphemes)
        for entry, word in zip(sentence_entries(sentence), words, strict=True):
            a, b, c, d = (*word.codes, 0, 0, 0, 0)[:4]
            found[entry.tag][a, b, c, d] += 1
    return tuple(found[tag].most_common(1)[0][0] for tag in tags)


def ending_of(surface: str, base: str) -> tuple[int, str]:
    """Return how to make a base form from a surface: characters to remove, and the ending to add.

    Examples
    --------
    >>> ending_of("読んだ", "読む")
    (2, 'む')
    """
    same = 0
    while same < min(len(surface), len(base)) and surface[same] == base[same]:
        same += 1
    return len(surface) - same, base[same:]


def endings_of(tags: Sequence[Tag], entries: Iterable[Entry]) -> tuple[tuple[int, str], ...]:
    """Return the most frequent ending of each tag; words that do not conjugate are their own base form."""
    found: dict[Tag, Counter[tuple[int, str]]] = defaultdict(Counter)
    for entry in entries:
        if entry.tag.conj_type:
            found[entry.tag][ending_of(entry.surface, entry.base)] += 1
    return tuple(found[tag].most_common(1)[0][0] if tag in found else NO_CHANGE for tag in tags)


def add_readings(model: WordsModel, known: KnownWords) -> None:
    """Add to the model the readings that do not follow from the surface."""
    for entry, word in enumerate(model.dictionary.words()):
        reading = known.readings[word]
        if reading != word.translate(KATAKANA) and "\n" not in reading:
            model.readings[entry] = reading


def add_bases(model: WordsModel, lines: Iterable[Line]) -> None:
    """Add to the model the base forms that the endings get wrong in the training data, the most frequent ones."""
    numbers = {tag: number for number, tag in enumerate(model.tags)}
    found: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for line in lines:
        for entry in line:
            if entry.tag in numbers:
                found[entry.surface, numbers[entry.tag]][entry.base] += 1
    for (surface, tag), bases in sorted(found.items()):
        away, more = model.endings[tag]
        base = max(sorted(bases), key=bases.__getitem__)
        if base != surface[: len(surface) - away] + more:
            model.bases[surface, tag] = base
