"""The log-linear model against stochastic gradient descent with cumulative penalty written out in plain Python."""

import math
from itertools import combinations

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.baselines.loglinear import ExpandedLogLinear
from kakari.kernels.learning.passes import visiting_order
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets

rows = st.lists(
    st.tuples(st.sets(st.integers(0, 8), max_size=6).map(sorted), st.sampled_from([-1, 1])), min_size=1, max_size=10
)


def conjunctions(ids, degree):
    return [chosen for size in range(degree + 1) for chosen in combinations(ids, size)]


def trained(sets, labels, degree, passes, cost, rate, decay, seed):
    """Figure 2 of Tsuruoka et al., and at the end the penalty that a weight has not received."""
    weight, received, total, visit = {}, {}, 0.0, 0

    def pull(one):
        before = weight[one]
        if before > 0:
            weight[one] = max(0.0, before - (total + received[one]))
        elif before < 0:
            weight[one] = min(0.0, before + (total - received[one]))
        received[one] += weight[one] - before

    for one in (one for ids in sets for one in conjunctions(ids, degree)):
        weight[one] = received[one] = 0.0
    for number in range(passes):
        for row in visiting_order(len(sets), seed, number).tolist():
            step = rate * decay ** (visit / len(sets))
            total += step * cost / len(sets)
            active = conjunctions(sets[row], degree)
            margin = sum(weight[one] for one in active)
            for one in active:
                weight[one] += step * labels[row] / (1 + math.exp(labels[row] * margin))
                pull(one)
            visit += 1
    for one in weight:
        pull(one)
    return weight


@settings(max_examples=examples(60))
@given(rows, st.integers(1, 3), st.sampled_from([0.0, 0.1, 2.0]), st.integers(0, 3))
def test_weights_are_those_of_the_definition(data, degree, cost, seed):
    sets, labels = [list(ids) for ids, _ in data], [label for _, label in data]
    model = ExpandedLogLinear(degree, cost=cost, rate=0.3, decay=0.9, seed=seed)
    held = FeatureSets.from_lists(sets)
    model.fit(held, labels, passes=5)
    weight = trained(sets, labels, degree, 5, cost, 0.3, 0.9, seed)
    assert (model.conjunctions, model.active) == (len(weight), sum(value != 0 for value in weight.values()))
    asked = [*sets, [0, 1, 2, 3, 4, 5, 6, 7, 8], [77]]
    wanted = [sum(weight.get(one, 0.0) for one in conjunctions(ids, degree)) for ids in asked]
    np.testing.assert_allclose(model.margins(FeatureSets.from_lists(asked)), wanted, atol=1e-9)


def test_a_larger_penalty_leaves_fewer_weights():
    random = np.random.default_rng(1)
    sets = [np.flatnonzero(random.random(20) < 0.3).tolist() for _ in range(200)]
    labels = [1 if (1 in ids) ^ (2 in ids) else -1 for ids in sets]
    held = FeatureSets.from_lists(sets)
    small, large = (ExpandedLogLinear(2, cost=cost).fit(held, labels, passes=20) for cost in (0.1, 2.0))
    assert 0 < large.active < small.active / 2 <= small.conjunctions / 2
    assert np.mean((large.margins(held) > 0) == (np.array(labels) > 0)) > 0.9


def test_a_run_can_be_stopped():
    model = ExpandedLogLinear(2).fit(FeatureSets.from_lists([[1], [2]]), [1, -1], passes=50, progress=lambda at: at > 4)
    assert model.running


@pytest.mark.parametrize(
    ("options", "sets", "labels", "reason"),
    [
        ({"rate": 0}, [[1]], [1], "rate"),
        ({"decay": 1.5}, [[1]], [1], "decay"),
        ({}, [[1]], [0], "labels"),
        ({}, [[2**22]], [1], "2,097,150"),
    ],
)
def test_refusals(options, sets, labels, reason):
    with pytest.raises(TrainingError, match=reason):
        ExpandedLogLinear(2, **options).fit(FeatureSets.from_lists(sets), labels)


def test_progress_counts_parts_of_a_pass():
    sets, seen = FeatureSets.from_lists([[number % 7, 9] for number in range(5000)]), []
    ExpandedLogLinear(2).fit(sets, [1, -1] * 2500, passes=2, progress=seen.append)
    assert 0 < seen[0] < 1 and seen[-1] == 2.0 and seen == sorted(seen)
