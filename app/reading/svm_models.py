"""Finished SVMs of several programs as classifiers of feature sets: ours, LIBSVM's and SVM-light's files."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path

import numpy as np

from kakari.corpora.formats.libsvm_models import FIRST_WORD, LibsvmModel, read_libsvm_model
from kakari.corpora.records.errors import CorpusError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.files import model_task
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.polynomial_form import HIGHEST_DEGREE, NotPolynomialError, polynomial_form
from kakari.models.polynomial.classifier import Classifier, Machine
from kakari.reading.svmlight_tk import load_svmlight_tk

SVM_LIGHT = "SVM-light Version"


def load_classifier(path: str | os.PathLike[str]) -> Classifier:
    """Load a classifier of feature sets: a file of `kakari train`, a LIBSVM model or an SVM-light model.

    Kernel machines must have a polynomial kernel over binary features. Features keep the numbers of the file.
    """
    start = _first_bytes(path)
    if start.startswith(SVM_LIGHT.encode()):
        return polynomial_form(load_svmlight_tk(path))
    if start.startswith(FIRST_WORD.encode()):
        return from_libsvm(read_libsvm_model(path))
    if model_task(path) == "kernel-classify":
        return polynomial_form(KernelClassifier.load(path))
    return Classifier.load(path)


def _first_bytes(path: str | os.PathLike[str]) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(32)
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise CorpusError(os.fspath(path), None, reason) from None


def from_libsvm(model: LibsvmModel) -> Classifier:
    """Return a LIBSVM model as a classifier of feature sets; its classes are LIBSVM's labels.

    Examples
    --------
    >>> model = LibsvmModel("polynomial", 2, 1.0, 1.0, (5, 7), (1, 1), (0.5,), ((1.0,), (-1.0,)), (((1, 1.0),), ()))
    >>> from_libsvm(model).predict(FeatureSets.from_lists([[1], [2]]))
    [5, 7]
    """
    values = {value for vector in model.vectors for _, value in vector if value != 0}
    value = values.pop() if values else 1.0
    if values:
        raise NotPolynomialError("its support vectors have values other than one and zero")
    degree, factor = (1, value**2) if model.kernel == "linear" else (model.degree, model.gamma * value**2)
    if model.kernel not in ("linear", "polynomial"):
        raise NotPolynomialError(f"its kernel is {model.kernel or 'not named'}")
    if not 1 <= degree <= HIGHEST_DEGREE:
        raise NotPolynomialError(f"its degree is {degree}, not 1 to {HIGHEST_DEGREE}")
    if model.kernel == "polynomial" and not np.isclose(model.coef0, factor, rtol=1e-12, atol=0):
        raise NotPolynomialError(f"coef0 is {model.coef0:g}, and with gamma {model.gamma:g} must be {factor:g}")
    sets = FeatureSets.from_lists([[index for index, one in vector if one != 0] for vector in model.vectors])
    table = np.array(model.coefficients, dtype=np.float64).reshape(len(sets), len(model.labels) - 1)
    starts = np.concatenate([[0], np.cumsum(model.sizes)])
    machines = []
    for (first, second), rho in zip(combinations(range(len(model.labels)), 2), model.rho, strict=True):
        ours, theirs = (np.arange(starts[number], starts[number + 1]) for number in (first, second))
        rows = np.concatenate([ours, theirs])
        coefficients = np.concatenate([table[ours, second - 1], table[theirs, first]])
        bias = -rho - (factor * coefficients.sum() if model.kernel == "linear" else 0.0)
        machines.append(Machine(degree, sets.take(rows), factor**degree * coefficients, float(bias)))
    return Classifier(_with_second_positive(machines, len(model.labels)), *_named(model.labels))


def _with_second_positive(machines: list[Machine], classes: int) -> list[Machine]:
    """Turn the only machine of two classes around: ours is positive for the second class, LIBSVM's for the first."""
    if classes > 2:
        return machines
    (machine,) = machines
    if machine.coefficients is None:
        raise ValueError("a machine without coefficients cannot be turned around")
    return [Machine(machine.degree, machine.support, -machine.coefficients, -machine.bias)]


def _named(labels: tuple[int, ...]) -> tuple[list[int], str]:
    return list(labels), "ovo"
