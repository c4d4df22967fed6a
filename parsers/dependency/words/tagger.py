"""Coarse and fine tags, morphological features and lemmas from one tagger, trained on a treebank.

In sequence: the main tag along the sentence with a beam (parsers/english/constituency/tagging.hpp, which is
independent of the language), then the other tag and each morphological feature given the main tags around, then the
lemma given the main tag. The main tag is the fine one if there are at most 250 of them, else the coarse one;
then fine tags are not predicted ("_").
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.reporting import Report, silent
from kakari.parsers.dependency.words.attributes import MOST_VALUES, attribute_batch, learn_attributes
from kakari.parsers.dependency.words.lemmas import Lemmatiser, train_lemmatiser
from kakari.parsers.english.constituency.tagging import MOST_TAGS, learn_batch, tag_batch
from kakari.parsers.english.training import make_lexicon
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.words import EnglishWords, WordLexicon

Columns = tuple[str, str, str, str, str]  # form, lemma, coarse tag, fine tag, features
COARSE, FINE = 2, 3
WIDEST_BEAM = 256  # of a file
OTHER_TAG = ""  # the attribute name of the other tag, coarse or fine, which is not the main one


@dataclass(frozen=True)
class TaggerSettings:
    """Training settings of a tagger.

    Attributes
    ----------
    passes, beam : int
    learners : int
        Number of learners, each with its own order; their weights are added up.
    most, most_attributes : int
        Weights that are kept of tags and of features, the largest ones.
    cost : int
        The margin by which gold tags must win, for each wrong tag.
    least : int
        The lexicon holds words that occur at least this often.
    """

    passes: int = 5
    beam: int = 4
    learners: int = 2
    most: int = 600_000
    most_attributes: int = 250_000
    cost: int = 60
    least: int = 3
    seed: int = 1


@dataclass(frozen=True)
class WordTagger:
    """Model of tags, features and lemmas.

    Attributes
    ----------
    column : int
        Column of the main tag: 2 coarse, 3 fine.
    tags : tuple of str
        The main tags.
    attributes : tuple of (str, tuple of str)
        Names and values; "" is the value of an attribute that a word does not have.
    """

    column: int
    tags: tuple[str, ...]
    lexicon: WordLexicon
    weights: HashedWeights
    attributes: tuple[tuple[str, tuple[str, ...]], ...]
    attribute_weights: HashedWeights
    lemmatiser: Lemmatiser
    beam: int = 4

    def contents(self) -> Contents:
        """Return the saved form of the tagger."""
        parts = {
            "lexicon": self.lexicon.contents(),
            "weights": self.weights.contents(),
            "attributes": self.attribute_weights.contents(),
            "lemmas": self.lemmatiser.contents(),
        }
        settings = {
            "column": self.column,
            "tags": list(self.tags),
            "attribute_names": [name for name, _ in self.attributes],
            "attribute_values": [list(values) for _, values in self.attributes],
            "beam": self.beam,
        }
        return Contents.joined(parts, settings)

    @staticmethod
    def from_contents(contents: Contents) -> WordTagger:
        """Rebuild a tagger from its `contents()`."""
        tags = tuple(contents.texts("tags", distinct=True))
        if not 1 <= len(tags) <= MOST_TAGS:
            raise contents.refuse(f"there are {len(tags)} tags, not 1 to {MOST_TAGS}")
        names, lists = contents.texts("attribute_names", distinct=True), contents.lists("attribute_values")
        known = all(values and all(isinstance(value, str) for value in values) for values in lists)
        total = sum(len(values) for values in lists)
        if len(names) != len(lists) or not known or total > MOST_VALUES:
            raise contents.refuse("the values of the attributes are damaged")
        return WordTagger(
            contents.integer("column", COARSE, FINE),
            tags,
            WordLexicon.from_contents(contents.part("lexicon")),
            HashedWeights.from_contents(contents.part("weights"), len(tags)),
            tuple((name, tuple(values)) for name, values in zip(names, lists, strict=True)),
            HashedWeights.from_contents(contents.part("attributes"), total),
            Lemmatiser.from_contents(contents.part("lemmas")),
            contents.integer("beam", 1, WIDEST_BEAM),
        )

    def tag(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str] | None] | None = None
    ) -> list[list[Columns]]:
        """Return the columns of each word of each sentence.

        If main `tags` are given, the rest is predicted for them; a tag that the treebank does not have is replaced.
        """
        words = EnglishWords(sentences, self.lexicon)
        lines = [None] * len(sentences) if tags is None else tags
        given = [tag for line, own in zip(sentences, lines, strict=True) for tag in (own or [""] * len(line))]
        numbers = self._numbers(words, given)
        ends = np.cumsum([len(values) for _, values in self.attributes])
        found = attribute_batch(words, numbers, self.attribute_weights, ends.tolist())
        names = [value for _, values in self.attributes for value in values]
        forms = [form for line in sentences for form in line]
        known: dict[bytes, tuple[str, str]] = {}  # caches: rows of values and words repeat
        lemmas: dict[tuple[str, int], str] = {}
        columns: list[Columns] = []
        for form, number, row in zip(forms, numbers.tolist(), found, strict=True):
            key = row.tobytes()
            if key not in known:
                known[key] = self._described([names[place] for place in row.tolist()])
            other, features = known[key]
            main = self.tags[number]
            lemma = lemmas.get((form, number))
            if lemma is None:
                lemma = lemmas[form, number] = self.lemmatiser.lemma(form, main)
            columns.append(
                (form, lemma, other, main, features) if self.column == FINE else (form, lemma, main, other, features)
            )
        return [columns[begin:end] for begin, end in pairwise(words.starts.tolist())]

    def _numbers(self, words: EnglishWords, given: list[str]) -> NDArray[np.uint8]:
        """Return the numbers of main tags: the given ones if they are known, else predicted ones."""
        places = {tag: number for number, tag in enumerate(self.tags)}
        if len(given) != len(words):
            raise ValueError("each word has one tag")
        known = [places.get(tag, -1) for tag in given]
        if min(known, default=0) >= 0:
            return np.array(known, dtype=np.uint8)
        found = tag_batch(words, self.weights, len(self.tags), self.beam)
        return np.where(np.array(known) < 0, found, known).astype(np.uint8)

    def _described(self, values: Sequence[str]) -> tuple[str, str]:
        other, features = "_", []
        for (name, _), value in zip(self.attributes, values, strict=True):
            if name == OTHER_TAG:
                other = value
            elif value:
                features.append(value)
        return other, "|".join(features) or "_"


def features_of(text: str) -> dict[str, str]:
    """Split a column of features by their names; one without a value has its own name.

    Examples
    --------
    >>> features_of("Number=Sing|PLU-"), features_of("_")
    ({'Number': 'Number=Sing', 'PLU-': 'PLU-'}, {})
    """
    return {} if text == "_" else {item.partition("=")[0]: item for item in text.split("|")}


def attributes_of(words: Iterable[Columns], other: int | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List the attributes in the order that features have, first the tag of the other column."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    places: dict[str, list[int]] = defaultdict(list)
    for word in words:
        if other is not None:
            counts[OTHER_TAG][word[other]] += 1
        for place, (name, item) in enumerate(features_of(word[4]).items()):
            counts[name][item] += 1
            places[name].append(place)
    names = sorted((name for name in counts if name != OTHER_TAG), key=lambda name: (np.mean(places[name]), name))
    by_alphabet = sorted(names, key=str.lower)
    if all(_in_order(features_of(word[4]), by_alphabet) for word in words):
        names = by_alphabet
    room = MOST_VALUES - len(counts[OTHER_TAG])
    kept: list[tuple[str, tuple[str, ...]]] = []
    frequent = sorted(names, key=lambda name: -counts[name].total())
    chosen = set()
    for name in frequent:
        if len(counts[name]) + 1 <= room:
            room -= len(counts[name]) + 1
            chosen.add(name)
    if counts[OTHER_TAG]:
        kept.append((OTHER_TAG, tuple(sorted(counts[OTHER_TAG]))))
    return (*kept, *((name, ("", *sorted(counts[name]))) for name in names if name in chosen))


def _in_order(found: dict[str, str], names: Sequence[str]) -> bool:
    places = {name: place for place, name in enumerate(names)}
    own = [places[name] for name in found]
    return own == sorted(own)


def train_tagger(
    sentences: Sequence[Sequence[Columns]],
    settings: TaggerSettings | None = None,
    *,
    report: Report = silent,
) -> WordTagger:
    """Train a tagger on the columns of a treebank.

    Examples
    --------
    >>> sentence = [("Dogs", "dog", "NOUN", "NNS", "Number=Plur"), ("bark", "bark", "VERB", "VBP", "_")]
    >>> train_tagger([sentence] * 4).tag([["Dogs", "bark"]])[0]
    [('Dogs', 'dog', 'NOUN', 'NNS', 'Number=Plur'), ('bark', 'bark', 'VERB', 'VBP', '_')]
    """
    chosen = settings or TaggerSettings()
    words = [word for line in sentences for word in line]
    if not words:
        raise ValueError("there are no words to train on")
    fine, coarse = {word[FINE] for word in words}, {word[COARSE] for word in words}
    column = FINE if 1 < len(fine) <= MOST_TAGS else COARSE
    other = COARSE if column == FINE else None
    if column == COARSE and len(coarse) > MOST_TAGS:
        raise ValueError(f"there are {len(coarse)} coarse tags; at most {MOST_TAGS} can be learned")
    tags = tuple(sorted(fine if column == FINE else coarse))
    numbers = {tag: number for number, tag in enumerate(tags)}
    forms = [[word[0] for word in line] for line in sentences]
    lines = [tuple(word[column] for word in line) for line in sentences]
    trees = [FlatTree(tuple(own), tag_line, ()) for own, tag_line in zip(forms, lines, strict=True)]
    lexicon = make_lexicon(trees, chosen.least)
    batch = EnglishWords(forms, lexicon)
    gold = np.array([numbers[word[column]] for word in words], dtype=np.uint8)
    weights = _passes(
        lambda learner, order: learn_batch(batch, gold, learner, len(tags), order, chosen.beam, chosen.cost),
        "tags", len(sentences), chosen, chosen.most, report,
    )  # fmt: skip
    attributes = attributes_of(words, other)
    ends = np.cumsum([len(values) for _, values in attributes]).tolist()
    rows = _rows(words, attributes, other)
    attribute_weights = _passes(
        lambda learner, order: learn_attributes(batch, gold, rows, learner, ends, order),
        "features", len(sentences), chosen, chosen.most_attributes, report,
    )  # fmt: skip
    lemmatiser = train_lemmatiser((word[0], word[column], word[1]) for word in words)
    return WordTagger(column, tags, lexicon, weights, attributes, attribute_weights, lemmatiser, chosen.beam)


def added_up(one: Callable[[int], HashedLearner], learners: int) -> HashedLearner:
    """Add up the weights of several learners, each made by its number, in threads."""
    with ThreadPoolExecutor(max_workers=min(learners, os.cpu_count() or 1)) as pool:
        first, *others = pool.map(one, range(learners))
    for other in others:
        first.absorb(other)
    return first


def _passes(
    visit: Callable[[HashedLearner, NDArray[np.int64]], int],
    name: str,
    sentences: int,
    settings: TaggerSettings,
    most: int,
    report: Report,
) -> HashedWeights:
    def one(place: int) -> HashedLearner:
        learner = HashedLearner()
        for number in range(settings.passes):
            wrong = visit(learner, np.random.default_rng([settings.seed + place, number]).permutation(sentences))
            report(f"{name}: pass {number + 1} of {settings.passes} done, {wrong} changes")
        return learner

    return added_up(one, settings.learners).freeze(most=most)


def _rows(words: Sequence[Columns], attributes: Any, other: int | None) -> NDArray[np.uint8]:
    """Return the number of the value of each attribute, a row a word."""
    places: dict[str, dict[str, int]] = {}
    begin = 0
    for name, values in attributes:
        places[name] = {value: begin + place for place, value in enumerate(values)}
        begin += len(values)
    rows = np.zeros((len(words), len(attributes)), dtype=np.uint8)
    for at, word in enumerate(words):
        found = features_of(word[4])
        if other is not None:
            found[OTHER_TAG] = word[other]
        for k, (name, _) in enumerate(attributes):
            rows[at, k] = places[name][found.get(name, "")]
    return rows
