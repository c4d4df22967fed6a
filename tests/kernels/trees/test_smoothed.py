"""The smoothed partial tree kernel against its definition, its similarities, and machines that learn with it."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
import tree_oracles as oracle
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from tree_cases import DECAYS, TREES, forest_of, random_tree

from kakari import (
    KernelClassifier,
    KernelSVC,
    MatrixSimilarity,
    OnlineClassifier,
    SmoothedTreeKernel,
    Treebank,
    TreeKernel,
    VectorKernel,
    WordVectors,
    gram,
)
from kakari.kernels.stored import StoredError
from kakari.kernels.trees.parameters import KernelError
from kakari.kernels.trees.tree_kernel import TreeKernelError

SIMILARITIES = st.lists(st.sampled_from([0.0, 0.005, 0.3, 0.9]), min_size=3, max_size=3)
WORDS = WordVectors({"dogs": [1.0, 0.1], "cats": [0.9, 0.2], "bark": [0.0, 1.0], "purr": [0.1, 1.0]})


def delta(a, b, similar, decay, mu, terminal, longest):
    """Δ over all pairs of equally long child subsequences, as the definition has it."""
    sigma = similar(a[0], b[0])
    if sigma < 0.01:
        return 0.0
    if len(a) == 1 or len(b) == 1:
        return sigma * mu * decay**2 * terminal
    total = decay**2
    for length in range(1, min(len(a), len(b), longest + 1)):
        for ours in oracle.combinations(range(1, len(a)), length):
            for theirs in oracle.combinations(range(1, len(b)), length):
                value = decay ** (ours[-1] - ours[0] + theirs[-1] - theirs[0] - 2 * (length - 1))
                for i, j in zip(ours, theirs, strict=True):
                    value *= delta(a[i], b[j], similar, decay, mu, terminal, longest)
                total += value
    return sigma * mu * total


def smoothed(a, b, *options):
    return sum(delta(x, y, *options) for x in oracle.nodes(a) for y in oracle.nodes(b))


@given(
    trees=st.lists(TREES, min_size=2, max_size=5),
    values=SIMILARITIES,
    decay=DECAYS,
    mu=DECAYS,
    terminal=st.sampled_from([1.0, 2.5]),
    longest=st.sampled_from([None, 1, 2]),
    normalize=st.booleans(),
)
def test_equals_its_definition(trees, values, decay, mu, terminal, longest, normalize):
    matrix = np.eye(3)
    matrix[[0, 0, 1], [1, 2, 2]] = matrix[[1, 2, 2], [0, 0, 1]] = values
    options = {"decay": decay, "mu": mu, "terminal_factor": terminal, "max_children": longest, "normalize": normalize}
    kernel = SmoothedTreeKernel(MatrixSimilarity(range(3), matrix), **options)
    by_function = SmoothedTreeKernel(lambda a, b: matrix[a, b], **options)
    plain = (lambda a, b: matrix[a, b]), decay, mu, terminal, 10**6 if longest is None else longest
    expected = np.array([[smoothed(a, b, *plain) for b in trees] for a in trees])
    if normalize:
        expected = expected / np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    forest = forest_of(*([tree] for tree in trees))
    for found in (kernel.gram(forest), by_function.gram(forest), kernel.gram(forest, forest[:]).copy()):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(kernel.diagonal(forest), np.diag(expected), rtol=1e-10)


@given(trees=st.lists(TREES, min_size=1, max_size=6), decay=DECAYS, mu=DECAYS, terminal=st.floats(0.1, 4))
def test_without_a_similarity_it_is_the_partial_tree_kernel(trees, decay, mu, terminal):
    forest = forest_of(*([tree] for tree in trees))
    options = {"decay": decay, "mu": mu, "terminal_factor": terminal}
    np.testing.assert_allclose(
        SmoothedTreeKernel(**options).gram(forest), TreeKernel("ptk", **options).gram(forest), rtol=1e-10
    )


@pytest.mark.parametrize("pairing", ["sequence", "all"])
def test_examples_of_several_trees(pairing):
    random = np.random.default_rng(1)
    forest = forest_of(*([random_tree(random, 5) for _ in range(count)] for count in (1, 3, 0, 2)))
    ours, theirs = SmoothedTreeKernel(pairing=pairing), TreeKernel("ptk", pairing=pairing)
    np.testing.assert_allclose(ours.gram(forest), theirs.gram(forest), rtol=1e-12)
    np.testing.assert_allclose(ours.diagonal(forest), theirs.diagonal(forest), rtol=1e-12)


def test_threads_change_nothing():
    random = np.random.default_rng(0)
    forest = forest_of(*([random_tree(random, 12, labels=6)] for _ in range(60)))
    similarity = MatrixSimilarity(range(6), 0.5 + 0.5 * np.eye(6))
    values = SmoothedTreeKernel(similarity).gram(forest)
    assert np.array_equal(SmoothedTreeKernel(similarity).gram(forest, threads=4), values)
    found = []
    workers = [
        threading.Thread(target=lambda: found.append(SmoothedTreeKernel(similarity).gram(forest))) for _ in "1234"
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(one, values) for one in found)


def test_words_that_training_never_saw_are_similar():
    trees = ["(S (N dogs) (V bark))", "(S (V bark) (N dogs))"]
    for made in (KernelSVC, lambda kernel: OnlineClassifier(kernel, "pa-1")):
        machine = made(SmoothedTreeKernel(WORDS, decay=1.0)).fit(trees * 4, ["told", "asked"] * 4)
        near, far = machine.decision_function(["(S (N cats) (V purr))", "(S (N hope) (V thrives))"])
        assert near > far
        assert machine.predict(["(S (N cats) (V purr))", "(S (V purr) (N cats))"]).tolist() == ["told", "asked"]


def test_models_come_back_from_files_and_pickles(tmp_path):
    trees = ["(S (N dogs) (V bark))", "(S (V bark) (N dogs))", "(S (N cats) (V bark))"]
    asked = [*trees, "(S (N cats) (V purr))"]
    for made in (KernelSVC, OnlineClassifier):
        machine = made(SmoothedTreeKernel(WORDS) + TreeKernel("stk")).fit(trees, [1, -1, 1])
        machine.save(tmp_path / "model")
        again = KernelClassifier.load(tmp_path / "model")
        assert np.allclose(again.decision_function(asked), machine.decision_function(asked), rtol=0, atol=1e-12)
        pickled = pickle.loads(pickle.dumps(machine))
        assert np.array_equal(pickled.decision_function(asked), machine.decision_function(asked))
    named = SmoothedTreeKernel(MatrixSimilarity(["a", "b"], [[1, 0.5], [0.5, 1]]))
    assert SmoothedTreeKernel.from_contents(named.contents()) == named
    assert clone(named) == named
    with pytest.raises(KernelError, match="a function cannot be saved"):
        KernelSVC(SmoothedTreeKernel(lambda a, b: 0.5)).fit(trees, [1, -1, 1]).save(tmp_path / "none")
    with pytest.raises(StoredError, match="symmetric"):
        stored = named.contents()
        stored.parts["similarity"].arrays["values"] = np.array([[1, 0.5], [0.1, 1]])
        SmoothedTreeKernel.from_contents(stored)


def test_options_are_searched():
    trees = ["(S (N dogs) (V bark))", "(Q (W who) (V barks))", "(S (N cats) (V purr))", "(Q (W what) (V purrs))"] * 3
    search = GridSearchCV(
        KernelSVC(SmoothedTreeKernel(WORDS)), {"kernel__decay": [0.2, 0.4], "kernel__threshold": [0.1, 0.9]}, cv=2
    ).fit(trees, ["told", "asked"] * 6)
    assert search.best_score_ == 1.0


def test_labels_with_classes_are_similar_within_their_class():
    words = WordVectors(["run", "walk"], [[1.0, 0.0], [1.0, 0.0]])
    values = gram(
        SmoothedTreeKernel(words, normalize=False), ["(X run::v)"], ["(X walk::v)", "(X walk::n)", "(X run::v)"]
    )
    assert values[0, 0] == values[0, 2] > values[0, 1] > 0


def test_wrong_similarities_are_refused():
    for wrong in (
        lambda: SmoothedTreeKernel("cosine"),
        lambda: MatrixSimilarity(["a"], [[1, 2], [2, 1]]),
        lambda: MatrixSimilarity(["a", "a"], np.eye(2)),
        lambda: MatrixSimilarity(["a", "b"], [[1, 0.5], [0.4, 1]]),
        lambda: MatrixSimilarity(["a", "b"], [[1, -0.5], [-0.5, 1]]),
        lambda: WordVectors({"a": [np.nan]}),
        lambda: WordVectors(["a"], [[1.0], [2.0]]),
        lambda: WordVectors(["a", "a"], [[1.0], [2.0]]),
        lambda: gram(SmoothedTreeKernel(lambda a, b: float("nan")), ["(a b)"]),
    ):
        with pytest.raises(KernelError):
            wrong()
    for wrong in ({"decay": 2}, {"mu": 0}, {"threshold": 0}, {"max_children": 0}, {"pairing": "x"}):
        with pytest.raises(TreeKernelError):
            SmoothedTreeKernel(**wrong)
    assert WordVectors({"zero": [0.0, 0.0], "one": [1.0, 0.0]}).between(["zero"], ["one"], 0.01)[2].size == 0


@pytest.mark.parametrize(
    "kernel", [TreeKernel("ptk"), SmoothedTreeKernel(), VectorKernel("rbf")], ids=lambda one: one.type_name
)
def test_ctrl_c_ends_a_gram_matrix(kernel):
    """Point 8 of "the engine in other people's hands"."""
    random = np.random.default_rng(0)
    if kernel.takes == "trees":
        examples = forest_of(*([random_tree(random, 60, labels=2)] for _ in range(1500)))
    else:
        examples = random.standard_normal((6000, 400))
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        kernel.gram(examples)
    timer.join()
    assert time.monotonic() - start < 30


def test_treebanks_that_differ_are_refused():
    first, second = Treebank().read(["(A b)"]), Treebank().read(["(C d)"])
    with pytest.raises(ValueError, match="two treebanks"):
        SmoothedTreeKernel().gram(first, second)
