"""Kernel machines over trees, vectors and both: SVM, SDAG, online learners.

In: trees, rows of numbers, or pairs of both, with labels
Out: estimators, and `KernelClassifier` for files
Uses: kernels.replay, kernels.sets, kernels.solvers, kernels, kernels.trees, models, models.polynomial
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.models.machines.examples import TreesAndVectors as TreesAndVectors
    from kakari.models.machines.examples import gram as gram
    from kakari.models.machines.kernel_classifier import KernelClassifier as KernelClassifier
    from kakari.models.machines.learners import LEARNERS as LEARNERS
    from kakari.models.machines.learners import LearnerOptions as LearnerOptions
    from kakari.models.machines.learners import make_learner as make_learner
    from kakari.models.machines.online import OnlineClassifier as OnlineClassifier
    from kakari.models.machines.sdag import SDAG as SDAG
    from kakari.models.machines.svm import KernelSVC as KernelSVC
    from kakari.models.machines.svmlight_tk import SvmLightError as SvmLightError

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "examples": "TreesAndVectors gram",
        "kernel_classifier": "KernelClassifier",
        "learners": "LEARNERS LearnerOptions make_learner",
        "online": "OnlineClassifier",
        "sdag": "SDAG",
        "svm": "KernelSVC",
        "svmlight_tk": "SvmLightError",
    },
)
