"""Scores of Universal Dependencies of Japanese text, as the CoNLL-2018 shared task defines them."""

from __future__ import annotations

from collections.abc import Sequence

from kakari.corpora.formats.conllu import ConlluSentence
from kakari.parsers.dependency.scores import score_trees
from kakari.parsers.dependency.treebank import TreeSentence, from_record
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.universal.model import Converter, UniversalModel
from kakari.parsers.japanese.universal_training import UniversalSettings, aligned, text_of, train_universal


def universal_trees(
    parser: JapaneseParser, model: UniversalModel, sentences: Sequence[ConlluSentence]
) -> list[TreeSentence]:
    """Return the trees that a parser and a model find in the texts of treebank sentences."""
    data = aligned(parser, sentences)
    trees = Converter(model, parser.model.lexicon.strings).convert(data.morphemes, data.opens, data.heads)
    spans = zip(data.morphemes.begins.tolist(), data.morphemes.ends.tolist(), strict=True)
    found = []
    for sentence, tree in zip(sentences, trees, strict=True):
        text = text_of(sentence)
        forms = [text[begin:end] for _, (begin, end) in zip(tree, spans, strict=False)]
        found.append(
            TreeSentence(
                tuple((form, "_", word.part, "_", "_") for form, word in zip(forms, tree, strict=True)),
                tuple(word.head + 1 for word in tree),
                tuple(word.relation for word in tree),
            )
        )
    return found


def universal_scores(gold: Sequence[ConlluSentence], found: Sequence[TreeSentence]) -> dict[str, float]:
    """Return F1 over `words`, those with the right part of speech (`upos`), head (`uas`), head and relation (`las`)."""
    scores = score_trees((from_record("treebank", place, one) for place, one in enumerate(gold, 1)), found)
    return {name: scores[name] for name in ("words", "upos", "uas", "las")}


def cross_validated(
    parser: JapaneseParser,
    sentences: Sequence[ConlluSentence],
    settings: UniversalSettings | None = None,
    *,
    folds: int = 10,
) -> dict[str, float]:
    """Score each fold of a treebank by a model that was trained on the others."""
    found: list[TreeSentence | None] = [None] * len(sentences)
    for fold in range(folds):
        others = [sentence for number, sentence in enumerate(sentences) if number % folds != fold]
        model = train_universal(parser, others, settings)
        found[fold::folds] = universal_trees(parser, model, sentences[fold::folds])
    return universal_scores(sentences, [tree for tree in found if tree is not None])
