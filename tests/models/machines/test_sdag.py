"""Sampled cutting planes against the exact machine, and against their definition over a Gram matrix."""

import numpy as np
import pytest
from machine_cases import KERNELS, data, signs
from scipy import optimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from kakari.kernels.solvers.cuts import multipliers
from kakari.kernels.solvers.dual import DualError
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.examples import take
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.sdag import SDAG
from kakari.models.machines.svm import KernelSVC
from kakari.models.treebank import Treebank


@pytest.fixture(autouse=True, params=["all kernels", "atoms"])
def way(request, monkeypatch):
    """Few examples have all their kernels worked out; the way of many is tested with as few."""
    if request.param == "atoms":
        monkeypatch.setattr("kakari.models.machines.sdag.MOST_WITH_GRAM", 0)


def cutting_planes(gram, y, costs, first_size, sampling, epsilon, seed, patience=1, growth=0.0):
    """The algorithm itself: cuts are vectors of coefficients of the examples."""
    random, shares, total = np.random.default_rng(seed), costs / costs.sum(), costs.sum()
    cuts, offsets, alpha, slack, w, silent = [], [], np.zeros(0), 0.0, np.zeros(y.size), 0
    while True:
        size = None if first_size is None else int(first_size * (1 + growth) ** len(cuts))
        chosen = np.zeros(y.size)  # of each example, the share of the loss that it stands for in this sample
        if size is None or size >= y.size:
            chosen = shares
        else:
            for group in [y > 0, y < 0] if sampling == "classwise" else [y != 0]:
                wanted = min(group.sum(), max(1, round(size * shares[group].sum())))
                drawn = np.flatnonzero(group)[np.sort(random.choice(group.sum(), wanted, replace=False))]
                chosen[drawn] = shares[drawn] * group.sum() / wanted
        c = chosen * (y * (gram @ w) < 1)
        if c.sum() - (c * y) @ gram @ w <= slack + epsilon:
            silent += 1
            if silent == patience:
                return w
            continue
        silent = 0
        cuts.append(c * y)
        offsets.append(c.sum())
        inner = np.array(cuts) @ gram @ np.array(cuts).T
        alpha = multipliers(inner, offsets, total, start=np.append(alpha, 0.0), tolerance=min(1e-7, epsilon / 100))
        slack = max(0.0, (np.array(offsets) - inner @ alpha).max())
        w = alpha @ np.array(cuts)


@pytest.mark.parametrize("seed", range(4))
def test_multipliers_are_optimal(seed):
    random = np.random.default_rng(seed)
    cuts = random.standard_normal((6, 4))
    gram, offsets, total = cuts @ cuts.T, random.random(6), 0.5 + seed
    found = multipliers(gram, offsets, total)
    expected = optimize.minimize(
        lambda a: 0.5 * a @ gram @ a - offsets @ a,
        np.zeros(6),
        jac=lambda a: gram @ a - offsets,
        bounds=[(0, None)] * 6,
        constraints=[{"type": "ineq", "fun": lambda a: total - a.sum()}],
        options={"ftol": 1e-14},
    )
    assert found.min() >= 0
    assert found.sum() <= total + 1e-12
    assert 0.5 * found @ gram @ found - offsets @ found == pytest.approx(expected.fun, abs=1e-7)


@pytest.mark.parametrize("kind", KERNELS)
def test_without_sampling_it_is_the_exact_machine(kind):
    examples, names = data(kind, seed=5, size=40)
    exact = KernelSVC(KERNELS[kind], C=0.5, bias=False, cost_factor=2.0, tolerance=1e-5).fit(examples, names)
    learner = SDAG(KERNELS[kind], C=0.5, sample_size=None, cost_factor=2.0, epsilon=1e-5).fit(examples, names)
    for machine, one in enumerate("xyz"):
        total = 0.5 * np.where(names == one, 2.0, 1.0).sum()
        gap = learner.objectives_[machine] - exact.objectives_[machine]
        assert -1e-5 <= -gap + total * 1e-5 <= 2.1e-5 * total + 2e-5
    assert (learner.predict(examples) == exact.predict(examples)).mean() > 0.9


