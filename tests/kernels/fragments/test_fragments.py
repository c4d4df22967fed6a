"""Mined fragments and their vectors against counting every fragment of small trees."""

import pickle
from collections import Counter
from itertools import chain, pairwise

import numpy as np
import pytest
import tree_oracles as definition
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_cases import DECAYS, TREES, forest_of, random_tree

from kakari.kernels.fragments.dictionary import FragmentDictionary, FragmentError
from kakari.kernels.fragments.mining import enumerated_vectors, mine
from kakari.kernels.stored import Contents, StoredError
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.forest import Forest
from kakari.kernels.trees.tree_kernel import TreeKernel

EVERYTHING = 1e300
SOME_TREES = st.lists(TREES, min_size=1, max_size=4)
WEIGHTS = st.sampled_from([-2.0, -0.5, 1.0, 3.0])


def forest_of_trees(trees):
    return forest_of(*([tree] for tree in trees))


def norm(tree, kernel):
    own = definition.by_fragments("stk", tree, tree, kernel.decay)
    return own**0.5 if kernel.normalize and own else 1.0


def explicit(tree, kernel):
    """The tree in the kernel's own space: by fragment, λ^(l/2) times its count, over the norm."""
    return {
        fragment: count * kernel.decay ** (size / 2) / norm(tree, kernel)
        for (fragment, size), count in definition.fragments("stk", tree).items()
    }


def occurrences(trees):
    return sum(
        (Counter({f: n for (f, _), n in definition.fragments("stk", tree).items()}) for tree in trees), Counter()
    )


def explicit_weights(trees, weights, kernel):
    total = Counter()
    for tree, weight in zip(trees, weights, strict=True):
        for fragment, value in explicit(tree, kernel).items():
            total[fragment] += weight * value
    return total


def depth(fragment):
    return 1 + max((depth(child) for child in fragment[1:] if len(child) > 1), default=0)


def weighted_dag(trees, weights, kernel):
    """The weights, and beside them how often each subtree occurs."""
    dag, forest = ForestDag(kernel, outputs=2), forest_of_trees(trees)
    scales = kernel.scales(forest)
    dag.add(forest, np.column_stack([np.asarray(weights) * scales, np.ones(len(trees))]), scales=np.ones(len(trees)))
    return dag


def mined(trees, weights, kernel, **options):
    found = mine(weighted_dag(trees, weights, kernel), counts=1, **options)
    return {found.fragment(i): found.relevance[i].item() for i in range(len(found))}, found


def rows(vectors):
    offsets, columns, values = vectors
    return [dict(zip(columns[a:b].tolist(), values[a:b].tolist(), strict=True)) for a, b in pairwise(offsets)]


@settings(max_examples=examples(60))
@given(SOME_TREES, st.data(), DECAYS, st.booleans())
def test_exact_mining_finds_every_fragment_with_its_weight(trees, data, decay, normalize):
    kernel = TreeKernel("stk", decay=decay, normalize=normalize)
    weights = data.draw(st.lists(WEIGHTS, min_size=len(trees), max_size=len(trees)))
    if all(len(tree) == 1 for tree in trees):
        return
    found, dictionary = mined(trees, weights, kernel, exact=True, factor=EVERYTHING)
    expected, counts = explicit_weights(trees, weights, kernel), occurrences(trees)
    heavy = {fragment: weight for fragment, weight in expected.items() if abs(weight) > 1e-12}
    assert heavy.keys() <= found.keys() <= expected.keys()
    for column, (fragment, weight) in enumerate(found.items()):
        assert weight == pytest.approx(expected[fragment], rel=1e-9, abs=1e-12)
        assert dictionary.counts[column] == counts[fragment]
    assert list(map(abs, found.values())) == sorted(map(abs, found.values()), reverse=True)


