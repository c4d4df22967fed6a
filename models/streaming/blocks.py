"""Training in blocks, of which only one is in memory: `train_in_blocks` for data larger than that.

What stays between blocks is the support set of each machine. Classes must be known before the first block.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.learning.multiclass import MulticlassLearner
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.polynomial.classifier import Classifier, Machine
from kakari.models.polynomial.multiclass import Learner, expansions, is_direct
from kakari.models.vocabulary import Vocabulary
from kakari.models.voting import binary_problems, machines_needed

Block = tuple[FeatureSets, NDArray[np.int64], NDArray[np.float64] | None]  # examples, class numbers, weights


def train_in_blocks(
    blocks: Callable[[], Iterable[Block]],
    classes: list[Any],
    options: dict[str, Any],
    *,
    passes: int = 1,
    averaged: bool = True,
    scheme: str = "ovr",
    vocabulary: Vocabulary | None = None,
) -> tuple[Classifier, dict[str, Any]]:
    """Train on what `blocks()` yields, anew in each pass; return the classifier and figures as `train_classifier` does.

    `options` are those of `KernelLearner`; examples are shuffled within their block if there is a seed.

    Examples
    --------
    >>> sets, numbers = FeatureSets.from_lists([[1], [2]]), np.array([0, 1])
    >>> options = {"degree": 2, "cost": 1.0, "method": "slicing"}
    >>> trained, figures = train_in_blocks(lambda: [(sets[:1], numbers[:1], None), (sets[1:], numbers[1:], None)],
    ...     ["a", "b"], options, passes=3)
    >>> trained.predict(sets), figures["examples"]
    (['a', 'b'], 2)
    """
    if len(classes) < 2:
        found = f"only 1 class in the examples ({classes[0]})" if classes else "no example"
        raise TrainingError(f"there is {found}; a classifier needs two classes")
    start = time.process_time()
    direct = is_direct(len(classes), scheme, options["method"])
    learners: list[Learner]
    if direct:
        own = {name: value for name, value in options.items() if name != "method"}
        learners = [MulticlassLearner(len(classes), **own)]
    else:
        learners = [KernelLearner(**options) for _ in range(machines_needed(len(classes), scheme))]
    examples = 0
    for number in range(passes):
        for sets, numbers, weights in blocks():
            examples += len(sets) if number == 0 else 0
            if direct:
                learners[0].partial_fit(sets, numbers, weights=weights)
                continue
            for learner, (rows, signs) in zip(learners, binary_problems(numbers, len(classes), scheme), strict=True):
                if signs.size:
                    own_weights = weights if weights is None or rows is None else weights[rows]
                    learner.partial_fit(sets if rows is None else sets.take(rows), signs, weights=own_weights)
    if vocabulary is not None:
        vocabulary.freeze()
    pairs = [pair for learner in learners for pair in expansions(learner, averaged=averaged)]
    figures = {
        "seconds": round(time.process_time() - start, 3),
        "support_vectors": sum(len(learner.support()) for learner in learners),
        "updates": sum(learner.updates for learner in learners),
        "examples": examples,
        "classes": len(classes),
    }
    kept = {name: value for name, value in figures.items() if name != "seconds"}
    told = {"options": options, "passes": passes, "averaged": averaged, "training": kept}
    machines = [Machine(options["degree"], *pair) for pair in pairs]
    return Classifier(machines, classes, scheme, vocabulary, told), figures
