"""The polynomial kernel under a budget: as many support vectors as are allowed, however long the stream."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy import sparse

from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.kernel_classifier import KernelClassifier, Support
from kakari.models.machines.online import OnlineClassifier
from kakari.models.machines.online_machines import BudgetedMachine
from kakari.models.machines.polynomial_form import polynomial_form
from kakari.models.polynomial.classifier import Classifier
from kakari.models.streaming.blocks import Block
from kakari.models.vocabulary import Vocabulary

ALGORITHM = "projectron"
ETA = 0.1  # an example nearer than this to the span of the others is projected before the budget is full, too
WIDTH = 2**31 - 1  # columns: any feature has its place


def train_under_budget(
    blocks: Callable[[], Iterable[Block]],
    classes: list[Any],
    *,
    degree: int,
    budget: int,
    passes: int = 1,
    scheme: str = "ovr",
    seed: int | None = 0,
    vocabulary: Vocabulary | None = None,
) -> tuple[Classifier, dict[str, Any]]:
    """Train a Projectron with the normalized polynomial kernel; return a classifier of feature sets, and figures.

    Each machine holds at most `budget` examples at every step, and none is ever dropped: what a later mistake would add
    is projected onto those that are there. So its coefficients can be averaged, over the ends of runs of 256 examples.
    Examples are shuffled within their block if there is a seed.

    Examples
    --------
    >>> sets, numbers = FeatureSets.from_lists([[1], [2], [1, 3]] * 4), np.array([0, 1, 0] * 4)
    >>> trained, figures = train_under_budget(lambda: [(sets, numbers, None)], ["a", "b"], degree=2, budget=2, passes=3)
    >>> figures["support_vectors"], trained.predict(sets[:2])
    (2, ['a', 'b'])
    """
    if len(classes) < 2:
        found = f"only 1 class in the examples ({classes[0]})" if classes else "no example"
        raise TrainingError(f"there is {found}; a classifier needs two classes")
    start = time.process_time()
    kernel = VectorKernel("polynomial", degree=degree, normalize=True)
    learner = OnlineClassifier(kernel, ALGORITHM, budget=budget, eta=ETA, multiclass=scheme)
    average = Average()
    random = np.random.default_rng(seed)
    names, examples = np.arange(len(classes)), 0
    for number in range(passes):
        for sets, numbers, weights in blocks():
            if weights is not None:
                raise TrainingError("a budget takes no costs of examples: all count the same")
            order = np.arange(len(sets)) if seed is None else random.permutation(len(sets))
            rows = matrix_of(sets)
            for first in range(0, len(sets), learner.run_length):
                part = order[first : first + learner.run_length]
                learner.partial_fit(rows[part], numbers[part], classes=names)
                average.add(learner)
            examples += len(sets) if number == 0 else 0
    classifier = polynomial_form(average.finished(learner))
    if vocabulary is not None:
        vocabulary.freeze()
    figures = {
        "seconds": round(time.process_time() - start, 3),
        "support_vectors": int(learner.support_sizes_.sum()),
        "examples": examples,
        "classes": len(classes),
    }
    kept = {name: value for name, value in figures.items() if name != "seconds"}
    options = {"degree": degree, "budget": budget, "algorithm": ALGORITHM, "seed": seed}
    told = {"options": options, "passes": passes, "training": kept}
    return Classifier(classifier.machines, classes, scheme, vocabulary, told), figures


class Average:
    """The mean of a Projectron's coefficients at the ends of runs; members only ever come, at the end of the pool."""

    def __init__(self) -> None:
        self.total, self.runs = np.zeros((0, 1)), 0

    def add(self, learner: OnlineClassifier) -> None:
        """Take in the coefficients as they are now."""
        total = budgeted(learner).weights()
        total[: self.total.shape[0]] += self.total
        self.total, self.runs = total, self.runs + 1

    def finished(self, learner: OnlineClassifier) -> KernelClassifier:
        """Return the averaged machines with their support sets, under the kernel that is not normalized.

        Coefficients take over the norms of the support vectors. The norm of the example that is asked about scales all
        of its values alike, and turns no decision.
        """
        pool, finished = budgeted(learner).pool, learner.finished()
        weights = self.total / self.runs * learner.kernel.scales(pool)[:, None]
        kernel = VectorKernel("polynomial", degree=learner.kernel.degree)
        return KernelClassifier.from_support(
            kernel, Support(pool, weights), finished.intercepts, finished.classes, finished.scheme
        )


def budgeted(learner: OnlineClassifier) -> BudgetedMachine:
    """Return the machines of a learner that holds its support set within a budget."""
    machine = learner._machine
    if not isinstance(machine, BudgetedMachine):
        raise TrainingError(f"{learner.algorithm} keeps no budget")
    return machine


def matrix_of(sets: FeatureSets) -> sparse.csr_array:
    """Return feature sets as sparse rows of ones.

    Examples
    --------
    >>> matrix_of(FeatureSets.from_lists([[3, 5]])).indices.tolist()
    [3, 5]
    """
    values = np.ones(sets.ids.size)
    return sparse.csr_array(
        (values, sets.ids.astype(np.int32), sets.offsets.astype(np.int32)), shape=(len(sets), WIDTH)
    )
