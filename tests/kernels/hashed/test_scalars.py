"""Frozen weights of parts against their definition: the first entry of a line with the hash's low bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.kernels.hashed.scalars import FULL, PartWeights

CHECKS = st.integers(0, 30)  # few, so that entries of a line meet and hashes find them


@st.composite
def lines(draw):
    """Lines of checks and weights, some of them full."""
    entry = st.tuples(CHECKS, st.integers(-127, 127))
    return draw(st.lists(st.one_of(st.lists(entry, max_size=FULL), st.lists(entry, min_size=FULL, max_size=FULL)),
                         min_size=1, max_size=5))  # fmt: skip


def weights_of(found):
    return PartWeights(
        {
            "counts": np.array([len(line) for line in found], np.uint8),
            "checks": np.array([check for line in found for check, _ in line], np.uint16),
            "amounts": np.array([amount for line in found for _, amount in line], np.int8),
        },
        1.0,
    )


def defined(found, hashed):
    line = found[(hashed >> 32) * len(found) >> 32]
    amount = next((amount for check, amount in line if check == hashed & 0xFFFF), 0)
    return amount * abs(amount)


@given(lines(), st.lists(st.tuples(st.integers(0, 2**32 - 1), CHECKS), max_size=40))
def test_a_score_is_the_sum_of_the_first_entries_with_these_checks(found, asked):
    hashes = [high << 32 | check for high, check in asked]
    assert weights_of(found).score(hashes) == sum(defined(found, hashed) for hashed in hashes)


@pytest.mark.parametrize("place", range(FULL))
def test_every_place_of_a_full_line_is_found(place):
    line = [(1000 + other, other + 1) for other in range(FULL)]
    assert weights_of([line]).score([1000 + place]) == (place + 1) ** 2
    assert weights_of([line[:place]]).score([1000 + place]) == 0
