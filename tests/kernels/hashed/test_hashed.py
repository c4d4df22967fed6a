"""Hashed conjunctions against their definition."""

import pickle

import numpy as np
import pytest
from budgets import examples
from english_oracles import averaged_rows, row_scores
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.kernels.stored import Contents, StoredError

HASHES = st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 20), st.sampled_from([i << 48 for i in range(9)]))
CLASSES = 5
UPDATES = st.lists(st.tuples(HASHES, st.integers(0, CLASSES - 1), st.integers(-3, 3), st.integers(1, 20)), max_size=60)


def learned(updates, examples=20):
    learner = HashedLearner()
    learner.examples = examples
    for key, place, amount, at in updates:
        learner.update(np.array([key], dtype=np.uint64), place, amount, at=at)
    return learner


@given(UPDATES, st.lists(HASHES, max_size=10, unique=True))
def test_scores_are_sums_of_updates(updates, asked):
    asked += [key for key, *_ in updates][:5]
    asked = list(dict.fromkeys(asked))
    learner = learned(updates)
    expected = row_scores(updates, asked, CLASSES)
    assert learner.scores(np.array(asked, dtype=np.uint64), CLASSES).tolist() == expected
    again = HashedLearner.from_contents(learner.contents())
    assert again.scores(np.array(asked, dtype=np.uint64), CLASSES).tolist() == expected
    assert again.examples == learner.examples
    assert len(again) == len(learner)


# Frozen, two hashes of one bucket whose low 16 bits are equal are the same; these are not.
SPREAD = st.integers(0, 200).map(lambda number: number * 0x9E3779B97F4A7C15 % 2**64)
SPREAD_UPDATES = st.lists(
    st.tuples(SPREAD, st.integers(0, CLASSES - 1), st.integers(-3, 3), st.integers(1, 20)), max_size=60
)


@given(SPREAD_UPDATES, st.integers(0, 40))
def test_frozen_weights_are_averages_in_bytes(updates, most):
    averages = averaged_rows(updates, 20)
    frozen = learned(updates).freeze(most=most)
    largest = max(map(abs, averages.values()), default=0)
    limit = sorted(map(abs, averages.values()), reverse=True)[most - 1] if 0 < most < len(averages) else 0
    for key in {key for key, *_ in updates}:
        found = frozen.scores(np.array([key], dtype=np.uint64), CLASSES)
        for place in range(CLASSES):
            exact = averages[key, place]
            kept = most > 0 and abs(exact) >= limit * (1 - 1e-6)
            wanted = exact / largest * 127 if kept and largest else 0
            near_limit = abs(abs(exact) - limit) < 1e-5 and 0 < most < len(averages)
            assert abs(found[place] - wanted) <= 0.5001 or (near_limit and found[place] == 0)


@given(SPREAD_UPDATES)
def test_columns_hold_the_same_weights(updates):
    frozen = learned(updates).freeze()
    columns = frozen.contents().arrays
    again = HashedWeights.from_contents(frozen.contents())
    assert all(np.array_equal(array, again.arrays[name]) for name, array in frozen.arrays.items())
    assert len(columns["checks"]) == columns["sizes"].sum() and len(columns["places"]) == columns["counts"].sum()


def test_of_equal_weights_no_more_are_kept_than_asked_for():
    learner = learned([(key << 40, 1, 1, 1) for key in range(1, 30)])
    for most in (0, 1, 7, 28, 29, 40):
        assert len(learner.freeze(most=most).contents().arrays["places"]) == min(most, 29)


@given(SPREAD_UPDATES, SPREAD_UPDATES)
def test_learners_are_added_up(updates, others):
    one = learned(updates)
    one.absorb(learned(others))
    both = learned(updates + others)
    assert all(np.array_equal(array, both.contents().arrays[name]) for name, array in one.contents().arrays.items())
    with pytest.raises(ValueError, match="as many examples"):
        one.absorb(learned(others, examples=3))


def test_columns_that_do_not_fit_are_refused():
    columns = learned([(5, 1, 2, 1), (2**63, 2, 1, 1)]).freeze().contents().arrays
    for name, array in columns.items():
        with pytest.raises(StoredError):
            HashedWeights.from_contents(Contents({**columns, name: array[:-1]}))
    with pytest.raises(StoredError, match="not uint8"):
        HashedWeights.from_contents(Contents({**columns, "counts": columns["counts"] + 1}))


def test_a_table_of_many_rows_finds_them_all():
    keys = np.random.default_rng(5).integers(0, 2**64, 20_000, dtype=np.uint64)
    learner = HashedLearner()
    learner.update(keys, 3, 1, at=0)
    learner.update(keys[::2], 255, 2, at=0)
    frozen = learner.freeze()
    for table, unit in ((learner, 1), (frozen, 127 / 2)):
        found = np.array([table.scores(keys[i : i + 1], 256)[[3, 255]] for i in range(2000)])
        assert (np.abs(found[:, 0] - unit) <= 1).mean() > 0.99  # a few check bits collide
        assert (np.abs(found[:, 1] - 2 * unit * (np.arange(2000) % 2 == 0)) <= 1).mean() > 0.99


