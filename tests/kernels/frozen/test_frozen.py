import json
import pickle

import numpy as np
import pytest
from budgets import examples
from frozen_oracles import conjunction_weights, kept_conjunctions, kernel_margin, linear_margin
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.frozen.checks import ModelError
from kakari.kernels.frozen.explaining import contributions
from kakari.kernels.frozen.freezing import KINDS, freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents

IDS = st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7, 9, 70, 1000, 2**31 - 1])
COEFFICIENTS = st.floats(-4, 4, allow_nan=False).map(lambda a: round(a, 3))
SUPPORT = st.lists(st.tuples(st.sets(IDS, max_size=9), COEFFICIENTS), max_size=12)
EXAMPLES = st.lists(st.sets(st.one_of(IDS, st.integers(2000, 2010))), max_size=6)
DEGREES = st.integers(1, 4)
COMMON = st.one_of(st.just("auto"), st.integers(0, 13))
CHECKED = settings(deadline=None, max_examples=examples(40))


def support_of(drawn):
    rows = [sorted(row) for row, _ in drawn]
    return rows, FeatureSets.from_lists(rows), [coefficient for _, coefficient in drawn]


def size_of(rows, coefficients, degree):
    """The largest that any partial sum can be: rounding is relative to this."""
    return sum(abs(a) * (1 + len(row)) ** degree for row, a in zip(rows, coefficients, strict=True)) + 10


def random_model(seed, degree, kind, *, weights="float32", features=60, rows=80, common="auto", **options):
    """A support set with the long-tailed frequencies of real features, and examples like it."""
    rng = np.random.default_rng(seed)

    def draw(count):
        return [np.unique((features * rng.random(14) ** 3).astype(int)).tolist() for _ in range(count)]

    support = draw(rows)
    coefficients = rng.normal(size=rows).round(2)
    examples = FeatureSets.from_lists(draw(300))
    model = freeze(
        FeatureSets.from_lists(support),
        coefficients,
        degree,
        kind=kind,
        weights=weights,
        common=common,
        **options,
    )
    return support, coefficients, model, examples


@pytest.mark.parametrize("kind", KINDS)
@given(drawn=SUPPORT, examples=EXAMPLES, degree=DEGREES, common=COMMON, bias=COEFFICIENTS)
@CHECKED
def test_every_kind_is_the_definition(kind, drawn, examples, degree, common, bias):
    rows, sets, coefficients = support_of(drawn)
    batch = FeatureSets.from_lists(examples)
    expected = [kernel_margin(rows, coefficients, degree, bias, example) for example in examples]
    size = size_of(rows, coefficients, degree)
    for weights, tolerance in (("float64", 1e-12), ("float32", 1e-6)):
        model = freeze(sets, coefficients, degree, bias=bias, kind=kind, common=common, weights=weights)
        assert model.margins(batch).tolist() == pytest.approx(expected, rel=0, abs=tolerance * size)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("common", ["auto", 0, 5, 70])
def test_float64_margins_are_exact_to_nine_digits(kind, degree, common):
    support, coefficients, model, examples = random_model(degree, degree, kind, weights="float64", common=common)
    expected = [kernel_margin(support, coefficients, degree, 0, row) for row in examples.tolist()]
    assert model.margins(examples) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(SUPPORT, EXAMPLES, DEGREES, COMMON, st.sampled_from([0.3, 2.0, 20.0]), st.integers(1, 3))
@CHECKED
def test_pruned_expansion_is_the_sum_of_what_is_kept(drawn, examples, degree, common, sigma, minimum_support):
    rows, sets, coefficients = support_of(drawn)
    options = {"sigma": sigma, "minimum_support": minimum_support, "common": common, "weights": "float64"}
    model = freeze(sets, coefficients, degree, kind="expansion", **options)
    kept = kept_conjunctions(rows, coefficients, degree, sigma, minimum_support)
    slightly_more = kept_conjunctions(rows, coefficients, degree, sigma * (1 - 1e-9), minimum_support)
    slightly_less = kept_conjunctions(rows, coefficients, degree, sigma * (1 + 1e-9), minimum_support)
    if slightly_more != slightly_less:
        return  # a weight on the threshold: rounding decides
    expected = [linear_margin(kept, sum(coefficients), example) for example in examples]
    size = size_of(rows, coefficients, degree)
    assert model.margins(FeatureSets.from_lists(examples)).tolist() == pytest.approx(expected, rel=0, abs=1e-12 * size)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", ["int16", "int8"])
