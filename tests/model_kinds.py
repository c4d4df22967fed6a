"""Small models of every kind that a file can hold, and something to do with each, for the attack on model files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from parser_kinds import corrected, japanese, labellers, layer_of_classes, layer_of_signs, pairs_and_states, trees
from scipy import sparse

from kakari import corpora
from kakari.kernels.sets.featuresets import FeatureSets

Use = Callable[[Any], object]
SETS = FeatureSets.from_lists([[1, 2], [2, 3], [3], [1, 4, 5], []] * 4)
TREES = ["(S (N dogs) (V bark))", "(S (N cats) (V purr))", "(Q (W who))", "(Q (W what) (V is))"]


def classifiers() -> dict[str, tuple[Any, Use]]:
    """Return classifiers over feature sets: exact, shared, frozen in both ways."""
    from kakari.models.polynomial.classifier import Classifier, Machine
    from kakari.models.vocabulary import Vocabulary

    names = Vocabulary()
    for word in ("a", "bc", "語", "def", "x=1", "y"):
        names.add(word)
    names.freeze()
    coefficients = np.random.default_rng(0).normal(size=(3, len(SETS)))
    exact = Classifier([Machine(3, SETS, coefficients[0], 0.25)], ["no", "yes"], "ovr", names, {"data": "ours"})
    direct = Classifier([Machine(2, SETS, row) for row in coefficients], ["a", "b", "c"], "direct")

    def use(model: Any) -> object:
        model.margins(SETS)
        model.machines[0].explain(SETS[0])
        return model.vocabulary and [model.vocabulary[i] for i in range(len(model.vocabulary))]

    return {
        "classify-exact": (exact, use),
        "classify-direct": (direct, use),
        "classify-splitting": (exact.shrunk(kind="splitting", common=3), use),
        "classify-inverted": (exact.shrunk(kind="inverted"), use),
        "classify-expansion": (exact.shrunk(kind="expansion", weights="int8", common=2), use),
    }


def as_wide(vectors: Any, model: Any) -> Any:
    """Return vectors with as many columns as a model takes."""
    width = model.sum.width()
    made = sparse.lil_array((len(vectors), vectors.shape[1] if width is None else width))
    made[:, : min(made.shape[1], vectors.shape[1])] = vectors[:, : made.shape[1]]
    return made.tocsr()


def kernel_classifiers() -> dict[str, tuple[Any, Use]]:
    """Return kernel machines over trees, vectors and both, with support sets, sums and votes."""
    from kakari.commands.trees import fragment_rows, frozen_trees
    from kakari.kernels.trees.combined_kernel import CombinedKernel
    from kakari.kernels.trees.tree_kernel import TreeKernel
    from kakari.kernels.trees.vector_kernel import VectorKernel
    from kakari.models.machines.online import OnlineClassifier
    from kakari.models.machines.sdag import SDAG
    from kakari.models.machines.svm import KernelSVC

    def use_vectors(model: Any) -> object:
        return model.predict(as_wide(vectors, model))

    def use_both(model: Any) -> object:
        return model.predict((TREES, as_wide(vectors, model)))

    labels = ["told", "told", "asked", "asked"]
    vectors = np.array([[1.0, 0, 2], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    both = CombinedKernel(TreeKernel("stk"), VectorKernel("linear"), tree_weight=0.5)
    linear, tree = VectorKernel("linear"), TreeKernel("ptk", mu=0.3)
    both_machines = KernelSVC(both).fit((TREES, vectors), labels).finished()
    pairs = KernelSVC(TreeKernel("stk"), multiclass="ovo").fit(TREES, ["a", "b", "c", "a"]).finished()

    def use_frozen(model: Any) -> object:
        fragment_rows(model, 3)
        return model.predict(TREES)

    return {
        "kernel-frozen-trees": (frozen_trees(pairs), use_frozen),
        "kernel-frozen-both": (frozen_trees(both_machines), use_both),
        "kernel-svm-tree": (KernelSVC(TreeKernel("stk")).fit(TREES, labels).finished(), lambda m: m.predict(TREES)),
        "kernel-svm-both": (both_machines, use_both),
        "kernel-svm-rbf": (
            KernelSVC(VectorKernel("rbf")).fit(vectors, ["a", "b", "c", "a"]).finished(),
            use_vectors,
        ),
        "kernel-sdag": (SDAG(tree).fit(TREES, labels).finished(), lambda m: m.predict(TREES)),
        "kernel-linear": (SDAG(linear).fit(vectors, labels).finished(), use_vectors),
        "kernel-voted": (
            OnlineClassifier(tree, "voted").fit(TREES, labels).finished(),
            lambda m: m.predict(TREES),
        ),
    }


def structures() -> dict[str, tuple[Any, Use]]:
    """Return models of questions and of arguments."""
    import tempfile

    from kakari.parsers.arguments.boundary.shards import write_shards
    from kakari.parsers.arguments.boundary.training import BoundaryOptions, train_boundaries
    from kakari.parsers.arguments.candidates.frames import read_frames
    from kakari.parsers.arguments.training import train_arguments
    from kakari.parsers.english.words.treebank_trees import flattened
    from kakari.parsers.questions.compact_model import answered, hashed_sets, tagged
    from kakari.parsers.questions.features import detection_features, question_features
    from kakari.parsers.questions.kernel_model import QuestionClassifier, QuestionOptions
    from kakari.parsers.questions.training import LinearSettings, train_linear

    questions = list(corpora.read("sample-questions"))
    trees = [flattened(one.tree) for one in questions[:4]]
    frames = list(read_frames("sample-en"))
    shards = write_shards(["sample-en"], Path(tempfile.mkdtemp()), size=1000)

    def use_linear(model: Any) -> object:
        answered(model, trees)
        model.asked(trees)
        return [model.explain(tree) for tree in trees[:2]]

    def boundary(name: str) -> tuple[Any, Use]:
        options = BoundaryOptions(name, cost=1.0, rare=1, passes=2, depth=2, bits=8, degree=2, limit=100)
        return train_boundaries(shards, options), lambda m: list(m.classify(frames[:3]))

    linear = train_linear(questions[::2], LinearSettings(fragments=5, most=2000))
    asked = hashed_sets([question_features(tagged(tree)) for tree in trees[:2]])
    signs = layer_of_signs(hashed_sets([detection_features(tree) for tree in trees[:2]]))
    found = train_arguments(frames)
    features = found.boundary.candidates(frames[:3]).features.take([0, 1])
    layers = {"boundary": layer_of_signs(features)}
    if found.roles is not None:
        layers["roles"] = layer_of_classes(len(found.roles.table.classes), features)
    return {
        "en-questions": (linear, use_linear),
        "en-questions-corrected": (
            corrected(linear, {"classes": layer_of_classes(len(linear.classes), asked), "questions": signs}),
            use_linear,
        ),
        "en-arguments-corrected": (corrected(found, layers), lambda m: m.find([one.tree for one in frames[:3]])),
        "questions": (
            QuestionClassifier.train(questions[::6], QuestionOptions(labels="both")),
            lambda m: m.predict(questions[:3]),
        ),
        "en-arguments": (found, lambda m: m.find([one.tree for one in frames[:3]])),
        **{
            f"en-boundary {name}": boundary(name)
            for name in ("mf", "rke+mf-cascade", "etk", "mf-poly", "stk-svm", "stk+mf-poly")
        },
    }


GROUPS = (classifiers, kernel_classifiers, structures, japanese, trees, labellers, pairs_and_states)


def all_kinds() -> dict[str, tuple[Any, Use]]:
    """Return a model of each kind by name, with what uses it."""
    return {name: kind for group in GROUPS for name, kind in group().items()}
