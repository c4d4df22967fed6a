"""Kernels of every kind, and examples with class names for them."""

import numpy as np
from scipy import sparse
from tree_cases import forest_of, random_tree

from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel

KERNELS = {
    "tree": TreeKernel("stk"),
    "partial": TreeKernel("ptk"),
    "linear": VectorKernel("linear", normalize=True),
    "rbf": VectorKernel("rbf", gamma=0.2),
    "sum": CombinedKernel(TreeKernel("stk"), VectorKernel("linear", normalize=True), tree_weight=0.5),
    "sets": VectorKernel("polynomial", degree=3, normalize=True),
    "sum of sets": CombinedKernel(TreeKernel("stk"), VectorKernel("polynomial", degree=2), tree_weight=3.0),
    "product": CombinedKernel(TreeKernel("stk"), VectorKernel("rbf", gamma=0.1), operation="*"),
}


def data(kind, seed=0, size=60, classes=3):
    """Examples of the kind that a kernel takes, and class names that say something about them."""
    random = np.random.default_rng(seed)
    trees = [random_tree(random, int(random.integers(4, 10))) for _ in range(size)]
    vectors = sparse.csr_array(random.standard_normal((size, 6)) * (random.random((size, 6)) < 0.7))
    scores = vectors[:, [0]].toarray()[:, 0] + np.array([str(tree).count("0") for tree in trees]) / 3
    names = np.array(["x", "y", "z"])[np.digitize(scores, np.quantile(scores, np.arange(1, classes) / classes))]
    forest = forest_of(*([tree] for tree in trees))
    if "sets" in kind:
        vectors = sparse.csr_array((vectors.toarray() > 0.1).astype(float))
    if isinstance(KERNELS[kind], VectorKernel):
        return vectors, names
    return ((forest, vectors) if isinstance(KERNELS[kind], CombinedKernel) else forest), names


def signs(names, one):
    return np.where(names == one, 1, -1)
