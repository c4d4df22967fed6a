"""Tree kernels against brute force, and against the values that everyone must get."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import tree_oracles as oracle
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_cases import DECAYS, EXAMPLES, LEAVES, TREES, forest_of, random_tree

from kakari.kernels.trees.forest import Forest
from kakari.kernels.trees.tree_kernel import TreeColumns, TreeKernel, TreeKernelError
from kakari.models.treebank import Treebank

KINDS = ["st", "stk", "sst-bow", "ptk"]
CHECKS = [
    (
        "(S (NP (D the)(N dog))(VP (V barks)))",
        "(S (NP (D the)(N cat))(VP (V barks)))",
        (2.89344, 0.791159176816, 0.625, 0.877781987847),
    ),
    (
        "(NP (NP (NP (N a)))(NP (N a)))",
        "(NP (NP (N a))(NP (NP (N a))))",
        (4.864, 0.888016451673, 0.592592592593, 0.998797687116),
    ),
    ("(A (b)(C c))", "(A (b)(C d))", (0.4, 0.416666666667, 0.333333333333, 0.708990629819)),
]


@pytest.mark.parametrize(("a", "b", "expected"), CHECKS)
@pytest.mark.parametrize("method", ["pairs", "columns"])
def test_check_values(a, b, expected, method):
    pair = Treebank().read([a, b])
    kernels = [
        TreeKernel("stk", normalize=False),
        TreeKernel("stk"),
        TreeKernel("stk", decay=1),
        TreeKernel("ptk"),
    ]
    found = [kernel.gram(pair[0], pair[1], method=method)[0, 0] for kernel in kernels]
    np.testing.assert_allclose(found, expected, rtol=0, atol=5e-13)


@pytest.mark.parametrize("kind", KINDS)
@given(a=TREES, b=TREES, decay=DECAYS, mu=DECAYS, normalize=st.booleans())
def test_equals_the_definition(kind, a, b, decay, mu, normalize):
    kernel = TreeKernel(kind, decay=decay, mu=mu, normalize=normalize)
    expected = (oracle.normalized if normalize else oracle.kernel)(kind, a, b, decay=decay, mu=mu)
    for method in ("pairs", "columns"):
        found = kernel.gram(forest_of([a]), forest_of([b]), method=method)
        np.testing.assert_allclose(found, [[expected]], rtol=1e-12, atol=1e-300)


@given(
    st.lists(LEAVES, min_size=1, max_size=6),
    st.lists(LEAVES, min_size=1, max_size=6),
    st.integers(1, 7),
    DECAYS,
)
def test_partial_kernel_with_a_cap(a, b, longest, decay):
    a, b = (9, *a), (9, *b)
    kernel = TreeKernel("ptk", decay=decay, mu=0.7, max_children=longest, normalize=False)
    expected = oracle.kernel("ptk", a, b, decay, 0.7, longest)
    for method in ("pairs", "columns"):
        found = kernel.gram(forest_of([a]), forest_of([b]), method=method)
        np.testing.assert_allclose(found, [[expected]], rtol=1e-12)


@pytest.mark.parametrize("cap", [None, 3])
def test_many_children(cap):
    """More than 256 pairs of children go through a grid, not through pairs."""
    random = np.random.default_rng(5)
    wide = [(99, *((int(label),) for label in random.integers(0, 9, 23))) for _ in range(2)]
    kernel = TreeKernel("ptk", decay=0.5, mu=0.9, max_children=cap, normalize=False)
    found = kernel.gram(forest_of([wide[0]]), forest_of([wide[1]]))[0, 0]
    total, last = 0.0, {}
    for length in range(1, (cap or 23) + 1):  # sequences that end with (i, j), one length after the other
        ending = {(i, j): 0.225 * (x == y) for i, x in enumerate(wide[0][1:]) for j, y in enumerate(wide[1][1:])}
        if length > 1:
            ending = {
                (i, j): value
                and value
                * sum(before * 0.5 ** (i - k + j - m - 2) for (k, m), before in last.items() if k < i and m < j)
                for (i, j), value in ending.items()
            }
        last = {pair: value for pair, value in ending.items() if value}
        total += sum(last.values())
    leaves = sum(x == y for x in wide[0][1:] for y in wide[1][1:])
    assert found == pytest.approx(0.9 * (0.25 + total) + 0.225 * leaves, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(30))
@given(trees=st.lists(TREES, min_size=1, max_size=8), decay=DECAYS)
def test_gram_matrices(kind, trees, decay):
    forest, kernel = forest_of(*([tree] for tree in trees)), TreeKernel(kind, decay=decay)
    gram = kernel.gram(forest, method="columns")
    assert np.linalg.eigvalsh(gram).min() > -1e-10
    np.testing.assert_array_equal(gram, gram.T)
    np.testing.assert_allclose(np.diag(gram), kernel.diagonal(forest), rtol=1e-15)
    for other in (
        kernel.gram(forest, method="pairs"),
        kernel.gram(forest, threads=3),
        kernel.gram(forest, method="pairs", threads=2),
    ):
        np.testing.assert_array_equal(gram, other)
    rows = np.vstack([kernel.gram(forest[i], forest) for i in range(len(forest))])
    np.testing.assert_array_equal(np.triu(rows), np.triu(gram))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pairing", ["sequence", "all"])
@settings(max_examples=examples(30))
@given(a=EXAMPLES, b=EXAMPLES, normalize=st.booleans())
def test_several_trees(kind, pairing, a, b, normalize):
    kernel = TreeKernel(kind, pairing=pairing, normalize=normalize)
    value = oracle.normalized if normalize else oracle.kernel
    expected = np.zeros((len(a), len(b)))
    for i, ours in enumerate(a):
        for j, theirs in enumerate(b):
            pairs = zip(ours, theirs, strict=False) if pairing == "sequence" else [(x, y) for x in ours for y in theirs]
            expected[i, j] = sum(value(kind, x, y) for x, y in pairs)
    np.testing.assert_allclose(kernel.gram(forest_of(*a), forest_of(*b)), expected, rtol=1e-12)
    diagonal = [kernel.gram(forest_of(example))[0, 0] for example in a]
    np.testing.assert_allclose(kernel.diagonal(forest_of(*a)), diagonal, rtol=1e-12)
    columns = TreeColumns(kernel)
    for example in b:
        columns.extend(forest_of(example))
    np.testing.assert_allclose(columns.rows(forest_of(*a)), expected, rtol=1e-12)
    for first in range(len(b) + 1):
        part = columns.rows(forest_of(*a), first=first)
        np.testing.assert_array_equal(part, columns.rows(forest_of(*a))[:, first:])


def test_concurrent_calls():
    random = np.random.default_rng(0)
    forest = forest_of(*([random_tree(random, 30)] for _ in range(40)))
    kernel = TreeKernel("stk")
    expected = kernel.gram(forest)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: kernel.gram(forest, threads=2), range(8)):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_too_large_for_a_table(kind):
    random = np.random.default_rng(1)
    forest = forest_of([random_tree(random, 700)], [random_tree(random, 700)])
    kernel = TreeKernel(kind)
    np.testing.assert_array_equal(kernel.gram(forest, method="pairs"), kernel.gram(forest, method="columns"))


def chain(depth, labels):
    """A chain of nodes over one leaf, root last."""
    return Forest.from_arrays(np.arange(depth) % labels, np.minimum(np.arange(depth), 1))


@pytest.mark.parametrize("kind", KINDS)
def test_deep_chains(kind):
    deep = chain(50_000, 500)
    assert TreeKernel(kind).gram(deep)[0, 0] == pytest.approx(1, rel=1e-12)
    short = chain(40, 5)
    tree = (0,)
    for label in range(1, 40):
        tree = (label % 5, tree)
    expected = oracle.kernel(kind, tree, tree) if kind != "ptk" else None
    if expected is not None:
        assert TreeKernel(kind, normalize=False).gram(short)[0, 0] == pytest.approx(expected, rel=1e-12)


def complete_binary_tree(height):
    arities, waiting = [], [height]
    while waiting:
        height = waiting.pop()
        if height <= 0:
            arities.append(0 if height == 0 else 2)
        else:
            waiting.extend([-1, height - 1, height - 1])
    return Forest.from_arrays(np.ones(len(arities), dtype=int), arities)


@pytest.mark.parametrize("kind", KINDS)
def test_huge_trees(kind):
    size = 100_000
    flat = Forest.from_arrays(np.append(np.arange(size - 1), 7), np.append(np.zeros(size - 1, int), size - 1))
    forest = Forest.concatenate([complete_binary_tree(15)] if kind == "ptk" else [flat, complete_binary_tree(16)])
    kernel = TreeKernel(kind, decay=0.1)
    np.testing.assert_allclose(np.diag(kernel.gram(forest)), kernel.diagonal(forest), rtol=1e-9)


def test_single_leaves_and_empty_trees():
    forest = Treebank().read(["(a)", "", "(S a)"])
    assert TreeKernel("stk", decay=0.5, normalize=False).gram(forest).tolist() == [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0.5],
    ]
    assert TreeKernel("sst-bow", decay=0.5, normalize=False).gram(forest).tolist() == [
        [0.5, 0, 0.5],
        [0, 0, 0],
        [0.5, 0, 1],
    ]
    assert TreeKernel("stk").diagonal(forest).tolist() == [0, 0, 1]
    assert TreeKernel("stk").gram(forest[:0], forest).shape == (0, 3)
    assert TreeKernel("stk").gram(forest[:0]).shape == (0, 0)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"kind": "tree"}, "no tree kernel 'tree'"),
        ({"decay": 0}, "decay must be above 0 and at most 1, not 0"),
        ({"decay": 1.5}, "decay must be"),
        ({"decay": float("nan")}, "decay must be"),
        ({"decay": "0.4"}, "decay must be"),
        ({"kind": "ptk", "mu": -1}, "mu must be above 0"),
        ({"max_children": 0}, "max_children must be"),
        ({"pairing": "both"}, "pairing must be"),
    ],
)
def test_refuses_bad_options(options, reason):
    with pytest.raises(TreeKernelError, match=reason):
        TreeKernel(**options)


def test_refuses_overflow():
    steep = (0, (1,))
    for _ in range(12):
        steep = (0, steep, steep)
    with pytest.raises(TreeKernelError, match=r"do not fit a double with decay 1\.0: take a smaller decay"):
        TreeKernel("stk", decay=1).gram(forest_of([steep]))


def test_kernels_pickle():
    kernel = TreeKernel("ptk", decay=0.3, max_children=5)
    assert pickle.loads(pickle.dumps(kernel)) == kernel


def test_trees_of_two_treebanks_are_not_compared():
    from kakari.kernels.trees.forest import ForestError
    from kakari.models.treebank import Treebank

    one, other = Treebank().read(["(A (B b))", "(C c)"]), Treebank().read(["(C c)", "(A (B b))"])
    with pytest.raises(ForestError, match="two treebanks"):
        TreeKernel("stk").gram(one, other)
    with pytest.raises(ForestError, match="two treebanks"):
        TreeKernel("stk").gram(one[:1], other[1:])
    with pytest.raises(ForestError, match="two treebanks"):
        Forest.concatenate([one, other])


def test_treebanks_with_the_same_labels_are_one():
    from kakari.models.treebank import Treebank

    one, more = Treebank().read(["(A (B b))"]), Treebank().read(["(A (B b))", "(C c)"])
    assert TreeKernel("stk").gram(one, more).tolist() == [[1.0, 0.0]]


def test_gram_reads_brackets_and_nltk_trees():
    from nltk.tree import Tree

    from kakari import gram

    kernel = TreeKernel("stk")
    values = gram(kernel, ["(A (B b))", Tree.fromstring("(C c)")], ["(C c)", "(A (B b))"])
    assert values.round(12).tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert gram(kernel, ["(A (B b))"]).round(12).tolist() == [[1.0]]
