"""The linear model over numbered features.

In: columns of features and classes
Out: `LinearTable`
Uses: kernels.sets, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.models.linear.table import LinearTable as LinearTable
    from kakari.models.linear.table import TableSettings as TableSettings
    from kakari.models.linear.table import train_table as train_table

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "table": "LinearTable TableSettings train_table",
    },
)
