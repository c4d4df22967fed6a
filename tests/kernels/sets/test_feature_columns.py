"""Columns of sparse features against a dictionary."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.kernels.sets.columns import FeatureColumnError, FeatureColumns

IDS = st.integers(0, 2**31 - 1) | st.integers(0, 8)


@given(st.lists(IDS, unique=True), st.lists(st.lists(IDS, max_size=6), max_size=6))
def test_columns_are_places_in_the_list(known, rows):
    columns = pickle.loads(pickle.dumps(FeatureColumns(known)))
    flat = np.array([one for row in rows for one in row], dtype=np.int32)
    assert columns.columns_of(flat).tolist() == [known.index(one) if one in known else -1 for one in flat]
    assert columns.ids.tolist() == known


@given(st.lists(st.lists(st.integers(0, 5))))
def test_features_are_counted(batches):
    columns, counts = FeatureColumns(), {}
    for batch in batches:
        columns.count(batch)
        for one in batch:
            counts[one] = counts.get(one, 0) + 1
    assert dict(zip(columns.ids.tolist(), columns.counts.tolist())) == counts


def test_what_does_not_fit_is_refused():
    with pytest.raises(FeatureColumnError, match="twice"):
        FeatureColumns([3, 3])
