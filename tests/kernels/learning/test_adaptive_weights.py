"""Explicit weights that come with the support: the same model bit for bit, whatever is laid out when."""

import numpy as np
import pytest

from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.sets.featuresets import FeatureSets

LAID_OUT = 40  # features that have explicit weights at first, at d=3 and at most
KINDS = {
    "one size": {"learner": "perceptron"},
    "nearly one": {"learner": "pa1", "step": "features", "cost": 1e-3},
    "two sizes": {"learner": "pa1", "step": "features", "cost": 1e-3, "class_weights": {1: 1.0, -1: 0.37}},
    "any size": {"learner": "pa2", "step": "kernel", "cost": 10.0},
}


def hard_problem(examples=700, features=400, size=9):
    """Return sets with Zipf's features and labels that nothing can learn, so that most become support vectors."""
    random = np.random.default_rng(examples)
    share = 1 / (1 + np.arange(features))
    rows = [
        random.choice(features, random.integers(1, size), replace=False, p=share / share.sum()).tolist()
        for _ in range(examples)
    ]
    return FeatureSets.from_lists(rows), random.choice([1, -1], examples)


def trained(degree, kind, **pretended):
    """Train with explicit weights that grow; by the definition if nothing is pretended."""
    sets, labels = hard_problem()
    learner = KernelLearner(degree, method="slicing" if pretended else "naive", **KINDS[kind])
    if pretended:
        learner._pretend(**pretended)
    return learner.fit(sets, labels, passes=4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_explicit_weights_that_grow_give_the_same_model(degree, kind):
    plain = trained(degree, kind)
    grown = trained(degree, kind, faster=1e6)
    assert grown.coefficients().tobytes() == plain.coefficients().tobytes()
    if degree > 2 and kind in ("one size", "nearly one"):
        assert grown.common > LAID_OUT


@pytest.mark.parametrize("degree", [2, 3, 4])
def test_counts_that_do_not_fit_are_given_up_for_doubles(degree):
    plain = trained(degree, "nearly one")
    for largest in (1, 3, 9):
        dropped = trained(degree, "nearly one", faster=1e6, largest_count=largest)
        assert dropped.coefficients().tobytes() == plain.coefficients().tobytes()


def test_a_run_stopped_among_grown_weights_goes_on_with_the_same_bits():
    sets, labels = hard_problem()
    whole = trained(3, "nearly one")
    half = KernelLearner(3, **KINDS["nearly one"])._pretend(1e6)
    half.fit(sets, labels, passes=4, progress=lambda at: at.examples == 350 and at.finished_passes == 2, every=350)
    assert half.running
    assert half.common > LAID_OUT
    resumed = KernelLearner.from_contents(half.contents(), sets, labels)._pretend(1e6).resume()
    assert resumed.coefficients().tobytes() == whole.coefficients().tobytes()


@pytest.mark.parametrize("limit", [200_000, 400_000, 3_000_000])
def test_a_memory_limit_holds_for_grown_weights_too(limit):
    sets, labels = hard_problem()
    whole = trained(3, "nearly one")
    limited = KernelLearner(3, memory_limit=limit, **KINDS["nearly one"])._pretend(1e6)
    limited.fit(sets, labels, passes=4)
    assert limited.coefficients().tobytes() == whole.coefficients().tobytes()
    unlimited = trained(3, "nearly one", faster=1e6)
    assert limited.common < unlimited.common or limit > unlimited.peak_bytes


def test_more_runs_go_on_from_grown_weights():
    sets, labels = hard_problem()
    more, signs = hard_problem(300, 600)
    plain, grown = (KernelLearner(3, method=method, **KINDS["nearly one"]) for method in ("naive", "slicing"))
    grown._pretend(1e6)
    for learner in (plain, grown):
        learner.fit(sets, labels, passes=2).partial_fit(more, signs, passes=2)
    assert grown.coefficients().tobytes() == plain.coefficients().tobytes()
    assert grown.common > LAID_OUT