def test_the_order_of_updates_changes_nothing():
    updates = [(key * 7919 % 2**61, key % 4, key % 3 - 1, key % 9 + 1) for key in range(1, 500)]
    one, other = learned(updates), learned(updates[::-1])
    for name, array in one.freeze().arrays.items():
        assert (array == other.freeze().arrays[name]).all()
    assert all((array == other.contents().arrays[name]).all() for name, array in one.contents().arrays.items())


def test_frozen_weights_pickle():
    frozen = learned([(5, 1, 2, 1)]).freeze()
    assert pickle.loads(pickle.dumps(frozen)).scores([5], 2).tolist() == frozen.scores([5], 2).tolist() == [0, 127]


@pytest.mark.parametrize(
    ("buckets", "records"),
    [([], []), ([0], []), ([0, 3], [1, 2]), ([0, 3], [1, 2, 1]), ([0, 2, 5, 5], [1, 2, 1, 0, 0]), ([1, 3], [1, 2, 0])],
)
def test_arrays_that_are_no_weights_are_refused(buckets, records):
    with pytest.raises(ValueError, match="not frozen weights"):
        HashedWeights(np.array(buckets, dtype=np.uint32), np.array(records, dtype=np.uint8))


def test_wrong_classes_and_states_are_refused():
    with pytest.raises(ValueError, match="class 256"):
        HashedLearner().update([1], 256, 1, at=1)
    for change in ({"places": np.array([300], dtype=np.int32)}, {"amounts": np.zeros(0, dtype=np.int32)}):
        contents = learned([(5, 1, 2, 1)]).contents()
        contents.arrays |= change
        with pytest.raises(StoredError):
            HashedLearner.from_contents(contents)


@given(st.data())
@settings(max_examples=examples(40), deadline=None)
def test_lines_give_the_sums_of_the_table(data):
    # Few high bits and few low ones: buckets that are crowded, checks that are met twice, rows of many classes.
    hashes = sorted(
        data.draw(st.integers(0, 3)) << 62 | data.draw(st.integers(0, 12)) << 20 | data.draw(st.integers(0, 9))
        for _ in range(data.draw(st.integers(0, 60)))
    )
    rows = {(key, data.draw(st.integers(0, 40))): data.draw(st.integers(-127, 127)) for key in hashes}
    keys = sorted(rows)
    weights = HashedWeights.of([k for k, _ in keys], [c for _, c in keys], [rows[k] for k in keys])
    asked = [*hashes, *(key + 1 for key in hashes[:5]), 0][:200]
    assert weights.line_scores(asked, 41).tolist() == weights.scores(asked, 41).tolist()


def test_lines_of_many_rows_give_the_sums_of_the_table():
    generator = np.random.default_rng(7)
    keys = np.sort(generator.integers(0, 2**64, 4000, dtype=np.uint64))
    counts = np.where(np.arange(4000) % 50 == 0, 30, generator.integers(1, 5, 4000))
    places = np.concatenate([np.arange(count) for count in counts])
    weights = HashedWeights.of(np.repeat(keys, counts), places, generator.integers(-127, 128, len(places)))
    for begin in range(0, 4000, 200):
        asked = keys[begin : begin + 200]
        assert weights.line_scores(asked, 30).tolist() == weights.scores(asked, 30).tolist()


HASHES = st.integers(0, 65535).map(lambda value: value << 48 | value)  # whose kept bits differ


@settings(max_examples=examples(40))
@given(
    st.dictionaries(st.tuples(HASHES, st.integers(0, 255)), st.integers(-127, 127), max_size=60),
    st.data(),
    st.integers(1, 5),
)
def test_changed_weights_are_sums(old, data, step):
    old = {key: amount for key, amount in old.items() if amount}
    order = sorted(old)
    weights = HashedWeights.of([key[0] for key in order], [key[1] for key in order], [old[key] for key in order])
    known = st.sampled_from(sorted({key[0] for key in old})) if old else st.nothing()
    news = data.draw(st.lists(st.tuples(known | HASHES, st.integers(0, 255), st.integers(-3, 3)), max_size=20))
    learner, added = HashedLearner(), {}
    for hash_value, place, amount in news:
        learner.update([hash_value], place, amount, at=0)
        added[hash_value, place] = added.get((hash_value, place), 0) + amount
    made = weights.changed(learner, step)
    for hash_value in {key[0] for key in (*old, *added)}:
        wanted = [
            max(-127, min(127, old.get((hash_value, place), 0) + step * added.get((hash_value, place), 0)))
            for place in range(256)
        ]
        assert made.scores([hash_value], 256).tolist() == wanted
        assert made.line_scores([hash_value], 256).tolist() == wanted
