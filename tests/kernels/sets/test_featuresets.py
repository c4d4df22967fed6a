"""The feature-set container against Python's own sets."""

import pickle
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from kakari.kernels.sets.featuresets import FeatureSetError, FeatureSets, FrequencyRanking

IDS = st.integers(0, 12) | st.integers(0, 2**31 - 1)
ROWS = st.lists(st.lists(IDS, max_size=12), max_size=12)


@given(ROWS)
def test_rows_are_sorted_sets(rows):
    sets = FeatureSets.from_lists(rows)
    assert sets.tolist() == [sorted(set(row)) for row in rows]
    assert len(sets) == len(rows)
    assert sets.row_lengths().tolist() == [len(set(row)) for row in rows]
    assert (sets.offsets.dtype, sets.ids.dtype) == (np.int64, np.int32)


@given(ROWS)
def test_all_ways_of_making_agree(rows):
    sets = FeatureSets.from_lists(rows)
    offsets = np.cumsum([0, *map(len, rows)])
    assert FeatureSets.from_arrays(offsets, np.array(list(chain(*rows)), dtype=np.int64)) == sets
    assert pickle.loads(pickle.dumps(sets)) == sets


@given(
    st.lists(st.lists(st.integers(0, 20), max_size=8), max_size=8),
    st.sampled_from(["csr", "csc", "coo", "lil"]),
)
def test_from_sparse(rows, kind):
    dense = np.zeros((len(rows), 21), dtype=np.int8)
    for number, row in enumerate(rows):
        dense[number, row] = 1
    matrix = sparse.csr_array(dense).asformat(kind)
    assert FeatureSets.from_sparse(matrix).tolist() == [sorted(set(row)) for row in rows]


def test_from_sparse_refuses_values_with_their_place():
    matrix = sparse.csr_array(np.array([[0, 1, 0], [1, 0, 2.5]]))
    with pytest.raises(FeatureSetError, match=r"row 1, column 2: the value 2\.5"):
        FeatureSets.from_sparse(matrix)
    assert FeatureSets.from_sparse(matrix, binarize=True).tolist() == [[1], [0, 2]]


def test_from_sparse_adds_up_parts_and_ignores_stored_zeros():
    halves = sparse.coo_array(([0.5, 0.5, 0.0], ([0, 0, 0], [3, 3, 1])), shape=(1, 5))
    assert FeatureSets.from_sparse(halves).tolist() == [[3]]


@given(ROWS)
def test_ranking_is_by_frequency_then_id(rows):
    sets = FeatureSets.from_lists(rows)
    counts = Counter(i for row in rows for i in set(row))
    expected = sorted(counts, key=lambda i: (-counts[i], i))
    ranking = sets.ranking()
    assert ranking.ids.tolist() == expected
    assert ranking.counts.tolist() == [counts[i] for i in expected]
    position = {feature: rank for rank, feature in enumerate(expected)}
    assert sets.ranked(ranking).tolist() == [sorted(position[i] for i in set(row)) for row in rows]


@given(ROWS, ROWS)
def test_unknown_features_have_no_rank(rows, others):
    ranking = FeatureSets.from_lists(rows).ranking()
    known = ranking.ids.tolist()
    expected = [sorted(known.index(i) for i in set(row) if i in known) for row in others]
    assert FeatureSets.from_lists(others).ranked(ranking).tolist() == expected


@given(st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=30))
def test_duplicates(rows):
    kinds = [frozenset(row) for row in rows]
    assert FeatureSets.from_lists(rows).duplicates().tolist() == [kinds.index(kind) for kind in kinds]


@given(ROWS, st.data())
def test_take_and_slices(rows, data):
    sets = FeatureSets.from_lists(rows)
    plain = sets.tolist()
    wanted = data.draw(st.lists(st.integers(0, len(rows) - 1))) if rows else []
    assert sets.take(wanted).tolist() == [plain[i] for i in wanted]
    assert sets[1:].tolist() == plain[1:]
    assert sets[::-2].tolist() == plain[::-2]


def test_nothing_can_be_changed():
    sets = FeatureSets.from_lists([[1, 2]])
    with pytest.raises(ValueError, match="read-only"):
        sets.ids[0] = 7
    with pytest.raises(AttributeError):
        sets.ids = np.zeros(2, dtype=np.int32)


def test_the_input_is_not_changed():
    ids = np.array([5, 1, 5], dtype=np.int32)
    offsets = np.array([0, 3])
    FeatureSets.from_arrays(offsets, ids)
    assert ids.tolist() == [5, 1, 5]
    assert ids.flags.writeable


@pytest.mark.parametrize(
    ("offsets", "ids", "reason"),
    [
        ([], [], "offsets"),
        ([1], [4], "start with 0"),
        ([0, 2, 1], [4], "never fall"),
        ([0, 1], [4, 5], "end at 1, but there are 2"),
        ([0, 1], [-4], "row 0: feature id -4"),
        ([0, 0, 1], [2**31], "row 1: feature id 2147483648"),
        ([0, 1], [1.5], "whole numbers"),
        ([0.0, 1.0], [1], "offsets"),
    ],
)
def test_bad_arrays(offsets, ids, reason):
    with pytest.raises(FeatureSetError, match=reason):
        FeatureSets.from_arrays(offsets, ids)


@pytest.mark.parametrize("value", [-1, 2**31, 1.0, "3", None, True])
def test_bad_lists(value):
    with pytest.raises(FeatureSetError, match="row 1"):
        FeatureSets.from_lists([[0], [value]])


def test_bad_rankings():
    with pytest.raises(FeatureSetError):
        FrequencyRanking([1, 1], [3, 2])
    with pytest.raises(FeatureSetError):
        FrequencyRanking([1], [3, 2])
    assert FrequencyRanking([], []).ranks_of([4]).tolist() == [-1]


def test_indices():
    sets = FeatureSets.from_lists([[1], [2]])
    assert sets[-1].tolist() == [2]
    for index in (2, -3):
        with pytest.raises(IndexError):
            sets[index]
    with pytest.raises(IndexError):
        sets.take([2])


def test_many_threads_on_one_collection():
    sets = FeatureSets.from_lists([[i % 7, i % 11, i % 5] for i in range(5000)])
    expected = sets.duplicates().tolist()
    with ThreadPoolExecutor(8) as pool:
        assert all(r.tolist() == expected for r in pool.map(lambda _: sets.duplicates(), range(16)))
