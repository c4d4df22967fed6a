"""Slicing as published makes the updates of the definition, bit for bit, with and without each of its shortcuts."""

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import margin, online_updates

from kakari.kernels.baselines.published_slicing import PublishedSlicing
from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.replay.definition import naive_margins
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets

rows = st.lists(
    st.tuples(st.sets(st.integers(0, 9), max_size=7).map(sorted), st.sampled_from([-1, 1])), min_size=1, max_size=14
)


@settings(max_examples=examples(120))
@given(
    rows,
    st.integers(1, 4),
    st.integers(0, 11),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["kernel", "features"]),
    st.sampled_from([1.0, 0.01]),
)
def test_updates_are_those_of_the_definition(data, degree, common, reuse, terminate, step, cost):
    sets, labels = [list(ids) for ids, _ in data], [label for _, label in data]
    passes = 4
    learner = PublishedSlicing(degree, common=common, cost=cost, step=step, reuse=reuse, terminate=terminate)
    learner.fit(FeatureSets.from_lists(sets), labels, passes=passes)
    wanted = online_updates(
        list(range(len(sets))) * passes, sets, labels, degree=degree, learner="pa1", cost=cost, step=step
    )
    assert list(zip(*(column.tolist() for column in learner.updates()), strict=True)) == wanted
    assert not learner.running and (terminate or learner.ended_early == 0)
    support, amounts = [sets[row] for row, _, _ in wanted], [amount for _, amount, _ in wanted]
    others = [[0, 3, 9], [], [1, 2, 40]]
    np.testing.assert_allclose(
        learner.margins(FeatureSets.from_lists(others)),
        [margin(support, amounts, other, degree) for other in others],
        atol=1e-9,
    )


def redundant(count, seed=0):
    random = np.random.default_rng(seed)
    chances = 2.0 / (1 + np.arange(60)) ** 0.8
    sets = [np.flatnonzero(random.random(60) < chances).tolist() for _ in range(count)]
    return sets, [1 if (2 in ids) ^ (3 in ids) else -1 for ids in sets]


def test_it_makes_the_updates_of_our_own_learner_and_ends_margins_early():
    sets, labels = redundant(400)
    held = FeatureSets.from_lists(sets)
    ours = KernelLearner(3, cost=1e-4, step="features").fit(held, labels, passes=10)
    counts = []
    for reuse in (True, False):
        learner = PublishedSlicing(3, common=20, cost=1e-4, reuse=reuse).fit(held, labels, passes=10)
        assert learner.update_count == ours.updates
        np.testing.assert_array_equal(
            learner.margins(held), naive_margins(held, ours.support(), ours.coefficients(averaged=False), 3)
        )
        counts.append(learner.ended_early)
    assert counts[0] == counts[1] > 0


def test_a_run_can_be_stopped():
    sets, labels = redundant(30)
    learner = PublishedSlicing(2, common=5).fit(
        FeatureSets.from_lists(sets), labels, passes=9, progress=lambda at: at > 3
    )
    assert learner.running


@pytest.mark.parametrize(
    ("options", "labels", "reason"),
    [({"cost": 0}, [1], "cost"), ({"step": "other"}, [1], "step"), ({}, [2], "labels"), ({}, [1, 1], "labels")],
)
def test_refusals(options, labels, reason):
    with pytest.raises(TrainingError, match=reason):
        PublishedSlicing(2, **options).fit(FeatureSets.from_lists([[1]]), labels)
    with pytest.raises(TrainingError, match="not trained"):
        PublishedSlicing(2).margins(FeatureSets.from_lists([[1]]))


def test_progress_counts_parts_of_a_pass():
    sets, seen = FeatureSets.from_lists([[number % 7, 9] for number in range(5000)]), []
    PublishedSlicing(2, common=3, cost=1.0).fit(sets, [1, -1] * 2500, passes=2, progress=seen.append)
    assert 0 < seen[0] < 1 and seen[-1] == 2.0 and seen == sorted(seen)
