"""Texts to annotated documents in one go, for a pipeline that is what `kakari.load("ja")` gives.

The tokenizer and the components hand arrays to each other, and a `Doc` is made once, when everything about it is known;
components that each read and write documents take a third longer. In a worker process none are made at all: what was
found is sent as it is. A token is the number of its word there, four bytes; what stands behind a number is sent once
for as long as the worker lives, as are strings.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import IDS
from spacy.tokens import Doc
from spacy.vocab import Vocab

from kakari.parsers.japanese.words.spacy_words import WORD_COLUMNS, Column, TokenBatch, WordTable
from kakari.spacy.arrays import (
    NOT_FIRST,
    TREE_AND_PARTS,
    BatchRows,
    TokenTrees,
    find_bunsetsu,
    find_heads,
    first_tokens,
    per_document,
    token_trees,
)
from kakari.spacy.bunsetsu import HEADS, SCORES, STARTS
from kakari.spacy.japanese import BunsetsuComponent, DependencyComponent
from kakari.spacy.tokenizer import ATTRIBUTES, FastJapaneseTokenizer

POS, SPACE_BEHIND, ORTH = int(Column.POS), int(Column.SPACE_BEHIND), int(Column.ORTH)
SENT = WORD_COLUMNS.index(Column.ORTH)  # what stands before it, the length, is no string and known to spaCy
FILLED = [*ATTRIBUTES, IDS["SENT_START"]]
FILLED_WITH_TREES = [*ATTRIBUTES[:-1], *TREE_AND_PARTS]


@dataclass(frozen=True)
class Annotation:
    """Analyses of several texts; tokens and bunsetsu count on through all of them.

    Attributes
    ----------
    bounds : list of int
        Where each text's tokens begin, and last where they end.
    firsts, starts : array of int32
        The first token of each sentence and of each bunsetsu.
    heads, scores : array of int32; array of float64, or None
        Of each bunsetsu, if heads were looked for.
    trees : TokenTrees, or None
        Universal Dependencies, if they were looked for.
    """

    bounds: list[int]
    firsts: NDArray[np.int32]
    starts: NDArray[np.int32]
    heads: NDArray[np.int32] | None = None
    scores: NDArray[np.float64] | None = None
    trees: TokenTrees | None = None

    def documents(self, vocab: Vocab, tokens: NDArray[np.uint64], blanks: list[Any]) -> Iterator[Doc]:
        """Make documents; `tokens` has the columns from ORTH on, `blanks` says which ones a blank follows."""
        words = tokens[:, 0].tolist()
        filled: Any
        if self.trees is None:
            names = FILLED
            marks = np.full((len(tokens), 1), NOT_FIRST)
            marks[self.firsts] = 1
            filled = np.concatenate((tokens[:, 1:], marks), axis=1)
        else:  # sentences follow from heads
            names = FILLED_WITH_TREES
            filled = np.concatenate((tokens[:, 1:-1], self.trees.columns(vocab)), axis=1)
        for (begin, end), user_data in zip(pairwise(self.bounds), self._user_data(), strict=True):
            doc = Doc(vocab, words=words[begin:end], spaces=blanks[begin:end], user_data=user_data)
            if end > begin:
                doc.from_array(names, filled[begin:end])
            yield doc

    def _user_data(self) -> list[dict[str, Any]]:
        """Return what the components keep of each document."""
        bounds = np.array(self.bounds)
        cuts = np.searchsorted(self.starts, bounds).tolist()
        starts = per_document(self.starts, cuts, bounds[:-1])
        if self.heads is None or self.scores is None:
            return [{STARTS: own} for own in starts]
        found = zip(starts, per_document(self.heads, cuts, cuts[:-1]), per_document(self.scores, cuts), strict=True)
        return [{STARTS: own, HEADS: heads, SCORES: scores} for own, heads, scores in found]


@dataclass(frozen=True)
class PackedTexts:
    """A batch of annotated texts on its way.

    Attributes
    ----------
    worker : int
        The process whose numbers of words these are.
    numbers, rows : array of int32; array of uint64
        Words that it has not sent before, their columns from ORTH on.
    strings : list of str
        Those that it has not sent before.
    passing : array of uint64
        Rows of words that have no numbers; token number -1 - i stands for row i.
    words, parts, blanks : arrays of int32 and uint8
        Of each token, its word, its part of speech and whether a blank follows it.
    found : Annotation
    """

    worker: int
    numbers: NDArray[np.int32]
    rows: NDArray[np.uint64]
    strings: list[str]
    passing: NDArray[np.uint64]
    words: NDArray[np.int32]
    parts: NDArray[np.uint8]
    blanks: NDArray[np.uint8]
    found: Annotation


class TextAnnotator:
    """Does what the tokenizer and the components do, on texts.

    Examples
    --------
    >>> import kakari
    >>> nlp = kakari.load("ja")
    >>> annotator = TextAnnotator.of(nlp.tokenizer, [component for _, component in nlp.pipeline])
    >>> (doc,) = TextReceiver(kakari.load("ja").vocab).documents(annotator.pack(["本を読んだ。"]))
    >>> [bunsetsu.text for bunsetsu in doc._.bunsetsu]
    ['本を', '読んだ。']
    """

    def __init__(
        self, tokenizer: FastJapaneseTokenizer, bunsetsu: BunsetsuComponent, dependency: DependencyComponent | None
    ) -> None:
        self.tokenizer, self.bunsetsu, self.dependency = tokenizer, bunsetsu, dependency
        self.table: WordTable | None = None
        self.sent_words = np.zeros(0, dtype=bool)
        self.sent_strings: set[int] = {0}

    @staticmethod
    def of(tokenizer: Any, components: list[Any]) -> TextAnnotator | None:
        """Make an annotator that stands for a tokenizer and components; None if that cannot be."""
        kinds = [type(component) for component in components]
        if type(tokenizer) is not FastJapaneseTokenizer or kinds[:1] != [BunsetsuComponent]:
            return None
        if len(kinds) == 1:
            return TextAnnotator(tokenizer, components[0], None)
        if kinds[1:] != [DependencyComponent]:
            return None
        return TextAnnotator(tokenizer, *components)

    def _annotated(self, texts: list[str]) -> tuple[TokenBatch, NDArray[np.uint64], Annotation]:
        """Return the tokens of texts, their attributes, and what was found."""
        batch = self.tokenizer.batch(texts)
        table, bounds = batch.attributes(), batch.bounds.tolist()
        strings = self.tokenizer.vocab.strings
        parts = [table[begin:end] for begin, end in pairwise(bounds)]
        tables = [(strings, own, first_tokens(own, text)) for own, text in zip(parts, texts, strict=True)]
        rows = BatchRows.of(tables, self.bunsetsu.trained.lexicon)
        firsts, starts = rows.firsts.astype(np.int32), find_bunsetsu(rows, self.bunsetsu.trained)
        if self.dependency is None:
            return batch, table, Annotation(bounds, firsts, starts)
        model = self.dependency.trained
        if model is not self.bunsetsu.trained:
            rows = BatchRows.of(tables, model.lexicon)
        found = find_heads(rows, starts, model)
        trees = token_trees(rows, found, self.dependency.converter) if self.dependency.cfg["tokens"] else None
        return batch, table, Annotation(bounds, firsts, starts, found.heads.astype(np.int32), found.scores, trees)

    def documents(self, texts: list[str]) -> Iterator[Doc]:
        """Make the annotated documents of texts."""
        _, table, found = self._annotated(texts)
        return found.documents(self.tokenizer.vocab, table[:, ORTH:], table[:, SPACE_BEHIND].tolist())

    def pack(self, texts: list[str]) -> PackedTexts:
        """Return the same for another process, which calls `TextReceiver.documents`."""
        batch, table, found = self._annotated(texts)
        passing = batch.passing.rows_of(np.arange(len(batch.passing), dtype=np.int32))[:, SENT:]
        words = batch.numbers
        new = self._new_words(batch.table, words)
        rows = batch.table.rows_of(new)[:, SENT:]
        strings = self._new_strings(rows, passing)
        parts, blanks = table[:, POS].astype(np.uint8), table[:, SPACE_BEHIND].astype(np.uint8)
        return PackedTexts(os.getpid(), new, rows, strings, passing, words, parts, blanks, found)

    def _new_words(self, table: WordTable, words: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the words that were not sent before, and note that they are."""
        if table is not self.table:
            self.table, self.sent_words = table, np.zeros(0, dtype=bool)
        if len(self.sent_words) < len(table):
            self.sent_words = np.concatenate((self.sent_words, np.zeros(2 * len(table), dtype=bool)))
        known = words[words >= 0]
        new = np.unique(known[~self.sent_words[known]])
        self.sent_words[new] = True
        return new

    def _new_strings(self, *rows: NDArray[np.uint64]) -> list[str]:
        """Return the strings of rows that were not sent before, and note that they are."""
        new = set(np.concatenate(rows).ravel().tolist()) - self.sent_strings
        self.sent_strings |= new
        return [self.tokenizer.vocab.strings[number] for number in new]


