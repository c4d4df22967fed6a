import numpy as np
import pytest
from budgets import examples
from frozen_oracles import kept_conjunctions, subset_weight
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.frozen.checks import ModelError
from kakari.kernels.frozen.conjunction_mining import mine, subset_weights
from kakari.kernels.sets.featuresets import FeatureSets

# Multiples of a power of two: sums are exact, so that a weight on a threshold is on it for both sides.
COEFFICIENTS = st.integers(-8, 8).map(lambda n: n / 8)
SUPPORT = st.lists(st.tuples(st.sets(st.sampled_from([0, 1, 2, 3, 5, 8, 900, 2**31 - 1])), COEFFICIENTS), max_size=9)


@given(SUPPORT, st.integers(1, 4), st.sampled_from([0.0, 0.5, 2.0, 8.0, 64.0]), st.integers(1, 3))
@settings(deadline=None, max_examples=examples(150))
def test_keeps_what_brute_force_filtering_keeps(support, degree, sigma, minimum_support):
    rows = [sorted(row) for row, _ in support]
    coefficients = [coefficient for _, coefficient in support]
    found = mine(FeatureSets.from_lists(rows), coefficients, degree, sigma=sigma, minimum_support=minimum_support)
    held = sum(a != 0 for a in coefficients) or 1
    assert found.threshold_positive == sigma * (sum(a > 0 for a in coefficients) / held)
    expected = kept_conjunctions(rows, coefficients, degree, sigma, minimum_support)
    on_threshold = {
        conjunction
        for conjunction, weight in expected.items()
        if min(abs(weight - found.threshold_positive), abs(weight - found.threshold_negative)) < 1e-9
    }
    kept = dict(found.items())
    assert {k: w for k, w in kept.items() if k not in on_threshold} == pytest.approx(
        {k: w for k, w in expected.items() if k not in on_threshold}
    )
    assert set(kept) <= set(expected) | on_threshold
    assert len(found) == len(kept)
    assert found.constant == sum(coefficients)


@given(SUPPORT, st.integers(1, 3), st.integers(0, 40))
@settings(deadline=None, max_examples=examples(80))
def test_keep_leaves_the_heaviest_and_at_most_so_many(support, degree, keep):
    sets = FeatureSets.from_lists([sorted(row) for row, _ in support])
    coefficients = [coefficient for _, coefficient in support]
    everything = dict(mine(sets, coefficients, degree).items())
    kept = mine(sets, coefficients, degree, keep=keep)
    assert len(kept) <= keep
    assert dict(kept.items()).items() <= everything.items()
    if keep >= len(everything):
        assert len(kept) == len(everything)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_subset_weights(degree):
    assert subset_weights(degree) == [subset_weight(degree, size) for size in range(degree + 1)]


def test_refuses_what_makes_no_model():
    sets = FeatureSets.from_lists([[1]])
    for wrong in (
        {"degree": 5},
        {"degree": 0},
        {"degree": True},
        {"sigma": -1.0},
        {"sigma": np.nan},
        {"minimum_support": 0},
        {"keep": -1},
        {"coefficients": [1.0, 2.0]},
        {"coefficients": [np.inf]},
    ):
        with pytest.raises(ModelError):
            mine(**{"sets": sets, "coefficients": [1.0], "degree": 2, **wrong})
