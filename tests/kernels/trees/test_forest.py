"""Forests against plain tuples."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_cases import EXAMPLES, forest_of, postorder

from kakari.kernels.trees.forest import Forest, ForestError


def productions_of(forest):
    return [None if n < 0 else forest.productions[n] for n in forest.production_numbers()]


def expected_productions(examples):
    nodes = [node for example in examples for tree in example for node in postorder(tree)]
    return [[node[0], *(child[0] for child in node[1:])] if len(node) > 1 else None for node in nodes]


@given(EXAMPLES)
def test_productions(examples):
    forest = forest_of(*examples)
    assert productions_of(forest) == expected_productions(examples)
    assert len(forest) == len(examples)
    assert forest.tree_counts().tolist() == [len(example) for example in examples]


@given(EXAMPLES)
def test_arrays_and_pickles_round_trip(examples):
    forest = forest_of(*examples)
    for copy in (Forest.from_contents(forest.contents()), pickle.loads(pickle.dumps(forest))):
        assert copy == forest
        assert productions_of(copy) == productions_of(forest)


@given(EXAMPLES, st.data())
def test_taking_and_joining(examples, data):
    forest = forest_of(*examples)
    numbers = data.draw(st.lists(st.integers(0, len(examples) - 1), max_size=6)) if examples else []
    chosen = forest.take(numbers)
    assert chosen == forest_of(*(examples[i] for i in numbers))
    assert chosen.productions is forest.productions
    cut = slice(*data.draw(st.tuples(st.integers(-5, 5), st.integers(-5, 5))))
    assert forest[cut] == forest_of(*examples[cut])
    joined = Forest.concatenate([forest, chosen, forest[cut]])
    assert joined == forest_of(*examples, *(examples[i] for i in numbers), *examples[cut])
    assert productions_of(joined) == expected_productions([*examples, *(examples[i] for i in numbers), *examples[cut]])


@given(EXAMPLES, st.integers(0, 3))
def test_positions(examples, place):
    expected = forest_of(*(example[place : place + 1] for example in examples))
    assert forest_of(*examples).position(place) == expected


@given(EXAMPLES, EXAMPLES)
def test_alignment(a, b):
    ours, theirs = forest_of(*a), forest_of(*b)
    aligned = ours.aligned_to(theirs)
    assert aligned == ours
    names = expected_productions(a)
    for number, name in zip(aligned.production_numbers(), names, strict=True):
        known = name in [theirs.productions[i] for i in range(len(theirs.productions))]
        assert (number < len(theirs.productions)) == (known or name is None)
        if known:
            assert theirs.productions[number] == name
    numbers = {(int(n), tuple(name)) for n, name in zip(aligned.production_numbers(), names, strict=True) if name}
    assert len(numbers) == len({number for number, _ in numbers}) == len({name for _, name in numbers})


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        (([1, 2], [0, 0]), "tree 0: the numbers of children make no tree"),
        (([1, 2], [0, 2]), "make no tree in postorder"),
        (([1], [-1]), "arities must be between 0"),
        (([-1], [0]), "labels must be between 0 and 2147483647"),
        (([2**31], [0]), "labels must be between"),
        (([0.5], [0]), "labels must be a one-dimensional array of whole numbers"),
        (([1, 2], [0]), "2 labels, but 1 numbers of children"),
        (([1], [0], [0, 2]), "trees must end with 1, not 2"),
        (([1], [0], [1, 1]), "trees must start with 0"),
        (([1], [0], [0, 1], [0, 2]), "examples must end with 1"),
        (([1], [0], []), "trees must be a one-dimensional array"),
    ],
)
def test_refuses_what_is_no_forest(arrays, reason):
    with pytest.raises(ForestError, match=reason):
        Forest.from_arrays(*arrays)


def test_bounds():
    forest = forest_of([(1,)], [(2,)])
    assert forest[-1].labels.tolist() == [2]
    for wrong in (2, -3):
        with pytest.raises(IndexError):
            forest[wrong]
    with pytest.raises(IndexError):
        forest.take([5])
    with pytest.raises(ForestError, match="not a forest: list"):
        Forest.concatenate([[1]])
    assert len(Forest.concatenate([])) == 0
    assert not forest.labels.flags.writeable


def test_deep_and_wide():
    size = 100_000
    chain = Forest.from_arrays(np.zeros(size, dtype=int), np.minimum(np.arange(size), 1))
    assert len(chain.productions) == 1
    flat = Forest.from_arrays(np.zeros(size, dtype=int), np.append(np.zeros(size - 1, dtype=int), size - 1))
    assert len(flat.productions[0]) == size
    assert pickle.loads(pickle.dumps(Forest.concatenate([chain, flat]))).node_counts().tolist() == [
        size,
        size,
    ]