@pytest.mark.parametrize("degree", [2, 3, 4])
def test_quantised_weights_stay_within_half_a_step_each(kind, weights, degree):
    support, coefficients, model, examples = random_model(7, degree, kind, weights=weights, common=20)
    singles = sum(abs(7 * 15 * a) for a in coefficients) * 2**-23
    for row, margin in zip(examples.tolist(), model.margins(examples), strict=True):
        bound = singles * (1 + len(row))
        for size in range(2, degree + 1):
            subsets = np.prod([len(row) - i for i in range(size)]) / np.prod(range(1, size + 1))
            bound += subsets * model.settings["scales"][size - 1] * 0.5
        expected = kernel_margin(support, coefficients, degree, 0, row)
        assert abs(margin - expected) <= bound + 1e-6 * size_of(support, coefficients, degree)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("weights", ["float64", "float32", "int8"])
def test_prefixes_threads_and_order_do_not_change_a_bit(kind, degree, weights):
    _, _, model, examples = random_model(3, degree, kind, weights=weights, common=12)
    batch = examples.take(np.tile(np.arange(300), 3))
    expected = model.margins(batch).tobytes()
    for adaptive in (False, True):
        for threads in (1, 8):
            assert model.margins(batch, threads=threads, adaptive=adaptive).tobytes() == expected
    workspace = model.workspace(adaptive=True)
    reversed_ids = [batch[i][::-1] for i in range(len(batch))]
    one_by_one = np.array([model.margin(np.append(ids, ids[:1]), workspace) for ids in reversed_ids])
    assert one_by_one.tobytes() == expected


@pytest.mark.parametrize("kind", KINDS)
@given(drawn=SUPPORT, examples=EXAMPLES, degree=DEGREES, common=COMMON, bias=COEFFICIENTS)
@CHECKED
def test_early_stop_never_changes_the_sign(kind, drawn, examples, degree, common, bias):
    _, sets, coefficients = support_of(drawn)
    model = freeze(sets, coefficients, degree, bias=bias, kind=kind, common=common)
    batch = FeatureSets.from_lists(examples)
    expected = np.where(model.margins(batch) > 0, 1, -1).tolist()
    for adaptive in (False, True):
        assert model.signs(batch, adaptive=adaptive).tolist() == expected
        assert model.signs(batch, adaptive=adaptive, early_stop=False).tolist() == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree", [1, 3])
def test_early_stop_on_long_tails(kind, degree):
    _, _, model, examples = random_model(11, degree, kind, features=400, rows=200, common=8)
    expected = np.where(model.margins(examples) > 0, 1, -1)
    assert (model.signs(examples, threads=3) == expected).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", ["float64", "float32", "int16", "int8"])
def test_export_and_import_give_the_same_bits(kind, weights, tmp_path):
    _, _, model, examples = random_model(5, 3, kind, weights=weights)
    expected = model.margins(examples).tobytes()
    assert pickle.loads(pickle.dumps(model)).margins(examples).tobytes() == expected
    mapped = {}
    for name, array in model.arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
        mapped[name] = np.load(tmp_path / f"{name}.npy", mmap_mode="r" if array.size else None)
    again = FrozenModel(Contents(mapped, json.loads(json.dumps(model.settings))))
    assert again.margins(examples).tobytes() == expected
    assert all(np.shares_memory(again.arrays[name], mapped[name]) for name in mapped if mapped[name].size)
    assert not again.arrays["ids"].flags.writeable


@pytest.mark.parametrize("kind", KINDS)
@given(drawn=SUPPORT, example=st.sets(IDS, max_size=8), degree=DEGREES, common=COMMON, bias=COEFFICIENTS)
@CHECKED
def test_contributions_are_the_weights_of_the_example(kind, drawn, example, degree, common, bias):
    rows, sets, coefficients = support_of(drawn)
    model = freeze(sets, coefficients, degree, bias=bias, kind=kind, common=common, weights="float64")
    told = contributions(model, sorted(example), support=(sets, coefficients, bias))
    weights = conjunction_weights(rows, coefficients, degree)
    size = size_of(rows, coefficients, degree)
    for conjunction, weight in told.items:
        expected = weights[conjunction][0] if conjunction else bias + sum(coefficients)
        assert weight == pytest.approx(expected, abs=1e-12 * size)
    assert sum(weight for _, weight in told.items) == pytest.approx(told.margin, abs=1e-12 * size)
    assert told.dropped == pytest.approx(0, abs=1e-12 * size)
    assert [abs(weight) for _, weight in told.items] == sorted((abs(w) for _, w in told.items), reverse=True)


