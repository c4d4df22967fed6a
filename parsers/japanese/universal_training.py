"""Training of the conversion to Universal Dependencies, on any treebank that marks bunsetsu (UD Japanese GSD).

Its sentences are analysed by Sudachi and parsed like any text, so that the conversion is trained on the input it will
get, errors included; a word of the treebank is used if Sudachi finds the same one. Boundaries are decided first, so
the other classifiers are trained on sentences cut by weights that have not seen them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.formats.conllu import ConlluSentence
from kakari.corpora.records.errors import CorpusError
from kakari.kernels.hashed.perceptron import fit_examples
from kakari.kernels.hashed.weights import HashedWeights
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.universal.conversion import (
    BoundaryLines,
    WordHashes,
    arc_examples,
    boundary_examples,
    cut_batch,
    word_examples,
)
from kakari.parsers.japanese.universal.model import CONTENT, FIXED, ROOT, UniversalModel
from kakari.parsers.japanese.words.morphemes import Morphemes

FUNCTION = 16 | 32 | 64  # marks, particles, auxiliaries among `Kind`
KINDS = 10


@dataclass(frozen=True)
class UniversalSettings:
    """Training settings of the conversion."""

    passes: int = 8
    folds: int = 4  # parts of the sentences, each with boundaries found by weights of the others
    seed: int = 1


@dataclass
class Aligned:
    """Treebank sentences with kakari's own analysis of their texts.

    Attributes
    ----------
    gold : list of ConlluSentence
    morphemes : Morphemes
    opens, heads : numpy arrays
        The bunsetsu that kakari found, and their heads.
    words : list of (int or None)
        For each found word, the same word of the treebank, counted within the sentence.
    """

    gold: list[ConlluSentence]
    morphemes: Morphemes
    opens: NDArray[np.uint8]
    heads: NDArray[np.int32]
    words: list[int | None]


def aligned(parser: JapaneseParser, sentences: Sequence[ConlluSentence]) -> Aligned:
    """Analyse the texts of treebank sentences and find their words again."""
    texts = [text_of(sentence) for sentence in sentences]
    morphemes = parser.source.morphemes(texts, parser.model.lexicon)
    opens = parser.model.segment(morphemes)
    heads, _ = parser.model.parse(morphemes, opens, decoder=parser.decoder)
    words: list[int | None] = []
    begins, ends, starts = morphemes.begins.tolist(), morphemes.ends.tolist(), morphemes.starts.tolist()
    for number, (text, sentence) in enumerate(zip(texts, sentences, strict=True)):
        places = {span: index for index, span in enumerate(word_spans(text, sentence))}
        for i in range(starts[number], starts[number + 1]):
            own = text[begins[i] : ends[i]]
            begin = begins[i] + len(own) - len(own.lstrip())
            words.append(places.get((begin, begin + len(own.strip()))))
    return Aligned(list(sentences), morphemes, opens, heads, words)


def text_of(sentence: ConlluSentence) -> str:
    """Return the text that a sentence was made of."""
    return sentence.text or "".join(word.form for word in sentence.words)


def word_spans(text: str, sentence: ConlluSentence) -> list[tuple[int, int]]:
    """Return the characters of each word of a sentence."""
    spans = []
    end = 0
    for word in sentence.words:
        begin = text.find(word.form, end)
        if begin < 0:
            raise CorpusError("treebank", None, f"the word '{word.form}' is not in its text '{text[:40]}'")
        end = begin + len(word.form)
        spans.append((begin, end))
    return spans


def train_universal(
    parser: JapaneseParser, sentences: Sequence[ConlluSentence], settings: UniversalSettings | None = None
) -> UniversalModel:
    """Train the conversion of a parser's bunsetsu.

    Raises
    ------
    CorpusError
        If the treebank marks no bunsetsu.
    """
    chosen = settings or UniversalSettings()
    if not sentences:
        raise CorpusError("treebank", None, "there are no sentences in it")
    whole = aligned(parser, sentences)
    hashes = WordHashes(parser.model.lexicon.strings)
    boundary = _boundary_weights(whole, hashes, chosen)
    opens, heads = _cut_by_others(parser, sentences, hashes, chosen)
    contents = _contents(whole, opens)
    relations = [
        CONTENT if is_content else _relation(whole, number, place)
        for is_content, (number, place) in zip(contents.tolist(), _numbered(whole), strict=True)
    ]
    parts = [_gold(whole, number, place, "upos") for number, place in _numbered(whole)]
    first_words = np.flatnonzero(contents)
    own_words = first_words - whole.morphemes.starts[:-1][_sentence_of(whole)[first_words]]
    arcs = [_relation(whole, *_numbered(whole)[at]) for at in first_words.tolist()]
    words = word_examples(whole.morphemes, opens, heads, hashes)
    questions = arc_examples(whole.morphemes, opens, heads, own_words, hashes)
    part, parts_known = _answers(*words, parts, (), chosen)
    relation, relations_known = _answers(*words, relations, (CONTENT, FIXED), chosen)
    arc, arcs_known = _answers(*questions, arcs, (ROOT,), chosen)
    return UniversalModel(parts_known, relations_known, arcs_known, (boundary, part, relation, arc))


def _answers(
    offsets: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    labels: Sequence[str | None],
    needed: tuple[str, ...],
    chosen: UniversalSettings,
) -> tuple[HashedWeights, tuple[str, ...]]:
    """Train weights for one question; return them with the labels they know, sorted."""
    known = tuple(sorted({label for label in labels if label is not None}.union(needed)))
    numbers = [-1 if label is None else known.index(label) for label in labels]
    return fit_examples(offsets, hashes, numbers, passes=chosen.passes, seed=chosen.seed).freeze(), known


def _numbered(data: Aligned) -> list[tuple[int, int | None]]:
    """List the sentence and the treebank's word of each found word."""
    return list(zip(_sentence_of(data).tolist(), data.words, strict=True))


