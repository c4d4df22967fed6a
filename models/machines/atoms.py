"""Sums of examples in kernel space as sparse vectors over shared atoms.

The atoms of a tree kernel are the distinct subtrees of one forest DAG, those of a linear kernel the columns, those of
a polynomial kernel over sets the distinct sets, those of any other kernel the examples seen so far. `embed` returns
the weights of a sum of examples, `respond` the kernel of a sum with each atom, so that the product of a response and
an embedding is the sum of all kernels between the two, and `evaluate` the kernel of examples with a sum given by its
weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kakari.kernels.replay.set_sums import SetSums
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.parameters import of
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.examples import count, example_contents, join, take
from kakari.models.machines.supports import KernelSum

Weights = NDArray[np.float64]
Embedding = list[tuple[NDArray[np.int64], Weights]]  # of each space: atoms and their weights


class Atoms(Protocol):
    """One kind of atoms."""

    def size(self) -> int:
        """Return the number of atoms."""

    def embed(self, examples: Any, weights: Weights) -> tuple[NDArray[np.int64], Weights]:
        """Return the atoms of a weighted sum of examples, and their weights."""

    def respond(self, examples: Any, weights: Weights) -> Weights:
        """Return what a weighted sum of examples has in common with each atom."""

    def evaluate(self, examples: Any, weights: Weights) -> Weights:
        """Return the kernel of each example with the sum of these weights of all atoms."""

    def contents(self, weights: Weights) -> Contents:
        """Return sums (one a column) as `KernelSum` stores them."""


class SubtreeAtoms:
    """The distinct subtrees of the trees at one place of their examples (or at all, if all are paired)."""

    def __init__(self, kernel: TreeKernel, place: int | None) -> None:
        self.kernel, self.place, self.dag = kernel, place, ForestDag(kernel)

    def _part(self, examples: Any) -> Any:
        return examples if self.place is None else examples.position(self.place)

    def size(self) -> int:
        """Return the number of atoms."""
        return len(self.dag)

    def embed(self, examples: Any, weights: Weights) -> tuple[NDArray[np.int64], Weights]:
        """Return the atoms of a weighted sum of examples, and their weights."""
        return self.dag.embed(self._part(examples), weights)

    def respond(self, examples: Any, weights: Weights) -> Weights:
        """Return what a weighted sum of examples has in common with each atom."""
        return self.dag.respond(self._part(examples), weights)

    def evaluate(self, examples: Any, weights: Weights) -> Weights:
        """Return the kernel of each example with the sum of these weights of all atoms."""
        if not len(self.dag):
            return np.zeros(len(examples))
        self.dag.set_weights(weights)
        return self.dag.evaluate(self._part(examples))

    def contents(self, weights: Weights) -> Contents:
        """Return sums (one a column) as `KernelSum` stores them."""
        stored = {
            str(self.place or 0): Contents(part.arrays | {"weights": weights})
            for part in self.dag.contents().parts.values()
        }
        return Contents.joined({"dag": Contents.joined(stored)})


class ColumnAtoms:
    """The columns of vectors under a linear kernel."""

    def __init__(self, kernel: VectorKernel, columns: int) -> None:
        self.kernel, self.columns = kernel, columns

    def size(self) -> int:
        """Return the number of atoms."""
        return self.columns

    def respond(self, examples: Any, weights: Weights) -> Weights:
        """Return what a weighted sum of examples has in common with each atom."""
        total: Weights = examples.T @ (self.kernel.scales(examples) * weights)
        return total

    def embed(self, examples: Any, weights: Weights) -> tuple[NDArray[np.int64], Weights]:
        """Return the atoms of a weighted sum of examples, and their weights."""
        total = self.respond(examples, weights)
        atoms = np.flatnonzero(total)
        return atoms, total[atoms]

    def evaluate(self, examples: Any, weights: Weights) -> Weights:
        """Return the kernel of each example with the sum of these weights of all atoms."""
        values: Weights = (examples @ weights) * self.kernel.scales(examples)
        return values

    def contents(self, weights: Weights) -> Contents:
        """Return sums (one a column) as `KernelSum` stores them."""
        return Contents({"linear": weights})


class SetAtoms:
    """The distinct rows of ones under a polynomial kernel: sets, and the conjunctive engine counts what they share."""

    def __init__(self, kernel: VectorKernel, examples: Any) -> None:
        self.kernel, self.columns = kernel, examples.shape[1]
        counts = np.bincount(examples.indices, minlength=self.columns)
        self.sums = SetSums(kernel.degree, counts, examples.shape[0])

    @staticmethod
    def fits(kernel: Any, examples: Any) -> bool:
        """Return whether the examples are sets and the kernel is one that is counted by what they share."""
        if not isinstance(kernel, VectorKernel) or kernel.kind != "polynomial" or not sparse.issparse(examples):
            return False
        usual = kernel.gamma == 1 and kernel.constant == 1 and kernel.degree <= 4
        return usual and examples.format == "csr" and examples.has_canonical_format and bool((examples.data == 1).all())

    @staticmethod
    def _sets(examples: Any) -> FeatureSets:
        return FeatureSets.from_arrays(examples.indptr, examples.indices)

    def size(self) -> int:
        """Return the number of atoms."""
        return len(self.sums)

    def embed(self, examples: Any, weights: Weights) -> tuple[NDArray[np.int64], Weights]:
        """Return the atoms of a weighted sum of examples, and their weights."""
        numbers = self.sums.add(self._sets(examples))
        atoms, places = np.unique(numbers, return_inverse=True)
        total = np.zeros(atoms.size)
        np.add.at(total, places, weights * self.kernel.scales(examples))
        return atoms, total

    def respond(self, examples: Any, weights: Weights) -> Weights:
        """Return what a weighted sum of examples has in common with each atom."""
        return self.sums.respond(self._sets(examples), weights * self.kernel.scales(examples))

    def evaluate(self, examples: Any, weights: Weights) -> Weights:
        """Return the kernel of each example with the sum of these weights of all atoms."""
        return self.sums.evaluate(self._sets(examples), weights) * self.kernel.scales(examples)

    def contents(self, weights: Weights) -> Contents:
        """Return sums (one a column) as `KernelSum` stores them: there, rows are scaled by the kernel."""
        if not self.size():
            return Contents()
        sets = self.sums.sets()
        rows = sparse.csr_array((np.ones(sets.ids.size), sets.ids, sets.offsets), shape=(len(sets), self.columns))
        scaled = weights / self.kernel.scales(rows)[:, None]
        return Contents({"weights": scaled}, parts={"examples": example_contents(rows)})


class ExampleAtoms:
    """The examples themselves, for kernels that do not take sums apart."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel
        self.known: Any = None

    def size(self) -> int:
        """Return the number of atoms."""
        return 0 if self.known is None else count(self.known)

    def embed(self, examples: Any, weights: Weights) -> tuple[NDArray[np.int64], Weights]:
        """Return the atoms of a weighted sum of examples, and their weights."""
        first = self.size()
        if count(examples):
            self.known = examples if self.known is None else join([self.known, examples])
        return np.arange(first, self.size()), weights

    def respond(self, examples: Any, weights: Weights) -> Weights:
        """Return what a weighted sum of examples has in common with each atom."""
        if self.known is None or not count(examples):
            return np.zeros(self.size())
        common: Weights = weights @ self.kernel.gram(examples, self.known)
        return common

    def evaluate(self, examples: Any, weights: Weights) -> Weights:
        """Return the kernel of each example with the sum of these weights of all atoms."""
        used = np.flatnonzero(weights)
        if not used.size:
            return np.zeros(count(examples))
        values: Weights = self.kernel.gram(examples, take(self.known, used)) @ weights[used]
        return values

    def contents(self, weights: Weights) -> Contents:
        """Return sums (one a column) as `KernelSum` stores them."""
        if self.known is None:
            return Contents()
        return Contents({"weights": weights}, parts={"examples": example_contents(self.known)})


