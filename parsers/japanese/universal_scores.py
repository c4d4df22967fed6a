"""How good Universal Dependencies of Japanese text are, beside a treebank's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kakari.corpora.formats.conllu import ConlluSentence
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.universal.model import Converter, UniversalModel
from kakari.parsers.japanese.universal_training import UniversalSettings, aligned, train_universal


class UniversalScores(NamedTuple):
    """F1 over words, as fractions: found at all, with their part of speech, head, head and relation.

    A head is right if it is the same word of the text; relations are compared without subtypes.
    """

    tokens: float
    upos: float
    uas: float
    las: float


def universal_counts(parser: JapaneseParser, model: UniversalModel, sentences: Sequence[ConlluSentence]) -> list[int]:
    """Count the treebank's words, ours, those that are both, and which of them have the right part, head, relation."""
    data = aligned(parser, sentences)
    trees = Converter(model, parser.model.lexicon.strings).convert(data.morphemes, data.opens, data.heads)
    counts = [0] * 6
    begin = 0
    for sentence, tree in zip(sentences, trees, strict=True):
        places = data.words[begin : begin + len(tree)]
        begin += len(tree)
        counts[0] += len(sentence.words)
        counts[1] += len(tree)
        for word, place in zip(tree, places, strict=True):
            if place is None:
                continue
            gold = sentence.words[place]
            head = -1 if word.head < 0 else places[word.head]
            attached = head is not None and head == int(gold.head) - 1
            counts[2] += 1
            counts[3] += word.part == gold.upos
            counts[4] += attached
            counts[5] += attached and word.relation == gold.deprel.partition(":")[0]
    return counts


def cross_validated(
    parser: JapaneseParser,
    sentences: Sequence[ConlluSentence],
    settings: UniversalSettings | None = None,
    *,
    folds: int = 10,
) -> UniversalScores:
    """Score each fold of a treebank by a model that was trained on the others."""
    totals = [0] * 6
    for fold in range(folds):
        others = [sentence for number, sentence in enumerate(sentences) if number % folds != fold]
        model = train_universal(parser, others, settings)
        counts = universal_counts(parser, model, sentences[fold::folds])
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
    gold, found, *right = totals
    return UniversalScores(*(2 * count / (gold + found) if gold + found else 0.0 for count in right))
