"""Learners for several classes, and the binary machines in a learner."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.learning.multiclass import MulticlassLearner
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.voting import SCHEMES

Learner = KernelLearner | MulticlassLearner
Weights = NDArray[np.float64]


def is_direct(classes: int, scheme: str, method: str = "slicing") -> bool:
    """Return whether one learner is trained for all classes; two classes are a binary problem under any scheme.

    Examples
    --------
    >>> is_direct(3, "direct"), is_direct(2, "direct"), is_direct(3, "ovr")
    (True, False, False)
    """
    if scheme not in SCHEMES:
        raise TrainingError(f"multiclass is one of {', '.join(SCHEMES)}, not {scheme!r}")
    if scheme != "direct" or classes < 3:
        return False
    if method != "slicing":
        raise TrainingError(f"multiclass 'direct' computes margins by method 'slicing' only, not by {method!r}")
    return True


def expansions(learner: Learner, *, averaged: bool, after: int = 0) -> list[tuple[FeatureSets, Weights]]:
    """Return the support set and the coefficients of each binary machine of a learner.

    Those of a multi-class learner share one support set. An average may begin at the end of pass `after`.

    Examples
    --------
    >>> learner = MulticlassLearner(3, learner="perceptron").fit(FeatureSets.from_lists([[1]]), [2])
    >>> [coefficients.tolist() for _, coefficients in expansions(learner, averaged=False)]
    [[-1.0], [0.0], [1.0]]
    """
    support = learner.support()
    columns = np.atleast_2d(learner.coefficients(averaged=averaged, after=after).T)
    return [(support, np.ascontiguousarray(column)) for column in columns]
