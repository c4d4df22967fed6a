"""New weights for mined conjunctions, against the definition."""

from itertools import combinations

import numpy as np
import pytest
from budgets import examples
from frozen_oracles import linear_margin, subset_weight
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.frozen.conjunction_mining import mine
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.refitting import refit
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets

ROWS = st.lists(st.tuples(st.sets(st.sampled_from([0, 1, 2, 3, 5, 900])), st.sampled_from([-1, 1])), max_size=8)


def refit_by_definition(weights, constant, degree, examples, cost, passes):
    """PA-I over the given conjunctions only; then the mean of the model over all visits."""
    sums, total, visits = dict.fromkeys(weights, 0.0), 0.0, 0
    weights = dict(weights)
    for _ in range(passes):
        for row, sign in examples:
            loss = 1 - sign * linear_margin(weights, constant, row)
            if loss > 0:
                step = sign * min(cost, loss / max(1, len(row)))
                constant += step
                for size in range(1, degree + 1):
                    for name in combinations(sorted(row), size):
                        if name in weights:
                            weights[name] += step * subset_weight(degree, size)
            visits += 1
            total += constant
            sums = {name: sums[name] + weights[name] for name in weights}
    return ({name: value / visits for name, value in sums.items()}, total / visits) if visits else (weights, constant)


@given(ROWS, ROWS, st.integers(1, 4), st.sampled_from([0.0, 1.0, 4.0]), st.booleans(), st.integers(0, 3))
@settings(max_examples=examples(150))
def test_trains_as_defined(support, examples, degree, sigma, fresh, passes):
    sets = FeatureSets.from_lists([sorted(row) for row, _ in support])
    found = mine(sets, [0.5 * sign for _, sign in support], degree, sigma=sigma)
    rows, labels = FeatureSets.from_lists([sorted(row) for row, _ in examples]), [sign for _, sign in examples]
    new = refit(found, rows, labels, cost=0.125, passes=passes, fresh=fresh)
    start = {name: 0.0 if fresh else weight for name, weight in found.items()}
    constant = 0.0 if fresh else found.constant
    expected, mean = refit_by_definition(start, constant, degree, examples, 0.125, passes)
    assert dict(new.items()) == pytest.approx({k: w for k, w in expected.items() if w}, abs=1e-12)
    assert new.constant == pytest.approx(mean, abs=1e-12)


def noisy_examples(rows=600, features=40, seed=0):
    random = np.random.default_rng(seed)
    lists = [np.flatnonzero(random.random(features) < 0.2).tolist() for _ in range(rows)]
    labels = [1 if ((0 in row) ^ (1 in row)) or {2, 3} <= set(row) else -1 for row in lists]
    return FeatureSets.from_lists(lists), np.array(labels)


def test_a_pruned_model_gets_better_and_freezes():
    sets, labels = noisy_examples()
    pruning = {"kind": "expansion", "keep": 60}
    bare = freeze(sets, labels * 0.01, 3, **pruning)
    model = freeze(
        sets, labels * 0.01, 3, bias=0.5, refit=lambda found: refit(found, sets, labels, cost=1e-2), **pruning
    )
    fresh_sets, fresh_labels = noisy_examples(seed=1)
    right = [np.mean((m.margins(fresh_sets) > 0) == (fresh_labels > 0)) for m in (bare, model)]
    assert right[1] > right[0]
    refitted = refit(mine(sets, labels * 0.01, 3, keep=60), sets, labels, cost=1e-2)
    weights = dict(refitted.items())
    ours = model.margins(fresh_sets[:50])
    assert ours == pytest.approx(
        [linear_margin(weights, 0.5 + refitted.constant, row) for row in fresh_sets[:50].tolist()], abs=1e-5
    )


def test_refuses_what_cannot_be_trained_on():
    sets = FeatureSets.from_lists([[1]])
    found = mine(sets, [1.0], 2)
    for wrong in ({"labels": [2]}, {"cost": 0.0}, {"passes": -1}, {"labels": [1, 1]}):
        with pytest.raises(TrainingError):
            refit(found, sets, **{"labels": [1], "cost": 1.0, **wrong})
    with pytest.raises(ValueError, match="refitted"):
        freeze(sets, [1.0], 2, kind="splitting", refit=lambda found: found)
