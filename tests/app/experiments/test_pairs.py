"""English hyponymy pairs: splits without shared words, and degrees compared on them."""

from itertools import product

import numpy as np
import pytest

from kakari.corpora.formats.pairs import Pair
from kakari.experiments import hyponymy_pairs
from kakari.experiments.hyponymy_pairs import COSTS, measure_pairs, sign_flips
from kakari.results.stored import Shelf


def test_random_signs_are_counted():
    gains = np.random.default_rng(0).normal(0.3, 1.0, 8)
    means = [abs(np.dot(signs, gains)) for signs in product((-1, 1), repeat=8)]
    assert sign_flips(gains) == pytest.approx(np.mean([mean >= abs(gains.sum()) - 1e-9 for mean in means]))
    assert sign_flips([1.0] * 10) == 2 / 1024


def test_degrees_are_compared_on_the_same_splits(monkeypatch):
    random = np.random.default_rng(1)
    words = [f"word {number}" for number in range(80)]
    kinds = {word: int(random.integers(4)) for word in words}

    def some(count):
        chosen = [random.choice(words, 2, replace=False).tolist() for _ in range(count)]
        # an exclusive or of the two kinds: no linear matter
        return [Pair(one, other, (kinds[one] < 2) != (kinds[other] < 2)) for one, other in chosen]

    def features(train):
        return lambda pair: [f"over {kinds[pair.hypernym]}", f"under {kinds[pair.hyponym]}"]

    pairs = some(1500), some(300)
    monkeypatch.setattr(hyponymy_pairs, "english_pairs", lambda: pairs)
    monkeypatch.setattr(hyponymy_pairs, "WAYS", dict.fromkeys(COSTS, features))
    monkeypatch.setattr(hyponymy_pairs, "COSTS", {way: {1: 1.0, 2: 1.0, 3: 1.0} for way in COSTS})
    book = measure_pairs(Shelf())
    one, two = (book.value("splits", f"no shared words, d = {degree}", "accuracy, %").value for degree in (1, 2))
    compared = book.rows["paired", "d = 2 less d = 1, development pairs"].cells
    assert compared["points"].value == pytest.approx(two - one) and two > one + 15
    assert (compared["splits ahead"].value, compared["splits behind"].value) == (10, 0)
    assert compared["p"].value == 2 / 1024
    assert book.value("paired", "d = 3 less d = 1, training pairs", "splits ahead").value == 10
