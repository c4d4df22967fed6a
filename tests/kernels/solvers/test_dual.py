"""The dual solver against scikit-learn, and against the conditions that an optimum must meet."""

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from kakari.kernels.solvers.dual import DualError, GramCache, solve


def problem(seed, size=40, dimensions=4):
    random = np.random.default_rng(seed)
    rows = random.standard_normal((size, dimensions))
    labels = np.where(rows[:, 0] + 0.8 * random.standard_normal(size) > 0, 1.0, -1.0)
    labels[:2] = 1.0, -1.0
    gram = np.exp(-0.3 * ((rows[:, None] - rows[None]) ** 2).sum(axis=2))
    gram = gram.astype(np.float32).astype(np.float64)  # what the cache holds
    return gram, labels, random


def cached(gram, rows_held=None):
    limit = 2**30 if rows_held is None else 4 * len(gram) * rows_held
    return GramCache(np.diag(gram), lambda rows, first: gram[rows, first:], limit=limit)


def objective(gram, labels, coefficients):
    return 0.5 * coefficients @ gram @ coefficients - labels @ coefficients


def violation(gram, labels, costs, coefficients, bias):
    """How far the worst margin is from what its coefficient demands."""
    slack = 1.0 - labels * (gram @ coefficients + bias)
    sizes = coefficients * labels
    worst = np.where(sizes <= 0, np.maximum(slack, 0), np.where(sizes >= costs, np.maximum(-slack, 0), np.abs(slack)))
    return worst.max()


@settings(max_examples=examples(25))
@given(
    seed=st.integers(0, 10**6),
    cost=st.sampled_from([0.1, 1.0, 30.0]),
    factor=st.sampled_from([1.0, 3.0]),
    held=st.sampled_from([None, 2, 5, 20]),
    warm=st.booleans(),
)
def test_equals_scikit_learn(seed, cost, factor, held, warm):
    gram, labels, random = problem(seed)
    weights = np.where(labels > 0, factor, 1.0) * random.uniform(0.5, 2.0, labels.size)
    start = random.uniform(0, 2 * cost, labels.size) * labels if warm else None
    found = solve(cached(gram, held), labels, cost * weights, start=start, tolerance=1e-6)
    rival = SVC(kernel="precomputed", C=cost, tol=1e-6).fit(gram, labels, sample_weight=weights)
    expected = np.zeros(labels.size)
    expected[rival.support_] = rival.dual_coef_[0]
    ours = found["coefficients"]
    assert found["converged"]
    assert objective(gram, labels, ours) == pytest.approx(objective(gram, labels, expected), rel=1e-6)
    assert found["objective"] == pytest.approx(objective(gram, labels, ours), rel=1e-9)
    assert abs(ours.sum()) < 1e-9
    assert violation(gram, labels, cost * weights, ours, found["bias"]) < 1e-5
    assert ((ours * labels >= 0) & (ours * labels <= cost * weights)).all()


@settings(max_examples=examples(25))
@given(
    seed=st.integers(0, 10**6), cost=st.sampled_from([0.1, 2.0]), held=st.sampled_from([None, 3]), warm=st.booleans()
)
def test_optimal_without_a_bias(seed, cost, held, warm):
    gram, labels, random = problem(seed)
    start = random.uniform(0, cost, labels.size) * labels if warm else None
    found = solve(cached(gram, held), labels, cost, bias=False, start=start, tolerance=1e-7)
    assert found["bias"] == 0.0
    assert violation(gram, labels, np.full(labels.size, cost), found["coefficients"], 0.0) < 1e-6


def test_members_are_a_problem_of_their_own():
    gram, labels, random = problem(3, size=60)
    members = np.sort(random.permutation(60)[:31])
    part = solve(cached(gram[np.ix_(members, members)]), labels[members], 1.0, tolerance=1e-6)
    for held in (None, 4):
        found = solve(cached(gram, held), labels[members], 1.0, members=members, tolerance=1e-6)
        np.testing.assert_allclose(found["coefficients"], part["coefficients"], atol=1e-5)
        assert found["objective"] == pytest.approx(part["objective"], rel=1e-9)


def test_rows_on_demand_change_nothing_but_the_work():
    gram, labels, _ = problem(3, size=80)
    eager = cached(gram)
    lazy = GramCache(np.diag(gram), lambda rows, first: gram[rows, first:], lazy=True)
    plain, found = (solve(cache, labels, 1.0, tolerance=1e-6) for cache in (eager, lazy))
    np.testing.assert_array_equal(found["coefficients"], plain["coefficients"])
    assert found["bias"] == plain["bias"]
    assert np.count_nonzero(found["coefficients"]) * 80 <= lazy.evaluations <= 80 * 80


def test_a_larger_problem_in_any_order_and_without_some_rows():
    gram, labels, random = problem(5, size=600, dimensions=3)
    labels = np.where(np.arange(600) % 7 == 0, -labels, labels)
    rival = SVC(kernel="precomputed", C=5.0, tol=1e-4).fit(gram, labels)
    expected = np.zeros(600)
    expected[rival.support_] = rival.dual_coef_[0]
    sorted_first, shuffled = np.argsort(labels, kind="stable"), random.permutation(600)
    for order in (np.arange(600), sorted_first, shuffled):  # stretches of consecutive numbers, and none
        for held in (None, 60):
            for bias in (True, False):
                found = solve(cached(gram, held), labels[order], 5.0, members=order, tolerance=1e-4, bias=bias)
                values = np.empty(600)
                values[order] = found["coefficients"]
                assert violation(gram, labels, np.full(600, 5.0), values, found["bias"]) < 2e-4
                if bias:
                    assert found["objective"] == pytest.approx(objective(gram, labels, expected), rel=1e-6)


