"""The linear model against its definition, for numbered and hashed features; its file; its training."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from kakari.kernels.hashed.weights import HashedWeights
from kakari.kernels.quantising import as_integers, largest, unit_of
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.columns import FeatureColumnError, NumberedWeights
from kakari.kernels.stored import Contents, StoredError
from kakari.models.linear.model import LinearModel
from kakari.models.linear.training import RowSettings, as_model, fit, train_rows

FEATURES = [number * 0x9E3779B97F4A7C15 % 2**64 for number in range(12)]  # hashes that no table confuses
BIASES = np.array([0.25, 0.0, -1.0])
WEIGHTS = st.dictionaries(
    st.tuples(st.integers(0, 11), st.integers(0, 2)), st.integers(-127, 127).filter(bool), max_size=20
)
ROWS = st.lists(st.lists(st.integers(0, 13), max_size=6), max_size=6)


def models_of(weights, normalised):
    """Return the same model over ids and over hashes."""
    keys = sorted(weights)
    places, amounts = [place for _, place in keys], np.array([weights[key] for key in keys], dtype=np.int8)
    numbered = NumberedWeights.of([7 * feature for feature, _ in keys], places, amounts)
    order = sorted(range(len(keys)), key=lambda at: FEATURES[keys[at][0]])
    hashes = np.array([FEATURES[keys[at][0]] for at in order], dtype=np.uint64)
    hashed = HashedWeights.of(hashes, [places[at] for at in order], [amounts[at] for at in order])
    return [LinearModel(("a", "b", "c"), own, 0.5, BIASES, normalised) for own in (numbered, hashed)]


def as_features(row, model):
    return [7 * one if isinstance(model.weights, NumberedWeights) else (one * FEATURES[1]) % 2**64 for one in row]


@given(WEIGHTS, ROWS, st.booleans())
def test_scores_are_sums_of_weights_and_biases(weights, rows, normalised):
    for model in models_of(weights, normalised):
        flat = np.array([one for row in rows for one in as_features(row, model)], dtype=np.uint64)
        offsets = np.cumsum([0] + [len(row) for row in rows])
        for made in (model, LinearModel.from_contents(model.contents())):
            found = made.scores(flat.astype(np.int32) if made.weights.__class__ is NumberedWeights else flat, offsets)
            for row, scores in zip(rows, found, strict=True):
                factor = 0.5 / max(1, len(row)) ** 0.5 if normalised else 0.5
                sums = [sum(weights.get((one, place), 0) for one in row) for place in range(3)]
                assert scores.tolist() == pytest.approx((factor * np.array(sums) + BIASES).tolist(), rel=1e-12)
                own = np.array(as_features(row, made), dtype=np.uint64)
                assert made.contributions(own).sum(0) + BIASES == pytest.approx(scores)


def test_contents_that_do_not_fit_are_refused():
    (model, _) = models_of({(0, 0): 1, (0, 2): 2, (3, 1): -4}, False)
    changes = [
        {"amounts": np.ones(2, dtype=np.int8)},
        {"amounts": np.ones(3, dtype=np.int32)},
        {"places": np.array([0, 3, 1], dtype=np.uint8)},
        {"counts": np.array([2, 2], dtype=np.uint8)},
        {"ids": np.array([4, 4], dtype=np.int32)},
    ]
    for change in changes:
        contents = model.contents()
        contents.parts["weights"] = Contents(contents.parts["weights"].arrays | change)
        with pytest.raises((StoredError, FeatureColumnError)):
            LinearModel.from_contents(contents)
    for name, value in (("classes", []), ("classes", ["a", "a", "b"]), ("features", "other"), ("unit", "1")):
        contents = model.contents()
        contents.settings[name] = value
        with pytest.raises(StoredError):
            LinearModel.from_contents(contents)


def test_offsets_and_outputs_that_do_not_fit_are_refused():
    for model in models_of({(0, 2): 1}, False):
        for offsets in ([0, 2], [1, 1], [], [0, 2, 1]):
            with pytest.raises(ValueError, match="offsets"):
                model.scores(np.array([7], dtype=np.int32), offsets)
    with pytest.raises(ValueError, match="3 outputs, not 2"):
        NumberedWeights.of([1], [2], np.ones(1, dtype=np.int8)).sums([0, 0], [], 2)
    with pytest.raises(ValueError, match="twice"):
        NumberedWeights.of([1, 2, 1], [0, 0, 0], np.ones(3, dtype=np.int8))
    with pytest.raises(ValueError, match="255"):
        NumberedWeights.of([1] * 256, range(256), np.ones(256, dtype=np.int8))
    with pytest.raises(ValueError, match="in order"):
        HashedWeights.of([9, 5], [0, 0], [1, 1])


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(0, 12))
def test_the_largest_are_kept_and_the_first_of_equal_ones(sizes, most):
    wanted = sorted(sorted(range(len(sizes)), key=lambda place: (-sizes[place], place))[:most])
    assert largest(np.array(sizes, dtype=float), most).tolist() == wanted


@given(st.lists(st.floats(-4, 4), min_size=1, max_size=30), st.sampled_from([np.int8, np.int16]))
def test_integers_are_within_half_a_unit(values, dtype):
    weights = np.array(values)
    unit = unit_of(np.abs(weights), dtype=dtype)
    assert np.abs(as_integers(weights, unit, dtype) * unit - weights).max() <= unit / 2 * (1 + 1e-9)
    clipped = as_integers(weights, unit_of(np.abs(weights), clipped=0.5), np.int8)
    assert np.abs(clipped).max() <= 127


def test_the_largest_weights_are_trained_and_kept():
    rows = np.array([[1, 9], [2, 9], [1, 8], [2, 8]] * 3, dtype=np.int32)
    model = train_rows(rows, np.array([True, False] * 6), RowSettings(most=2))
    assert set(model.weights.arrays["ids"].tolist()) == {1, 2} and model.classes == ("yes",)
    assert (model.scores(rows)[:, 0] > 0).tolist() == [True, False] * 6
    two = train_rows(rows, np.array(["a", "b"] * 6))
    assert two.scores(rows)[:, 0].tolist() == pytest.approx((-two.scores(rows)[:, 1]).tolist(), abs=1e-12)
    with pytest.raises(TrainingError, match="1 class"):
        train_rows(rows, np.array(["a"] * 12))


def test_three_classes_have_a_row_each():
    matrix = sparse.csr_array(np.eye(3))
    found = fit(matrix, np.array(["c", "a", "b"]), 10.0).by_class()
    assert found.classes == ("a", "b", "c") and found.weights.shape == (3, 3)
    for features in (np.array([3, 5, 8], dtype=np.int32), np.array([3, 5, 8], dtype=np.uint64)):
        model = as_model(found.classes, features, found.weights, found.biases)
        assert model.scores(features[:, None]).argmax(axis=1).tolist() == [2, 0, 1]
