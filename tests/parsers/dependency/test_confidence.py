"""Probabilities of arcs equal their definitions: sums over trees and heads, and a regression that finds its weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.hashed.scalars import PartLearner
from kakari.parsers.dependency.confidence import Confidence, fit_confidence, odds, tree_shares
from kakari.parsers.dependency.parsing import head_shares
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.treebank import TreeSentence


def tree(*heads):
    return TreeSentence((("a", "a", "X", "X", "_"),) * len(heads), heads, ("dep",) * len(heads))


def test_shares_are_sums_over_trees():
    scored = [(1.0, tree(0, 1, 2)), (0.5, tree(0, 1, 1)), (-1.0, tree(2, 0, 2))]
    weights = [np.exp(score - 1.0) for score, _ in scored]
    wanted = [
        sum(w for w, (_, one) in zip(weights, scored, strict=True) if one.heads[m] == scored[0][1].heads[m])
        / sum(weights)
        for m in range(3)
    ]
    assert tree_shares(scored) == pytest.approx(wanted)


@settings(max_examples=20)
@given(length=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_the_heads_of_a_word_share_one(length, seed):
    rng = np.random.default_rng(seed)
    words = [(f"w{n}", f"w{n}", "C", f"T{n}", "_") for n in rng.integers(3, size=length)]
    learner = PartLearner()
    learner.examples = 1
    learner.update(rng.integers(1, 2**62, size=50, dtype=np.uint64), 0.5, at=0)
    batch, light = TokenBatch([words]), learner.freeze()
    for m in range(1, length + 1):
        total = 0.0
        for head in set(range(length + 1)) - {m}:
            heads = [head if place == m else 0 for place in range(1, length + 1)]
            total += head_shares(batch, heads, light)[m - 1]
        assert total == pytest.approx(1.0)


def test_heads_are_checked():
    with pytest.raises(ValueError, match="head"):
        head_shares(TokenBatch([[("a", "a", "X", "X", "_")]]), [5], PartLearner().freeze())


def test_the_regression_is_found_again():
    rng = np.random.default_rng(1)
    evidence = rng.normal(size=(20_000, 2)) * 2
    true = Confidence(0.5, 1.0, 0.25)
    right = rng.random(20_000) < true.probabilities(evidence)
    found = fit_confidence(evidence, right)
    assert (found.constant, found.trees, found.first_pass) == pytest.approx((0.5, 1.0, 0.25), abs=0.1)
    assert fit_confidence(evidence, np.ones(20_000, dtype=bool)) == Confidence()
    assert np.isfinite(odds(np.array([0.0, 1.0]))).all()
