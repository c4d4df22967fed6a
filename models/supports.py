"""Weighted sums of kernels, and the examples they are made of: a forest, sparse rows, or a pair of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from kakari.kernels.dag import ForestDag
from kakari.kernels.forest import Forest
from kakari.kernels.treekernels import TreeKernel


def count(examples: Any) -> int:
    """Give the number of examples."""
    if isinstance(examples, tuple):
        return count(examples[0])
    return len(examples) if isinstance(examples, Forest) else int(examples.shape[0])


def take(examples: Any, numbers: ArrayLike) -> Any:
    """Give the examples of these numbers, in that order."""
    if isinstance(examples, tuple):
        return tuple(take(part, numbers) for part in examples)
    return examples.take(numbers) if isinstance(examples, Forest) else examples[np.asarray(numbers)]


def join(parts: Sequence[Any]) -> Any:
    """Join examples of one kind."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], tuple):
        return tuple(join(part) for part in zip(*parts, strict=True))
    if isinstance(parts[0], Forest):
        return Forest.concatenate(parts)
    return sparse.vstack(parts, format="csr")


def prepared(examples: Any) -> Any:
    """Give vectors as sparse rows, everything else as it is."""
    if isinstance(examples, tuple):
        return tuple(prepared(part) for part in examples)
    return examples if isinstance(examples, Forest) else sparse.csr_array(examples)


class KernelSum:
    """Several weighted sums of the same examples: f(x) = Σ weight · k(example, x).

    Trees go into a forest DAG, where a value costs one pass however many were added; other examples are kept,
    and a value costs a row of kernels.

    Examples
    --------
    >>> from kakari.kernels.vectorkernels import VectorKernel
    >>> total = KernelSum(VectorKernel("linear"), outputs=2)
    >>> total.add(sparse.csr_array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> total.evaluate(sparse.csr_array([[1.0, 1.0]])).tolist()
    [[3.0, 3.0]]
    """

    def __init__(self, kernel: Any, outputs: int) -> None:
        self.kernel, self.outputs = kernel, outputs
        self.dag = ForestDag(kernel, outputs=outputs) if isinstance(kernel, TreeKernel) else None
        self._examples: list[Any] = []
        self._weights: list[NDArray[np.float64]] = []

    def add(self, examples: Any, weights: NDArray[np.float64]) -> None:
        """Add examples, each with a weight for every output."""
        if count(examples) == 0:
            return
        if self.dag is not None:
            self.dag.add(examples, weights)
        else:
            self._examples.append(examples)
            self._weights.append(weights)

    def evaluate(self, examples: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Give every output of every example."""
        if self.dag is not None:
            return self.dag.evaluate(examples, threads=threads).reshape(count(examples), self.outputs)
        if not self._examples:
            return np.zeros((count(examples), self.outputs))
        self._examples, self._weights = [join(self._examples)], [np.concatenate(self._weights)]
        gram: NDArray[np.float64] = self.kernel.gram(examples, self._examples[0], threads=threads)
        return gram @ self._weights[0]
