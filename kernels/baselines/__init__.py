"""Baselines of the papers' tables: log-linear models over expanded features, and kernel slicing as published.

In: feature sets with labels
Out: weights of conjunctions, updates of a learner
Uses: kernels.hardware, kernels.learning, kernels.sets
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.baselines.loglinear import ExpandedLogLinear as ExpandedLogLinear
    from kakari.kernels.baselines.published_slicing import PublishedSlicing as PublishedSlicing

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "loglinear": "ExpandedLogLinear",
        "published_slicing": "PublishedSlicing",
    },
)
