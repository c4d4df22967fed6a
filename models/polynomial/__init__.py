"""Classifiers with the polynomial kernel over binary features.

In: feature sets, sparse matrices, or a finished scikit-learn SVC
Out: `PolynomialClassifier`, and `Classifier` for files
Uses: kernels.frozen, kernels.learning, kernels.sets, kernels, models
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.models.polynomial.checkpoints import train_with_checkpoints as train_with_checkpoints
    from kakari.models.polynomial.classifier import Classifier as Classifier
    from kakari.models.polynomial.classifier import Machine as Machine
    from kakari.models.polynomial.classifier import Refit as Refit
    from kakari.models.polynomial.classifier import from_svc as from_svc
    from kakari.models.polynomial.estimator import PolynomialClassifier as PolynomialClassifier

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "checkpoints": "train_with_checkpoints",
        "classifier": "Classifier Machine Refit from_svc",
        "estimator": "PolynomialClassifier",
    },
)
