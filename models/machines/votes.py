"""The voted perceptron's decision: every model that there ever was votes, as long as it survived."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.machines.examples import count, example_arrays, examples_from_arrays, join, take

Voters = tuple[Any, NDArray[np.float64], NDArray[np.float64]]


class VoteSum:
    """For each machine, examples in the order in which they were added, their coefficients, and the steps between.

    A value costs a row of kernels: the sign of each partial sum counts as often as that model survived.

    Examples
    --------
    >>> from scipy import sparse
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> votes = VoteSum(VectorKernel("linear"), outputs=1)
    >>> votes.add(0, sparse.csr_array([[1.0], [-3.0]]), np.array([1.0, 1.0]), np.array([0.0, 5.0]))
    >>> votes.clocks[0] = 7.0
    >>> votes.evaluate(sparse.csr_array([[1.0]])).tolist()
    [[3.0]]
    """

    def __init__(self, kernel: Any, outputs: int) -> None:
        self.kernel, self.outputs = kernel, outputs
        self.clocks = np.zeros(outputs)  # steps so far
        self._voters: list[list[Voters]] = [[] for _ in range(outputs)]

    def add(self, machine: int, examples: Any, coefficients: NDArray[np.float64], clocks: NDArray[np.float64]) -> None:
        """Add the examples of updates, with the clock before each."""
        rows = np.flatnonzero(coefficients)
        if rows.size:
            self._voters[machine].append((take(examples, rows), coefficients[rows], clocks[rows]))

    def evaluate(self, examples: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Return every output of every example."""
        columns = [self._votes(machine, examples, threads) for machine in range(self.outputs)]
        return np.stack(columns, axis=1)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the state as flat arrays, by name."""
        arrays: dict[str, NDArray[Any]] = {"clocks": self.clocks}
        for machine, voters in enumerate(self._voters):
            if voters:
                examples, coefficients, clocks = self._joined(voters)
                own = {"coefficients": coefficients, "starts": clocks, **example_arrays(examples)}
                arrays |= {f"{machine}.{name}": array for name, array in own.items()}
        return arrays

    @staticmethod
    def from_arrays(kernel: Any, outputs: int, arrays: Mapping[str, NDArray[Any]]) -> VoteSum:
        """Rebuild what `to_arrays` gave."""
        votes = VoteSum(kernel, outputs)
        votes.clocks = np.array(arrays["clocks"], dtype=np.float64)
        if votes.clocks.shape != (outputs,):
            raise ValueError(f"{votes.clocks.size} clocks do not fit {outputs} outputs")
        for machine in range(outputs):
            prefix = f"{machine}."
            own = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
            if own:
                examples = examples_from_arrays(own)
                coefficients, starts = np.array(own["coefficients"]), np.array(own["starts"])
                if not coefficients.shape == starts.shape == (count(examples),):
                    raise ValueError("the coefficients do not fit the examples")
                votes.add(machine, examples, coefficients, starts)
        return votes

    def _votes(self, machine: int, examples: Any, threads: int) -> NDArray[np.float64]:
        voters = self._voters[machine]
        if not voters:
            return np.zeros(count(examples))
        stored, coefficients, clocks = self._joined(voters)
        self._voters[machine] = [(stored, coefficients, clocks)]
        gram = self.kernel.gram(examples, stored, threads=threads)
        survived = np.diff(np.append(clocks, self.clocks[machine]))
        total: NDArray[np.float64] = np.sign(np.cumsum(gram * coefficients, axis=1)) @ survived
        return total

    @staticmethod
    def _joined(voters: list[Voters]) -> Voters:
        stored, coefficients, clocks = (list(parts) for parts in zip(*voters, strict=True))
        return join(stored), np.concatenate(coefficients), np.concatenate(clocks)