@settings(max_examples=examples(60))
@given(SOME_TREES, st.data(), st.integers(1, 3), st.integers(1, 2), st.sampled_from([0, 2]), st.integers(1, 3))
def test_greedy_mining_keeps_the_limits_and_the_weights(trees, data, deepest, breadth, minimum, factor):
    kernel = TreeKernel("stk", normalize=False)
    weights = data.draw(st.lists(WEIGHTS, min_size=len(trees), max_size=len(trees)))
    if all(len(tree) == 1 for tree in trees):
        return
    limits = {"depth": deepest, "breadth": breadth, "minimum_count": minimum, "factor": 10.0**factor}
    found, _ = mined(trees, weights, kernel, **limits)
    expected, counts = explicit_weights(trees, weights, kernel), occurrences(trees)
    for fragment, weight in found.items():
        assert weight == pytest.approx(expected[fragment], rel=1e-9, abs=1e-12)
        assert depth(fragment) <= deepest and counts[fragment] >= minimum
    heaviest = max(map(abs, found.values()), default=0)
    assert all(abs(weight) >= heaviest / 10.0**factor for weight in found.values())
    everything, _ = mined(trees, weights, kernel, **limits, exact=True)
    assert found.keys() <= everything.keys() | {f for f, w in found.items() if abs(w) < 1e-12}
    top, _ = mined(trees, weights, kernel, **limits, keep=2)
    assert list(top.items()) == list(found.items())[:2]


@settings(max_examples=examples(60))
@given(SOME_TREES, SOME_TREES, DECAYS, st.booleans())
def test_vectors_are_explicit_counts_and_their_product_is_the_kernel(trees, others, decay, normalize):
    kernel = TreeKernel("stk", decay=decay, normalize=normalize)
    both = trees + others
    if all(len(tree) == 1 for tree in both):
        return
    _, dictionary = mined(both, [1.0] * len(both), kernel, exact=True, factor=EVERYTHING)
    forest = forest_of_trees(both)
    vectors = rows(dictionary.vectors(forest, threads=2))
    for tree, row in zip(both, vectors, strict=True):
        named = {dictionary.fragment(column): value for column, value in row.items()}
        assert named == pytest.approx(explicit(tree, kernel), rel=1e-9)
    dense = np.zeros((len(both), len(dictionary)))
    for number, row in enumerate(vectors):
        dense[number, list(row)] = list(row.values())
    np.testing.assert_allclose(dense @ dense.T, kernel.gram(forest), rtol=1e-9, atol=1e-12)
    weights = np.cos(np.arange(len(dictionary)))
    np.testing.assert_allclose(dictionary.margins(forest, weights), dense @ weights, rtol=1e-9, atol=1e-12)


@settings(max_examples=examples(40))
@given(SOME_TREES, SOME_TREES)
def test_merged_dictionaries_add_up(trees, others):
    kernel = TreeKernel("stk", normalize=False)
    parts = [part for part in (trees, others) if any(len(tree) > 1 for tree in part)]
    if not parts:
        return
    mined_parts = [mined(part, [1.0] * len(part), kernel, factor=EVERYTHING)[1] for part in parts]
    merged = FragmentDictionary.merged(mined_parts)
    expected = explicit_weights([*chain(*parts)], [1.0] * sum(map(len, parts)), kernel)
    assert {merged.fragment(i): w for i, w in enumerate(merged.relevance)} == pytest.approx(dict(expected), rel=1e-9)
    assert len(FragmentDictionary.merged(mined_parts, keep=1)) == 1


@settings(max_examples=examples(60))
@given(SOME_TREES, DECAYS, st.integers(1, 6))
def test_enumerated_fragments_are_all_those_up_to_the_depth(trees, decay, deepest):
    kernel = TreeKernel("stk", decay=decay, normalize=False)
    vectors = rows(enumerated_vectors(forest_of_trees(trees), depth=deepest, bits=31, decay=decay, normalize=False))
    for tree, row in zip(trees, vectors, strict=True):
        wanted = [value for fragment, value in explicit(tree, kernel).items() if depth(fragment) <= deepest]
        assert sorted(row.values()) == pytest.approx(sorted(wanted), rel=1e-9)


