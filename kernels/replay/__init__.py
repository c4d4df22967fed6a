"""The log of a learner's updates, and exact sums of polynomial kernels over it by bitmaps.

In: feature sets and the updates made with them
Out: sums of kernels, bit for bit those of the definition
Uses: kernels.hardware, kernels.sets
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.replay.set_sums import SetSums as SetSums

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "set_sums": "SetSums",
    },
)
