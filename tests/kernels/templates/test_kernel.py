"""The template kernel, sums over its support and weights of combinations against the definition."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_oracles import kernel_value, kernels, parts_of, sum_of

from kakari.kernels.stored import StoredError
from kakari.kernels.templates import CombinationWeights, Parts, Support, TemplateError, TemplateKernel

ARCS = [[(0, 1, False), (0, 1, False), (1, 1, True)]]


def test_head_times_modifier_times_one_and_edge():
    kernel = TemplateKernel([3, 2], ARCS)
    words = [[1, 2, 3], [1, 2, -1], [4, 2, -1]]
    edges = [[7, 8], [7, 9]]
    parts = Parts(kernel, [words, edges], [0, 0], [[0, 1, 0], [1, 2, 1]])
    assert kernel.gram(parts, parts).tolist() == [[3 * 2 * 3, 2 * 1 * 2], [2 * 1 * 2, 2 * 2 * 3]]


@given(st.data())
def test_kernel_and_sums_are_the_definition(data):
    kernel = data.draw(kernels())
    known, known_tables, known_parts = data.draw(parts_of(kernel))
    asked, tables, parts = data.draw(parts_of(kernel))
    amounts = data.draw(st.lists(st.integers(-9, 9), min_size=len(known_parts), max_size=len(known_parts)))
    expected = [[kernel_value(kernel, tables, one, (*other, known_tables)) for other in known_parts] for one in parts]
    assert kernel.gram(asked, known).tolist() == expected
    support = Support(kernel)
    support.add(known, amounts)
    held = [(amount, (*part, known_tables)) for amount, part in zip(amounts, known_parts, strict=True)]
    sums = [sum_of(kernel, held, tables, part) for part in parts]
    assert support.sums(asked).tolist() == sums
    frozen = support.freeze()
    assert frozen.sums(asked).tolist() == sums
    again = CombinationWeights.from_contents(frozen.contents())
    assert again.sums(asked).tolist() == sums
    for place in range(len(parts)):
        assert sum(weight for _, weight in frozen.combinations(asked, place)) == sums[place]


@given(st.data())
def test_equal_parts_are_one(data):
    kernel = data.draw(kernels())
    parts, _, _ = data.draw(parts_of(kernel))
    amounts = np.arange(1, len(parts) + 1)
    support = Support(kernel)
    support.add(parts, amounts)
    size = len(support)
    support.add(parts, amounts)
    assert len(support) == size
    own, doubled = support.parts()
    assert len(own) == size and doubled.sum() == 2 * amounts.sum()
    again = Support(kernel)
    again.add(own, doubled)
    assert (again.sums(parts) == support.sums(parts)).all()


def test_pruned_weights_are_the_largest():
    kernel = TemplateKernel([2, 1], ARCS)
    rng = np.random.default_rng(5)
    words, edges = rng.integers(0, 4, (20, 2)), rng.integers(0, 3, (6, 1))
    slots = np.column_stack([rng.integers(0, 20, 50), rng.integers(0, 20, 50), rng.integers(0, 6, 50)])
    parts = Parts(kernel, [words, edges], np.zeros(50), slots)
    support = Support(kernel)
    support.add(parts, rng.integers(-9, 10, 50))
    whole, pruned = support.freeze(), support.freeze(most=20)
    sizes = np.sort(np.abs(whole.arrays["entry_weights"]))[::-1]
    assert 0 < len(pruned) <= 20 < len(whole)
    assert np.abs(pruned.arrays["entry_weights"]).min() > sizes[20]
    assert pickle.loads(pickle.dumps(pruned)).sums(parts).tolist() == pruned.sums(parts).tolist()


def test_large_coefficients_are_scaled():
    kernel = TemplateKernel([1], [[(0, 1, False)]])
    parts = Parts(kernel, [[[0], [1]]], [0, 0], [[0], [1]])
    support = Support(kernel)
    support.add(parts, [2**40, 3 * 2**20])
    frozen = support.freeze(unit=0.5)
    assert frozen.unit == 0.5 * 2**11
    assert (frozen.sums(parts) * frozen.unit).tolist() == [2**39, 3 * 2**19]


@pytest.mark.parametrize(
    ("widths", "kinds", "reason"),
    [
        ([1], [], "kinds"),
        ([1], [[]], "slots"),
        ([1], [[(1, 1, False)]], "no table 1"),
        ([1], [[(0, 3, False)]], "degree"),
        ([0], [[(0, 1, False)]], "properties"),
    ],
)
def test_bad_templates_are_refused(widths, kinds, reason):
    with pytest.raises(TemplateError, match=reason):
        TemplateKernel(widths, kinds)


def test_bad_parts_are_refused():
    kernel = TemplateKernel([2, 1], ARCS)
    tables = [[[0, 1]], [[0]]]
    for kinds, slots, reason in [
        ([1], [[0, 0, 0]], "no kind"),
        ([0], [[0, 1, 0]], "slot 1"),
        ([0], [[0, 0, -1]], "slot 2"),
        ([0, 0], [[0, 0, 0]], "one kind"),
    ]:
        with pytest.raises(TemplateError, match=reason):
            Parts(kernel, tables, kinds, slots)
    with pytest.raises(TemplateError, match="-1"):
        Parts(kernel, [[[0, -2]], [[0]]], [0], [[0, 0, 0]])
    other = Parts(TemplateKernel([2, 1], [ARCS[0][:2]]), tables, [0], [[0, 0]])
    for refuse in (Support(kernel).sums, Support(kernel).freeze().sums):
        with pytest.raises(TemplateError, match="another kernel"):
            refuse(other)


def test_damaged_files_are_refused():
    kernel = TemplateKernel([1, 1], ARCS)
    support = Support(kernel)
    support.add(Parts(kernel, [[[0], [1]], [[0]]], [0], [[0, 1, 0]]), [1])
    good = support.freeze().contents()
    for name, array in {
        "parents": [5, 0],
        "terms": [1, 99],
        "counts": [0, 0, -1],
        "entry_terms": [0, 77],
        "first": [1, 1, 1],
    }.items():
        contents = support.freeze().contents()
        contents.arrays[name] = np.array(array, dtype=contents.arrays[name].dtype)
        with pytest.raises(StoredError):
            CombinationWeights.from_contents(contents)
    assert len(CombinationWeights.from_contents(good)) == 2
