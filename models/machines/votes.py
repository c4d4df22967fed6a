"""The voted perceptron's decision: each model of the training run votes, weighted by the steps that it survived."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.models.machines.examples import (
    count,
    example_contents,
    examples_from_contents,
    join,
    take,
    width,
)
from kakari.models.machines.supports import in_blocks

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

    def of_machine(self, machine: int) -> tuple[Any, NDArray[np.float64], NDArray[np.float64]]:
        """Return a machine's examples in order, their coefficients, and how many steps each model lasted."""
        if not self._voters[machine]:
            raise ValueError("this machine has made no update")
        stored, coefficients, clocks = self._joined(self._voters[machine])
        return stored, coefficients, np.diff(np.append(clocks, self.clocks[machine]))

    def width(self) -> int | None:
        """Return how many columns vectors must have; None if any number will do, as for trees."""
        return next((width(voters[0][0]) for voters in self._voters if voters), None)

    def contents(self) -> Contents:
        """Return the saved form of the votes, without kernel and outputs, which `from_contents` takes too."""
        parts = {}
        for machine, voters in enumerate(self._voters):
            if voters:
                examples, coefficients, clocks = self._joined(voters)
                arrays = {"coefficients": coefficients, "starts": clocks}
                parts[str(machine)] = Contents(arrays, parts={"examples": example_contents(examples)})
        return Contents({"clocks": self.clocks}, parts=parts)

    @staticmethod
    def from_contents(contents: Contents, kernel: Any, outputs: int) -> VoteSum:
        """Rebuild votes from their `contents()`, their kernel and the number of outputs."""
        votes = VoteSum(kernel, outputs)
        votes.clocks = contents.array("clocks", np.float64, shape=(outputs,))
        for machine in range(outputs):
            if contents.has_part(str(machine)):
                own = contents.part(str(machine))
                examples = examples_from_contents(own.part("examples"), kernel)
                shape = (count(examples),)
                coefficients = own.array("coefficients", np.float64, shape=shape)
                votes.add(machine, examples, coefficients, own.array("starts", np.float64, shape=shape))
        return votes

    def _votes(self, machine: int, examples: Any, threads: int) -> NDArray[np.float64]:
        voters = self._voters[machine]
        if not voters:
            return np.zeros(count(examples))
        stored, coefficients, clocks = self._joined(voters)
        self._voters[machine] = [(stored, coefficients, clocks)]
        survived = np.diff(np.append(clocks, self.clocks[machine]))

        def votes(block: Any) -> NDArray[np.float64]:
            gram = self.kernel.gram(block, stored, threads=threads)
            total: NDArray[np.float64] = np.sign(np.cumsum(gram * coefficients, axis=1)) @ survived
            return total

        return in_blocks(examples, count(stored), votes)

    @staticmethod
    def _joined(voters: list[Voters]) -> Voters:
        stored, coefficients, clocks = (list(parts) for parts in zip(*voters, strict=True))
        return join(stored), np.concatenate(coefficients), np.concatenate(clocks)
