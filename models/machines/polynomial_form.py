"""Machines with a polynomial kernel over binary features, as classifiers of feature sets, which can be frozen.

(γ a·b + c)^d over vectors whose only value is v is (γv²)^d (1 + |a ∩ b|)^d if c = γv²: a constant factor away from the
kernel that `kakari.kernels.frozen` expands into conjunctions. A linear kernel is the case d = 1 with another constant.
"""

from __future__ import annotations

import numpy as np

from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.polynomial.classifier import Classifier, Machine

HIGHEST_DEGREE = 4


class NotPolynomialError(ValueError):
    """A machine that is not a polynomial kernel over binary features; the text says why.

    Examples
    --------
    >>> str(NotPolynomialError("its kernel is rbf"))
    'only a polynomial kernel over binary features can be frozen: its kernel is rbf'
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"only a polynomial kernel over binary features can be frozen: {reason}")


def polynomial_form(model: KernelClassifier) -> Classifier:
    """Return a finished kernel machine as a classifier of feature sets with the same decisions.

    Examples
    --------
    >>> from kakari.models.machines.svm import KernelSVC
    >>> X = [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    >>> svc = KernelSVC(VectorKernel("polynomial", degree=2), C=100).fit(X, [1, 0, 0, 1])
    >>> polynomial_form(svc.finished()).predict(FeatureSets.from_lists([[0, 1], [0], [1], []]))
    [1, 0, 0, 1]
    """
    kernel = model.kernel
    if not isinstance(kernel, VectorKernel) or kernel.kind not in ("polynomial", "linear"):
        raise NotPolynomialError(f"its kernel is {kernel!r}")
    if kernel.normalize:
        raise NotPolynomialError("its kernel is normalized")
    if model.support is None:
        raise NotPolynomialError("it keeps no support set; an SVM does")
    rows = model.support.examples
    used = rows.data[rows.data != 0]
    value = float(used[0]) if used.size else 1.0
    if (used != value).any():
        raise NotPolynomialError("its support vectors have values other than one and zero")
    coefficients, biases = model.support.coefficients, model.intercepts
    if kernel.kind == "linear":
        degree, factor = 1, value**2
        biases = biases - factor * coefficients.sum(axis=0)
    else:
        degree, factor = kernel.degree, kernel.gamma * value**2
        if not np.isclose(kernel.constant, factor, rtol=1e-12, atol=0):
            raise NotPolynomialError(f"its constant is {kernel.constant:g}, and with {kernel!r} must be {factor:g}")
        factor **= degree
    if not 1 <= degree <= HIGHEST_DEGREE:
        raise NotPolynomialError(f"its degree is {degree}, not 1 to {HIGHEST_DEGREE}")
    ones = rows.copy()
    ones.data = (rows.data != 0).astype(np.float64)
    ones.eliminate_zeros()
    sets = FeatureSets.from_sparse(ones)
    machines = []
    for column, bias in zip(coefficients.T, biases, strict=True):
        own = np.flatnonzero(column)
        machines.append(Machine(degree, sets.take(own), factor * column[own], float(bias)))
    return Classifier(machines, model.classes.tolist(), model.scheme, information=dict(model.information))
