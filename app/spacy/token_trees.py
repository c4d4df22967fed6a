"""Universal Dependencies on spaCy's tokens: `token.head`, `token.dep_` and `token.pos_` of a batch as arrays.

A token is a morpheme or white space; white space leans on the token before it, or on the sentence's first word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import IDS
from spacy.vocab import Vocab

from kakari.parsers.japanese.universal.model import ROOT, Converter
from kakari.spacy.arrays import BatchRows, FoundHeads

TREE: list[int | str] = [IDS["HEAD"], IDS["DEP"]]
TREE_AND_PARTS: list[int | str] = [*TREE, IDS["POS"]]
SPACE = "SPACE"


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
    return TokenTrees(leans.astype(np.int32), labels, kinds, (*names, "dep"), (*converter.model.parts, SPACE))


def _owners(rows: BatchRows, count: int) -> NDArray[np.int64]:
    """Return the word of each token: itself, or for white space the word before it in its sentence, else the next."""
    places = np.arange(count)
    before = np.searchsorted(rows.words, places, side="right") - 1
    sentences = np.searchsorted(rows.firsts, places, side="right") - 1
    first_words = rows.morphemes.starts[sentences]
    owners: NDArray[np.int64] = rows.words[np.maximum(before, first_words)].astype(np.int64)
    return owners
