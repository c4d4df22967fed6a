"""Forests of trees, and the kernels over them: subset-tree, subtree, partial-tree, smoothed, vectors beside trees.

In: labels and arities of nodes; rows of numbers
Out: kernel values, Gram matrices, and sums of trees in one DAG
Uses: kernels.hardware, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.trees.combined_kernel import CombinedKernel as CombinedKernel
    from kakari.kernels.trees.combined_kernel import PreferenceKernel as PreferenceKernel
    from kakari.kernels.trees.combined_kernel import kernel_from_contents as kernel_from_contents
    from kakari.kernels.trees.dag import ForestDag as ForestDag
    from kakari.kernels.trees.forest import Forest as Forest
    from kakari.kernels.trees.given_kernel import as_kernel as as_kernel
    from kakari.kernels.trees.parameters import ProductKernel as ProductKernel
    from kakari.kernels.trees.parameters import SumKernel as SumKernel
    from kakari.kernels.trees.similarity import MatrixSimilarity as MatrixSimilarity
    from kakari.kernels.trees.similarity import WordVectors as WordVectors
    from kakari.kernels.trees.smoothed_kernel import SmoothedTreeKernel as SmoothedTreeKernel
    from kakari.kernels.trees.tree_kernel import TreeColumns as TreeColumns
    from kakari.kernels.trees.tree_kernel import TreeKernel as TreeKernel
    from kakari.kernels.trees.vector_kernel import VectorKernel as VectorKernel

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "combined_kernel": "CombinedKernel PreferenceKernel kernel_from_contents",
        "dag": "ForestDag",
        "forest": "Forest",
        "given_kernel": "as_kernel",
        "parameters": "ProductKernel SumKernel",
        "similarity": "MatrixSimilarity WordVectors",
        "smoothed_kernel": "SmoothedTreeKernel",
        "tree_kernel": "TreeKernel TreeColumns",
        "vector_kernel": "VectorKernel",
    },
)