@dataclass
class TextReceiver:
    """Makes documents of what workers send.

    Attributes
    ----------
    vocab : Vocab
    tables : dict of int to array
        Of each worker, the rows of its words by their numbers.
    """

    vocab: Vocab
    tables: dict[int, NDArray[np.uint64]] = field(default_factory=dict)

    def documents(self, packed: PackedTexts) -> Iterator[Doc]:
        """Make the documents of a batch."""
        for text in packed.strings:
            self.vocab.strings.add(text)
        tokens = np.concatenate((self._rows(packed), packed.parts[:, None].astype(np.uint64)), axis=1)
        return packed.found.documents(self.vocab, tokens, packed.blanks.tolist())

    def _rows(self, packed: PackedTexts) -> NDArray[np.uint64]:
        """Return the row of each token's word."""
        table = self.tables.get(packed.worker, packed.rows[:0])
        size = int(packed.numbers.max(initial=0)) + 1
        if size > len(table):
            table = np.concatenate((table, np.zeros((2 * size - len(table), table.shape[1]), dtype=np.uint64)))
        table[packed.numbers] = packed.rows
        self.tables[packed.worker] = table
        rows: NDArray[np.uint64] = table[np.maximum(packed.words, 0)]
        is_passing = packed.words < 0
        rows[is_passing] = packed.passing[-1 - packed.words[is_passing]]
        return rows
