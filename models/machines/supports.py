"""Weighted sums of kernels: what every kernel machine evaluates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.parameters import of
from kakari.models.machines.examples import count, example_contents, examples_from_contents, join, take, width

Weights = NDArray[np.float64]
MOST_DAG_OUTPUTS = 100  # with more, a row of kernels and one matrix product are faster than the DAG, and smaller
BLOCK_VALUES = 2**23  # kernel values held at a time while examples are evaluated: 64 MB
WIDEST_WEIGHTS = 2**26  # columns times outputs of explicit weights


def in_blocks(examples: Any, support: int, evaluate: Callable[[Any], Weights]) -> Weights:
    """Evaluate examples a block at a time, so that their kernels with the support set take little memory.

    Examples
    --------
    >>> in_blocks(np.arange(3.0)[:, None], 10**9, lambda block: 2 * block).ravel().tolist()
    [0.0, 2.0, 4.0]
    """
    rows = max(1, BLOCK_VALUES // max(1, support))
    if count(examples) <= rows:
        return evaluate(examples)
    starts = range(0, count(examples), rows)
    blocks = (np.arange(start, min(start + rows, count(examples))) for start in starts)
    return np.concatenate([evaluate(take(examples, block)) for block in blocks])


class KernelSum:
    """Several weighted sums of the same examples: f(x) = Σ weight · k(example, x).

    Trees go into a forest DAG, where a value costs one pass however many were added; under a linear kernel vectors
    are added up; a sum of kernels is taken apart. Other examples are kept, and a value costs a row of kernels.

    Examples
    --------
    >>> from scipy import sparse
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> total = KernelSum(VectorKernel("linear"), outputs=2)
    >>> total.add(sparse.csr_array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> total.evaluate(sparse.csr_array([[1.0, 1.0]])).tolist()
    [[3.0, 3.0]]
    """

    def __init__(self, kernel: Any, outputs: int) -> None:
        self.kernel, self.outputs = kernel, outputs
        self.parts: tuple[KernelSum, ...] | None = None
        self.dag: ForestDag | None = None
        self._linear: Weights | None = None
        self._examples: list[Any] = []
        self._weights: list[Weights] = []
        if len(kernel.summands()) > 1:
            self.parts = tuple(KernelSum(summand, outputs) for _, _, _, summand in kernel.summands())
        elif kernel.sums_as == "subtrees" and outputs <= MOST_DAG_OUTPUTS:
            self.dag = ForestDag(kernel, outputs=outputs)

    def add(self, examples: Any, weights: Weights) -> None:
        """Add examples, each with a weight for every output."""
        if count(examples) == 0:
            return
        if self.parts is not None:
            for total, (_, part, factor, _) in zip(self.parts, self.kernel.summands(), strict=True):
                total.add(of(examples, part), factor * weights)
        elif self.dag is not None:
            self.dag.add(examples, weights)
        elif self._adds_up(examples):
            if self._linear is None:
                self._linear = np.zeros((examples.shape[1], self.outputs))
            self._linear += examples.T @ (self.kernel.scales(examples)[:, None] * weights)
        else:
            self._examples.append(examples)
            self._weights.append(weights)

    def evaluate(self, examples: Any, *, threads: int = 1) -> Weights:
        """Return every output of every example."""
        if self.parts is not None:
            pairs = zip(self.parts, self.kernel.summands(), strict=True)
            each = [total.evaluate(of(examples, part), threads=threads) for total, (_, part, _, _) in pairs]
            return np.asarray(sum(each), dtype=np.float64)
        if self.dag is not None:
            return self.dag.evaluate(examples, threads=threads).reshape(count(examples), self.outputs)
        if self._linear is not None:
            values: Weights = (examples @ self._linear) * self.kernel.scales(examples)[:, None]
            return values
        if not self._examples:
            return np.zeros((count(examples), self.outputs))
        self._examples, self._weights = [join(self._examples)], [np.concatenate(self._weights)]
        return in_blocks(examples, count(self._examples[0]), lambda block: self._block(block, threads))

    def _block(self, examples: Any, threads: int) -> Weights:
        total: Weights = self.kernel.gram(examples, self._examples[0], threads=threads) @ self._weights[0]
        return total

    def width(self) -> int | None:
        """Return how many columns vectors must have; None if any number will do, as for trees."""
        if self.parts is not None:
            return next((found for total in self.parts if (found := total.width()) is not None), None)
        if self._linear is not None:
            return int(self._linear.shape[0])
        return width(self._examples[0]) if self._examples else None

    def mixed(self, mixture: Weights) -> KernelSum:
        """Return other outputs of the same examples: each a weighted sum of ours (a column of the mixture).

        Examples
        --------
        >>> from scipy import sparse
        >>> from kakari.kernels.trees.vector_kernel import VectorKernel
        >>> total = KernelSum(VectorKernel("linear"), outputs=2)
        >>> total.add(sparse.csr_array([[1.0]]), np.array([[5.0, 3.0]]))
        >>> total.mixed(np.array([[1.0], [-1.0]])).evaluate(sparse.csr_array([[1.0]])).tolist()
        [[2.0]]
        """
        other = KernelSum(self.kernel, mixture.shape[1])
        if self.parts is not None:
            other.parts = tuple(part.mixed(mixture) for part in self.parts)
        elif self.dag is not None:
            other.dag = self.dag.reweighted(lambda weights: weights @ mixture, other.outputs)
        elif self._linear is not None:
            other._linear = self._linear @ mixture
        else:
            other._examples = list(self._examples)
            other._weights = [weights @ mixture for weights in self._weights]
        return other

    def contents(self) -> Contents:
        """Return the saved form of the sums, without kernel and outputs, which `from_contents` takes too."""
        if self.parts is not None:
            names = [name for name, _, _, _ in self.kernel.summands()]
            return Contents.joined({name: part.contents() for name, part in zip(names, self.parts, strict=True)})
        if self.dag is not None:
            return Contents.joined({"dag": self.dag.contents()})
        if self._linear is not None:
            return Contents({"linear": self._linear})
        if not self._examples:
            return Contents()
        weights = np.concatenate(self._weights)
        return Contents({"weights": weights}, parts={"examples": example_contents(join(self._examples))})

    @staticmethod
    def from_contents(contents: Contents, kernel: Any, outputs: int) -> KernelSum:
        """Rebuild sums from their `contents()`, their kernel and the number of outputs."""
        total = KernelSum(kernel, outputs)
        if total.parts is not None:
            total.parts = tuple(
                KernelSum.from_contents(contents.part(name), summand, outputs)
                for name, _, _, summand in kernel.summands()
            )
        elif kernel.sums_as == "subtrees" and contents.has_part("dag"):
            total.dag = ForestDag.from_contents(contents.part("dag"), kernel, outputs)
        elif contents.has_array("linear"):
            if kernel.sums_as != "columns":
                raise contents.refuse("only sums of a linear kernel are weights of columns")
            total._linear = contents.array("linear", np.float64, shape=(None, outputs))
        elif contents.has_array("weights"):
            total.dag = None
            total._examples = [examples_from_contents(contents.part("examples"), kernel)]
            total._weights = [contents.array("weights", np.float64, shape=(count(total._examples[0]), outputs))]
        return total

    def _adds_up(self, examples: Any) -> bool:
        return bool(self.kernel.sums_as == "columns" and examples.shape[1] * self.outputs <= WIDEST_WEIGHTS)
