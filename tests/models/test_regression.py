"""Regression over kernels: the batch machine against LIBSVM's, the stream against its definition."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVR
from sklearn.utils.estimator_checks import parametrize_with_checks

from kakari import KernelSVR, OnlineRegressor, TreeKernel, VectorKernel, gram

STOPS = "weighted and repeated examples must agree to the seventh digit, and training stops at a tolerance before that"
REASONS = {
    "check_sample_weight_equivalence_on_dense_data": STOPS,
    "check_sample_weight_equivalence_on_sparse_data": STOPS,
}


@parametrize_with_checks(
    [KernelSVR(VectorKernel("rbf")), OnlineRegressor(VectorKernel("rbf"))],
    expected_failed_checks=lambda estimator: REASONS if isinstance(estimator, KernelSVR) else {},
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@given(
    seed=st.integers(0, 10**6),
    C=st.sampled_from([0.1, 1.0, 10.0]),
    epsilon=st.sampled_from([0.0, 0.1, 0.5]),
    size=st.integers(3, 40),
)
def test_the_optimum_is_that_of_libsvm(seed, C, epsilon, size):
    random = np.random.default_rng(seed)
    X = random.standard_normal((size, 3))
    y = np.sin(X[:, 0]) + 0.3 * random.standard_normal(size)
    ours = KernelSVR(VectorKernel("rbf", gamma=0.5), C=C, epsilon=epsilon, tolerance=1e-6).fit(X, y)
    theirs = SVR(kernel="rbf", gamma=0.5, C=C, epsilon=epsilon, tol=1e-6).fit(X, y)

    def loss(machine, values):
        full = np.zeros(size)
        full[machine.support_] = machine.dual_coef_.ravel()
        kernel = gram(VectorKernel("rbf", gamma=0.5), X)
        return full @ kernel @ full / 2 + C * np.maximum(0, np.abs(y - values) - epsilon).sum()

    assert loss(ours, ours.predict(X)) <= loss(theirs, theirs.predict(X)) * (1 + 1e-4) + 1e-4


@pytest.mark.parametrize("limit", [2**30, 4 * 60 * 10])
def test_rows_that_do_not_fit_change_nothing(limit):
    random = np.random.default_rng(0)
    X = random.standard_normal((60, 2))
    machine = KernelSVR(VectorKernel("rbf"), cache_limit=limit, epsilon=0.01, C=10).fit(X, X[:, 0] ** 2)
    assert np.abs(machine.predict(X) - X[:, 0] ** 2).max() < 0.2


def plain_stream(X, y, rule, C, epsilon):
    """The definition: each example is added when its value leaves the tube; the average of all models predicts."""
    kernel = gram(VectorKernel("rbf"), X)
    alpha, total = np.zeros(len(y)), np.zeros(len(y))
    for t, wanted in enumerate(y):
        missing = wanted - alpha @ kernel[:, t]
        loss = max(0.0, abs(missing) - epsilon)
        step = {"pa": loss / kernel[t, t], "pa-1": min(C, loss / kernel[t, t]), "pa-2": loss / (kernel[t, t] + 0.5 / C)}
        alpha[t] = np.sign(missing) * step[rule]
        total += alpha
    return kernel @ (total / len(y)), kernel @ alpha


@given(
    seed=st.integers(0, 10**6),
    rule=st.sampled_from(["pa", "pa-1", "pa-2"]),
    C=st.sampled_from([0.1, 1.0]),
    run=st.integers(1, 20),
)
def test_the_stream_is_its_definition(seed, rule, C, run):
    random = np.random.default_rng(seed)
    X = random.standard_normal((15, 2))
    y = random.standard_normal(15)
    averaged, last = plain_stream(X, y, rule, C, 0.1)
    for wanted, expected in ((True, averaged), (False, last)):
        learner = OnlineRegressor(VectorKernel("rbf"), rule, C=C, averaged=wanted, run_length=run).fit(X, y)
        np.testing.assert_allclose(learner.predict(X), expected, rtol=0, atol=1e-10)
        piecewise = OnlineRegressor(VectorKernel("rbf"), rule, C=C, averaged=wanted)
        for start in range(0, 15, 4):
            piecewise.partial_fit(X[start : start + 4], y[start : start + 4])
        np.testing.assert_allclose(piecewise.predict(X), expected, rtol=0, atol=1e-10)


def test_trees_have_numbers():
    trees = [f"(S {'(N we) ' * i}(V go))" for i in range(1, 13)]
    sizes = np.arange(1, 13) / 4
    for made in (KernelSVR, lambda kernel, **options: OnlineRegressor(kernel, **options)):
        machine = made(TreeKernel("ptk", normalize=False), C=100, epsilon=0.01).fit(trees, sizes)
        assert np.corrcoef(machine.predict(trees), sizes)[0, 1] > 0.9
        again = pickle.loads(pickle.dumps(machine))
        assert np.array_equal(again.predict(trees), machine.predict(trees))
    assert cross_val_score(KernelSVR(TreeKernel("ptk"), C=100), trees, sizes, cv=3).shape == (3,)


def test_wrong_options_are_refused():
    for wrong in ({"C": 0}, {"epsilon": -1}, {"tolerance": 0}):
        with pytest.raises(ValueError, match="must be"):
            KernelSVR(VectorKernel("linear"), **wrong).fit([[1.0], [2.0]], [1, 2])
    for wrong in ({"C": 0}, {"epsilon": -1}, {"algorithm": "perceptron"}):
        with pytest.raises(ValueError, match=r"must be|no learner"):
            OnlineRegressor(VectorKernel("linear"), **wrong).fit([[1.0], [2.0]], [1, 2])
