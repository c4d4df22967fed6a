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
LIST = 16  # trees from which probabilities are computed; they were calibrated for this number


@dataclass(frozen=True, slots=True)
class ParsedTree:
    """A sentence of the text with its tree.

    Attributes
    ----------
    spans : tuple of (int, int)
        The characters of each token.
    tree : FlatTree
    probabilities : tuple of float
        The probability of each constituent of the tree, if several trees were requested.
    best : tuple of (float, FlatTree)
        These trees, the best first, with the share of each among them.
    """

    spans: tuple[tuple[int, int], ...]
    tree: FlatTree
    probabilities: tuple[float, ...] = ()
    best: tuple[tuple[float, FlatTree], ...] = ()

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

    def _repr_svg_(self) -> str:
        """Draw the tree, for notebooks."""
        from kakari.parsers.pictures.brackets import draw_svg

        return draw_svg(self.tree)

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

    def parse(self, text: str, *, one_sentence: bool = False, beam: int = 0) -> list[ParsedTree]:
        """Parse a text; `one_sentence` keeps it in one piece. A text without words has no trees.

        With `beam`, each sentence has that many trees, and probabilities of its constituents.

        Examples
        --------
        >>> (found,) = EnglishParser.pretrained().parse("He saw her duck.", beam=3)
        >>> len(found.best), len(found.probabilities) == len(found.tree.nodes)
        (3, True)
        """
        return next(self.pipe([text], one_sentence=one_sentence, beam=beam))

    def pipe(self, texts: Iterable[str], *, one_sentence: bool = False, beam: int = 0) -> Iterator[list[ParsedTree]]:
        """Parse many texts, in order, some at a time; `beam` is the number of trees of each sentence.

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
            if beam:
                lists = iter(self.model.best(words, max(beam, LIST)))
                for found in cut:
                    yield [with_probabilities(tuple(spans), next(lists), beam) for spans in found]
                continue
            trees = iter(self.model.parse(words))
            for found in cut:
                yield [ParsedTree(tuple(spans), next(trees)) for spans in found]

    def parse_words(self, sentences: Sequence[Sequence[str]], tags: Any = None) -> list[FlatTree]:
        """Parse sentences that are cut into words, with their own tags or given ones."""
        return self.model.parse(sentences, tags)


def with_probabilities(
    spans: tuple[tuple[int, int], ...], found: Sequence[tuple[int, FlatTree]], beam: int
) -> ParsedTree:
    """Return a sentence with its best trees, and probabilities of constituents from all of them."""
    from kakari.parsers.english.confidence import TreeConfidence

    confidence = TreeConfidence()
    scores, trees = [score for score, _ in found], [tree for _, tree in found]
    shares = confidence.tree_shares(scores).tolist()
    sure = confidence.probabilities(confidence.constituent_shares(trees, shares)).tolist()
    return ParsedTree(spans, trees[0], tuple(sure), tuple(zip(shares, trees, strict=True))[:beam])


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