@pytest.mark.parametrize("kind", ["tree", "linear", "sets", "sum", "sum of sets", "product"])
@pytest.mark.parametrize("sampling", ["classwise", "uniform"])
@pytest.mark.parametrize(("size", "patience", "growth"), [(None, 1, 0.0), (15, 1, 0.0), (15, 3, 0.0), (15, 2, 0.05)])
def test_equals_its_definition(kind, sampling, size, patience, growth):
    examples, names = data(kind, seed=6, size=50, classes=2)
    options = {"sample_size": size, "sampling": sampling, "epsilon": 0.01, "seed": 3, "patience": patience}
    options["growth"] = growth
    learner = SDAG(KERNELS[kind], C=2.0, cost_factor="balanced", **options).fit(examples, names)
    y = signs(names, "y")
    costs = 2.0 * np.where(y > 0, (y < 0).sum() / (y > 0).sum(), 1.0)
    gram = KERNELS[kind].gram(examples)
    w = cutting_planes(gram, y, costs, size, sampling, 0.01, 3, patience, growth)
    np.testing.assert_allclose(learner.decision_function(examples), gram @ w, atol=1e-5)


def test_examples_of_several_trees():
    texts = [["(S (N dogs))", "(V bark)"], ["(S (N cats))"], ["(Q (W who))", "(V barks)"], ["(Q (W what))", ""]]
    names = ["told", "told", "asked", "asked"]
    forest = Treebank().read(texts)
    for pairing in ("sequence", "all"):
        kernel = TreeKernel("stk", pairing=pairing)
        learner = SDAG(kernel, C=10, sample_size=None, epsilon=1e-6).fit(texts, names)
        w = cutting_planes(kernel.gram(forest), np.array([1, 1, -1, -1]), np.full(4, 10.0), None, "uniform", 1e-6, 0)
        np.testing.assert_allclose(learner.decision_function(texts), kernel.gram(forest) @ w, atol=1e-5)


def test_the_dag_is_the_model(tmp_path):
    examples, names = data("tree", seed=7)
    learner = SDAG(KERNELS["tree"], sample_size=20, epsilon=0.01).fit(examples, names)
    np.testing.assert_allclose(learner.dag_.evaluate(examples), learner.decision_function(examples))
    learner.save(tmp_path / "model")
    again = KernelClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(again.decision_function(examples), learner.decision_function(examples))
    repeated = clone(learner).fit(examples, names)
    np.testing.assert_array_equal(repeated.decision_function(examples), learner.decision_function(examples))
    exact = clone(learner).set_params(sample_size=None)  # samples depend on which side is positive
    pairs = clone(exact).set_params(multiclass="ovo").fit(examples, names)
    alone = clone(exact)
    first = np.flatnonzero(names != "z")
    alone.fit(take(examples, first), names[first])
    np.testing.assert_allclose(
        pairs.finished().machine_values(examples)[:, 0], -alone.decision_function(examples), atol=1e-9
    )


def test_refuses_bad_input():
    examples, names = data("tree")
    for options, reason in (
        ({"C": -1}, "C must be above 0"),
        ({"epsilon": 0}, "epsilon must be above 0"),
        ({"cost_factor": "even"}, "cost_factor must be above 0"),
        ({"sample_size": 1}, "sample_size must be a whole number above 1"),
        ({"growth": -0.1}, "growth must be a number from 0 to 1"),
        ({"patience": 0}, "patience must be a whole number above 0"),
        ({"sampling": "all"}, "sampling is one of classwise, uniform"),
        ({"multiclass": "direct"}, "multiclass is one of ovr, ovo"),
    ):
        with pytest.raises(DualError, match=reason):
            SDAG(KERNELS["tree"], **options).fit(examples, names)
    with pytest.raises(DualError, match="there is 1 class"):
        SDAG(KERNELS["tree"]).fit(examples, np.ones(60))
    with pytest.raises(ValueError, match="learnt nothing yet"):
        SDAG(KERNELS["tree"]).predict(examples)
    with pytest.raises(DualError, match="has no DAG"):
        vectors, labels = data("linear")
        SDAG(KERNELS["linear"], sample_size=20, epsilon=0.1).fit(vectors, labels).dag_.evaluate(examples)
    with pytest.warns(ConvergenceWarning, match="3 machines stopped after 2 cuts"):
        SDAG(KERNELS["tree"], max_cuts=2).fit(examples, names)


def test_both_ways_find_the_same_machine(monkeypatch):
    random = np.random.default_rng(1)
    points = random.standard_normal((300, 4))
    names = np.where(points[:, 0] * points[:, 1] > 0, "a", "b")
    found = []
    for most in (0, 8192):
        monkeypatch.setattr("kakari.models.machines.sdag.MOST_WITH_GRAM", most)
        found.append(SDAG(VectorKernel("rbf"), sample_size=100).fit(points, names).decision_function(points))
    assert np.allclose(*found, rtol=0, atol=1e-4)
