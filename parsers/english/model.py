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
from kakari.parsers.english.constituency.shift_reduce import MOST_NAMES, TreeGrammar, best_batch, parse_batch
from kakari.parsers.english.constituency.tagging import tag_batch
from kakari.parsers.english.words.flat_trees import FlatTree, Node
from kakari.parsers.english.words.words import EnglishWords, WordLexicon

# Goes up when templates or hashes change: a model of other ones would be misread.
TEMPLATES = 2
WIDEST_BEAM = 256  # of a file
# A beam of this width comes first, and its tree is taken where nothing that it dropped came nearer to the tree than
# this lead, in units of the weights (chosen on gum:dev: docs/english.md).
NARROW, LEAD = 4, 50
Sentences = Sequence[Sequence[str]]


# Pictographs with their joiners, variation selectors and skin colours.
EMOJI = re.compile("[\u2600-\u27bf\u2b50-\u2b55\U0001f000-\U0001faff][\u200d\ufe0f\u2600-\u27bf\U0001f000-\U0001faff]*")
SYMBOL = "NFP"  # what the treebanks call emoticons


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
    """

    grammar: TreeGrammar
    weights: HashedWeights
    beam: int = 8
    narrow: int = NARROW
    lead: int = LEAD

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
        found = _divided(tag_batch(words, self.tagger, len(self.tags), self.tagger_beam), words.starts, self.tags)
        if SYMBOL not in self.tags:
            return found
        return [with_emoji(sentence, tags) for sentence, tags in zip(sentences, found, strict=True)]

    def parse(self, sentences: Sentences, tags: Iterable[Sequence[str]] | None = None) -> list[FlatTree]:
        """Return the tree of each sentence, with the given tags or else its own.

        Examples
        --------
        >>> pretrained_model().parse([["Dogs", "bark", "."]])[0].nodes
        (('S', 0, 3), ('NP', 0, 1), ('VP', 1, 2))
        """
        parser, chosen, symbols = self._prepared(sentences, tags)
        words = EnglishWords(sentences, self.lexicon)
        nodes, starts = parse_batch(
            words, symbols, parser.weights, parser.grammar, parser.beam, parser.narrow, parser.lead
        )
        return [
            FlatTree(tuple(sentence), line, own)
            for sentence, line, own in zip(
                sentences, chosen, _named(parser.grammar.symbols, nodes, starts), strict=True
            )
        ]

    def best(
        self, sentences: Sentences, count: int, tags: Iterable[Sequence[str]] | None = None
    ) -> list[list[tuple[int, FlatTree]]]:
        """Return up to `count` trees of each sentence with their scores, the best first.

        The beam is as wide as `count` at least, and as wide as the model's; no narrow one comes first, so that the
        first tree can be another one than that of `parse`. The empty sentence has no trees.

        Examples
        --------
        >>> found, = pretrained_model().best([["Dogs", "bark", "."]], 2)
        >>> found[0][1].nodes, found[0][0] > found[1][0]
        ((('S', 0, 3), ('NP', 0, 1), ('VP', 1, 2)), True)
        """
        parser, chosen, symbols = self._prepared(sentences, tags)
        words = EnglishWords(sentences, self.lexicon)
        width = max(count, parser.beam)
        nodes, starts, scores, firsts = best_batch(words, symbols, parser.weights, parser.grammar, width)
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

    def _prepared(
        self, sentences: Sentences, tags: Iterable[Sequence[str]] | None
    ) -> tuple[TreeParser, list[tuple[str, ...]], NDArray[np.uint8]]:
        """Return the parser, the tags of each sentence and the symbols of all of them."""
        if self.parser is None:
            raise MissingParserError("this model has a tagger only, no constituency parser")
        chosen = self.tag(sentences) if tags is None else [tuple(line) for line in tags]
        numbers = {tag: place + 1 for place, tag in enumerate(self.parser.grammar.tags)}  # 0: was never seen
        symbols = np.array([numbers.get(tag, 0) for line in chosen for tag in line], dtype=np.uint8)
        return self.parser, chosen, symbols

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


def _divided(numbers: NDArray[np.uint8], starts: NDArray[np.int64], names: Sequence[str]) -> list[tuple[str, ...]]:
    found, ends = [names[number] for number in numbers.tolist()], starts.tolist()
    return [tuple(found[begin:end]) for begin, end in pairwise(ends)]


def _named(names: Sequence[str], nodes: NDArray[np.int32], starts: NDArray[np.int64]) -> list[tuple[Node, ...]]:
    """Return the constituents of each tree with their labels."""
    named = [(names[label], begin, end) for label, begin, end in nodes.tolist()]
    return [tuple(named[first:last]) for first, last in pairwise(starts.tolist())]
