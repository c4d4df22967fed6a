"""The layer of corrected classes and the layer of corrected parts equal their definitions in plain Python."""

from collections import Counter

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.hashed.scalars import PartLearner
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.correcting.class_layer import ClassLayer, any_layer
from kakari.models.correcting.kernel_layer import KernelLayer
from kakari.models.correcting.part_layer import PartLayer

CLASSES = 3
ROWS = st.lists(
    st.tuples(
        st.frozensets(st.integers(0, 9), max_size=5),
        st.integers(0, CLASSES - 1),
        st.tuples(*[st.floats(-2, 2).map(lambda value: round(value, 3)) for _ in range(CLASSES)]),
    ),
    max_size=6,
)
HASHES = st.lists(st.integers(1, 12), max_size=10)


def kernel(one, other, degree):
    return float(1 + len(one & other)) ** degree


def scores(rows, beta, example, base, degree):
    return [
        base[c] + sum(beta[j][c] * kernel(own, example, degree) for j, (own, _, _) in enumerate(rows))
        for c in range(CLASSES)
    ]


def defined(rows, degree, passes, target=1.0):
    """Let each example's class lead its best rival by the target, by the shortest step, until none takes a step."""
    beta = [[0.0] * CLASSES for _ in rows]
    for _ in range(passes):
        changed = False
        for i, (own, gold, base) in enumerate(rows):
            found = scores(rows, beta, own, base, degree)
            rival = max((c for c in range(CLASSES) if c != gold), key=lambda c: (found[c], -c))
            loss = target - (found[gold] - found[rival])
            if loss > 1e-9:
                step = loss / (2 * kernel(own, own, degree))
                beta[i][gold] += step
                beta[i][rival] -= step
                changed = True
        if not changed:
            break
    return beta


def layer_of(rows, degree):
    sets = FeatureSets.from_lists([sorted(own) for own, _, _ in rows])
    base = np.array([base for *_, base in rows]).reshape(len(rows), CLASSES)
    return ClassLayer.empty(degree, CLASSES).with_examples(sets, [gold for _, gold, _ in rows], base, owner=0)


@settings(max_examples=examples(120), deadline=None)
@given(ROWS, st.frozensets(st.integers(0, 12), max_size=6), st.integers(1, 3))
def test_one_pass_is_the_definition(rows, other, degree):
    learned = layer_of(rows, degree).learned(passes=1)
    expected = defined(rows, degree, 1)
    assert learned.coefficients == pytest.approx(np.array(expected).reshape(len(rows), CLASSES), rel=1e-6, abs=1e-9)
    found = learned.sums(FeatureSets.from_lists([sorted(other)]))[0]
    assert found == pytest.approx(scores(rows, expected, other, [0.0] * CLASSES, degree), rel=1e-6, abs=1e-6)


def test_a_class_layer_goes_through_a_file():
    layer = layer_of([(frozenset({1, 2}), 2, (1.0, 0.0, 0.0)), (frozenset({4}), 0, (0.0, 0.5, 0.0))], 3).learned()
    again = any_layer(layer.contents())
    assert isinstance(again, ClassLayer)
    for name in ("gold", "coefficients", "base", "owners"):
        assert getattr(again, name).tobytes() == getattr(layer, name).tobytes()
    assert isinstance(any_layer(KernelLayer.empty(2).contents()), KernelLayer)
    assert len(layer.without_owner(0)) == 0
    assert layer.without_owner(1) is layer


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(st.tuples(HASHES, HASHES, st.integers(1, 10**6)), max_size=4))
def test_steps_of_parts_are_the_definition(steps):
    layer, expected = PartLayer.empty(), Counter()
    for wanted, found, loss in steps:
        layer = layer.stepped(wanted, found, loss)
        difference = Counter(wanted)
        difference.subtract(found)
        length = sum(times * times for times in difference.values())
        for hash_, times in difference.items():
            if length:
                expected[hash_] += round(times * (loss / length))
    assert dict(zip(layer.hashes.tolist(), layer.amounts.tolist(), strict=True)) == {
        h: a for h, a in expected.items() if a
    }
    again = PartLayer.from_contents(layer.contents())
    assert again.hashes.tobytes() == layer.hashes.tobytes()


@settings(max_examples=examples(80), deadline=None)
@given(st.dictionaries(st.integers(1, 2**64 - 1), st.integers(-(10**6), 10**6), max_size=8), st.data())
def test_weights_beside_frozen_ones_are_added(beside, data):
    learner = PartLearner()
    learner.update([17, 2**40], 0.5, at=0)
    frozen = learner.freeze()
    both = frozen.with_added(list(beside), list(beside.values()))
    asked = data.draw(st.lists(st.sampled_from([17, 2**40, 5, *beside]), max_size=6))
    assert both.score(asked) == frozen.score(asked) + sum(beside.get(hash_, 0) for hash_ in asked)
    assert frozen.added is None
    again = both.__reduce__()[0](*both.__reduce__()[1])
    assert again.score(asked) == both.score(asked)
    assert both.contents().arrays.keys() == frozen.contents().arrays.keys()
