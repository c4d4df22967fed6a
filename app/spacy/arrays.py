"""Bunsetsu, heads and Universal Dependencies of a batch of spaCy documents as arrays.

Tokens and bunsetsu count on through the batch: a few operations on arrays serve hundreds of documents, and what was
found is cut into documents at the end. A document is a table of its tokens' attributes, so that there need be no `Doc`.
In trees over tokens, white space leans on the token before it, or on the sentence's first word.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import IDS
from spacy.tokens import Doc
from spacy.vocab import Vocab

from kakari.parsers.japanese.model import JapaneseModel
from kakari.parsers.japanese.universal.model import ROOT, Converter
from kakari.parsers.japanese.words.from_spacy import ATTRIBUTES, sentence_firsts, table_rows
from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes
from kakari.parsers.japanese.words.sentences import SIGN, sentence_spans
from kakari.parsers.japanese.words.spacy_words import Column
from kakari.parsers.limits import LONGEST_JAPANESE

LENGTH, SPACE_BEHIND, ORTH = int(Column.LENGTH), int(Column.SPACE_BEHIND), int(Column.ORTH)
SENT_START = len(ATTRIBUTES)
READ = [IDS[name] for name in (*ATTRIBUTES, "SENT_START")]
MARKED = [IDS["SENT_START"]]
NOT_FIRST = np.uint64(2**64 - 1)  # spaCy's -1
MOST_PLAIN_WORDS = 1 << 15
PLAIN_WORDS: set[int] = set()  # hashes of words seen lately that have no character at which a sentence could end

TREE: list[int | str] = [IDS["HEAD"], IDS["DEP"]]
TREE_AND_PARTS: list[int | str] = [*TREE, IDS["POS"]]
WHITE_SPACE = "SPACE"

Table = NDArray[np.uint64]
TableWithStrings = tuple[Any, Table, list[int]]  # strings of the hashes, attributes, first token of each sentence


@dataclass(frozen=True)
class BatchRows:
    """Tokens of a batch, as rows of numbers.

    Attributes
    ----------
    bounds : array of int64
        Where each document's tokens begin, and last where they end.
    firsts : array of int64
        The first token of each sentence.
    morphemes : Morphemes
    tokens, words : arrays of int32
        The token that each morpheme begins with, which may be white space before a sentence, and the one that it is.
    """

    bounds: NDArray[np.int64]
    firsts: NDArray[np.int64]
    morphemes: Morphemes
    tokens: NDArray[np.int32]
    words: NDArray[np.int32]

    @staticmethod
    def of(documents: Sequence[TableWithStrings], lexicon: Lexicon) -> BatchRows:
        """Read documents."""
        ends = list(accumulate((len(table) for _, table, _ in documents), initial=0))
        firsts = [begin + first for begin, (_, _, own) in zip(ends, documents, strict=False) for first in own]
        rows = table_rows(documents, lexicon)
        return BatchRows(np.array(ends, dtype=np.int64), np.array(firsts, dtype=np.int64), *rows)

    def cuts(self, starts: NDArray[Any]) -> list[int]:
        """Return where the bunsetsu of each document begin among all, and last how many there are."""
        cuts: list[int] = np.searchsorted(starts, self.bounds).tolist()
        return cuts


def read_documents(documents: Sequence[Doc], lexicon: Lexicon) -> BatchRows:
    """Read documents; where no sentences are marked, find and mark them."""
    return BatchRows.of([_read(doc) for doc in documents], lexicon)


def _read(doc: Doc) -> TableWithStrings:
    table: Any = doc.to_array(READ)
    strings = doc.vocab.strings
    if "sents" in doc.user_hooks:
        return strings, table, [sentence.start for sentence in doc.sents]
    firsts = sentence_firsts(table, SENT_START)
    if firsts is None:
        firsts = [0] if _is_one_sentence(table, strings) else first_tokens(table, doc.text)
        marks: Any = sentence_marks(len(table), firsts)
        doc.from_array(MARKED, marks)
    return strings, table, firsts


def _is_one_sentence(table: Table, strings: Any) -> bool:
    """Return whether no sentence can end before the last token."""
    if table[:, LENGTH].sum() + table[:, SPACE_BEHIND].sum() > LONGEST_JAPANESE:
        return False
    new = set(table[:-1, ORTH].tolist()) - PLAIN_WORDS
    if not new:
        return True
    plain = {number for number in new if not SIGN.search(strings[number])}
    if len(PLAIN_WORDS) >= MOST_PLAIN_WORDS:
        PLAIN_WORDS.clear()
    PLAIN_WORDS.update(plain)
    return len(plain) == len(new)


def first_tokens(table: Table, text: str) -> list[int]:
    """Return the first token of each sentence of a text.

    Examples
    --------
    >>> first_tokens(np.array([[2, 0], [1, 0], [1, 1], [3, 0]], dtype=np.uint64), "行く。。 終わり")
    [0, 3]
    """
    begins = [begin for begin, _ in sentence_spans(text)]
    if len(begins) < 2:
        return [0] if begins else []
    sizes = (table[:, LENGTH] + table[:, SPACE_BEHIND]).tolist()
    places = list(accumulate(sizes, initial=0))[:-1]
    return sorted({0, *(bisect_left(places, begin) for begin in begins)} - {len(places)})


def sentence_marks(tokens: int, firsts: list[int]) -> Table:
    """Return spaCy's marks of sentences."""
    marks = np.full(tokens, NOT_FIRST)
    marks[firsts] = 1
    return marks


