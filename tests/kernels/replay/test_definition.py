"""Margins by the definition against the oracle."""

import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import margin

from kakari.kernels.replay.definition import naive_margins
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets

FEATURES = st.one_of(st.integers(0, 9), st.integers(0, 300), st.sampled_from([2**31 - 1, 2**31 - 2]))
ROWS = st.lists(st.lists(FEATURES, max_size=12), max_size=12)


@settings(max_examples=examples(100), deadline=None)
@given(ROWS, ROWS, st.data(), st.integers(1, 4))
def test_margins_are_those_of_the_definition(support, examples, data, degree):
    numbers = st.integers(-10, 10)
    coefficients = data.draw(st.lists(numbers, min_size=len(support), max_size=len(support)))
    found = naive_margins(FeatureSets.from_lists(examples), FeatureSets.from_lists(support), coefficients, degree)
    assert found.tolist() == [margin(support, coefficients, row, degree) for row in examples]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (([[1]], [1.0], 2), "must be FeatureSets"),
        ((FeatureSets.from_lists([[1]]), [1.0, 2.0], 2), "1 support vectors need as many coefficients"),
        ((FeatureSets.from_lists([[1]]), [float("nan")], 2), "row 0: the coefficient nan is not finite"),
        ((FeatureSets.from_lists([[1]]), [1.0], 0), "degree must be a whole number between 1 and 4"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, text):
    with pytest.raises(TrainingError, match=text):
        naive_margins(FeatureSets.from_lists([]), *arguments)