def test_a_matrix_is_copied_in_any_order():
    gram, labels, random = problem(7, size=90)
    order = random.permutation(90)

    def refuse(rows, first):
        raise AssertionError("the matrix has these values")

    mixed = GramCache(np.diag(gram)[order], refuse, matrix=gram, order=order)
    plain = cached(gram[np.ix_(order, order)])
    np.testing.assert_array_equal(mixed.row(5), plain.row(5))
    assert mixed.evaluations == 90 * 90
    ours, expected = (solve(cache, labels[order], 1.0) for cache in (mixed, plain))
    np.testing.assert_array_equal(ours["coefficients"], expected["coefficients"])
    for damage in (np.nan, np.inf, 1e39):  # the last one is infinite in single precision
        bad = gram.copy()
        bad[80, 3] = damage
        with pytest.raises(DualError, match="must be finite numbers"):
            solve(GramCache(np.diag(gram), refuse, matrix=bad), labels, 1.0)
    with pytest.raises(DualError, match="90 rows and columns"):
        GramCache(np.diag(gram), refuse, matrix=gram[:, 1:])
    with pytest.raises(DualError, match="90 rows and columns"):
        GramCache(np.diag(gram), refuse, matrix=gram, order=np.zeros(90))


def test_ends_where_rounding_does_not_let_it_come_nearer():
    gram, labels, _ = problem(4)
    limited = solve(cached(gram), labels, 3.0, tolerance=1e-19, max_steps=100_000)
    assert (limited["converged"], limited["steps"]) == (False, 100_000)
    assert limited["gap"] < 1e-14
    stuck = solve(cached(gram), labels, 3.0, tolerance=1e-19, bias=False)  # without a limit
    assert not stuck["converged"]
    assert stuck["gap"] < 1e-14


def test_the_cache_is_filled_once_and_symmetric():
    random = np.random.default_rng(0)
    rows = random.standard_normal((1100, 3))
    gram = rows @ rows.T
    cache = cached(gram)
    assert cache.complete
    np.testing.assert_array_equal(cache.row(1000), gram[1000].astype(np.float32))
    np.testing.assert_array_equal(cache.row(3), gram[3].astype(np.float32))
    assert cache.evaluations < 0.8 * gram.size
    small = cached(gram, rows_held=7)
    assert not small.complete
    for number in (5, 800, 5):
        np.testing.assert_array_equal(small.row(number), gram[number].astype(np.float32))


def test_tells_how_far_it_is_and_can_be_stopped():
    gram, labels, _ = problem(1, size=200)
    told = []
    found = solve(cached(gram), labels, 100.0, tolerance=1e-9, progress=lambda steps, gap: told.append((steps, gap)))
    assert found["converged"]
    assert [steps for steps, _ in told] == [2000 * (i + 1) for i in range(len(told))]
    stopped = solve(cached(gram, 10), labels, 100.0, tolerance=1e-9, max_steps=50)
    assert (stopped["steps"], stopped["converged"]) == (50, False)
    assert stopped["objective"] == pytest.approx(objective(gram, labels, stopped["coefficients"]))

    def interrupt(steps, gap):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(cached(gram), labels, 1e6, tolerance=1e-12, progress=interrupt)


def test_degenerate_problems():
    twins = np.ones((4, 4))
    found = solve(cached(twins), [1, 1, -1, -1], 1.0)
    assert abs(found["coefficients"]).tolist() == [1.0] * 4
    nothing = solve(cached(np.zeros((3, 3))), [1, -1, -1], 1.0)
    assert nothing["converged"]
    free = solve(cached(np.zeros((3, 3))), [1, -1, -1], 1.0, bias=False)
    assert abs(free["coefficients"]).tolist() == [1.0] * 3
    one_sided = solve(cached(np.eye(2)), [1, 1], 1.0)
    assert one_sided["coefficients"].tolist() == [0.0, 0.0]


def test_refuses_bad_input():
    gram, labels, _ = problem(0, size=4)
    with pytest.raises(DualError, match="labels must be 1 or -1"):
        solve(cached(gram), [1, 0, 1, -1], 1.0)
    with pytest.raises(DualError, match="4 examples need as many labels"):
        solve(cached(gram), [1, -1], 1.0)
    with pytest.raises(DualError, match="costs must be finite"):
        solve(cached(gram), labels, np.nan)
    with pytest.raises(DualError, match="members must be numbers from 0 to 3"):
        solve(cached(gram), labels, 1.0, members=[0, 1, 2, 4])
    with pytest.raises(DualError, match="tolerance must be above 0"):
        solve(cached(gram), labels, 1.0, tolerance=0)
    with pytest.raises(DualError, match="start"):
        solve(cached(gram), labels, 1.0, start=[np.nan, 0, 0, 0])
    with pytest.raises(DualError, match="kernel values must be finite"):
        solve(cached(np.where(np.eye(4), 1.0, np.inf)), labels, 1.0)
    with pytest.raises(DualError, match="kernel values have the shape"):
        solve(GramCache(np.ones(4), lambda rows, first: np.ones((1, 1))), labels, 1.0)
