"""Kernels made of others, as SVM-Light-TK has them, and kernels of any type from files.

A tree kernel and a vector kernel together, each normalized first (`-t 5 -C + -S … -T τ`), and differences between the
trees of pairs (`-t 11`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.forest import Forest, shared_symbols
from kakari.kernels.trees.given_kernel import PrecomputedKernel
from kakari.kernels.trees.parameters import KernelError, Parameters, ProductKernel, SumKernel
from kakari.kernels.trees.smoothed_kernel import SmoothedTreeKernel
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel


class CombinedKernelError(ValueError):
    """Parts that make no combination; the text says why."""


class CombinedKernel(Parameters):
    """τ · tree kernel + vector kernel, or τ · tree kernel · vector kernel.

    Examples are a pair: a forest, and a sparse matrix with as many rows as the forest has examples.

    Parameters
    ----------
    tree : TreeKernel
    vector : VectorKernel
        Both are used as they are: give them `normalize=True`, as SVM-Light-TK does.
    operation : str
        ``"+"`` or ``"*"``.
    tree_weight : float
        τ, above 0.

    Examples
    --------
    >>> from kakari.kernels.trees.forest import Forest, shared_symbols
    >>> kernel = CombinedKernel(TreeKernel("stk"), VectorKernel("linear", normalize=True), tree_weight=2.0)
    >>> trees = Forest.from_arrays([1, 2, 1, 3], [0, 1, 0, 1], [0, 2, 4])
    >>> kernel.gram((trees, [[1.0, 0.0], [1.0, 0.0]])).round(12).tolist()
    [[3.0, 1.0], [1.0, 3.0]]
    """

    type_name = "combined"
    takes = "pairs"

    def __init__(
        self, tree: TreeKernel, vector: VectorKernel, *, operation: str = "+", tree_weight: float = 1.0
    ) -> None:
        if operation not in ("+", "*"):
            raise CombinedKernelError(f"the operation must be '+' or '*', not {operation!r}")
        if not 0 < tree_weight < math.inf:
            raise CombinedKernelError(f"the weight of the tree kernel must be above 0, not {tree_weight!r}")
        self.tree, self.vector = tree, vector
        self.operation, self.tree_weight = operation, float(tree_weight)

    @staticmethod
    def from_contents(contents: Contents) -> CombinedKernel:
        """Rebuild a kernel from its `contents()`."""
        contents.choice("type", (CombinedKernel.type_name,))
        return CombinedKernel(
            TreeKernel.from_contents(contents.part("tree")),
            VectorKernel.from_contents(contents.part("vector")),
            operation=contents.choice("operation", ("+", "*")),
            tree_weight=contents.number("tree_weight"),
        )

    def summands(self) -> list[tuple[str, int | None, float, Any]]:
        """Return the kernels whose sum this one is, each with its part of an example and its factor."""
        if self.operation == "*":
            return super().summands()
        return [("tree", 0, self.tree_weight, self.tree), ("vector", 1, 1.0, self.vector)]

    def __repr__(self) -> str:
        options = f"operation={self.operation!r}, tree_weight={self.tree_weight}"
        return f"CombinedKernel({self.tree!r}, {self.vector!r}, {options})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CombinedKernel) and repr(self) == repr(other)

    __hash__ = None  # type: ignore[assignment]

    def gram(
        self, a: tuple[Forest, Any], b: tuple[Forest, Any] | None = None, *, threads: int = 1
    ) -> NDArray[np.float64]:
        """Return the kernel of every example of `a` with every example of `b` (of `a` itself without it)."""
        ours = checked_pair(a)
        theirs = (None, None) if b is None else checked_pair(b)
        trees = self.tree.gram(ours[0], theirs[0], threads=threads)
        return self._combined(trees, self.vector.gram(ours[1], theirs[1], threads=threads))

    def diagonal(self, a: tuple[Forest, Any], *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every example with itself."""
        forest, vectors = checked_pair(a)
        trees = self.tree.diagonal(forest, threads=threads)
        return self._combined(trees, self.vector.diagonal(vectors, threads=threads))

    def _combined(self, trees: NDArray[np.float64], vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        trees = self.tree_weight * trees
        return trees + vectors if self.operation == "+" else trees * vectors


class PreferenceKernel(Parameters):
    """k(a₁, b₁) + k(a₂, b₂) − k(a₁, b₂) − k(a₂, b₁) over pairs of trees: SVM-Light-TK's `-t 11`.

    A machine that learnt from pairs (1: the first tree is the better one, -1: the second is) also takes single trees:
    the one with the larger value is preferred.

    Parameters
    ----------
    kernel : TreeKernel
        Compares single trees.

    Examples
    --------
    >>> from kakari import KernelSVC, PreferenceKernel, TreeKernel
    >>> pairs = [["(S (N dogs) (V bark))", "(S (V dogs) (N bark))"], ["(S (V cats) (N purr))", "(S (N cats) (V purr))"]]
    >>> ranker = KernelSVC(PreferenceKernel(TreeKernel("stk")), bias=False).fit(pairs, [1, -1])
    >>> good, bad = ranker.decision_function(["(S (N birds) (V sing))", "(S (V birds) (N sing))"])
    >>> bool(good > bad)
    True
    """

    type_name = "preference"
    takes = "trees"

    def __init__(self, kernel: TreeKernel) -> None:
        if not isinstance(kernel, TreeKernel):
            raise KernelError(f"pairs of trees are compared by a TreeKernel, not by {kernel!r}")
        self.kernel = kernel

    @staticmethod
    def from_contents(contents: Contents) -> PreferenceKernel:
        """Rebuild a kernel from its `contents()`."""
        contents.choice("type", (PreferenceKernel.type_name,))
        return PreferenceKernel(TreeKernel.from_contents(contents.part("kernel")))

    def gram(self, a: Forest, b: Forest | None = None, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every pair of `a` with every pair of `b` (of `a` itself without it)."""
        other = a if b is None else b
        shared_symbols(a.symbols, other.symbols)
        values = np.zeros((len(a), len(other)))
        for sign, ours in sides(a):
            for other_sign, theirs in sides(other):
                values += sign * other_sign * self.kernel.gram(ours, theirs, threads=threads)
        return values

    def diagonal(self, a: Forest, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every pair with itself."""
        return np.array([self.gram(a[place], threads=threads)[0, 0] for place in range(len(a))])

    def __repr__(self) -> str:
        return f"PreferenceKernel({self.kernel!r})"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, PreferenceKernel) and self.kernel == other.kernel

    __hash__ = None  # type: ignore[assignment]


def sides(forest: Forest) -> list[tuple[float, Forest]]:
    """Return the first and the second trees of pairs, each with its sign; an example may lack one."""
    counts = forest.tree_counts()
    if counts.size and counts.max() > 2:
        raise KernelError(f"example {int(counts.argmax())} has {int(counts.max())} trees: a pair has two")
    return [(1.0, forest.position(0)), (-1.0, forest.position(1))]


KINDS: dict[str, Any] = {
    kind.type_name: kind
    for kind in (TreeKernel, SmoothedTreeKernel, PreferenceKernel, VectorKernel, CombinedKernel, PrecomputedKernel)
}


def kernel_from_contents(contents: Contents) -> Any:
    """Rebuild a kernel of any type from its `contents()`.

    Examples
    --------
    >>> kernel_from_contents(TreeKernel("ptk", mu=0.5).contents()) == TreeKernel("ptk", mu=0.5)
    True
    """
    kind = contents.choice("type", ("sum", "product", *KINDS))
    if kind not in KINDS:
        parts = [kernel_from_contents(part) for part in contents.numbered_parts()]
        if not parts:
            raise contents.refuse(f"there is no kernel in a {kind}")
        try:
            if kind == "product":
                return ProductKernel(parts)
            return SumKernel(parts, contents.array("weights", np.float64, shape=(len(parts),)).tolist())
        except KernelError as error:
            raise contents.refuse(str(error)) from None
    return KINDS[kind].from_contents(contents)


def checked_pair(given: tuple[Forest, Any]) -> tuple[Forest, Any]:
    """Refuse what is not a forest with a vector for each example."""
    if not isinstance(given, tuple) or len(given) != 2 or not isinstance(given[0], Forest):
        raise CombinedKernelError("examples must be a pair of a forest and a matrix of vectors")
    count = given[1].shape[0] if hasattr(given[1], "shape") else len(given[1])
    if len(given[0]) != count:
        raise CombinedKernelError(f"{len(given[0])} examples of trees, but {count} vectors")
    return given
