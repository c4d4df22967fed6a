"""Keys that were chosen to meet in one place of a table cost what other keys cost.

The keys below met in the tables of versions whose hash functions everybody could compute: they have a few slots there,
so that finding one of them read thousands of slots. Work is counted, not timed: with a secret hash the longest search
among 20,000 keys reads about a hundred slots, whoever chose them.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.kernels.frozen.checks import ModelError
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.hashed.weights import MOST_ROWS, HashedWeights
from kakari.kernels.sets.columns import FeatureColumns
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents, StoredError
from kakari.models.vocabulary import Vocabulary, sip_hash

MASK = 2**64 - 1
COUNT = 20_000
MOST_SLOTS = 1_000  # ten times what is expected of the worst of 20,000 keys in a table that is two thirds full


def old_id_hash(ids):
    keys = ids.astype(np.uint64)
    keys ^= keys >> np.uint64(29)
    return (keys * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)


def old_text_hash(texts):
    mixed = np.full(len(texts), 0xCBF29CE484222325, dtype=np.uint64)
    for column in texts.T:
        mixed = (mixed ^ column.astype(np.uint64)) * np.uint64(0x100000001B3)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(32))


def colliding_ids():
    """Return ids above what is looked up without hashing, all of them in a few slots of the old table."""
    ids = np.arange(1 << 30, (1 << 30) + (1 << 23), dtype=np.int32)
    return ids[(old_id_hash(ids) & np.uint64(0xFFFF)) < 160][:COUNT]


def colliding_texts():
    """Return strings of eight letters that stood in a few slots of the old table."""
    draw = np.random.default_rng(0)
    texts = np.unique(draw.integers(97, 123, size=(3_000_000, 8), dtype=np.uint8), axis=0)
    return texts[(old_text_hash(texts) & np.uint64(0x7FFF)) < 220][:COUNT]


@pytest.mark.slow
def test_strings():
    chosen = colliding_texts()
    assert len(chosen) > COUNT * 0.9
    starts = np.arange(0, chosen.size + 1, 8, dtype=np.int64)
    contents = Contents({"text": chosen.ravel(), "starts": starts})
    read = Vocabulary.from_contents(contents)
    grown = Vocabulary()
    for text in chosen[:2_000]:
        grown.add(text.tobytes().decode())
    assert 1 < read.longest_search() < MOST_SLOTS
    assert 1 < grown.longest_search() < MOST_SLOTS


def test_columns_of_features():
    chosen = colliding_ids()
    assert len(chosen) == COUNT
    grown = FeatureColumns()
    grown.count(chosen)
    assert 1 < FeatureColumns(chosen).longest_search() < MOST_SLOTS
    assert 1 < grown.longest_search() < MOST_SLOTS


def test_searches_are_counted():
    """A table that holds one key reads one slot, and more keys make the longest search longer."""
    longest = [FeatureColumns(np.arange(1 << 30, (1 << 30) + count)).longest_search() for count in (1, 30_000)]
    assert longest[0] == 1 < longest[1]


def frozen(ids):
    """Return the contents of a frozen model whose features are these."""
    sets = FeatureSets.from_arrays(np.arange(0, len(ids) + 1, 100), np.sort(ids))
    return freeze(sets, np.ones(len(sets)), 2, kind="inverted").contents()


def test_features_of_frozen_models():
    chosen = colliding_ids()
    other = np.random.default_rng(1).permutation(1 << 22)[:COUNT].astype(np.int32) + (1 << 30)
    contents = [frozen(ids) for ids in (chosen, other)]
    asked = FeatureSets.from_arrays([0, COUNT], np.sort(chosen))
    models = [FrozenModel.from_contents(one) for one in contents]
    assert models[0].margins(asked)[0] > models[1].margins(asked)[0]
    assert all(1 < model.longest_search() < MOST_SLOTS for model in models)


def test_a_feature_of_a_frozen_model_stands_there_once():
    contents = frozen(colliding_ids())
    ids = contents.arrays["ids"].copy()
    ids[1:] = ids[0]
    with pytest.raises(ModelError, match="twice"):
        FrozenModel.from_contents(Contents({**contents.arrays, "ids": ids}, contents.settings))


def test_the_table_of_an_older_file_is_not_followed():
    model = freeze(FeatureSets.from_lists([[1 << 29, 2], [3]]), [1.0, -1.0], 3)
    full = np.zeros(4, dtype=np.int32)  # a look-up would never end
    contents = model.contents()
    again = FrozenModel.from_contents(Contents({**contents.arrays, "slots": full}, contents.settings))
    asked = FeatureSets.from_lists([[2], [5], [1 << 29]])
    assert again.margins(asked).tolist() == model.margins(asked).tolist()
    assert "slots" not in again.contents().arrays


@pytest.mark.parametrize("rows", [MOST_ROWS, MOST_ROWS + 1])
def test_buckets_are_no_longer_than_a_lookup_may_read(rows):
    arrays = {
        "sizes": np.array([rows], dtype=np.uint16),
        "checks": np.arange(rows, dtype=np.uint16),
        "counts": np.ones(rows, dtype=np.uint8),
        "places": np.zeros(rows, dtype=np.uint8),
        "amounts": np.ones(rows, dtype=np.int8),
    }
    if rows <= MOST_ROWS:
        assert HashedWeights.from_contents(Contents(arrays)).scores([5], 1).tolist() == [1]
    else:
        with pytest.raises(StoredError, match="a bucket has more than"):
            HashedWeights.from_contents(Contents(arrays))


def test_there_are_no_more_buckets_than_rows():
    """A bucket takes 64 bytes of a decoder's memory, and next to nothing of a compressed file."""
    arrays = {name: np.zeros(0, dtype=kind) for name, kind in (("checks", "u2"), ("counts", "u1"), ("places", "u1"))}
    arrays |= {"amounts": np.zeros(0, dtype=np.int8), "sizes": np.zeros(1 << 16, dtype=np.uint16)}
    with pytest.raises(StoredError, match="more buckets than rows"):
        HashedWeights.from_contents(Contents(arrays))


def plain_sip_hash(data, first, second):
    """SipHash with one round for each word and three at the end, as its authors define it."""
    v = [
        first ^ 0x736F6D6570736575,
        second ^ 0x646F72616E646F6D,
        first ^ 0x6C7967656E657261,
        second ^ 0x7465646279746573,
    ]

    def turned(x, bits):
        return (x << bits | x >> (64 - bits)) & MASK

    def sip_round():
        v[0] = (v[0] + v[1]) & MASK
        v[2] = (v[2] + v[3]) & MASK
        v[1], v[3] = turned(v[1], 13) ^ v[0], turned(v[3], 16) ^ v[2]
        v[0] = turned(v[0], 32)
        v[2] = (v[2] + v[1]) & MASK
        v[0] = (v[0] + v[3]) & MASK
        v[1], v[3] = turned(v[1], 17) ^ v[2], turned(v[3], 21) ^ v[0]
        v[2] = turned(v[2], 32)

    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        v[3] ^= word
        sip_round()
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        sip_round()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


@given(st.binary(max_size=300), st.integers(0, MASK), st.integers(0, MASK))
def test_hashes_of_strings_are_those_of_the_definition(data, first, second):
    assert sip_hash(data, first, second) == plain_sip_hash(data, first, second)
