"""Online learners with the polynomial kernel, as fast as linear ones (kernel slicing and explicit weights).

In: feature sets and labels
Out: support sets with coefficients, and states from which training can continue
Uses: kernels.hardware, kernels.replay, kernels.sets, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.learning.binary_learner import KernelLearner as KernelLearner
    from kakari.kernels.learning.multiclass import MulticlassLearner as MulticlassLearner
    from kakari.kernels.learning.passes import Progress as Progress

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "binary_learner": "KernelLearner",
        "multiclass": "MulticlassLearner",
        "passes": "Progress",
    },
)
