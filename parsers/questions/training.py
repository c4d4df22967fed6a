"""Training of the compact question model: a kernel machine, the fragments that matter in it, and linear weights.

The kernel machine of questions.py is trained on trees and features. The heaviest fragments of each of its machines are
mined, and a linear SVM (LIBLINEAR) learns weights of the features and of these fragments anew, for the coarse and the
fine classes; a fine class's weights are added to those of the coarse class above it. The largest weights are kept, a
byte each.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.corpora.formats.questions import Question
from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.fragments.mining import mine
from kakari.kernels.hashed.weights import HashedLearner
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.stored import Contents
from kakari.models.machines.learners import LearnerOptions
from kakari.models.treebank import Treebank
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.flat_trees import FlatTree, to_tree
from kakari.parsers.english.words.treebank_trees import flattened
from kakari.parsers.questions.compact_model import HashedSum, LinearQuestions, hashed, small_brackets, tagged
from kakari.parsers.questions.features import detection_features, question_features
from kakari.parsers.questions.kernel_model import LABELLINGS, QuestionClassifier, QuestionOptions, label_of

Report = Callable[[str, int, int], object]
Weights = NDArray[np.float64]
FINEST = 1_000_000  # weights as whole numbers, before they become bytes


@dataclass(frozen=True)
class LinearSettings:
    """How a compact model is trained. The defaults were chosen on folds of `qc:train`.

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
    fragments, treebank = mined(questions, settings, report)
    vocabulary = Vocabulary()
    names = [question_features(tagged(tree)) for tree in trees]
    vectors = _vectors(vocabulary, names)
    offsets, columns, values = fragments.vectors(treebank.read([small_brackets(tree) for tree in trees]))
    shape = (len(trees), len(fragments))
    rows = sparse.csr_array((settings.tree_weight * values, columns, offsets), shape=shape)
    both = sparse.hstack([vectors, rows])
    classes, weights, biases = _folded(both, questions, settings.cost)
    own, unit = quantised(settings.tree_weight * weights[len(vocabulary) :], settings.clipped)
    model = LinearQuestions(
        classes,
        frozen_sum(vocabulary, weights[: len(vocabulary)], biases, settings.most, settings.clipped),
        fragments,
        treebank,
        own,
        unit,
        temperature=settings.temperature,
    )
    model.details = {"settings": asdict(settings), "questions": len(questions), "fragments": len(fragments)}
    return model


def mined(
    questions: Sequence[Question], settings: LinearSettings, report: Report | None = None
) -> tuple[FragmentDictionary, Treebank]:
    """Train the kernel machine; give the fragments that matter in it, and the labels that stand in them."""
    options = QuestionOptions(decay=settings.decay, tree_weight=settings.tree_weight)
    written = [replace(question, tree=to_tree(flattened(question.tree))) for question in questions]
    machine = QuestionClassifier.train(written, options, LearnerOptions(cost=settings.kernel_cost), report=report)
    found = []
    for labelling in LABELLINGS:
        parts: Any = machine.machines[labelling].sum
        dag = parts.parts[0].dag
        keep = settings.fragments * (8 if labelling == "coarse" else 1)
        found += [mine(dag, output=output, keep=keep, factor=100) for output in range(dag.outputs)]
    return _relabelled(FragmentDictionary.merged(found), machine.treebank)


def _relabelled(fragments: FragmentDictionary, treebank: Treebank) -> tuple[FragmentDictionary, Treebank]:
    """Keep only the labels that stand in fragments."""
    stored = fragments.contents()
    used = np.unique(stored.arrays["production_labels"])
    labels = Vocabulary()
    for number in used.tolist():
        labels.add(treebank.labels[number])
    stored.arrays["production_labels"] = np.searchsorted(used, stored.arrays["production_labels"]).astype(np.int32)
    kept = Treebank(labels)
    kept.freeze()
    return FragmentDictionary.from_contents(stored), kept


def _folded(rows: Any, questions: Sequence[Question], cost: float) -> tuple[tuple[str, ...], Weights, Weights]:
    """Learn coarse and fine classes; give the fine ones, weights (a column each) and biases of both together."""
    found = {}
    for labelling in LABELLINGS:
        labels = np.array([label_of(question, labelling) for question in questions])
        found[labelling] = fit(rows, labels, cost) if len(set(labels)) > 1 else None
    fine = found["fine"]
    assert fine is not None  # noqa: S101 - there are two fine classes at least
    classes, weights, biases = fine
    if found["coarse"] is not None:
        coarse, above_weights, above_biases = found["coarse"]
        above = [coarse.index(name.partition(":")[0]) for name in classes]
        weights, biases = weights + above_weights[:, above], biases + above_biases[above]
    return classes, weights, biases