def test_contributions_tell_what_pruning_dropped():
    support, coefficients, model, examples = random_model(2, 3, "expansion", weights="int8", sigma=10.0)
    sets = FeatureSets.from_lists(support)
    for row in examples.tolist()[:20]:
        told = contributions(model, row, support=(sets, coefficients))
        assert sum(weight for _, weight in told.items) == pytest.approx(told.margin, abs=1e-6)
        assert told.margin + told.dropped == pytest.approx(kernel_margin(support, coefficients, 3, 0, row))
    assert contributions(model, row).dropped is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_corners(kind, degree):
    largest = 2**31 - 1
    batch = FeatureSets.from_lists([[], [largest], [5], [5, largest]])
    nothing = freeze(FeatureSets.from_lists([]), [], degree, bias=1.5, kind=kind)
    assert nothing.margins(batch).tolist() == [1.5] * 4
    assert nothing.margins(FeatureSets.from_lists([])).tolist() == []
    assert nothing.margins(batch, adaptive=True).tolist() == [1.5] * 4
    only_empty = freeze(FeatureSets.from_lists([[]]), [2.0], degree, kind=kind)
    assert only_empty.margins(batch).tolist() == [2.0] * 4
    one = freeze(FeatureSets.from_lists([[largest]]), [1.0], degree, kind=kind)
    assert one.margins(batch).tolist() == [1.0, 2.0**degree, 1.0, 2.0**degree]
    assert one.signs(batch).tolist() == [1] * 4
    zero = freeze(FeatureSets.from_lists([[5], [largest]]), [0.0, 1.0], degree, kind=kind)
    assert zero.margins(batch).tolist() == [1.0, 2.0**degree, 1.0, 2.0**degree]


def test_more_than_65535_support_vectors_and_features():
    rows = FeatureSets.from_arrays(np.arange(0, 2 * 70_000 + 1, 2), np.arange(140_000))
    for kind in ("splitting", "expansion"):
        model = freeze(rows, np.ones(70_000), 2, kind=kind, common=3)
        assert model.margins(rows.take([0, 69_999])).tolist() == [70_008.0] * 2


def test_refuses_options_that_make_no_model():
    sets = FeatureSets.from_lists([[1]])
    for wrong in (
        {"kind": "naive"},
        {"weights": "float16"},
        {"bias": np.nan},
        {"common": -1},
        {"common": "all"},
        {"degree": 5},
        {"kind": "splitting", "sigma": 0.1},
    ):
        with pytest.raises(ModelError):
            freeze(**{"sets": sets, "coefficients": [1.0], "degree": 2, **wrong})
    model = freeze(sets, [1.0], 2)
    with pytest.raises(ValueError, match="thread"):
        model.margins(sets, threads=0)
    with pytest.raises(ValueError, match="another model"):
        model.margin([1], freeze(sets, [1.0], 2).workspace())


@pytest.mark.parametrize("kind", ["splitting", "expansion"])
def test_refuses_damaged_arrays(kind):
    _, _, model, _ = random_model(1, 3, kind, common=10)
    for name, array in model.arrays.items():
        if not array.size or name == "rows":  # a row more or less does no harm where no posting names it
            continue
        for damaged in (array[:-1], array.astype(np.complex128), np.append(array, array[-1:], axis=0)):
            with pytest.raises(ModelError):
                FrozenModel(Contents({**model.arrays, name: damaged}, model.settings))
        with pytest.raises(ModelError):
            FrozenModel(Contents({k: v for k, v in model.arrays.items() if k != name}, model.settings))
    for name in [name for name in model.arrays if name.split("_")[-1].isdigit() and "weights" not in name]:
        if model.arrays[name].dtype.kind == "u" and model.arrays[name].size:
            beyond = np.full_like(model.arrays[name], np.iinfo(model.arrays[name].dtype).max)
            with pytest.raises(ModelError):
                FrozenModel(Contents({**model.arrays, name: beyond}, model.settings))
    for wrong in (
        {"degree": 2},
        {"degree": 9},
        {"kind": "other"},
        {"weights": "int8"},
        {"common": 11},
        {"scales": []},
    ):
        with pytest.raises(ModelError):
            FrozenModel(Contents(model.arrays, {**model.settings, **wrong}))
    with pytest.raises(ModelError, match="there is no setting 'degree'"):
        FrozenModel(Contents(model.arrays))
