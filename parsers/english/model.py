"""The English model, in one file: the tagger and, in most models, the constituency parser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.weights import HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.parsers.english.constituency.shift_reduce import (
    MOST_NAMES,
    TreeGrammar,
    best_batch,
    parse_batch,
    parse_taggings,
)
from kakari.parsers.english.constituency.tagging import tag_batch, tag_lists
from kakari.parsers.english.words.flat_trees import FlatTree, Node
from kakari.parsers.english.words.words import EnglishWords, WordLexicon

# Goes up when templates or hashes change: a model of other ones would be misread.
TEMPLATES = 2
WIDEST_BEAM = 256  # of a file
# A beam of this width comes first, and its tree is taken where nothing that it dropped came nearer to the tree than
# this lead, in units of the weights (chosen on gum:dev: docs/english.md).
NARROW, LEAD = 4, 50
# Taggings in the tagger's beam that are behind the best one by no more than `DOUBT` compete with it: the tree's score
# and `TAG_WEIGHT` times that of the tagging are added up (chosen on gum:dev: docs/english.md).
DOUBT, TAG_WEIGHT = 60, 8
# Pictographs with their joiners, variation selectors and skin colours.
EMOJI = re.compile("[\u2600-\u27bf\u2b50-\u2b55\U0001f000-\U0001faff][\u200d\ufe0f\u2600-\u27bf\U0001f000-\U0001faff]*")
SYMBOL = "NFP"  # what the treebanks call emoticons
Sentences = Sequence[Sequence[str]]


class MissingParserError(ValueError):
    """Trees were requested from a model without a parser."""


@dataclass
class TreeParser:
    """The constituency parser's part of a model.

    Attributes
    ----------
    grammar : TreeGrammar
    weights : HashedWeights
    beam : int
        How wide the beam is where the narrow one is not sure.
    narrow, lead : int
        The width of the beam that comes first, 0 for none, and how far its tree must be ahead of what it dropped. They
        are no part of a file.
    doubt, tag_weight : int
        Which taggings compete, and what a unit of their scores counts beside one of the tree's. They are no part of a
        file.
    """

    grammar: TreeGrammar
    weights: HashedWeights
    beam: int = 8
    narrow: int = NARROW
    lead: int = LEAD
    doubt: int = DOUBT
    tag_weight: int = TAG_WEIGHT

    def symbols(self, tags: Iterable[Sequence[str]]) -> NDArray[np.uint8]:
        """Return the numbers of all tags of several lines in the grammar, 0 for one that was never seen."""
        numbers = {tag: place + 1 for place, tag in enumerate(self.grammar.tags)}
        return np.array([numbers.get(tag, 0) for line in tags for tag in line], dtype=np.uint8)

    def contents(self) -> Contents:
        """Return the saved form of the parser."""
        parts = {"grammar": self.grammar.contents(), "weights": self.weights.contents()}
        return Contents.joined(parts, {"beam": self.beam})

    @staticmethod
    def from_contents(contents: Contents) -> TreeParser:
        """Rebuild a parser from its `contents()`."""
        grammar = TreeGrammar.from_contents(contents.part("grammar"))
        return TreeParser(
            grammar,
            HashedWeights.from_contents(contents.part("weights"), len(grammar.actions)),
            contents.integer("beam", 1, WIDEST_BEAM),
        )


@dataclass(frozen=True)
class Taggings:
    """What the tagger's beam is left with, sentence by sentence, the best tagging first.

    Attributes
    ----------
    words : EnglishWords
    names : tuple of str
        The tags.
    numbers : array of uint8
        The number of each word's tag, a tagging after the other.
    scores : array of int64
        Of each tagging.
    lists : array of int64
        Where the taggings of each sentence begin and, last, where all end.
    """

    words: EnglishWords
    names: tuple[str, ...]
    numbers: NDArray[np.uint8]
    scores: NDArray[np.int64]
    lists: NDArray[np.int64]

    @staticmethod
    def of(
        words: EnglishWords,
        sentences: Sentences,
        names: tuple[str, ...],
        found: tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]],
    ) -> Taggings:
        """Hold what `tag_lists` found; emoji, which no training data has, get the tag of symbols."""
        made = Taggings(words, names, *found)
        if SYMBOL in names:
            made._mark_emoji(sentences)
        return made

    def _mark_emoji(self, sentences: Sentences) -> None:
        symbol = self.names.index(SYMBOL)
        starts = self.firsts()[self.lists].tolist()
        for sentence, (begin, end) in zip(sentences, pairwise(starts), strict=True):
            if all(map(str.isascii, sentence)):
                continue
            places = [place for place, word in enumerate(sentence) if EMOJI.fullmatch(word)]
            self.numbers[begin:end].reshape(-1, len(sentence))[:, places] = symbol

    def firsts(self) -> NDArray[np.int64]:
        """Return where the words of each tagging begin and, last, where all end."""
        sizes = np.repeat(np.diff(self.words.starts), np.diff(self.lists))
        return np.concatenate([[0], np.cumsum(sizes)])

    def chosen(self, places: NDArray[np.int64]) -> list[tuple[str, ...]]:
        """Return the tags of one tagging of each sentence, which is counted in the sentence's list."""
        starts = self.words.starts
        shifts = self.firsts()[self.lists[:-1] + places] - starts[:-1]
        rows = np.arange(len(self.words)) + np.repeat(shifts, np.diff(starts))
        return divided(self.numbers[rows], starts, self.names)

    def best(self) -> list[tuple[str, ...]]:
        """Return the tags of the best tagging of each sentence: those that the tagger alone finds."""
        return self.chosen(np.zeros(len(self.lists) - 1, dtype=np.int64))

    def take(self, rows: Sequence[int], words: EnglishWords) -> Taggings:
        """Return the taggings of some sentences, whose words are given."""
        firsts = self.firsts()
        bounds = [(self.lists[row], self.lists[row + 1]) for row in rows]
        empty = np.zeros(0, dtype=np.int64)
        return Taggings(
            words,
            self.names,
            np.concatenate([self.numbers[:0], *(self.numbers[firsts[begin] : firsts[end]] for begin, end in bounds)]),
            np.concatenate([empty, *(self.scores[begin:end] for begin, end in bounds)]),
            np.concatenate([[0], np.cumsum([end - begin for begin, end in bounds], dtype=np.int64)]).astype(np.int64),
        )


