"""Machines with a polynomial kernel over binary features, as classifiers of feature sets, which can be frozen.

(γ a·b + c)^d over vectors whose only value is v is (c + γv² |a ∩ b|)^d, which a sum over conjunctions computes; if
c = γv², it is a multiple of the kernel that all kinds of models in `kakari.kernels.frozen` compute. A linear kernel
has d = 1 and c = 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.polynomial.classifier import HIGHEST_DEGREE, Classifier, Machine


class NotPolynomialError(ValueError):
    """A machine that is not a polynomial kernel over binary features; the text says why.

    Examples
    --------
    >>> str(NotPolynomialError("its kernel is rbf"))
    'only a polynomial kernel over binary features can be frozen: its kernel is rbf'
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"only a polynomial kernel over binary features can be frozen: {reason}")


def polynomial_machine(
    degree: int, support: FeatureSets, coefficients: NDArray[np.float64], bias: float, gamma: float, constant: float
) -> Machine:
    """Return a machine over (constant + gamma |s & x|)^degree in the form that is computed fastest.

    Examples
    --------
    >>> machine = polynomial_machine(1, FeatureSets.from_lists([[7]]), np.array([2.0]), 1.0, 0.5, 0.0)
    >>> machine.coefficients.tolist(), machine.bias
    ([1.0], 0.0)
    """
    if degree == 1:  # c + γn is γ(1 + n), and c - γ into the bias
        return Machine(1, support, gamma * coefficients, bias + (constant - gamma) * float(coefficients.sum()))
    if np.isclose(constant, gamma, rtol=1e-12, atol=0):
        return Machine(degree, support, gamma**degree * coefficients, bias)
    return Machine(degree, support, coefficients, bias, gamma=gamma, constant=constant)


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
    linear = kernel.kind == "linear"
    degree, gamma = (1, value**2) if linear else (kernel.degree, kernel.gamma * value**2)
    constant = 0.0 if linear else kernel.constant
    if not 1 <= degree <= HIGHEST_DEGREE:
        raise NotPolynomialError(f"its degree is {degree}, not 1 to {HIGHEST_DEGREE}")
    ones = rows.copy()
    ones.data = (rows.data != 0).astype(np.float64)
    ones.eliminate_zeros()
    sets = FeatureSets.from_sparse(ones)
    machines = []
    for column, bias in zip(coefficients.T, biases, strict=True):
        own = np.flatnonzero(column)
        machines.append(polynomial_machine(degree, sets.take(own), column[own], float(bias), gamma, constant))
    return Classifier(machines, model.classes.tolist(), model.scheme, information=dict(model.information))
