"""Layers that a user's corrections add to a frozen model: few examples, learned by passive-aggressive steps.

In: examples with the decisions that a user wants, and the frozen model's scores of them
Out: `KernelLayer`, `ClassLayer` and `PartLayer`, whose sums are added to the model's, and `Corrections` for files
Uses: kernels.frozen, kernels.hashed, kernels.sets, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.models.correcting.class_layer import ClassLayer as ClassLayer
    from kakari.models.correcting.kernel_layer import KernelLayer as KernelLayer
    from kakari.models.correcting.part_layer import PartLayer as PartLayer
    from kakari.models.correcting.stored import Corrections as Corrections

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "class_layer": "ClassLayer",
        "kernel_layer": "KernelLayer",
        "part_layer": "PartLayer",
        "stored": "Corrections",
    },
)
