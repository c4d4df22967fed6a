"""The embedded English dependency parser: how it is made (`kakari.parsers.recipes`), and its card.

How sure its arcs are is calibrated on a tenth of the training data, parsed by a model of the other nine tenths; the
model of the file is trained on all of it. Relations are learned again, in trees that jack-knifed parsers found too.
A reranker with linear features chooses among the ten best trees.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kakari.models.reporting import Report
from kakari.parsers.dependency.confidence import LIST, Confidence, arc_evidence, fit_confidence
from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.parser import evaluated
from kakari.parsers.dependency.reranked.training import add_reranker, labelled_again, training_lists
from kakari.parsers.dependency.reranking.training import RerankSettings
from kakari.parsers.dependency.scores import score_trees
from kakari.parsers.dependency.training import DependencySettings, jackknife_part, train
from kakari.parsers.dependency.treebank import TreeSentence, read_treebank
from kakari.parsers.recipes import Workshop, rows

TRAIN, DEV = "ud-english:train", "ud-english:dev"
RERANKING = RerankSettings(kernel=False, passes=12, least=5, loss="labelled", most_linear=30_000)
LABELS = DependencySettings(label_learners=2, most_labels=360_000)  # of the relations that are learned again
FOLDS = 4  # of the reranker's lists
FIGURES = ("words", "upos", "xpos", "feats", "lemma", "uas", "las", "clas")
CARD = """# en-ud

Tags, lemmas, morphological features and dependency trees of English text, in Universal Dependencies.
A reranker with linear features chooses among the parser's ten best trees.

| | |
|---|---|
| trained on | {corpus} ({sentences} sentences) |
| size | {size:.2f} MB |

| {dev}, given | words | UPOS | XPOS | features | lemma | UAS | LAS | CLAS |
|---|---|---|---|---|---|---|---|---|
{rows}

F1 of CoNLL-2018, relations without subtypes, with the tags of this model. `kakari parse` and `kakari.load("en")` give
it the tags of the model `en`, which the constituency trees have too.

Terms of the data: the English Web Treebank in Universal Dependencies is CC BY-SA 4.0. The model holds hashes, weights
and single words, no text. docs/licences.md has the whole table.

Made by `make models-en`.
"""


def calibrated(
    model: DependencyModel, sentences: Sequence[TreeSentence], settings: DependencySettings, report: Report
) -> Confidence:
    """Fit the probabilities of arcs to a tenth of the sentences, with a parser of the others and the model's reranker.

    The parser is trained as the model's is: one of fewer passes is less often right, and would make arcs look less
    sure than they are. Its first tree is the reranker's, as it will be; the reranker itself learned from lists of all
    sentences, those of this tenth too. Sentences with relations that no other sentence has are learned from, so that
    relations have the model's numbers.
    """
    tenth = set(jackknife_part(len(sentences), 9, 10))
    places = [place in tenth for place in range(len(sentences))]
    common = {name for s, held in zip(sentences, places, strict=True) if not held for name in s.relations}
    apart = [held and set(s.relations) <= common for s, held in zip(sentences, places, strict=True)]
    kept, held_back = ([s for s, own in zip(sentences, apart, strict=True) if own is side] for side in (False, True))
    smaller = train(kept, replace(settings, learners=1), report=report)
    if smaller.relations != model.relations:
        raise ValueError("the sentences do not have all the relations of the model")
    smaller = replace(smaller, reranker=model.reranker)
    trees = LIST if model.reranker is None else max(LIST, model.reranker.trees)  # as many as the model compares
    found, _ = smaller.best_with_probabilities(smaller.tag([sentence.forms for sentence in held_back]), trees)
    heads = np.array([head for scored in found for head in scored[0][1].heads])
    right = heads == np.array([head for sentence in held_back for head in sentence.heads])
    return fit_confidence(arc_evidence(found, smaller.light), right)


def pretrain(name: str, workshop: Workshop) -> tuple[DependencyModel, dict[str, Any]]:
    """Train the embedded model and measure it; return it with the facts of its card."""
    sentences = list(read_treebank(TRAIN))
    settings = DependencySettings()
    model = train(sentences, settings, report=workshop.report)
    with tempfile.TemporaryDirectory() as folder:
        made: dict[str, Any] = {"folds": FOLDS, "folder": folder, "report": workshop.report}
        lists = training_lists(model.relations, [TRAIN], settings, RERANKING.trees, **made)
        model = labelled_again(model, lists, LABELS, report=workshop.report)
        model = add_reranker(model, [TRAIN], settings, RERANKING, **made)
    model = replace(model, confidence=calibrated(model, sentences, settings, workshop.report))
    model.details["data"] = [TRAIN]
    gold = list(read_treebank(DEV))
    scores = {given: score_trees(gold, evaluated(model, gold, given)) for given in ("text", "tokens", "tags")}
    model.details["scores"] = {given: {name: round(own[name], 6) for name in FIGURES} for given, own in scores.items()}
    told = {given: [f"{100 * own[figure]:.2f}" for figure in FIGURES] for given, own in scores.items()}
    return model, {"corpus": TRAIN, "dev": DEV, "sentences": len(sentences), "rows": rows(told)}
