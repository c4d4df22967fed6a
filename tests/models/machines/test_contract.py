"""scikit-learn's contract of estimators, for machines over vectors."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.online import OnlineClassifier
from kakari.models.machines.sdag import SDAG
from kakari.models.machines.supports import KernelSum
from kakari.models.machines.svm import KernelSVC

STOPS = "weighted and repeated examples must agree to the seventh digit, and training stops at a tolerance before that"
SAMPLE_WEIGHT = {
    "check_sample_weight_equivalence_on_dense_data": STOPS,
    "check_sample_weight_equivalence_on_sparse_data": STOPS,
}
NO_BIAS = "without a bias, points far from all examples have the value 0, whatever a class weighs"
REASONS = {
    KernelSVC: SAMPLE_WEIGHT,
    SDAG: {**SAMPLE_WEIGHT, "check_class_weight_classifiers": NO_BIAS},
    OnlineClassifier: {},
}


@parametrize_with_checks(
    [
        KernelSVC(VectorKernel("rbf")),
        KernelSVC(VectorKernel("linear"), multiclass="ovo"),
        SDAG(VectorKernel("rbf")),
        OnlineClassifier(VectorKernel("rbf")),
        OnlineClassifier(VectorKernel("rbf"), "pa-1"),
    ],
    expected_failed_checks=lambda estimator: REASONS[type(estimator)],
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("made", [KernelSVC, SDAG, OnlineClassifier])
def test_trees_keep_the_part_of_the_contract_that_applies(made):
    trees, classes = ["(S (N dogs))", "(Q (W who))", "(S (N cats))", "(Q (W what))"] * 3, ["s", "q"] * 6
    with pytest.raises(NotFittedError):
        made(TreeKernel("stk")).predict(trees)
    with pytest.raises(ValueError, match="Unknown label type"):
        made(TreeKernel("stk")).fit(trees, np.linspace(0, 1, 12))
    assert made(TreeKernel("stk")).fit(X=trees, y=classes).predict(X=trees).tolist() == classes
    from kakari.models.treebank import Treebank

    forest = Treebank().read(trees)
    assert made(TreeKernel("stk")).fit(forest, classes).predict(forest).tolist() == classes


def test_trees_are_cross_validated():
    trees, classes = ["(S (N dogs))", "(Q (W who))", "(S (N cats))", "(Q (W what))"] * 3, ["s", "q"] * 6
    assert cross_val_score(KernelSVC(TreeKernel("stk")), trees, classes, cv=3).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("made", [KernelSVC, OnlineClassifier], ids=lambda one: one.__name__)
def test_kernels_with_the_support_are_held_a_block_at_a_time(made, monkeypatch):
    """Point 8 of "the engine in other people's hands": a9a took 976 MB."""
    random = np.random.default_rng(0)
    points = random.standard_normal((200, 3))
    model = made(VectorKernel("rbf")).fit(points, points[:, 0] > 0)
    whole = model.decision_function(points)
    shapes = []
    gram = VectorKernel.gram

    def watched(self, a, b=None, *, threads=1):
        values = gram(self, a, b, threads=threads)
        shapes.append(values.shape)
        return values

    monkeypatch.setattr(VectorKernel, "gram", watched)
    monkeypatch.setattr("kakari.models.machines.supports.BLOCK_VALUES", 1000)
    assert np.allclose(model.decision_function(points), whole, rtol=0, atol=1e-12)
    assert isinstance(model.finished().sum, KernelSum)
    assert max(rows * columns for rows, columns in shapes) <= 1000
