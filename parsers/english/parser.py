"""English text to trees: the pipeline that the command line, spaCy and users share.

Text is tokenised by spaCy's rules with the bridge of `words/tokens`, cut into sentences, tagged and parsed, many
sentences at a time. A parser is safe to use from many threads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from kakari.parsers.english.model import EnglishModel, pretrained_model
from kakari.parsers.english.words.flat_trees import FlatTree, bracketed, to_tree
from kakari.parsers.english.words.tokenizer import english_tokenizer
from kakari.parsers.english.words.tokens import handy_sentences, piece_spans, token_groups
from kakari.parsers.limits import SURROGATES

if TYPE_CHECKING:
    from nltk.tree import Tree

BATCH_TEXTS = 200


@dataclass(frozen=True, slots=True)
class ParsedTree:
    """A sentence of the text with its tree.

    Attributes
    ----------
    spans : tuple of (int, int)
        The characters of each token.
    tree : FlatTree
    """

    spans: tuple[tuple[int, int], ...]
    tree: FlatTree

    @property
    def begin(self) -> int:
        """The first character."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """The character behind the last one."""
        return self.spans[-1][1]

    @property
    def brackets(self) -> str:
        """The tree on one line."""
        return bracketed(self.tree)

    def to_nltk(self) -> Tree:
        """Return the tree as an `nltk.Tree`."""
        return to_tree(self.tree)


class EnglishParser:
    """Finds constituency trees with one model.

    Examples
    --------
    >>> parser = EnglishParser.pretrained()
    >>> (found,) = parser.parse("The dog barked.")
    >>> found.brackets
    '(TOP (S (NP (DT The) (NN dog)) (VP (VBD barked)) (. .)))'
    """

    def __init__(self, model: EnglishModel) -> None:
        self.model = model

    @staticmethod
    def pretrained() -> EnglishParser:
        """Make a parser of the embedded model."""
        return EnglishParser(pretrained_model())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> EnglishParser:
        """Make a parser of a model file."""
        return EnglishParser(EnglishModel.load(path))

    def parse(self, text: str, *, one_sentence: bool = False) -> list[ParsedTree]:
        """Parse a text; `one_sentence` keeps it in one piece. A text without words has no trees."""
        return next(self.pipe([text], one_sentence=one_sentence))

    def pipe(self, texts: Iterable[str], *, one_sentence: bool = False) -> Iterator[list[ParsedTree]]:
        """Parse many texts, in order, some at a time.

        Examples
        --------
        >>> parser = EnglishParser.pretrained()
        >>> [len(found) for found in parser.pipe(["Stop. He left.", "", "Yes"])]
        [2, 0, 1]
        """
        waiting = iter(texts)
        while batch := list(islice(waiting, BATCH_TEXTS)):
            cut = [tokens_of(text, one_sentence=one_sentence) for text in batch]
            words = [
                tuple(text[begin:end] for begin, end in spans)
                for text, found in zip(batch, cut, strict=True)
                for spans in found
            ]
            trees = iter(self.model.parse(words))
            for found in cut:
                yield [ParsedTree(tuple(spans), next(trees)) for spans in found]

    def parse_words(self, sentences: Sequence[Sequence[str]], tags: Any = None) -> list[FlatTree]:
        """Parse sentences that are cut into words, with their own tags or given ones."""
        return self.model.parse(sentences, tags)


def tokens_of(text: str, *, one_sentence: bool = False) -> list[list[tuple[int, int]]]:
    """Return the tokens of each sentence as spans of characters.

    Examples
    --------
    >>> tokens_of("Stop! Don't.")
    [[(0, 4), (4, 5)], [(6, 8), (8, 11), (11, 12)]]
    """
    tokens = english_tokenizer()(SURROGATES.sub("\ufffd", text))  # which a spaCy document cannot hold either
    groups = token_groups(tokens)
    return [
        [span for group in groups[begin:end] for span in piece_spans(tokens, group)]
        for begin, end in handy_sentences(tokens, groups, whole=one_sentence)
    ]
