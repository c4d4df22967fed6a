"""Gram matrices of whatever users hold: brackets, NLTK trees, forests, rows of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.machines.examples import ExampleReader


def gram(kernel: Any, a: Any, b: Any = None, *, threads: int = 1) -> NDArray[np.float64]:
    """Return the kernel of every example of `a` with every example of `b` (of `a` itself without it).

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel or CombinedKernel
    a, b
        Trees (bracket strings, `nltk.Tree`, a `Forest`), rows of numbers, or a pair of both. Labels of `a` and `b` are
        shared by name; forests must come from one `Treebank`.

    Examples
    --------
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> gram(TreeKernel("stk"), ["(S (N dogs))"], ["(S (N dogs))", "(S (N cats))"]).round(2).tolist()
    [[1.0, 0.42]]
    """
    reader = ExampleReader(kernel)
    ours = reader.read(a, learn=True)
    values: NDArray[np.float64] = kernel.gram(ours, None if b is None else reader.read(b, learn=True), threads=threads)
    return values
