"""The layer of corrected examples equals the passive-aggressive definition, in a dozen lines of plain Python."""

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import StoredError
from kakari.models.correcting.kernel_layer import KernelLayer
from kakari.models.correcting.stored import Corrections

SETS = st.lists(
    st.tuples(
        st.frozensets(st.integers(0, 9), max_size=5), st.booleans(), st.integers(-3000, 3000).map(lambda n: n / 1000)
    ),
    max_size=8,
)


def defined(rows, degree, target=1.0, passes=20):
    """Visit examples in order until none takes a step, the shortest that brings its margin to the target."""
    beta = [0.0] * len(rows)

    def kernel(a, b):
        return float(1 + len(a & b)) ** degree

    for _ in range(passes):
        changed = False
        for i, (own, positive, base) in enumerate(rows):
            sign = 1.0 if positive else -1.0
            margin = base + sum(b * kernel(other, own) for b, (other, _, _) in zip(beta, rows, strict=True))
            if target - sign * margin > 1e-9:
                beta[i] += sign * (target - sign * margin) / kernel(own, own)
                changed = True
        if not changed:
            break
    return beta


def layer_of(rows, degree, owner=0):
    sets = FeatureSets.from_lists([sorted(own) for own, _, _ in rows])
    labels = [1 if positive else -1 for _, positive, _ in rows]
    return KernelLayer.empty(degree).with_examples(sets, labels, [base for *_, base in rows], owner=owner)


@settings(max_examples=examples(150), deadline=None)
@given(SETS, st.integers(1, 4))
def test_passes_are_the_definition(rows, degree):
    found = layer_of(rows, degree).learned(passes=3).coefficients
    assert found == pytest.approx(defined(rows, degree, passes=3), rel=1e-6, abs=1e-9)


@settings(max_examples=examples(80), deadline=None)
@given(SETS, st.frozensets(st.integers(0, 12), max_size=6), st.integers(1, 4))
def test_what_it_adds_is_the_sum_over_its_examples(rows, other, degree):
    layer = layer_of(rows, degree).learned()
    pairs = zip(layer.coefficients.tolist(), rows, strict=True)
    expected = sum(b * float(1 + len(own & other)) ** degree for b, (own, _, _) in pairs)
    found = layer.frozen.margins(FeatureSets.from_lists([sorted(other)]))[0]
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_examples_that_differ_are_all_learned():
    rng = np.random.default_rng(3)
    rows = [(frozenset(rng.choice(60, 12, replace=False).tolist()), bool(rng.integers(2)), -0.5) for _ in range(40)]
    layer = layer_of(rows, 3).learned()
    margins = layer.base + layer.frozen.margins(layer.sets)
    assert (layer.labels * margins > 0.99).all()


def test_the_examples_of_a_sentence_can_be_left_out():
    first, second = [(frozenset({1, 2}), True, 0.0)], [(frozenset({3}), False, 0.5)]
    both = layer_of(first, 2).with_examples(FeatureSets.from_lists([[3]]), [-1], [0.5], owner=1)
    alone = both.without_owner(0)
    assert alone.sets.tolist() == layer_of(second, 2).sets.tolist()
    assert (alone.labels.tolist(), alone.base.tolist(), alone.owners.tolist()) == ([-1], [0.5], [1])
    assert both.without_owner(7) is both


def test_a_layer_goes_through_a_file_bit_for_bit():
    layer = layer_of([(frozenset({1, 2}), True, -0.3), (frozenset({2, 5}), False, 0.7)], 3).learned()
    again = KernelLayer.from_contents(layer.contents())
    for name in ("labels", "coefficients", "base", "owners"):
        assert getattr(again, name).tobytes() == getattr(layer, name).tobytes()
    assert again.sets == layer.sets
    more = [
        one.with_examples(FeatureSets.from_lists([[1, 5]]), [1], [-1.0], owner=1).learned() for one in (layer, again)
    ]
    assert more[0].coefficients.tobytes() == more[1].coefficients.tobytes()


def test_a_layer_with_other_labels_is_refused():
    contents = layer_of([(frozenset({1}), True, 0.0)], 2).contents()
    contents.arrays["labels"] = np.zeros(1, dtype=np.int8)
    with pytest.raises(StoredError, match="neither 1 nor -1"):
        KernelLayer.from_contents(contents)


def test_corrections_name_their_layers():
    made = Corrections(("a", "b"), {"parser": KernelLayer.empty(2)})
    again = Corrections.from_contents(made.contents(), KernelLayer.from_contents)
    assert again.history == ("a", "b")
    assert list(again.layers) == ["parser"]
