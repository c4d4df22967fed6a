"""Weighted sums of kernels: what every kernel machine evaluates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.files import named
from kakari.models.machines.examples import count, example_arrays, examples_from_arrays, join

Weights = NDArray[np.float64]
MOST_DAG_OUTPUTS = 100  # with more, a row of kernels and one matrix product are faster than the DAG, and smaller
WIDEST_WEIGHTS = 2**26  # columns times outputs of explicit weights


class KernelSum:
    """Several weighted sums of the same examples: f(x) = Σ weight · k(example, x).

    Trees go into a forest DAG, where a value costs one pass however many were added; under a linear kernel vectors
    are added up; a sum of two kernels is taken apart. Other examples are kept, and a value costs a row of kernels.

    Examples
    --------
    >>> from scipy import sparse
    >>> total = KernelSum(VectorKernel("linear"), outputs=2)
    >>> total.add(sparse.csr_array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> total.evaluate(sparse.csr_array([[1.0, 1.0]])).tolist()
    [[3.0, 3.0]]
    """

    def __init__(self, kernel: Any, outputs: int) -> None:
        self.kernel, self.outputs = kernel, outputs
        self.parts: tuple[KernelSum, KernelSum] | None = None
        self.dag: ForestDag | None = None
        self._linear: Weights | None = None
        self._examples: list[Any] = []
        self._weights: list[Weights] = []
        if isinstance(kernel, CombinedKernel) and kernel.operation == "+":
            self.parts = KernelSum(kernel.tree, outputs), KernelSum(kernel.vector, outputs)
        elif isinstance(kernel, TreeKernel) and outputs <= MOST_DAG_OUTPUTS:
            self.dag = ForestDag(kernel, outputs=outputs)

    def add(self, examples: Any, weights: Weights) -> None:
        """Add examples, each with a weight for every output."""
        if count(examples) == 0:
            return
        if self.parts is not None:
            self.parts[0].add(examples[0], self.kernel.tree_weight * weights)
            self.parts[1].add(examples[1], weights)
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
            trees, vectors = self.parts
            return trees.evaluate(examples[0], threads=threads) + vectors.evaluate(examples[1], threads=threads)
        if self.dag is not None:
            return self.dag.evaluate(examples, threads=threads).reshape(count(examples), self.outputs)
        if self._linear is not None:
            values: Weights = (examples @ self._linear) * self.kernel.scales(examples)[:, None]
            return values
        if not self._examples:
            return np.zeros((count(examples), self.outputs))
        self._examples, self._weights = [join(self._examples)], [np.concatenate(self._weights)]
        total: Weights = self.kernel.gram(examples, self._examples[0], threads=threads) @ self._weights[0]
        return total

    def mixed(self, mixture: Weights) -> KernelSum:
        """Return other outputs of the same examples: each a weighted sum of ours (a column of the mixture).

        Examples
        --------
        >>> from scipy import sparse
        >>> total = KernelSum(VectorKernel("linear"), outputs=2)
        >>> total.add(sparse.csr_array([[1.0]]), np.array([[5.0, 3.0]]))
        >>> total.mixed(np.array([[1.0], [-1.0]])).evaluate(sparse.csr_array([[1.0]])).tolist()
        [[2.0]]
        """
        other = KernelSum(self.kernel, mixture.shape[1])
        if self.parts is not None:
            other.parts = self.parts[0].mixed(mixture), self.parts[1].mixed(mixture)
        elif self.dag is not None:
            arrays = self.dag.to_arrays()
            arrays |= {name: array @ mixture for name, array in arrays.items() if name.endswith(".weights")}
            other.dag = ForestDag.from_arrays(self.kernel, other.outputs, arrays)
        elif self._linear is not None:
            other._linear = self._linear @ mixture
        else:
            other._examples = list(self._examples)
            other._weights = [weights @ mixture for weights in self._weights]
        return other

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the state as flat arrays, by name; `from_arrays` takes them with kernel and outputs."""
        if self.parts is not None:
            return {
                f"{place}.{name}": array
                for place, part in zip(("tree", "vector"), self.parts, strict=True)
                for name, array in part.to_arrays().items()
            }
        if self.dag is not None:
            return {f"dag.{name}": array for name, array in self.dag.to_arrays().items()}
        if self._linear is not None:
            return {"linear": self._linear}
        if not self._examples:
            return {}
        return {"weights": np.concatenate(self._weights), **example_arrays(join(self._examples))}

    @staticmethod
    def from_arrays(kernel: Any, outputs: int, arrays: Mapping[str, NDArray[Any]]) -> KernelSum:
        """Rebuild what `to_arrays` gave."""
        total = KernelSum(kernel, outputs)
        if total.parts is not None:
            total.parts = (
                KernelSum.from_arrays(kernel.tree, outputs, named(arrays, "tree.")),
                KernelSum.from_arrays(kernel.vector, outputs, named(arrays, "vector.")),
            )
        elif isinstance(kernel, TreeKernel) and "weights" not in arrays:
            total.dag = ForestDag.from_arrays(kernel, outputs, named(arrays, "dag."))
        elif "linear" in arrays:
            total._linear = checked_weights(arrays["linear"], None, outputs)
        elif "weights" in arrays:
            total.dag = None
            total._examples = [examples_from_arrays(arrays)]
            total._weights = [checked_weights(arrays["weights"], count(total._examples[0]), outputs)]
        return total

    def _adds_up(self, examples: Any) -> bool:
        linear = isinstance(self.kernel, VectorKernel) and self.kernel.kind == "linear"
        return linear and examples.shape[1] * self.outputs <= WIDEST_WEIGHTS


def checked_weights(given: NDArray[Any], rows: int | None, outputs: int) -> Weights:
    """Return weights that were stored, refused if they do not fit."""
    weights = np.array(given, dtype=np.float64)
    if weights.ndim != 2 or weights.shape[1] != outputs or rows not in (None, weights.shape[0]):
        raise ValueError(f"weights of the shape {weights.shape} do not fit {outputs} outputs")
    if not np.isfinite(weights).all():
        raise ValueError("weights must be finite numbers")
    return weights
