"""Sums over distinct sets against the kernel's definition."""

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import kernel

from kakari.kernels.replay.set_sums import SetSums
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets

WIDTH = 12
SETS = st.lists(st.sets(st.integers(0, WIDTH - 1)).map(sorted), max_size=12)


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(SETS, SETS, SETS, st.integers(1, 4), st.data())
def test_sums_follow_the_definition(first, second, asked, degree, data):
    frequencies = data.draw(st.lists(st.integers(0, 3), min_size=WIDTH, max_size=WIDTH))
    sums = SetSums(degree, frequencies, examples=data.draw(st.integers(1, 700)))
    numbers = [*sums.add(FeatureSets.from_lists(first)), *sums.add(FeatureSets.from_lists(second))]
    distinct = list(dict.fromkeys(map(tuple, first + second)))  # in the order in which they came
    assert [distinct[number] for number in numbers] == [tuple(row) for row in first + second]
    assert [tuple(row) for row in sums.sets().tolist()] == distinct and len(sums) == len(distinct)
    random = np.random.default_rng(0)
    coefficients, weights = random.standard_normal(len(distinct)), random.standard_normal(len(asked))
    gram = np.array([[kernel(one, other, degree) for other in distinct] for one in asked], dtype=float)
    gram = gram.reshape(len(asked), len(distinct))
    rows = FeatureSets.from_lists(asked)
    np.testing.assert_allclose(sums.evaluate(rows, coefficients), gram @ coefficients, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(sums.respond(rows, weights), weights @ gram, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("length", [70, 300])  # more than the adders take at once, and more than a byte can count
def test_many_and_long_sets(length):
    random = np.random.default_rng(1)
    rows = [sorted(random.choice(400, length, replace=False).tolist()) for _ in range(1100)]
    sums = SetSums(2, np.bincount(np.concatenate(rows), minlength=400), examples=len(rows))
    sums.add(FeatureSets.from_lists(rows))
    coefficients = random.standard_normal(len(sums))
    found = sums.evaluate(FeatureSets.from_lists(rows[:3]), coefficients)
    expected = [sum(c * kernel(x, s, 2) for c, s in zip(coefficients, rows, strict=True)) for x in rows[:3]]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_refuses_what_does_not_fit():
    sums = SetSums(2, [1, 1], examples=2)
    with pytest.raises(TrainingError, match="numbered below 2"):
        sums.add(FeatureSets.from_lists([[2]]))
    sums.add(FeatureSets.from_lists([[0], [1]]))
    with pytest.raises(TrainingError, match="2 support vectors need as many coefficients"):
        sums.evaluate(FeatureSets.from_lists([[0]]), [1.0])
    assert sums.evaluate(FeatureSets.from_lists([]), [1.0, 1.0]).tolist() == []