def test_enumeration_is_capped_and_normalised():
    random = np.random.default_rng(5)
    forest = forest_of_trees([random_tree(random, 40) for _ in range(5)])
    offsets, columns, values = enumerated_vectors(forest, depth=6, longest=50, bits=8)
    assert columns.max() < 2**8
    for begin, end in pairwise(offsets):
        assert values[begin:end] @ values[begin:end] == pytest.approx(1.0)
    counted = enumerated_vectors(forest, depth=6, longest=50, bits=31, decay=1.0, normalize=False)[2].sum()
    assert counted <= 50 * sum(arity > 0 for arity in forest.arities)


def test_a_dictionary_survives_arrays_and_pickle():
    random = np.random.default_rng(2)
    trees = [random_tree(random, 10) for _ in range(20)]
    kernel = TreeKernel("stk")
    _, dictionary = mined(trees, random.standard_normal(20), kernel, keep=100)
    forest = forest_of_trees([random_tree(random, 10) for _ in range(20)])
    for again in (
        pickle.loads(pickle.dumps(dictionary)),
        FragmentDictionary.from_contents(dictionary.contents()),
    ):
        assert again.relevance.tobytes() == dictionary.relevance.tobytes()
        for found, wanted in zip(again.vectors(forest), dictionary.vectors(forest), strict=True):
            assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"fragments": np.array([0, 0], np.int32)},
        {"fragments": np.array([7], np.int32)},
        {"fragments": np.array([0])},
        {"fragment_numbers": np.array([0, 5], np.int32)},
        {"fragment_numbers": np.array([3, -1], np.int32)},
        {"production_starts": np.array([0, 1])},
        {"relevance": np.array([])},
        {"relevance": np.array([np.nan])},
    ],
)
def test_foreign_arrays_are_refused(change):
    arrays = {
        "production_starts": np.array([0, 2]),
        "production_labels": np.array([4, 5], np.int32),
        "fragment_starts": np.array([0, 2]),
        "fragment_numbers": np.array([0, -1], np.int32),
        "fragments": np.array([0], np.int32),
        "relevance": np.array([1.5]),
        "counts": np.array([3.0]),
    }
    kernel = {"kernel": TreeKernel("stk").contents()}
    FragmentDictionary.from_contents(Contents(arrays, parts=kernel))
    with pytest.raises((FragmentError, StoredError)):
        FragmentDictionary.from_contents(Contents(arrays | change, parts=kernel))
    del arrays["counts"]
    with pytest.raises(StoredError, match="no array 'counts'"):
        FragmentDictionary.from_contents(Contents(arrays, parts=kernel))


def test_what_cannot_be_mined_is_refused():
    dag = ForestDag(TreeKernel("ptk"))
    with pytest.raises(FragmentError, match="subset-tree"):
        mine(dag)
    with pytest.raises(FragmentError, match="empty"):
        mine(ForestDag(TreeKernel("stk")))
    dag = ForestDag(TreeKernel("stk"))
    dag.add(forest_of([(1, (0,))], [(1, (0,)), (2, (0,))]), [1.0, 1.0])
    with pytest.raises(FragmentError, match="one tree each"):
        mine(dag)
    with pytest.raises(FragmentError, match="outputs"):
        mine(weighted_dag([(1, (0,))], [1.0], TreeKernel("stk")), counts=2)
    with pytest.raises(FragmentError, match="at least 1"):
        mine(weighted_dag([(1, (0,))], [1.0], TreeKernel("stk")), depth=0)


def test_a_deep_chain_is_mined_to_a_limit_and_matched():
    forest = Forest.from_arrays([0] + [1] * 3001, [0] + [1] * 3001)
    dag = ForestDag(TreeKernel("stk", decay=1.0, normalize=False))
    dag.add(forest, [1.0])
    dictionary = mine(dag, depth=4, factor=10)
    assert dictionary.relevance.tolist() == [3000, 2999, 2998, 2997]
    assert dictionary.vectors(forest)[2].tolist() == dictionary.relevance.tolist()