class AtomSpace:
    """The atoms of any kernel: one kind, or those of all parts of a sum.

    Examples
    --------
    >>> from scipy import sparse
    >>> space = AtomSpace(VectorKernel("linear"), sparse.csr_array([[1.0, 2.0]]))
    >>> cut = space.embed(sparse.csr_array([[1.0, 2.0]]), np.array([3.0]))
    >>> space.products(space.respond(sparse.csr_array([[1.0, 0.0]]), np.array([1.0])), [cut])
    array([3.])
    """

    def __init__(self, kernel: Any, examples: Any) -> None:
        self.kernel, self.examples = kernel, examples
        self.kinds: list[tuple[str, int | None, float, Atoms]] = []  # prefix, part of the pair, factor, atoms
        for prefix, part, factor, summand in kernel.summands():
            for kind in atoms_of(summand, of(examples, part)):
                self.kinds.append((prefix, part, factor, kind))

    def numbers(self) -> Any:
        """Return the examples as `embed`, `respond` and `evaluate` take them: as they are."""
        return self.examples

    def values(self, responses: Sequence[list[Weights]], factors: Weights) -> Weights | None:
        """Return None: the values of all examples do not follow from responses alone (see `GramSpace`)."""
        return None

    def embed(self, examples: Any, weights: Weights) -> Embedding:
        """Return a weighted sum of examples as atoms and weights."""
        return [kind.embed(of(examples, part), factor * weights) for _, part, factor, kind in self.kinds]

    def respond(self, examples: Any, weights: Weights) -> list[Weights]:
        """Return what a weighted sum of examples has in common with each atom."""
        return [kind.respond(of(examples, part), weights) for _, part, _, kind in self.kinds]

    @staticmethod
    def products(response: list[Weights], sums: Sequence[Embedding]) -> Weights:
        """Return the inner product of one sum (by its response) with others (by their embeddings)."""
        return np.array([sum(float(r[atoms] @ w) for r, (atoms, w) in zip(response, one, strict=True)) for one in sums])

    def sizes(self) -> list[int]:
        """Return the number of atoms of each kind."""
        return [kind.size() for _, _, _, kind in self.kinds]

    def mixed(self, sums: Sequence[Embedding], factors: Weights) -> list[Weights]:
        """Return the weights of all atoms in a sum of sums, each times its factor."""
        totals = [np.zeros(kind.size()) for _, _, _, kind in self.kinds]
        for one, factor in zip(sums, factors, strict=True):
            if factor:
                for total, (atoms, weights) in zip(totals, one, strict=True):
                    total[atoms] += factor * weights
        return totals

    def evaluate(self, examples: Any, weights: list[Weights]) -> Weights:
        """Return the kernel of each example with a sum, by the weights of all atoms."""
        values = np.zeros(count(examples))
        for (_, part, _, kind), own in zip(self.kinds, weights, strict=True):
            values += kind.evaluate(of(examples, part), own)
        return values

    def total(self, sums: Sequence[list[Weights]]) -> KernelSum:
        """Return finished sums as one of as many outputs."""
        if self.kernel.takes not in ("anything", "kernel values"):
            return KernelSum.from_contents(self.contents(sums), self.kernel, len(sums))
        total = KernelSum(self.kernel, len(sums))
        for number, (_, _, _, kind) in enumerate(self.kinds):
            if isinstance(kind, ExampleAtoms) and kind.known is not None:
                total.add(kind.known, np.stack([padded(one[number], kind.size()) for one in sums], axis=1))
        return total

    def contents(self, sums: Sequence[list[Weights]]) -> Contents:
        """Return finished sums as the contents of a `KernelSum` with as many outputs."""
        found: dict[str, Contents] = {}
        for number, (prefix, _, _, kind) in enumerate(self.kinds):
            own = kind.contents(np.stack([padded(one[number], kind.size()) for one in sums], axis=1))
            if prefix in found and own.has_part("dag"):  # trees at another place of their examples
                found[prefix].parts["dag"].parts.update(own.parts["dag"].parts)
            else:
                found[prefix] = own
        return found[""] if "" in found else Contents.joined(found)


