"""Every margin method against the definition."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import margin

from kakari.kernels.learning.margins import METHODS, SupportMargins
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets, FrequencyRanking

FEATURES = st.one_of(st.integers(0, 9), st.integers(0, 300), st.sampled_from([2**31 - 1, 2**31 - 2]))
ROWS = st.lists(st.lists(FEATURES, max_size=12), max_size=12)
COMMON = st.none() | st.integers(0, 20) | st.just(10**6)


def assert_close(found, expected, size):
    assert abs(found - expected) <= 1e-9 * max(size, 1e-300)


@settings(max_examples=300, deadline=None)
@given(ROWS, ROWS, st.data(), st.integers(1, 4), st.sampled_from(METHODS), COMMON, st.booleans())
def test_every_method_equals_the_definition(support, examples, data, degree, method, common, reuse):
    numbers = st.floats(-10, 10, allow_subnormal=False)
    coefficients = data.draw(st.lists(numbers, min_size=len(support), max_size=len(support)))
    function = SupportMargins(
        FeatureSets.from_lists(support), coefficients, degree, method=method, common=common, reuse=reuse
    )
    examples = examples + support
    sets = FeatureSets.from_lists(examples)
    found, signs = function.margins(sets), function.margins(sets, signs_only=True)
    for row, value, sign in zip(examples, found, signs, strict=True):
        expected = margin(support, coefficients, row, degree)
        size = margin(support, np.abs(coefficients), row, degree)
        assert_close(value, expected, size)
        assert sign == np.sign(expected) or abs(expected) <= 1e-9 * size


def random_sets(count, features, longest, seed):
    random = np.random.default_rng(seed)
    lengths = random.integers(0, longest, count)
    ids = np.minimum(random.zipf(1.3, lengths.sum()), features)
    return FeatureSets.from_arrays(np.concatenate([[0], np.cumsum(lengths)]), ids)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_whole_coefficients_give_the_same_bits_by_every_method(degree):
    support, examples = random_sets(400, 900, 20, 1), random_sets(300, 1000, 20, 2)
    coefficients = np.random.default_rng(3).integers(-5, 6, len(support))
    results = {
        SupportMargins(support, coefficients, degree, method=method, common=common, reuse=reuse)
        .margins(examples)
        .tobytes()
        for method in METHODS
        for common in (0, 1, 64, 300, None)
        for reuse in (True, False)
    }
    assert len(results) == 1


def test_a_given_ranking_changes_nothing_but_the_way():
    support, examples = random_sets(100, 60, 15, 4), random_sets(100, 60, 15, 5)
    coefficients = np.random.default_rng(6).integers(-3, 4, len(support))
    upside_down = FrequencyRanking(np.arange(40, 0, -1), np.ones(40))
    for method in METHODS:
        plain = SupportMargins(support, coefficients, 3, method=method, common=10)
        ranked = SupportMargins(support, coefficients, 3, method=method, common=10, ranking=upside_down)
        assert plain.margins(examples).tobytes() == ranked.margins(examples).tobytes()


@pytest.mark.parametrize("method", METHODS)
def test_many_threads_on_one_object_give_the_bits_of_one(method):
    support, examples = random_sets(300, 500, 20, 7), random_sets(200, 500, 20, 8)
    function = SupportMargins(support, np.random.default_rng(9).normal(size=300), 3, method=method, common=50)
    alone = function.margins(examples).tobytes()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda _: function.margins(examples).tobytes(), range(16)))
    assert set(together) == {alone}


@pytest.mark.parametrize("method", METHODS)
def test_no_support_vectors_and_no_features(method):
    nothing = SupportMargins(FeatureSets.from_lists([]), [], 3, method=method)
    assert nothing.margins(FeatureSets.from_lists([[1, 2], []])).tolist() == [0.0, 0.0]
    assert nothing.margins(FeatureSets.from_lists([[1, 2], []]), signs_only=True).tolist() == [0.0, 0.0]
    assert nothing.margins(FeatureSets.from_lists([])).size == 0
    constant = SupportMargins(FeatureSets.from_lists([[], []]), [2.0, 1.0], 4, method=method)
    assert constant.margins(FeatureSets.from_lists([[7], []])).tolist() == [3.0, 3.0]


def test_sets_longer_than_a_byte_counts():
    long = FeatureSets.from_lists([range(1000), range(500, 2000)])
    for method in ("naive", "inverted", "splitting", "slicing"):
        function = SupportMargins(long, [1, -1], 2, method=method, common=20)
        assert function.margins(long).tolist() == [1001.0**2 - 501.0**2, 501.0**2 - 1501.0**2]


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
        SupportMargins(*arguments)