@dataclass
class EnglishModel(StoredModel):
    """The tagger and the parser, with what they know.

    Attributes
    ----------
    tags : tuple of str
    lexicon : WordLexicon
    tagger : HashedWeights
    tagger_beam : int
    parser : TreeParser, optional
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    """

    task: ClassVar[str] = "en-constituency"
    tags: tuple[str, ...]
    lexicon: WordLexicon
    tagger: HashedWeights
    tagger_beam: int = 4
    parser: TreeParser | None = None
    details: dict[str, Any] = field(default_factory=dict)

    def tag(self, sentences: Sentences) -> list[tuple[str, ...]]:
        """Return the tags of the words of each sentence.

        Examples
        --------
        >>> pretrained_model().tag([["The", "dog", "barked", "."]])
        [('DT', 'NN', 'VBD', '.')]
        """
        words = EnglishWords(sentences, self.lexicon)
        found = divided(tag_batch(words, self.tagger, len(self.tags), self.tagger_beam), words.starts, self.tags)
        if SYMBOL not in self.tags:
            return found
        return [with_emoji(sentence, tags) for sentence, tags in zip(sentences, found, strict=True)]

    def taggings(self, sentences: Sentences) -> Taggings:
        """Return the taggings of each sentence that compete when tags are decided together with the tree."""
        words = EnglishWords(sentences, self.lexicon)
        doubt = self._own_parser().doubt
        found = tag_lists(words, self.tagger, len(self.tags), self.tagger_beam, doubt)
        return Taggings.of(words, sentences, self.tags, found)

    def parse(
        self,
        sentences: Sentences,
        tags: Iterable[Sequence[str] | None] | None = None,
        taggings: Taggings | None = None,
    ) -> list[FlatTree]:
        """Return the tree of each sentence, with the given tags.

        Without tags, or for a sentence whose tags are None, tags are decided together with the tree: they can be
        others than those of `tag`. `taggings` are those of these sentences, if they were asked for before.

        Examples
        --------
        >>> pretrained_model().parse([["Dogs", "bark", "."]])[0].nodes
        (('S', 0, 3), ('NP', 0, 1), ('VP', 1, 2))
        """
        given = [None] * len(sentences) if tags is None else list(tags)
        free = [number for number, line in enumerate(given) if line is None]
        if len(free) == len(given):
            return self._decided(sentences, taggings or self.taggings(sentences)) if free else []
        own = [sentences[number] for number in free]
        if taggings is not None:
            taggings = taggings.take(free, EnglishWords(own, self.lexicon))
        decided = iter(self._decided(own, taggings or self.taggings(own)) if free else ())
        tagged = [(sentence, line) for sentence, line in zip(sentences, given, strict=True) if line is not None]
        fixed = iter(self._parsed([sentence for sentence, _ in tagged], [tuple(line) for _, line in tagged]))
        return [next(decided if line is None else fixed) for line in given]

    def _parsed(self, sentences: Sentences, tags: Sequence[tuple[str, ...]]) -> list[FlatTree]:
        """Return the tree of each sentence with the given tags."""
        parser = self._own_parser()
        nodes, starts = parse_batch(
            EnglishWords(sentences, self.lexicon),
            parser.symbols(tags),
            parser.weights,
            parser.grammar,
            parser.beam,
            parser.narrow,
            parser.lead,
        )
        return _trees(sentences, tags, _named(parser.grammar.symbols, nodes, starts))

    def _decided(self, sentences: Sentences, taggings: Taggings) -> list[FlatTree]:
        """Return the tree of each sentence with the tags that fit it best."""
        parser = self._own_parser()
        nodes, starts, chosen = parse_taggings(
            taggings.words,
            parser.symbols([self.tags])[taggings.numbers],
            taggings.scores * parser.tag_weight,
            taggings.lists,
            parser.weights,
            parser.grammar,
            parser.beam,
            parser.narrow,
            parser.lead,
        )
        return _trees(sentences, taggings.chosen(chosen), _named(parser.grammar.symbols, nodes, starts))

    def best(
        self, sentences: Sentences, count: int, tags: Iterable[Sequence[str]] | None = None
    ) -> list[list[tuple[int, FlatTree]]]:
        """Return up to `count` trees of each sentence with their scores, the best first.

        All have the same tags, those of `parse` if none are given. The beam is as wide as `count` at least, and as
        wide as the model's; no narrow one comes first, so that the first tree can be another one than that of `parse`.
        The empty sentence has no trees.

        Examples
        --------
        >>> found, = pretrained_model().best([["Dogs", "bark", "."]], 2)
        >>> found[0][1].nodes, found[0][0] > found[1][0]
        ((('S', 0, 3), ('NP', 0, 1), ('VP', 1, 2)), True)
        """
        parser = self._own_parser()
        chosen = [tree.tags for tree in self.parse(sentences)] if tags is None else [tuple(line) for line in tags]
        words = EnglishWords(sentences, self.lexicon)
        width = max(count, parser.beam)
        nodes, starts, scores, firsts = best_batch(words, parser.symbols(chosen), parser.weights, parser.grammar, width)
        values, ends, packed = scores.tolist(), firsts.tolist(), nodes.tobytes()
        bounds = (starts * nodes.itemsize * nodes.shape[1]).tolist()
        kept: list[list[int]] = []
        for begin, end in pairwise(ends):
            # Two derivations of one tree are one tree, with the better score.
            places: dict[bytes, int] = {}
            for place in range(begin, end):
                places.setdefault(packed[bounds[place] : bounds[place + 1]], place)
            kept.append(list(places.values())[:count])
        named = _named(parser.grammar.symbols, nodes, starts)
        return [
            [(values[place], FlatTree(forms, line, named[place])) for place in own]
            for forms, line, own in zip(map(tuple, sentences), chosen, kept, strict=True)
        ]

    def _own_parser(self) -> TreeParser:
        if self.parser is None:
            raise MissingParserError("this model has a tagger only, no constituency parser")
        return self.parser

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        parts = {"lexicon": self.lexicon.contents(), "tagger": self.tagger.contents()}
        settings = {"tags": list(self.tags), "tagger_beam": self.tagger_beam, "details": self.details}
        if self.parser is not None:
            parts["parser"] = self.parser.contents()
        return Contents.joined(parts, settings)

    @classmethod
    def from_contents(cls, contents: Contents) -> EnglishModel:
        """Rebuild a model from its `contents()`."""
        tags = contents.texts("tags", distinct=True)
        if not 1 <= len(tags) <= MOST_NAMES:
            raise contents.refuse(f"there are {len(tags)} tags, not 1 to {MOST_NAMES}")
        parser = TreeParser.from_contents(contents.part("parser")) if contents.has_part("parser") else None
        return EnglishModel(
            tuple(tags),
            WordLexicon.from_contents(contents.part("lexicon")),
            HashedWeights.from_contents(contents.part("tagger"), len(tags)),
            contents.integer("tagger_beam", 1, WIDEST_BEAM),
            parser,
            contents.table("details"),
        )

    @classmethod
    def schema(cls) -> str:
        """Return what names templates and hashes: a model of other ones would be misread."""
        return f"templates {TEMPLATES}"


