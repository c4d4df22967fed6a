"""Text to Universal Dependencies: the pipeline that the command line and users share.

Text is cut into words and sentences by the tokenizer of the model's language (for English with the bridge to the
treebank's words), tagged and parsed, many sentences at a time. A parser is safe to use from many threads.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from kakari.corpora.formats.conllu import ConlluSentence, ConlluToken
from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.treebank import TreeSentence
from kakari.parsers.english.parser import tokens_of
from kakari.parsers.english.words.tokens import sentence_groups

BATCH_TEXTS = 200
LONGEST_SENTENCE = 500  # words; what is longer is cut, so that time and memory stay small
SURROGATES = re.compile("[\ud800-\udfff]")
Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence of a text: the characters of each word, its tree, and the text from the first word to the last."""

    spans: tuple[tuple[int, int], ...]
    tree: TreeSentence
    text: str

    def to_conllu(self, sent_id: str | None = None) -> ConlluSentence:
        """Return the sentence as CoNLL-U, with `text`, `SpaceAfter=No` and, if it is given, `sent_id`."""
        tokens = []
        for place, (columns, head, relation) in enumerate(
            zip(self.tree.words, self.tree.heads, self.tree.relations, strict=True)
        ):
            form, lemma, upos, xpos, feats = columns
            glued = place + 1 < len(self.spans) and self.spans[place][1] == self.spans[place + 1][0]
            misc = (("SpaceAfter", "No"),) if glued else ()
            own = "root" if head == 0 else relation
            tokens.append(ConlluToken(str(place + 1), form, lemma, upos, xpos, feats, str(head), own, "_", misc))
        name = () if sent_id is None else (f"# sent_id = {sent_id}",)
        return ConlluSentence(tuple(tokens), (*name, f"# text = {' '.join(self.text.split())}"))


class DependencyParser:
    """Finds tags, lemmas and dependency trees in text with one model."""

    def __init__(self, model: DependencyModel) -> None:
        self.model = model

    @staticmethod
    def load(path: str | os.PathLike[str]) -> DependencyParser:
        """Make a parser of a model file."""
        return DependencyParser(DependencyModel.load(path))

    def parse(self, text: str, *, one_sentence: bool = False) -> list[ParsedSentence]:
        """Parse a text; `one_sentence` keeps it in one piece. A text without words has no sentences."""
        return next(self.pipe([text], one_sentence=one_sentence))

    def pipe(self, texts: Iterable[str], *, one_sentence: bool = False) -> Iterator[list[ParsedSentence]]:
        """Parse many texts, in order, some at a time."""
        waiting = iter(texts)
        while batch := list(islice(waiting, BATCH_TEXTS)):
            cut = [sentence_spans(text, self.model.language, one_sentence=one_sentence) for text in batch]
            words = [
                [text[begin:end] for begin, end in spans]
                for text, found in zip(batch, cut, strict=True)
                for spans in found
            ]
            trees = iter(self.model.parse(words))
            for text, found in zip(batch, cut, strict=True):
                yield [ParsedSentence(tuple(own), next(trees), text[own[0][0] : own[-1][1]]) for own in found]


@cache
def _blank_tokenizer(language: str) -> Any:
    import spacy

    return spacy.blank(language).tokenizer


def sentence_spans(text: str, language: str, *, one_sentence: bool = False) -> list[Spans]:
    """Return the words of each sentence as spans of characters.

    Examples
    --------
    >>> sentence_spans("Stop! Don't.", "en")
    [[(0, 4), (4, 5)], [(6, 8), (8, 11), (11, 12)]]
    """
    if language == "en":
        found = tokens_of(text, one_sentence=one_sentence)
    else:
        doc = _blank_tokenizer(language)(SURROGATES.sub("\ufffd", text))
        groups = [(token.i, token.i + 1) for token in doc if not token.is_space]
        sentences = [(0, len(groups))] if one_sentence and groups else list(sentence_groups(doc, groups))
        spans = [(doc[begin].idx, doc[begin].idx + len(doc[begin])) for begin, _ in groups]
        found = [spans[begin:end] for begin, end in sentences]
    return [own[at : at + LONGEST_SENTENCE] for own in found for at in range(0, len(own), LONGEST_SENTENCE)]


def paragraphs(sentences: Sequence[TreeSentence]) -> Iterator[str]:
    """Yield the text of each paragraph of a treebank, its sentences with blanks between."""
    pieces: list[str] = []
    for sentence in sentences:
        if sentence.begins_paragraph and pieces:
            yield " ".join(pieces)
            pieces = []
        pieces.append(sentence.text)
    if pieces:
        yield " ".join(pieces)


def evaluated(model: DependencyModel, sentences: Sequence[TreeSentence], given: str) -> list[TreeSentence]:
    """Predict the sentences of a treebank from their text, their words, or their words with tags."""
    if given == "tags":
        return model.parse_tagged([sentence.words for sentence in sentences])
    if given == "tokens":
        found = model.parse([sentence.forms for sentence in sentences])
        return [
            TreeSentence(own.words, own.heads, own.relations, gold.ranges)
            for own, gold in zip(found, sentences, strict=True)
        ]
    texts = DependencyParser(model).pipe(paragraphs(sentences))
    return [parsed.tree for text in texts for parsed in text]
