"""Loading of finished SVMs as classifiers of feature sets: files of kakari, LIBSVM and SVM-light."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.formats.machines.libsvm import FIRST_WORD, LibsvmModel, read_libsvm_model
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import GZIP_MAGIC
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.files import model_task
from kakari.models.machines.kernel_classifier import KernelClassifier, Support
from kakari.models.machines.polynomial_form import NotPolynomialError, polynomial_form, polynomial_machine
from kakari.models.polynomial.classifier import HIGHEST_DEGREE, Classifier, Machine
from kakari.reading.svmlight_tk import load_svmlight_tk

SVM_LIGHT = "SVM-light Version"


def load_classifier(path: str | os.PathLike[str]) -> Classifier:
    """Load a classifier of feature sets: a file of `kakari train`, a LIBSVM model or an SVM-light model.

    Kernel machines must have a polynomial kernel over binary features. Features keep the numbers of the file.
    """
    start = first_bytes(path)
    if start.startswith(SVM_LIGHT.encode()):
        return polynomial_form(load_svmlight_tk(path))
    if start.startswith(FIRST_WORD.encode()):
        return from_libsvm(read_libsvm_model(path))
    if model_task(path) == "kernel-classify":
        return polynomial_form(KernelClassifier.load(path))
    return Classifier.load(path)


def load_svm(path: str | os.PathLike[str], *, zero_based: bool = False, columns: int | None = None) -> Any:
    r"""Load a finished SVM of LIBSVM or SVM-light as an estimator over CSR matrices (`decision_function`, `predict`).

    A polynomial or linear kernel over binary features becomes a `PolynomialClassifier`, which decides by conjunctions;
    any other kernel a `KernelClassifier` over its support vectors (or support trees, which take brackets).

    Parameters
    ----------
    zero_based : bool
        Whether column 0 of X is feature 0 of the file; if False, feature 1, as `load_svmlight_file` does for files
        whose features begin at 1.
    columns : int, optional
        Number of columns of X; by default, as many as the support vectors need.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> head = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\n"
    >>> head += "rho 0.1\nlabel 1 -1\nnr_sv 1 1\n"
    >>> path = pathlib.Path(tempfile.mkdtemp(), "rbf.model")
    >>> _ = path.write_text(head + "SV\n1 1:1 2:0.5\n-1 2:1\n")
    >>> load_svm(path).predict([[1.0, 0.5], [0.0, 1.0]]).tolist()
    [1, -1]
    """
    from kakari.models.polynomial.estimator import PolynomialClassifier

    start = first_bytes(path)
    try:
        classifier = load_classifier(path)
    except NotPolynomialError:
        if start.startswith(SVM_LIGHT.encode()):
            return load_svmlight_tk(path)
        if start.startswith(FIRST_WORD.encode()):
            return libsvm_machines(read_libsvm_model(path), zero_based=zero_based, columns=columns)
        raise
    if not zero_based:
        for machine in classifier.machines:
            machine.shift(-1)
    if columns is not None:
        classifier.information["columns"] = columns
    return PolynomialClassifier.from_classifier(classifier)


def libsvm_machines(model: LibsvmModel, *, zero_based: bool, columns: int | None = None) -> KernelClassifier:
    """Return a LIBSVM model of any kernel as machines over its support vectors."""
    from scipy import sparse

    kinds = {"linear": "linear", "polynomial": "polynomial", "rbf": "rbf", "sigmoid": "sigmoid"}
    if model.kernel not in kinds:
        raise NotPolynomialError(f"its kernel is {model.kernel or 'not named'}")
    shift = 0 if zero_based else 1
    if not zero_based and any(index == 0 for vector in model.vectors for index, _ in vector):
        raise CorpusError("model", None, "there is a feature 0: say zero_based=True")
    kernel = VectorKernel(
        kinds[model.kernel], degree=max(1, model.degree), gamma=model.gamma or 1.0, constant=model.coef0
    )
    ids = [index - shift for vector in model.vectors for index, _ in vector]
    values = [value for vector in model.vectors for _, value in vector]
    ends = np.cumsum([0, *(len(vector) for vector in model.vectors)])
    wide = max(ids, default=-1) + 1 if columns is None else columns
    rows = sparse.csr_array((np.array(values, dtype=float), ids, ends), shape=(len(model.vectors), wide))
    coefficients, biases = np.zeros((len(model.vectors), len(model.rho))), []
    for place, (chosen, own, rho) in enumerate(_libsvm_pairs(model)):
        sign = -1.0 if len(model.labels) == 2 else 1.0  # kakari's machine is positive for the second of two classes
        coefficients[chosen, place] = sign * own
        biases.append(-sign * rho)
    support = Support(rows, coefficients)
    return KernelClassifier.from_support(kernel, support, biases, np.array(model.labels), "ovo")


def _libsvm_pairs(model: LibsvmModel) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64], float]]:
    """Yield the support vectors, coefficients and threshold of each pair of classes."""
    table = np.array(model.coefficients, dtype=np.float64).reshape(len(model.vectors), len(model.labels) - 1)
    starts = np.concatenate([[0], np.cumsum(model.sizes)])
    for (first, second), rho in zip(combinations(range(len(model.labels)), 2), model.rho, strict=True):
        ours, theirs = (np.arange(starts[number], starts[number + 1]) for number in (first, second))
        yield (
            np.concatenate([ours, theirs]),
            np.concatenate([table[ours, second - 1], table[theirs, first]]),
            float(rho),
        )


def first_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return how a file begins, unpacked if it is gzip."""
    try:
        with Path(path).open("rb") as file:
            start = file.read(2)
        with gzip.open(path) if start == GZIP_MAGIC else Path(path).open("rb") as file:
            return file.read(32)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(os.fspath(path), None, f"the gzip file is damaged: {error}") from None
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
    linear = model.kernel == "linear"
    degree, gamma = (1, value**2) if linear else (model.degree, model.gamma * value**2)
    if model.kernel not in ("linear", "polynomial"):
        raise NotPolynomialError(f"its kernel is {model.kernel or 'not named'}")
    if not 1 <= degree <= HIGHEST_DEGREE:
        raise NotPolynomialError(f"its degree is {degree}, not 1 to {HIGHEST_DEGREE}")
    sets = FeatureSets.from_lists([[index for index, one in vector if one != 0] for vector in model.vectors])
    constant = 0.0 if linear else model.coef0
    machines = [
        polynomial_machine(degree, sets.take(rows), coefficients, -rho, gamma, constant)
        for rows, coefficients, rho in _libsvm_pairs(model)
    ]
    return Classifier(_with_second_positive(machines, len(model.labels)), *_named(model.labels))


def _with_second_positive(machines: list[Machine], classes: int) -> list[Machine]:
    """Negate the machine of two classes: kakari's is positive for the second class, LIBSVM's for the first."""
    if classes > 2:
        return machines
    (machine,) = machines
    if machine.coefficients is None:
        raise ValueError("a machine without coefficients cannot be turned around")
    return [replace(machine, coefficients=-machine.coefficients, bias=-machine.bias, _frozen=[])]


def _named(labels: tuple[int, ...]) -> tuple[list[int], str]:
    return list(labels), "ovo"
