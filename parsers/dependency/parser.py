"""Text to Universal Dependencies: the pipeline that the command line and users share.

Text is cut into words and sentences by the tokenizer of the model's language (for English with the bridge to the
treebank's words), tagged and parsed, many sentences at a time. A parser is safe to use from many threads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise
from typing import Any, Protocol

from kakari.corpora.formats.conllu import ConlluSentence, ConlluToken
from kakari.parsers.dependency.model import DependencyModel, pretrained_model
from kakari.parsers.dependency.treebank import TreeSentence
from kakari.parsers.english.parser import tokens_of
from kakari.parsers.english.words.tokenizer import Tokens
from kakari.parsers.english.words.tokens import sentence_groups
from kakari.parsers.limits import SURROGATES, run_cuts, tell

BATCH_TEXTS = 200
LONGEST_SENTENCE = 500  # words; longer sentences are cut, so that time and memory stay small
Spans = list[tuple[int, int]]


class MainTagger(Protocol):
    """The tagger of main tags."""

    def tag(self, sentences: Sequence[Sequence[str]], /) -> Sequence[Sequence[str]]:
        """Return the tags of the words of each sentence."""


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence of a text.

    Attributes
    ----------
    spans : tuple of (int, int)
        The characters of each word.
    tree : TreeSentence
    text : str
        From the first word to the last.
    probabilities : tuple of float, optional
        Probabilities of the arcs, if they were requested.
    best : tuple of (float, TreeSentence)
        The best trees with their scores, `tree` first, if more than one was requested.
    """

    spans: tuple[tuple[int, int], ...]
    tree: TreeSentence
    text: str
    probabilities: tuple[float, ...] | None = None
    best: tuple[tuple[float, TreeSentence], ...] = ()

    def _repr_svg_(self) -> str:
        """Draw the tree with its arcs, for notebooks."""
        from kakari.parsers.pictures.arcs import Drawing, draw_svg

        tags = [columns[2] for columns in self.tree.words]
        words, heads = [columns[0] for columns in self.tree.words], [head - 1 for head in self.tree.heads]
        drawing = Drawing(words, heads, self.tree.relations, self.probabilities or (), tags, universal=True)
        return draw_svg([drawing], language="und")

    def to_conllu(self, sent_id: str | None = None) -> ConlluSentence:
        """Return the sentence as CoNLL-U, with `text`, `SpaceAfter=No` and, if it is given, `sent_id`."""
        tokens: list[ConlluToken] = []
        written = {begin: (end, form) for begin, end, form in self.tree.ranges}
        covered = {place for begin, end, _ in self.tree.ranges for place in range(begin, end)}
        glue = [left[1] == right[0] for left, right in pairwise(self.spans)] + [False]
        for place, (columns, head, relation) in enumerate(
            zip(self.tree.words, self.tree.heads, self.tree.relations, strict=True)
        ):
            if place in written:
                end, whole = written[place]
                behind = (("SpaceAfter", "No"),) if glue[end - 1] else ()
                tokens.append(ConlluToken(f"{place + 1}-{end}", whole, misc=behind))
            form, lemma, upos, xpos, feats = columns
            misc = [("SpaceAfter", "No")] if glue[place] and place not in covered else []
            if self.probabilities is not None:
                misc.insert(0, ("ArcProbability", f"{self.probabilities[place]:.4f}"))
            own = "root" if head == 0 else relation
            tokens.append(ConlluToken(str(place + 1), form, lemma, upos, xpos, feats, str(head), own, "_", tuple(misc)))
        name = () if sent_id is None else (f"# sent_id = {sent_id}",)
        return ConlluSentence(tuple(tokens), (*name, f"# text = {' '.join(self.text.split())}"))


def tagger_of(model: DependencyModel) -> MainTagger | None:
    """Return the tagger of a model: for the embedded one, corrected or not, that of the constituency parser."""
    if model.details != pretrained_model().details:
        return None
    from kakari.parsers.english.model import pretrained_model as english_model

    return english_model()


