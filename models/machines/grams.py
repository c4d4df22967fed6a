"""Gram matrices of examples in any form: brackets, NLTK trees, forests, rows of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.trees.given_kernel import as_kernel
from kakari.models.machines.examples import ExampleReader


def gram(kernel: Any, a: Any, b: Any = None, *, threads: int = 1) -> NDArray[np.float64]:
    """Return the kernel of every example of `a` with every example of `b` (of `a` itself without it).

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel, a sum of these, or an object with `gram` and `diagonal`
    a, b
        Trees (bracket strings, `nltk.Tree`, a `Forest`), rows of numbers, or `TreesAndVectors`. Labels of `a` and `b`
        are shared by name; forests must come from one `Treebank`.

    Examples
    --------
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> gram(TreeKernel("stk"), ["(S (N dogs))"], ["(S (N dogs))", "(S (N cats))"]).round(2).tolist()
    [[1.0, 0.42]]
    """
    own = as_kernel(kernel)
    reader = ExampleReader(own)
    ours = reader.read(a, learn=True)
    values: NDArray[np.float64] = own.gram(ours, None if b is None else reader.read(b, learn=True), threads=threads)
    return values