@dataclass(frozen=True)
class TreeTagger:
    """Tags as a model decides them together with constituency trees, for whoever needs the tags alone.

    Examples
    --------
    >>> TreeTagger(pretrained_model()).tag([["To", "err", "is", "human", "."]])
    [('TO', 'VB', 'VBZ', 'JJ', '.')]
    """

    model: EnglishModel

    def tag(self, sentences: Sentences) -> list[tuple[str, ...]]:
        """Return the tags of the words of each sentence."""
        return [tree.tags for tree in self.model.parse(sentences)]


@cache
def pretrained_model() -> EnglishModel:
    """Return the embedded model."""
    return EnglishModel.load(str(resources.files("kakari.models") / "pretrained" / "en.safetensors"))


def with_emoji(words: Sequence[str], tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tags of a sentence with those of emoji, which no training data has, set to the symbols'.

    Examples
    --------
    >>> with_emoji(["Nice", "\U0001f600"], ("JJ", "."))
    ('JJ', 'NFP')
    """
    if all(map(str.isascii, words)):
        return tags
    return tuple(SYMBOL if EMOJI.fullmatch(word) else tag for word, tag in zip(words, tags, strict=True))


def divided(numbers: NDArray[np.uint8], starts: NDArray[np.int64], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the names of some numbers, sentence by sentence.

    Examples
    --------
    >>> divided(np.array([1, 0, 1], dtype=np.uint8), np.array([0, 2, 3]), ["NN", "VB"])
    [('VB', 'NN'), ('VB',)]
    """
    found, ends = [names[number] for number in numbers.tolist()], starts.tolist()
    return [tuple(found[begin:end]) for begin, end in pairwise(ends)]


def _trees(sentences: Sentences, tags: Sequence[tuple[str, ...]], nodes: Sequence[tuple[Node, ...]]) -> list[FlatTree]:
    return [FlatTree(tuple(own), line, found) for own, line, found in zip(sentences, tags, nodes, strict=True)]


def _named(names: Sequence[str], nodes: NDArray[np.int32], starts: NDArray[np.int64]) -> list[tuple[Node, ...]]:
    """Return the constituents of each tree with their labels."""
    named = [(names[label], begin, end) for label, begin, end in nodes.tolist()]
    return [tuple(named[first:last]) for first, last in pairwise(starts.tolist())]
