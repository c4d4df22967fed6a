"""The dual by conjunctions against descent over the Gram matrix in plain Python, and the conditions of an optimum."""

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.solvers.dual import DualError
from kakari.kernels.solvers.expanded import solve_expanded


def gram_of(rows, degree):
    return np.array([[(1.0 + len(a & b)) ** degree for b in rows] for a in rows])


def objective(gram, labels, coefficients):
    return 0.5 * coefficients @ gram @ coefficients - labels @ coefficients


def descended(gram, labels, cost):
    """Change one coefficient after another to its best value, in file order."""
    sizes = np.zeros(len(labels))
    for _ in range(3000):
        before = sizes.copy()
        for i, label in enumerate(labels):
            gradient = label * (gram[i] @ (labels * sizes)) - 1.0
            sizes[i] = min(max(sizes[i] - gradient / gram[i, i], 0.0), cost)
        if np.abs(sizes - before).max() < 1e-9:
            break
    return labels * sizes


ROWS = st.lists(st.tuples(st.frozensets(st.integers(0, 9), max_size=6), st.booleans()), min_size=1, max_size=14)


@settings(max_examples=examples(60), deadline=None)
@given(data=ROWS, degree=st.integers(1, 3), cost=st.sampled_from([0.01, 0.3, 10.0]), seed=st.integers(0, 3))
def test_the_optimum_of_the_gram_matrix(data, degree, cost, seed):
    rows, labels = [row for row, _ in data], np.array([1.0 if positive else -1.0 for _, positive in data])
    sets = FeatureSets.from_lists([sorted(7 * feature for feature in row) for row in rows])
    found = solve_expanded(sets, labels, degree, cost=cost, tolerance=1e-5, passes=20_000, seed=seed)
    gram = gram_of(rows, degree)
    wanted = descended(gram, labels, cost)
    own = found["coefficients"]
    assert found["converged"]
    assert (labels * own >= 0).all()
    assert (np.abs(own) <= cost * (1 + 1e-12)).all()
    assert objective(gram, labels, own) == pytest.approx(objective(gram, labels, wanted), rel=1e-4, abs=1e-6)
    # Margins of an optimum are 1 between the bounds, at most 1 at the upper one, at least 1 at the lower one.
    slack = 1.0 - labels * (gram @ own)
    sizes = labels * own
    faults = np.where(sizes <= 0, np.maximum(slack, 0), np.where(sizes >= cost, np.maximum(-slack, 0), np.abs(slack)))
    assert faults.max() < 1e-4


def test_the_same_bits_again():
    random = np.random.default_rng(5)
    sets = FeatureSets.from_lists([sorted({int(f) for f in random.integers(0, 50, 8)}) for _ in range(200)])
    labels = np.where(random.random(200) < 0.5, 1, -1)
    first, second = (solve_expanded(sets, labels, 3, seed=2) for _ in range(2))
    assert first["coefficients"].tobytes() == second["coefficients"].tobytes()
    assert first["converged"]
    stopped = solve_expanded(sets, labels, 3, seed=2, passes=1)
    assert (stopped["passes"], stopped["converged"]) == (1, False)


def test_nothing_and_what_is_no_problem():
    empty = solve_expanded(FeatureSets.from_lists([]), [], 2)
    assert (empty["coefficients"].tolist(), empty["converged"]) == ([], True)
    sets = FeatureSets.from_lists([[1], []])
    for labels, degree, options in (
        ([1], 2, {}),
        ([1, 0], 2, {}),
        ([1, -1], 4, {}),
        ([1, -1], 2, {"cost": 0.0}),
        ([1, -1], 2, {"tolerance": float("nan")}),
    ):
        with pytest.raises(DualError):
            solve_expanded(sets, labels, degree, **options)