def _sentence_of(data: Aligned) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(data.morphemes)), np.diff(data.morphemes.starts))


def _gold(data: Aligned, number: int, place: int | None, column: str) -> str | None:
    return None if place is None else str(getattr(data.gold[number].words[place], column))


def _relation(data: Aligned, number: int, place: int | None) -> str | None:
    """Return a word's relation without its subtype."""
    found = _gold(data, number, place, "deprel")
    return None if found is None else found.partition(":")[0]


def _boundary_weights(data: Aligned, hashes: WordHashes, chosen: UniversalSettings) -> HashedWeights:
    offsets, found = boundary_examples(data.morphemes, data.opens, data.heads, hashes)
    starts = {*data.morphemes.starts.tolist()}
    labels = []
    for at, (number, place) in enumerate(_numbered(data)):
        if at in starts:
            continue
        mark = None if place is None else dict(data.gold[number].words[place].misc).get("BunsetuBILabel")
        if place is not None and mark not in ("B", "I"):
            raise CorpusError("treebank", None, "its words do not say where a bunsetsu begins (BunsetuBILabel in MISC)")
        labels.append(-1 if mark is None else int(mark == "B"))
    return fit_examples(offsets, found, labels, passes=chosen.passes, seed=chosen.seed).freeze()


def _cut_by_others(
    parser: JapaneseParser, sentences: Sequence[ConlluSentence], hashes: WordHashes, chosen: UniversalSettings
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Cut each fold of the sentences by weights that were trained on the others."""
    marks: dict[int, NDArray[np.uint8]] = {}
    arcs: dict[int, NDArray[np.int32]] = {}
    folds = min(chosen.folds, len(sentences))
    for fold in range(folds):
        own = list(range(fold, len(sentences), folds))
        others = [sentence for number, sentence in enumerate(sentences) if number % folds != fold] or sentences
        weights = _boundary_weights(aligned(parser, others), hashes, chosen)
        data = aligned(parser, [sentences[number] for number in own])
        opens, heads = cut_batch(data.morphemes, data.opens, data.heads, hashes, BoundaryLines(weights))
        starts = data.morphemes.starts
        firsts = np.concatenate(([0], np.cumsum(opens, dtype=np.int64)))[starts]
        for at, number in enumerate(own):
            marks[number] = opens[starts[at] : starts[at + 1]]
            arcs[number] = heads[firsts[at] : firsts[at + 1]]
    order = range(len(sentences))
    return np.concatenate([marks[number] for number in order]), np.concatenate([arcs[number] for number in order])


def _contents(data: Aligned, opens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Mark the content word of each bunsetsu: the last one whose head is outside of it.

    If Sudachi's words are not the treebank's, it is the last word that is not a function word.
    """
    marked = np.zeros(len(opens), dtype=bool)
    ends = [*np.flatnonzero(opens).tolist()[1:], len(opens)]
    numbered = _numbered(data)
    kinds = np.asarray(data.morphemes.fields)[:, KINDS]
    for begin, end in zip(np.flatnonzero(opens).tolist(), ends, strict=True):
        inside = {place for _, place in numbered[begin:end] if place is not None}
        leaning = [
            at
            for at in range(begin, end)
            if (place := numbered[at][1]) is not None
            and int(data.gold[numbered[at][0]].words[place].head) - 1 not in inside
        ]
        lexical = [at for at in range(begin, end) if not kinds[at] & FUNCTION]
        marked[leaning[-1] if leaning else lexical[-1] if lexical else begin] = True
    return marked