class GramSpace:
    """The atoms of few examples: the examples themselves, and all kernels between them.

    Examples are known by their numbers. A response is the value of each of them, so that a sum of sums is evaluated
    without any kernel. Kernel values are in single precision.

    Examples
    --------
    >>> space = GramSpace(VectorKernel("linear"), np.eye(2), lambda rows, first: np.eye(2)[rows, first:])
    >>> response = space.respond(np.array([1]), np.array([3.0]))
    >>> space.values([response], np.array([2.0])).tolist()
    [0.0, 6.0]
    """

    block = 256  # rows whose kernels are computed at a time
    near = 48  # rows that are added up at a time, in a buffer that stays in the cache

    def __init__(self, kernel: Any, examples: Any, kernels: Callable[[NDArray[np.int64], int], Weights]) -> None:
        self.kernel, self.examples = kernel, examples
        size = count(examples)
        self.gram = np.empty((size, size), dtype=np.float32)
        self._rows = np.empty((self.near, size), dtype=np.float32)
        for first in range(0, size, self.block):
            rows = np.arange(first, min(first + self.block, size))
            self.gram[rows, first:] = kernels(rows, first)
            self.gram[first:, rows] = self.gram[rows, first:].T

    def numbers(self) -> NDArray[np.int64]:
        """Return the examples as `embed` and `respond` take them: their numbers."""
        return np.arange(len(self.gram))

    def sizes(self) -> list[int]:
        """Return the number of atoms of each kind."""
        return [len(self.gram)]

    def embed(self, examples: NDArray[np.int64], weights: Weights) -> Embedding:
        """Return a weighted sum of examples as atoms and weights."""
        return [(examples, weights)]

    def respond(self, examples: NDArray[np.int64], weights: Weights) -> list[Weights]:
        """Return the value of each example under a weighted sum of some."""
        total, single = np.zeros(len(self.gram)), weights.astype(np.float32)
        for first in range(0, examples.size, self.near):
            own = slice(first, first + self.near)
            rows = self._rows[: examples[own].size]
            np.take(self.gram, examples[own], axis=0, out=rows, mode="clip")
            total += single[own] @ rows
        return [total]

    products = staticmethod(AtomSpace.products)

    def mixed(self, sums: Sequence[Embedding], factors: Weights) -> list[Weights]:
        """Return the weights of all examples in a sum of sums, each times its factor."""
        total = np.zeros(len(self.gram))
        for ((atoms, weights),), factor in zip(sums, factors, strict=True):
            total[atoms] += factor * weights
        return [total]

    def values(self, responses: Sequence[list[Weights]], factors: Weights) -> Weights | None:
        """Return the values of all examples under a sum of sums, by the responses of these."""
        total = np.zeros(len(self.gram))
        for (response,), factor in zip(responses, factors, strict=True):
            if factor:
                total += factor * response
        return total

    def evaluate(self, examples: NDArray[np.int64], weights: list[Weights]) -> Weights:
        """Return the kernel of examples with a sum, by the weights of all atoms."""
        used = np.flatnonzero(weights[0])
        values: Weights = self.gram[np.ix_(examples, used)] @ weights[0][used]
        return values

    def total(self, sums: Sequence[list[Weights]]) -> KernelSum:
        """Return finished sums as one of as many outputs."""
        weights = np.stack([one[0] for one in sums], axis=1)
        used = np.flatnonzero(weights.any(axis=1))
        total = KernelSum(self.kernel, len(sums))
        total.add(take(self.examples, used), weights[used])
        return total


def atoms_of(kernel: Any, examples: Any) -> list[Atoms]:
    """Return the kinds of atoms of a kernel that is no sum; trees have one for each place that is paired alone."""
    if kernel.sums_as == "subtrees":
        several = kernel.pairing == "sequence" and examples.tree_counts().max(initial=0) > 1
        places = range(examples.tree_counts().max()) if several else [None]
        return [SubtreeAtoms(kernel, place) for place in places]
    if kernel.sums_as == "columns":
        return [ColumnAtoms(kernel, examples.shape[1])]
    return [SetAtoms(kernel, examples) if SetAtoms.fits(kernel, examples) else ExampleAtoms(kernel)]


def padded(weights: Weights, size: int) -> Weights:
    """Return weights with zeros for the atoms that came later.

    Examples
    --------
    >>> padded(np.array([2.0]), 3).tolist()
    [2.0, 0.0, 0.0]
    """
    return np.append(weights, np.zeros(size - weights.size))
