"""The preference kernel of re-ranking: an example is a pair of trees, of which one is better than the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.forest import Forest, shared_symbols
from kakari.kernels.trees.parameters import KernelError, Parameters
from kakari.kernels.trees.tree_kernel import TreeKernel


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