def fit(rows: Any, labels: NDArray[Any], cost: float) -> tuple[tuple[str, ...], Weights, Weights]:
    """Train linear SVMs, one class against the rest; give classes, weights (a column each) and biases."""
    from sklearn.svm import LinearSVC

    given = sparse.csr_matrix(rows)
    given.indices, given.indptr = given.indices.astype(np.int32), given.indptr.astype(np.int32)
    with warnings.catch_warnings():
        # A handful of questions may well have more classes than half their number.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        trained = LinearSVC(C=cost, random_state=0, max_iter=20_000).fit(given, labels)
    weights, biases = trained.coef_.T, trained.intercept_
    if weights.shape[1] == 1:
        weights, biases = np.hstack([-weights, weights]), np.concatenate([-biases, biases])
    return tuple(str(name) for name in trained.classes_), weights, biases


def train_detector(sentences: Sequence[Sentence], settings: LinearSettings | None = None) -> HashedSum:
    """Learn to tell questions from other sentences.

    Examples
    --------
    >>> yes = Sentence(FlatTree(("Who", "won", "?"), ("WP", "VBD", "."), (("SBARQ", 0, 3),)), True)
    >>> no = Sentence(FlatTree(("He", "won", "."), ("PRP", "VBD", "."), (("S", 0, 3),)), False)
    >>> detector = train_detector([yes, no])
    >>> [bool(detector.scores(detection_features(one.tree))[0] > 0) for one in (yes, no)]
    [True, False]
    """
    settings = settings or LinearSettings()
    vocabulary = Vocabulary()
    rows = _vectors(vocabulary, [detection_features(sentence.tree) for sentence in sentences])
    labels = np.array([sentence.asked for sentence in sentences])
    _, weights, biases = fit(rows, labels, settings.detector_cost)
    return frozen_sum(vocabulary, weights[:, 1:], biases[1:], settings.detector_most, settings.clipped)


def frozen_sum(vocabulary: Vocabulary, weights: Weights, biases: Weights, most: int, clipped: float) -> HashedSum:
    """Keep the largest weights of features, as bytes."""
    sizes = np.abs(weights).ravel()
    smallest = np.partition(sizes, sizes.size - most)[sizes.size - most] if most < sizes.size else 0.0
    rows, places = np.nonzero((np.abs(weights) >= smallest) & (weights != 0))
    kept = weights[rows, places]
    limit = _limit(kept, clipped)
    hashes = hashed([vocabulary[number] for number in range(len(vocabulary))])
    amounts = np.rint(np.clip(kept / limit, -1, 1) * FINEST).astype(np.int32)
    arrays: dict[str, NDArray[Any]] = {"hashes": hashes[rows], "places": places.astype(np.int32), "amounts": amounts}
    state = Contents(arrays | {"moments": np.zeros(rows.size, dtype=np.int64)}, {"examples": 1})
    return HashedSum(HashedLearner.from_contents(state).freeze(), limit / 127, biases.astype(np.float64))


def quantised(weights: Weights, clipped: float) -> tuple[NDArray[np.int8], float]:
    """Return weights as bytes, and what a 1 among them stands for.

    Examples
    --------
    >>> quantised(np.array([[0.5, -1.0]]), 0.0)[0].tolist()
    [[64, -127]]
    """
    limit = _limit(weights, clipped)
    return np.rint(np.clip(weights / limit, -1, 1) * 127).astype(np.int8), limit / 127


def _limit(weights: Weights, clipped: float) -> float:
    """Return the weight that 127 stands for; the few larger ones are cut."""
    return (float(np.quantile(np.abs(weights), 1 - clipped)) if weights.size else 0.0) or 1.0


def _vectors(vocabulary: Vocabulary, rows: Iterable[Sequence[str]]) -> Any:
    sets = vocabulary.encode(rows)
    lengths = sets.row_lengths()
    values = np.repeat(1.0 / np.sqrt(np.maximum(lengths, 1)), lengths)
    shape = (len(lengths), len(vocabulary))
    return sparse.csr_array((values, sets.ids, sets.offsets), shape=shape)
