"""Training of the compact question model: a kernel machine, the fragments that matter in it, and linear weights.

The kernel machine of questions.py is trained on trees and features. The heaviest fragments of each of its machines are
mined, and a linear SVM (LIBLINEAR) learns weights of the features and of these fragments again, for the coarse and the
fine classes; a fine class's weights are added to those of the coarse class above it. The largest weights are kept, a
byte each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.corpora.formats.questions import Question
from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.fragments.mining import mine
from kakari.kernels.quantising import as_integers, unit_of
from kakari.kernels.sets.checks import TrainingError
from kakari.models.linear.model import LinearModel
from kakari.models.linear.training import as_model, fit
from kakari.models.machines.learners import LearnerOptions
from kakari.models.reporting import Report
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.flat_trees import FlatTree, to_tree
from kakari.parsers.english.words.treebank_trees import flattened
from kakari.parsers.questions.compact_model import LinearQuestions, forest_of, hashed, tagged
from kakari.parsers.questions.features import detection_features, question_features
from kakari.parsers.questions.kernel_model import LABELLINGS, QuestionClassifier, QuestionOptions, label_of

Weights = NDArray[np.float64]
PASSES = 20_000  # of LIBLINEAR


@dataclass(frozen=True)
class LinearSettings:
    """Training settings of a compact model. The defaults were chosen on folds of `qc:train`.

    Attributes
    ----------
    kernel_cost, decay, tree_weight : float
        Of the kernel machine; the last is also the factor of fragments beside features.
    fragments : int
        Mined from each fine class's machine, and eight times as many from a coarse one's.
    cost : float
        Of the linear SVM.
    most : int
        Weights of features that are kept.
    clipped : float
        The share of weights that may be cut to the largest that a byte stands for.
    temperature : float
        Of the shares.
    """

    kernel_cost: float = 3.0
    decay: float = 0.2
    tree_weight: float = 0.5
    fragments: int = 100
    cost: float = 10.0
    most: int = 500_000
    clipped: float = 1e-5
    temperature: float = 0.2
    detector_cost: float = 1.0
    detector_most: int = 20_000


@dataclass(frozen=True)
class Sentence:
    """A sentence as our parser sees it, and whether it is a question."""

    tree: FlatTree
    asked: bool


def parsed(questions: Sequence[Question], parser: EnglishParser | None = None) -> list[Question]:
    """Return questions the trees that our parser makes of their text.

    Examples
    --------
    >>> parsed([Question("HUM", "ind", "Who won ?")])[0].tree.leaves()
    ['Who', 'won', '?']
    """
    chosen = parser or EnglishParser.pretrained()
    found = chosen.pipe((question.text for question in questions), one_sentence=True)
    # A text without words has no tree; a blank word keeps the place.
    trees = [trees[0].tree if trees else FlatTree(("-",), (":",), ()) for trees in found]
    return [replace(question, tree=to_tree(tree)) for question, tree in zip(questions, trees, strict=True)]


def train_linear(
    questions: Sequence[Question], settings: LinearSettings | None = None, *, report: Report | None = None
) -> LinearQuestions:
    """Train a compact model on questions with trees; it takes every sentence for a question.

    Examples
    --------
    >>> from kakari import corpora
    >>> model = train_linear(list(corpora.read("sample-questions")), LinearSettings(fragments=5))
    >>> model.classes[:3]
    ('ABBR:abb', 'ABBR:exp', 'DESC:def')
    """
    settings = settings or LinearSettings()
    trees = [flattened(question.tree) for question in questions if question.tree is not None]
    if len(trees) != len(questions):
        raise TrainingError("every question needs a tree: take --given text, which parses them")
    if len({label_of(question, "fine") for question in questions}) < 2:
        raise TrainingError("there is only 1 class in the questions; a classifier needs two classes")
    fragments, labels = mined(questions, settings, report)
    vocabulary = Vocabulary()
    names = [question_features(tagged(tree)) for tree in trees]
    vectors = _vectors(vocabulary, names)
    offsets, columns, values = fragments.vectors(
        forest_of(trees, {label: number for number, label in enumerate(labels)})
    )
    shape = (len(trees), len(fragments))
    rows = sparse.csr_array((settings.tree_weight * values, columns, offsets), shape=shape)
    both = sparse.hstack([vectors, rows])
    classes, weights, biases = _folded(both, questions, settings.cost)
    count = len(vocabulary)
    features = hashed_model(classes, vocabulary, weights[:, :count], biases, settings.most, settings.clipped)
    beside = settings.tree_weight * weights[:, count:].T
    unit = unit_of(np.abs(beside).ravel(), clipped=settings.clipped)
    model = LinearQuestions(
        features,
        fragments,
        labels,
        as_integers(beside, unit),
        unit,
        temperature=settings.temperature,
    )
    model.details = {"settings": asdict(settings), "questions": len(questions), "fragments": len(fragments)}
    return model


def mined(
    questions: Sequence[Question], settings: LinearSettings, report: Report | None = None
) -> tuple[FragmentDictionary, tuple[str, ...]]:
    """Train the kernel machine; return the fragments that matter in it, and the labels that stand in them."""
    options = QuestionOptions(decay=settings.decay, tree_weight=settings.tree_weight)
    written = [replace(question, tree=to_tree(flattened(question.tree))) for question in questions]
    machine = QuestionClassifier.train(written, options, LearnerOptions(cost=settings.kernel_cost), report=report)
    found = []
    for labelling in LABELLINGS:
        parts: Any = machine.machines[labelling].sum
        dag = parts.parts[0].dag
        keep = settings.fragments * (8 if labelling == "coarse" else 1)
        found += [mine(dag, output=output, keep=keep, factor=100) for output in range(dag.outputs)]
    return _relabelled(FragmentDictionary.merged(found), machine.treebank.labels)


def _relabelled(fragments: FragmentDictionary, labels: Vocabulary) -> tuple[FragmentDictionary, tuple[str, ...]]:
    """Keep only the labels that stand in fragments."""
    stored = fragments.contents()
    used = np.unique(stored.arrays["production_labels"])
    stored.arrays["production_labels"] = np.searchsorted(used, stored.arrays["production_labels"]).astype(np.int32)
    return FragmentDictionary.from_contents(stored), tuple(labels[number] for number in used.tolist())


def _folded(rows: Any, questions: Sequence[Question], cost: float) -> tuple[tuple[str, ...], Weights, Weights]:
    """Learn coarse and fine classes; return the fine ones, weights (a row each) and biases of both together."""
    found = {}
    for labelling in LABELLINGS:
        labels = np.array([label_of(question, labelling) for question in questions])
        if len(set(labels)) > 1:
            found[labelling] = fit(rows, labels, cost, dual="auto", max_iter=PASSES).by_class()
    classes, weights, biases = found["fine"]
    if "coarse" in found:
        coarse, above_weights, above_biases = found["coarse"]
        above = [coarse.index(name.partition(":")[0]) for name in classes]
        weights, biases = weights + above_weights[above], biases + above_biases[above]
    return classes, weights, biases


def train_detector(sentences: Sequence[Sentence], settings: LinearSettings | None = None) -> LinearModel:
    """Learn to tell questions from other sentences.

    Examples
    --------
    >>> yes = Sentence(FlatTree(("Who", "won", "?"), ("WP", "VBD", "."), (("SBARQ", 0, 3),)), True)
    >>> no = Sentence(FlatTree(("He", "won", "."), ("PRP", "VBD", "."), (("S", 0, 3),)), False)
    >>> detector = train_detector([yes, no])
    >>> from kakari.parsers.questions.compact_model import hashed_rows
    >>> (detector.scores(*hashed_rows([detection_features(one.tree) for one in (yes, no)]))[:, 0] > 0).tolist()
    [True, False]
    """
    settings = settings or LinearSettings()
    vocabulary = Vocabulary()
    rows = _vectors(vocabulary, [detection_features(sentence.tree) for sentence in sentences])
    labels = np.array([sentence.asked for sentence in sentences])
    _, weights, biases = fit(rows, labels, settings.detector_cost, dual="auto", max_iter=PASSES)
    return hashed_model(("question",), vocabulary, weights, biases, settings.detector_most, settings.clipped)


def hashed_model(
    classes: Sequence[str], vocabulary: Vocabulary, weights: Weights, biases: Weights, most: int, clipped: float
) -> LinearModel:
    """Return a model of the largest weights of named features; `weights` has a row for each class."""
    hashes = hashed([vocabulary[number] for number in range(len(vocabulary))])
    order = np.argsort(hashes, kind="stable")
    return as_model(classes, hashes[order], weights[:, order], biases, most=most, clipped=clipped, normalised=True)


def _vectors(vocabulary: Vocabulary, rows: Iterable[Sequence[str]]) -> Any:
    sets = vocabulary.encode(rows)
    lengths = sets.row_lengths()
    values = np.repeat(1.0 / np.sqrt(np.maximum(lengths, 1)), lengths)
    shape = (len(lengths), len(vocabulary))
    return sparse.csr_array((values, sets.ids, sets.offsets), shape=shape)
