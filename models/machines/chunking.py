"""Exact support vector machines on more examples than rows of a Gram matrix can be held: chunking.

Examples that an optimal machine has well outside its margin have no coefficient, so that it is optimal without them as
well. A machine is trained on those that a first guess has inside the margin or near it, all others are looked at, and
those that were left out wrongly come in, until there are none: then the machine is optimal for all examples. With a
tree kernel a look is cheap, since it goes through the machine's DAG. (Vapnik 1982; Osuna, Freund and Girosi 1997.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.machines.examples import take
from kakari.models.machines.svm import KernelSVC

NEAR = 1.2  # margins up to this are looked at in the first round


def fit_by_chunks(machine: KernelSVC, examples: Any, signs: NDArray[Any], guess: NDArray[np.float64]) -> KernelSVC:
    """Train a binary machine on all examples and return it.

    Parameters
    ----------
    machine : KernelSVC
        Without class weights, which would depend on the chunk.
    examples : a forest, or whatever the kernel takes
    signs : array of 1 and -1
    guess : array
        Margins of the examples under another machine: the nearer to the optimum, the fewer rounds.

    Examples
    --------
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> points, signs = np.array([[3.0], [1.0], [-1.0], [-3.0]]), np.array([1, 1, -1, -1])
    >>> machine = fit_by_chunks(KernelSVC(VectorKernel("linear"), C=10), points, signs, np.array([9.0, 0, 0, -9]))
    >>> machine.decision_function(points).round(2).tolist(), len(machine.support_)
    ([3.0, 1.0, -1.0, -3.0], 2)
    """
    chosen = signs * guess < NEAR
    if len(np.unique(signs[chosen])) < 2:
        chosen[:] = True
    while True:
        members = np.flatnonzero(chosen)
        machine.fit(take(examples, members), signs[members])
        margins = signs * machine.decision_function(examples)
        missed = ~chosen & (margins < 1 - machine.tolerance)
        if not missed.any():
            return machine
        chosen |= missed
