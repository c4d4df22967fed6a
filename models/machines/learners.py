"""Kernel learners by name: the batch SVM, sampled cutting planes, and every online algorithm, with their options.

Estimators bring scikit-learn, which is slow to import and takes 80 MB, so each is imported where it is trained. The
exact machine is trained without its estimator.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.sets.checks import TrainingError
from kakari.models.machines.exact import ExactOptions, Lesson, train_machines
from kakari.models.machines.examples import take
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.online_machines import ALGORITHMS, ALIASES
from kakari.models.reporting import Report

LEARNERS = ("svm", "sdag", *ALGORITHMS, *ALIASES)


@dataclass(frozen=True)
class LearnerOptions:
    """A learner and its options; options of other learners are ignored.

    Attributes
    ----------
    learner : str
        One of `LEARNERS`.
    cost, cost_factor : float
        C, and the factor of C for errors on the positive side of a machine.
    sample : int, optional
        Examples that sdag estimates a cut from; all by default.
    budget, eta
        Settings of online learners that keep a budget or project.
    passes : int
        Passes of online learners over the data, each in a new order.
    multiclass : str
        "ovr" or "ovo".
    keep_support : bool
        Whether online learners keep what SVM-Light-TK's model files hold.
    """

    learner: str = "svm"
    cost: float = 1.0
    cost_factor: float = 1.0
    budget: int | None = None
    eta: float | str = 0.1
    passes: int = 1
    multiclass: str = "ovr"
    seed: int = 0
    sample: int | None = 1000
    keep_support: bool = False


def make_learner(
    options: LearnerOptions,
    kernel: Any,
    examples: Any,
    labels: NDArray[Any],
    *,
    order: NDArray[np.int64] | None = None,
    threads: int = 1,
    report: Report | None = None,
) -> KernelClassifier:
    """Train a learner; the `information` of the result has the number of support vectors.

    Parameters
    ----------
    order : array, optional
        The order in which an online learner first sees the examples.
    report : callable, optional
        Called with the work done so far and the total.

    Examples
    --------
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> from scipy import sparse
    >>> rows, labels = sparse.csr_array([[1.0, 0.0], [0.0, 1.0]]), np.array(["a", "b"])
    >>> for learner in ("svm", "pa-1"):
    ...     trained = make_learner(LearnerOptions(learner), VectorKernel("linear"), rows, labels)
    ...     print(trained.predict(sparse.csr_array([[0.0, 2.0]])).tolist(), trained.information["support_vectors"])
    ['b'] 2
    ['b'] 2
    """
    if options.learner not in LEARNERS:
        raise TrainingError(f"there is no learner {options.learner!r}: take one of {', '.join(LEARNERS)}")
    if options.learner == "svm":
        finished, support = _train_svm(options, kernel, examples, labels, threads, report)
    elif options.learner == "sdag":
        finished, support = _train_sdag(options, kernel, examples, labels, report)
    else:
        finished, support = _train_online(options, kernel, examples, labels, order, report)
    finished.information["support_vectors"] = support
    return finished


def _train_svm(
    options: LearnerOptions, kernel: Any, examples: Any, labels: NDArray[Any], threads: int, report: Report | None
) -> tuple[KernelClassifier, int]:
    classes, class_numbers = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        raise TrainingError(f"learning needs examples of two classes, but there is {classes.size} class")
    settings = ExactOptions(
        C=options.cost, cost_factor=options.cost_factor, multiclass=options.multiclass, threads=threads
    )
    settings.check()
    lesson = Lesson(examples, class_numbers, classes, np.full(labels.size, float(options.cost)), None, kernel)
    told = None if report is None else lambda done, total, *_: report("", done, total)
    trained = train_machines(lesson, settings, told)
    if late := trained.late():
        from sklearn.exceptions import ConvergenceWarning

        warnings.warn(late, ConvergenceWarning, stacklevel=3)
    return trained.machines, int(trained.numbers.size)


def _train_sdag(
    options: LearnerOptions, kernel: Any, examples: Any, labels: NDArray[Any], report: Report | None
) -> tuple[KernelClassifier, int]:
    """Train SDAG and report its number of cuts, since it has no support vectors."""
    from kakari.models.machines.sdag import SDAG

    learner = SDAG(
        kernel,
        C=options.cost,
        sample_size=options.sample,
        cost_factor=options.cost_factor,
        multiclass=options.multiclass,
        seed=options.seed,
    )
    learner.fit(examples, labels, progress=None if report is None else lambda done, total, *_: report("", done, total))
    return learner.finished(), int(learner.cuts_.sum())


def _train_online(
    options: LearnerOptions,
    kernel: Any,
    examples: Any,
    labels: NDArray[Any],
    order: NDArray[np.int64] | None,
    report: Report | None,
) -> tuple[KernelClassifier, int]:
    from kakari.models.machines.online import OnlineClassifier

    learner = OnlineClassifier(
        kernel,
        options.learner,
        C=options.cost,
        budget=options.budget,
        eta=options.eta,
        multiclass=options.multiclass,
        seed=options.seed,
        keep_support=options.keep_support,
    )
    turns = np.random.default_rng(options.seed + 1)
    turn = np.arange(labels.size) if order is None else order
    pieces = max(1, -(-labels.size // learner.run_length))
    for number in range(options.passes):
        for place, rows in enumerate(np.array_split(turn, pieces)):
            learner.partial_fit(take(examples, rows), labels[rows], classes=np.unique(labels))
            if report is not None:
                report("", number * pieces + place + 1, options.passes * pieces)
        turn = turns.permutation(labels.size)
    return learner.finished(), int(learner.support_sizes_.sum())