class DependencyParser:
    """Finds tags, lemmas and dependency trees in text with one model.

    Parameters
    ----------
    model : DependencyModel
    tagger : object with `tag(sentences)`, optional
        Its main tags are used instead of the model's own.
    """

    def __init__(self, model: DependencyModel, tagger: MainTagger | None = None) -> None:
        self.model = model
        self.tagger = tagger

    @staticmethod
    def pretrained() -> DependencyParser:
        """Make a parser with the embedded English model; tags are those of the embedded constituency parser.

        Examples
        --------
        >>> (found,) = DependencyParser.pretrained().parse("The dog barked.")
        >>> found.tree.heads, found.tree.relations
        ((2, 3, 0, 3), ('det', 'nsubj', 'root', 'punct'))
        """
        from kakari.parsers.english.model import pretrained_model as english_model

        return DependencyParser(pretrained_model(), english_model())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> DependencyParser:
        """Make a parser with a model file; a corrected embedded model keeps the tagger of the embedded one."""
        model = DependencyModel.load(path)
        return DependencyParser(model, tagger_of(model))

    def parse(self, text: str, *, one_sentence: bool = False, beam: int = 0) -> list[ParsedSentence]:
        """Parse a text; `one_sentence` keeps it in one piece. A text without words has no sentences."""
        return next(self.pipe([text], one_sentence=one_sentence, beam=beam))

    def pipe(
        self, texts: Iterable[str], *, one_sentence: bool = False, beam: int = 0
    ) -> Iterator[list[ParsedSentence]]:
        """Parse many texts, in order, some at a time; with `beam`, that many trees of a sentence, and probabilities."""
        waiting = iter(texts)
        while batch := list(islice(waiting, BATCH_TEXTS)):
            cut = [sentence_spans(text, self.model.language, one_sentence=one_sentence) for text in batch]
            found = [(text, spans) for text, own in zip(batch, cut, strict=True) for spans in own]
            parsed = iter(self._parsed(found, beam))
            for own in cut:
                yield [next(parsed) for _ in own]

    def _parsed(self, found: Sequence[tuple[str, Spans]], beam: int) -> Iterator[ParsedSentence]:
        words = [[text[begin:end] for begin, end in spans] for text, spans in found]
        columns = self.model.tagger.tag(words, None if self.tagger is None else self.tagger.tag(words))
        sure: Sequence[tuple[float, ...] | None]
        if beam:
            scored, sure = self.model.best_with_probabilities(columns, beam)
        else:
            scored, sure = [[(0.0, tree)] for tree in self.model.parse_tagged(columns)], [None] * len(found)
        for (text, spans), own, probabilities in zip(found, scored, sure, strict=True):
            ranges = self._ranges(text, spans)
            trees = [(score, replace(tree, ranges=ranges)) for score, tree in own]
            shown = text[spans[0][0] : spans[-1][1]]
            yield ParsedSentence(tuple(spans), trees[0][1], shown, probabilities, tuple(trees) if beam else ())

    def _ranges(self, text: str, spans: Spans) -> tuple[tuple[int, int, str], ...]:
        """Return the multi-word tokens: enclitics of the treebank with the word before them."""
        ranges: list[tuple[int, int, str]] = []
        for place in range(1, len(spans)):
            (begin, behind), (start, end) = spans[place - 1], spans[place]
            if behind != start or text[start:end].lower() not in self.model.enclitics:
                continue
            first = place - 1
            if ranges and ranges[-1][1] == place:
                first = ranges.pop()[0]
            elif not text[begin:behind].isalnum():
                continue
            ranges.append((first, place + 1, text[spans[first][0] : end]))
        return tuple(ranges)


@cache
def _blank_tokenizer(language: str) -> Any:
    import spacy

    return spacy.blank(language).tokenizer


def _blank_tokens(text: str, language: str) -> Tokens:
    """Return the tokens of spaCy's rules for a language; runs without blanks that are longer than any word are cut."""
    rules, pieces = _blank_tokenizer(language), pairwise([0, *run_cuts(text), len(text)])
    found = [(begin + token.idx, token) for begin, end in pieces for token in rules(text[begin:end])]
    blanks = [bool(token.whitespace_) for _, token in found]
    return Tokens(text, [token.text for _, token in found], [begin for begin, _ in found], blanks)


def sentence_spans(text: str, language: str, *, one_sentence: bool = False) -> list[Spans]:
    """Return the words of each sentence as spans of characters.

    Examples
    --------
    >>> sentence_spans("Stop! Don't.", "en")
    [[(0, 4), (4, 5)], [(6, 8), (8, 11), (11, 12)]]
    >>> sentence_spans("Ja! Nej.", "da")
    [[(0, 2), (2, 3)], [(4, 7), (7, 8)]]
    """
    if language == "en":
        found = tokens_of(text, one_sentence=one_sentence)
    else:
        tokens = _blank_tokens(SURROGATES.sub("\ufffd", text), language)
        begins = tokens.begins
        groups = [(at, at + 1) for at, word in enumerate(tokens.texts) if not word.isspace()]
        sentences = [(0, len(groups))] if one_sentence and groups else list(sentence_groups(tokens, groups))
        spans = [(begins[at], begins[at] + len(tokens.texts[at])) for at, _ in groups]
        found = [spans[begin:end] for begin, end in sentences]
    if any(len(own) > LONGEST_SENTENCE for own in found):
        tell(f"a sentence of more than {LONGEST_SENTENCE} words was cut")
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
