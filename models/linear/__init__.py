"""The linear model over numbered or hashed features: training, pruning, quantising, explaining.

In: rows of features and classes
Out: `LinearModel`
Uses: kernels.hashed, kernels.sets, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.models.linear.model import LinearModel as LinearModel
    from kakari.models.linear.training import RowSettings as RowSettings
    from kakari.models.linear.training import train_rows as train_rows

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "model": "LinearModel",
        "training": "RowSettings train_rows",
    },
)