def find_bunsetsu(rows: BatchRows, model: JapaneseModel) -> NDArray[np.int32]:
    """Return the first token of each bunsetsu."""
    opens = np.array(model.segment(rows.morphemes), dtype=bool)
    bounds = rows.morphemes.starts
    opens[bounds[:-1][np.diff(bounds) > 0]] = True  # a sentence opens one, whatever the classifier says
    starts: NDArray[np.int32] = rows.tokens[opens]
    return starts


@dataclass(frozen=True)
class FoundHeads:
    """Heads of a batch's bunsetsu.

    Attributes
    ----------
    heads, scores : arrays of int64 and float64
        Of each bunsetsu of the documents: its head, itself for the last of a sentence, and the arc's score.
    opens, leans : arrays of uint8 and int32
        What the parser was given and what it returned: bunsetsu of nothing but white space are parts of others to it.
    """

    heads: NDArray[np.int64]
    scores: NDArray[np.float64]
    opens: NDArray[np.uint8]
    leans: NDArray[np.int32]


def find_heads(rows: BatchRows, starts: NDArray[Any], model: JapaneseModel) -> FoundHeads:
    """Find the head of each bunsetsu.

    `starts` are the documents' bunsetsu, whoever found them. One of nothing but white space is part of the next one to
    the parser.
    """
    sentences = np.searchsorted(rows.firsts, starts, side="right") - 1
    bounds = rows.morphemes.starts
    places = np.minimum(np.searchsorted(rows.tokens, starts), bounds[sentences + 1] - 1)
    opens = np.zeros(len(rows.tokens), dtype=np.uint8)
    opens[places] = 1
    opens[bounds[:-1][np.diff(bounds) > 0]] = 1
    found, margins = model.parse(rows.morphemes, opens)
    before = np.concatenate(
        ([0], np.cumsum(opens, dtype=np.int64))
    )  # what the parser took for bunsetsu, up to each morpheme
    own = before[places]
    heads, margins = found[own], margins[own]
    numbers = np.arange(len(starts))
    last = np.zeros(len(found), dtype=np.int64)
    last[own] = numbers
    leans = np.where(heads < 0, numbers, last[heads + before[bounds[sentences]]])
    scores = model.arc_probabilities(margins)
    return FoundHeads(np.where(last[own] != numbers, numbers + 1, leans), scores, opens, found)


def per_document(
    values: NDArray[Any], cuts: Sequence[int], bases: Sequence[int] | NDArray[Any] | None = None
) -> list[list[Any]]:
    """Cut what was found for each bunsetsu into documents, where it may count from a base of the document's.

    Examples
    --------
    >>> per_document(np.array([1, 1, 3, 3]), [0, 2, 2, 4], [0, 2, 2])
    [[1, 1], [], [1, 1]]
    """
    listed = (values if bases is None else values - np.repeat(bases, np.diff(cuts))).tolist()
    return [listed[begin:end] for begin, end in pairwise(cuts)]


@dataclass(frozen=True)
class TokenTrees:
    """Trees over the tokens of a batch.

    Attributes
    ----------
    heads : array of int32
        Of each token, how far its head is to the right; 0 for a root.
    relations, parts : arrays of uint8
        Numbers of names.
    relation_names, part_names : tuple of str
        The last ones are those of white space.
    """

    heads: NDArray[np.int32]
    relations: NDArray[np.uint8]
    parts: NDArray[np.uint8]
    relation_names: tuple[str, ...]
    part_names: tuple[str, ...]

    def columns(self, vocab: Vocab) -> NDArray[np.uint64]:
        """Return the columns HEAD, DEP and POS of all tokens."""
        filled = np.empty((len(self.heads), 3), dtype=np.uint64)
        filled[:, 0] = self.heads.astype(np.int64).view(np.uint64)
        filled[:, 1] = _hashes(vocab, self.relation_names)[self.relations]
        filled[:, 2] = _hashes(vocab, self.part_names)[self.parts]
        return filled


def _hashes(vocab: Vocab, names: Sequence[str]) -> NDArray[np.uint64]:
    strings: Any = vocab.strings
    return np.array([strings.add(name) for name in names], dtype=np.uint64)


def token_trees(rows: BatchRows, found: FoundHeads, converter: Converter) -> TokenTrees:
    """Convert what was found in a batch into trees over its tokens."""
    parts, heads, relations = converter.convert_arrays(rows.morphemes, found.opens, found.leans)
    bounds, words, count = rows.morphemes.starts, rows.words, int(rows.bounds[-1])
    firsts = np.repeat(bounds[:-1], np.diff(bounds))
    leans = _owners(rows, count) - np.arange(count)
    leans[words] = words[np.where(heads < 0, np.arange(len(words)), firsts + heads)] - words
    labels = np.full(count, len(converter.relation_names), dtype=np.uint8)
    labels[words] = relations
    kinds = np.full(count, len(converter.model.parts), dtype=np.uint8)
    kinds[words] = parts
    names = tuple("ROOT" if name == ROOT else name for name in converter.relation_names)
    return TokenTrees(leans.astype(np.int32), labels, kinds, (*names, "dep"), (*converter.model.parts, WHITE_SPACE))


def _owners(rows: BatchRows, count: int) -> NDArray[np.int64]:
    """Return the word of each token: itself, or for white space the word before it in its sentence, else the next."""
    places = np.arange(count)
    before = np.searchsorted(rows.words, places, side="right") - 1
    sentences = np.searchsorted(rows.firsts, places, side="right") - 1
    first_words = rows.morphemes.starts[sentences]
    owners: NDArray[np.int64] = rows.words[np.maximum(before, first_words)].astype(np.int64)
    return owners
