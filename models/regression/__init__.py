"""Regression over any kernel: values within ε of their target cost nothing.

In: trees, rows of numbers, or pairs of both, with numbers
Out: `KernelSVR` from all examples at once, `OnlineRegressor` from a stream
Uses: kernels.solvers, kernels.trees, models.machines
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.models.regression.online import OnlineRegressor as OnlineRegressor
    from kakari.models.regression.svr import KernelSVR as KernelSVR

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "online": "OnlineRegressor",
        "svr": "KernelSVR",
    },
)
