"""Point 5 of "the engine in other people's hands": kernels put together, kernels of users, and kernel values."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC

from kakari import (
    SDAG,
    CombinedKernel,
    KernelClassifier,
    KernelSVC,
    OnlineClassifier,
    ProductKernel,
    SumKernel,
    TreeKernel,
    TreesAndVectors,
    VectorKernel,
    gram,
)
from kakari.kernels.trees.parameters import KernelError
from kakari.models.machines.examples import ExampleError

TREES = ["(S (N dogs) (V bark))", "(Q (W who) (V barks))", "(S (N cats) (V purr))", "(Q (W what) (V purrs))"] * 5
VECTORS = 0.1 * np.random.default_rng(0).standard_normal((20, 3))
CLASSES = np.array(["told", "asked"] * 10)
BOTH = TreesAndVectors(TREES, VECTORS)
LEARNERS = [KernelSVC, SDAG, OnlineClassifier]
KERNELS = {
    "tree + vector": TreeKernel("stk") + VectorKernel("linear"),
    "three": TreeKernel("stk") + 0.5 * TreeKernel("ptk") + VectorKernel("rbf"),
    "with a product": TreeKernel("stk") + TreeKernel("st") * VectorKernel("rbf"),
    "with a combination": TreeKernel("st") + CombinedKernel(TreeKernel("stk"), VectorKernel("linear")),
}


class Overlap:
    """Shared letters: a kernel over strings."""

    def gram(self, a, b=None):
        return np.array([[float(len(set(x) & set(z))) for z in (a if b is None else b)] for x in a])

    def diagonal(self, a):
        return np.array([float(len(set(x))) for x in a])


def test_sums_are_sums():
    trees, rows = gram(TreeKernel("stk"), TREES), gram(VectorKernel("rbf"), VECTORS)
    others = gram(TreeKernel("ptk"), TREES)
    both = gram(TreeKernel("stk") + 0.5 * TreeKernel("ptk") + 2 * VectorKernel("rbf"), BOTH)
    assert np.allclose(both, trees + 0.5 * others + 2 * rows, rtol=0, atol=1e-12)
    assert np.allclose(gram(TreeKernel("stk") * VectorKernel("rbf"), BOTH), trees * rows, rtol=0, atol=1e-12)
    assert np.allclose(gram(KERNELS["with a product"], BOTH), trees + gram(TreeKernel("st"), TREES) * rows)
    assert isinstance(TreeKernel("stk") + TreeKernel("st"), SumKernel)
    assert gram(TreeKernel("stk") + TreeKernel("ptk"), TREES[:2]).shape == (2, 2)  # trees alone, no pair
    assert isinstance(3 * (TreeKernel("stk") * VectorKernel("rbf")), SumKernel)
    assert isinstance(VectorKernel("rbf") * TreeKernel("stk"), ProductKernel)


@pytest.mark.parametrize("made", LEARNERS)
@pytest.mark.parametrize("name", KERNELS)
def test_sums_learn_are_cross_validated_and_come_back_from_files(made, name, tmp_path):
    machine = made(KERNELS[name]).fit(BOTH, CLASSES)
    assert machine.predict(BOTH).tolist() == CLASSES.tolist()
    machine.save(tmp_path / "model")
    again = KernelClassifier.load(tmp_path / "model")
    assert np.allclose(again.decision_function(BOTH), machine.decision_function(BOTH), rtol=0, atol=1e-9)
    assert cross_val_score(made(KERNELS[name]), BOTH, CLASSES, cv=4).tolist() == [1.0] * 4


def test_a_sum_decides_as_its_kernel_values_do():
    kernel = KERNELS["three"]
    exact = SVC(kernel="precomputed", tol=1e-8).fit(gram(kernel, BOTH), CLASSES)
    ours = KernelSVC(kernel, tolerance=1e-8).fit(BOTH, CLASSES)
    # SVC is positive for the second of its classes too
    assert np.allclose(ours.decision_function(BOTH), exact.decision_function(gram(kernel, BOTH)), atol=1e-5)


def test_parameters_of_sums_are_searched():
    search = GridSearchCV(
        KernelSVC(KERNELS["three"]), {"kernel__0__decay": [0.2, 0.4], "kernel__weights": [None, [1, 1, 2]]}, cv=2
    ).fit(BOTH, CLASSES)
    assert search.best_score_ == 1.0
    assert clone(KERNELS["three"]) == KERNELS["three"]
    with pytest.raises(ValueError, match="no option '7__decay'"):
        clone(KERNELS["three"]).set_params(**{"7__decay": 1})


def test_wrong_sums_are_refused():
    for wrong in (lambda: SumKernel([]), lambda: SumKernel([TreeKernel()], [1, 2]), lambda: -1 * TreeKernel()):
        with pytest.raises(KernelError):
            wrong()
    with pytest.raises(TypeError):
        TreeKernel() + 3


def test_trees_and_vectors_index_both():
    assert BOTH[[3, 1]].trees == [TREES[3], TREES[1]]
    assert np.array_equal(BOTH[5:7].vectors, VECTORS[5:7])
    assert len(BOTH[CLASSES == "told"]) == 10
    assert BOTH[-1].trees == [TREES[-1]]
    assert sparse.issparse(TreesAndVectors(TREES, sparse.coo_array(VECTORS))[[0]].vectors)
    with pytest.raises(ExampleError, match="20 examples of trees, but 3 vectors"):
        TreesAndVectors(TREES, VECTORS[:3])


@pytest.mark.parametrize("made", [*LEARNERS, lambda kernel: OnlineClassifier(kernel, "forgetron", budget=8)])
def test_kernels_of_users(made):
    words, classes = ["aab", "xyz", "abba", "zyx", "bab", "zzx"] * 4, ["ab", "xz"] * 12
    machine = made(Overlap()).fit(words, classes)
    assert machine.predict(["ba", "xx"]).tolist() == ["ab", "xz"]
    assert cross_val_score(made(Overlap()), words, classes, cv=3).tolist() == [1.0] * 3
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(words), machine.decision_function(words))
    with pytest.raises(ValueError, match="cannot be s"):
        machine.save("nowhere")


def test_kernels_of_users_over_arrays_agree_with_ours():
    class Linear:
        def gram(self, a, b):
            return a @ b.T

        def diagonal(self, a):
            return (a * a).sum(axis=1)

    for made in LEARNERS:
        ours = made(VectorKernel("linear")).fit(VECTORS, CLASSES)
        theirs = made(Linear()).fit(VECTORS, CLASSES)
        assert np.allclose(theirs.decision_function(VECTORS), ours.decision_function(VECTORS), atol=1e-9)


def test_a_users_kernel_that_returns_nonsense_is_named():
    class Wrong:
        def gram(self, a, b):
            return np.zeros((1, 1))

        def diagonal(self, a):
            return np.zeros(len(a))

    with pytest.raises(KernelError, match=r"returned values of the shape \(1, 1\)"):
        KernelSVC(Wrong()).fit(VECTORS, CLASSES)
    with pytest.raises(KernelError, match="is no kernel"):
        KernelSVC("rbf").fit(VECTORS, CLASSES)


@pytest.mark.parametrize("made", LEARNERS)
def test_precomputed(made, tmp_path):
    kernel = TreeKernel("stk")
    values = gram(kernel, TREES)
    machine, direct = made("precomputed").fit(values, CLASSES), made(kernel).fit(TREES, CLASSES)
    new = gram(kernel, TREES[:7], TREES)
    assert np.allclose(machine.decision_function(new), direct.decision_function(TREES[:7]), atol=1e-6)
    assert cross_val_score(made("precomputed"), values, CLASSES, cv=4).tolist() == [1.0] * 4
    machine.save(tmp_path / "model")
    again = KernelClassifier.load(tmp_path / "model")
    assert np.allclose(again.decision_function(new), machine.decision_function(new), rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="square"):
        made("precomputed").fit(values[:5], CLASSES[:5])
    with pytest.raises(ValueError, match="features"):
        machine.predict(new[:, :4])


def test_a_stream_has_no_kernel_values():
    with pytest.raises(ValueError, match="call fit"):
        OnlineClassifier("precomputed").partial_fit(np.eye(2), [0, 1])
