"""Vector kernels and combinations against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tree_cases import forest_of, random_tree

from kakari.kernels.trees.combined_kernel import CombinedKernel, CombinedKernelError
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel, VectorKernelError

KINDS = ["linear", "polynomial", "rbf", "sigmoid"]


def defined(kind, x, y, degree, gamma, constant):
    dot = sum(p * q for p, q in zip(x, y, strict=True))
    if kind == "linear":
        return dot
    if kind == "rbf":
        return np.exp(-gamma * sum((p - q) ** 2 for p, q in zip(x, y, strict=True)))
    return (gamma * dot + constant) ** degree if kind == "polynomial" else np.tanh(gamma * dot + constant)


def matrix(seed, rows, columns=7, density=0.4):
    random = np.random.default_rng(seed)
    return random.standard_normal((rows, columns)) * (random.random((rows, columns)) < density)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 99), gamma=st.floats(0.05, 2), constant=st.floats(0, 2), degree=st.integers(1, 4))
def test_equals_the_definition(kind, seed, gamma, constant, degree):
    a, b = matrix(seed, 4), matrix(seed + 1, 3)
    kernel = VectorKernel(kind, degree=degree, gamma=gamma, constant=constant)
    expected = [[defined(kind, x, y, degree, gamma, constant) for y in b] for x in a]
    np.testing.assert_allclose(kernel.gram(a, b), expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(kernel.gram(a, b), kernel.gram(b, a).T)
    np.testing.assert_array_equal(kernel.gram(a, b), kernel.gram(sparse.csc_array(a), sparse.coo_array(b), threads=3))
    np.testing.assert_array_equal(np.diag(kernel.gram(a)), kernel.diagonal(a))


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("density", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("kind", KINDS)
def test_all_ways_to_a_block_give_the_same_bits(kind, density, binary):
    rows = matrix(3, 90, 40, density)
    rows = sparse.csr_array((rows != 0).astype(float) if binary else rows)  # whole distances, or any
    kernel = VectorKernel(kind, gamma=0.05)
    row_by_row = np.vstack([kernel.gram(rows[[i]], rows) for i in range(90)])
    np.testing.assert_array_equal(kernel.gram(rows), row_by_row)
    np.testing.assert_array_equal(kernel.gram(rows[5:70], rows[20:], threads=2), row_by_row[5:70, 20:])


@pytest.mark.parametrize("kind", ["linear", "polynomial", "rbf"])
def test_normalized(kind):
    rows = np.vstack([matrix(1, 20), np.zeros((1, 7))])
    kernel = VectorKernel(kind, gamma=0.3, normalize=True)
    raw = VectorKernel(kind, gamma=0.3).gram(rows)
    norms = np.where(np.diag(raw) == 0, 1, np.diag(raw))
    np.testing.assert_allclose(kernel.gram(rows), raw / np.sqrt(np.outer(norms, norms)), rtol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(rows), np.diag(kernel.gram(rows)), rtol=1e-12)
    assert np.linalg.eigvalsh(kernel.gram(rows)).min() > -1e-10


def test_wide_rows():
    wide = sparse.csr_array(([1.0, 2.0, 3.0], [5, 2_000_000_000, 5], [0, 2, 3]), shape=(2, 2**31 - 1))
    assert VectorKernel("linear").gram(wide).tolist() == [[5, 3], [3, 9]]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"kind": "cubic"}, "no vector kernel 'cubic'"),
        ({"degree": 0}, "degree must be"),
        ({"degree": 1.5}, "degree must be"),
        ({"gamma": float("nan")}, "gamma must be a finite number"),
        ({"kind": "rbf", "gamma": 0}, "gamma of an rbf kernel must be above 0"),
    ],
)
def test_refuses_bad_options(options, reason):
    with pytest.raises(VectorKernelError, match=reason):
        VectorKernel(**options)


def test_refuses_bad_vectors():
    with pytest.raises(VectorKernelError, match="row 1, column 0: inf is not a finite number"):
        VectorKernel("linear").gram([[0.0, 1.0], [np.inf, 0.0]])
    with pytest.raises(VectorKernelError, match="of 2 and of 3 columns"):
        VectorKernel("linear").gram(np.ones((1, 2)), np.ones((1, 3)))
    with pytest.raises(VectorKernelError, match="row 0 has a negative self-kernel"):
        VectorKernel("sigmoid", constant=-3.0, normalize=True).gram([[1.0]])
    assert VectorKernel("linear").gram(np.ones((0, 2)), np.ones((3, 2))).shape == (0, 3)


@pytest.mark.parametrize("operation", ["+", "*"])
def test_combinations(operation):
    random = np.random.default_rng(2)
    forest = forest_of(*([random_tree(random, 6)] for _ in range(12)))
    examples = (forest, sparse.csr_array(matrix(3, 12)))
    tree, vector = TreeKernel("stk"), VectorKernel("polynomial", degree=2, normalize=True)
    kernel = CombinedKernel(tree, vector, operation=operation, tree_weight=0.7)
    trees, vectors = 0.7 * tree.gram(forest), vector.gram(examples[1])
    expected = trees + vectors if operation == "+" else trees * vectors
    np.testing.assert_array_equal(kernel.gram(examples), expected)
    np.testing.assert_allclose(kernel.diagonal(examples), np.diag(expected), rtol=1e-12)
    assert np.linalg.eigvalsh(kernel.gram(examples)).min() > -1e-10
    np.testing.assert_allclose(kernel.gram((forest[:2], examples[1][:2]), examples), expected[:2], rtol=1e-12)


def test_combinations_refuse():
    tree, vector = TreeKernel("stk"), VectorKernel("linear")
    with pytest.raises(CombinedKernelError, match="operation must be"):
        CombinedKernel(tree, vector, operation="-")
    with pytest.raises(CombinedKernelError, match="weight of the tree kernel must be above 0"):
        CombinedKernel(tree, vector, tree_weight=0)
    with pytest.raises(CombinedKernelError, match="1 examples of trees, but 2 vectors"):
        CombinedKernel(tree, vector).gram((forest_of([(1,)]), np.ones((2, 2))))
    with pytest.raises(CombinedKernelError, match="must be a pair"):
        CombinedKernel(tree, vector).gram(forest_of([(1,)]))
