"""KeLP's kernels: the partial tree kernel with a terminal factor, and its own subtree kernel, by their definitions."""

import numpy as np
import pytest
import tree_oracles as oracle
from hypothesis import given
from hypothesis import strategies as st
from tree_cases import DECAYS, TREES, forest_of

from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.tree_kernel import TreeKernel, TreeKernelError


def subtree_delta(a, b, decay):
    if oracle.production(a) != oracle.production(b):
        return 0.0
    delta = decay
    for ours, theirs in zip(a[1:], b[1:], strict=True):
        if len(ours) > 1 and len(theirs) > 1 and oracle.production(ours) == oracle.production(theirs):
            delta *= subtree_delta(ours, theirs, decay)
    return delta


def partial_delta(a, b, decay, mu, terminal):
    if a[0] != b[0]:
        return 0.0
    if len(a) == 1 or len(b) == 1:
        return mu * decay**2 * terminal

    def sequences(i, j):
        """All sequences of pairs of children that begin with child i of one node and child j of the other."""
        here = partial_delta(a[i], b[j], decay, mu, terminal)
        return here and here * (
            1
            + sum(
                decay ** (k - i + m - j - 2) * sequences(k, m)
                for k in range(i + 1, len(a))
                for m in range(j + 1, len(b))
            )
        )

    return mu * (decay**2 + sum(sequences(i, j) for i in range(1, len(a)) for j in range(1, len(b))))


def total(delta, a, b, *options):
    return sum(delta(x, y, *options) for x in oracle.nodes(a) for y in oracle.nodes(b))


@given(a=TREES, b=TREES, decay=DECAYS)
def test_subtrees_as_kelp_counts_them(a, b, decay):
    kernel = TreeKernel("kelp-st", decay=decay, normalize=False)
    expected = total(subtree_delta, a, b, decay)
    for method in ("pairs", "columns"):
        found = kernel.gram(forest_of([a]), forest_of([b]), method=method)
        np.testing.assert_allclose(found, [[expected]], rtol=1e-12, atol=1e-300)


@given(a=TREES, b=TREES, decay=DECAYS, mu=DECAYS, terminal=st.floats(0.1, 4))
def test_terminal_factor(a, b, decay, mu, terminal):
    kernel = TreeKernel("ptk", decay=decay, mu=mu, terminal_factor=terminal, normalize=False)
    expected = total(partial_delta, a, b, decay, mu, terminal)
    for method in ("pairs", "columns"):
        found = kernel.gram(forest_of([a]), forest_of([b]), method=method)
        np.testing.assert_allclose(found, [[expected]], rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize(
    "kernel", [TreeKernel("kelp-st"), TreeKernel("ptk", terminal_factor=2.5)], ids=["kelp-st", "terminal"]
)
@given(trees=st.lists(TREES, min_size=2, max_size=6))
def test_sums_in_a_dag(kernel, trees):
    forest = forest_of(*([tree] for tree in trees))
    weights = np.linspace(-1, 1, len(trees))
    dag = ForestDag(kernel)
    dag.add(forest, weights)
    np.testing.assert_allclose(dag.evaluate(forest), kernel.gram(forest) @ weights, rtol=1e-9, atol=1e-12)


def test_options_are_kept_and_refused():
    kernel = TreeKernel("ptk", terminal_factor=2.5)
    assert TreeKernel.from_contents(kernel.contents()) == kernel
    assert "terminal_factor" not in TreeKernel("ptk").contents().settings  # files stay what they were
    with pytest.raises(TreeKernelError, match="terminal factor"):
        TreeKernel("ptk", terminal_factor=0)
