"""Training of classifiers with a polynomial kernel: the learners of a scheme, with checkpoints, time and memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.learning.binary_learner import KernelLearner, Progress
from kakari.kernels.learning.multiclass import MulticlassLearner
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.polynomial.checkpoints import train_with_checkpoints
from kakari.models.polynomial.classifier import Classifier, Machine
from kakari.models.polynomial.multiclass import Learner, expansions, is_direct
from kakari.models.vocabulary import Vocabulary
from kakari.models.voting import binary_problems


def train_classifier(
    sets: FeatureSets,
    classes: list[Any],
    numbers: NDArray[np.int64],
    options: dict[str, Any],
    *,
    vocabulary: Vocabulary | None = None,
    passes: int = 20,
    averaged: bool = True,
    average_after: int = 0,
    scheme: str = "ovr",
    positive_weight: float = 1.0,
    weights: NDArray[np.float64] | None = None,
    checkpoint: Path | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> tuple[Classifier, dict[str, Any]]:
    """Train; return the classifier and figures: seconds, support vectors, updates, peak memory.

    `numbers` are the class numbers of the examples, `weights` their factors of C; `options` are those of
    `KernelLearner`. `seconds` is the CPU time of training alone. `peak_memory_mb` is the memory above the loaded data:
    the larger of what the engine counted and what the process grew.
    """
    if len(classes) < 2:
        found = f"only 1 class in the examples ({classes[0]})" if classes else "no example"
        raise TrainingError(f"there is {found}; a classifier needs two classes")
    if vocabulary is not None:
        vocabulary.freeze()
    before = _peak_bytes()
    start = time.process_time()
    machines: list[Machine] = []
    vectors, updates, peak = 0, 0, 0
    if positive_weight != 1.0 and len(classes) == 2:
        weights = np.where(numbers == 1, positive_weight, 1.0) * (1.0 if weights is None else weights)
    for place, (learner, own, labels, rows) in enumerate(_problems(sets, numbers, len(classes), options, scheme)):
        trained = train_with_checkpoints(
            learner,
            own,
            labels,
            passes=passes,
            weights=weights if weights is None or rows is None else weights[rows],
            path=None if checkpoint is None else checkpoint / f"machine-{place}.safetensors",
            options={**options, "positive_weight": positive_weight, "scheme": scheme},
            progress=progress,
        )
        pairs = expansions(trained, averaged=averaged, after=average_after)
        machines += [Machine(options["degree"], *pair) for pair in pairs]
        vectors += len(trained.support())
        updates += trained.updates
        peak = max(peak, trained.peak_bytes)
    seconds = time.process_time() - start
    grown = _peak_bytes() - before
    figures = {
        "seconds": round(seconds, 3),
        "support_vectors": vectors,
        "updates": updates,
        "peak_memory_mb": round(max(peak, grown) / 1e6, 1),
        "examples": len(numbers),
        "classes": len(classes),
    }
    average = {"averaged": averaged, "average_after": average_after}
    kept = {name: value for name, value in figures.items() if name not in ("seconds", "peak_memory_mb")}
    told = {"options": options, "passes": passes, **average, "training": kept}
    return Classifier(machines, classes, scheme, vocabulary, told), figures


def _peak_bytes() -> int:
    """Return the peak memory of this process in bytes; zero if the system does not report it (Windows)."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024  # Linux counts in kilobytes


def _problems(
    sets: FeatureSets, numbers: NDArray[np.int64], classes: int, options: dict[str, Any], scheme: str
) -> Iterator[tuple[Learner, FeatureSets, NDArray[Any], NDArray[np.int64] | None]]:
    """Yield the learners of a scheme, each with its examples, their labels, and which they are (None: all)."""
    if is_direct(classes, scheme, options["method"]):
        own = {name: value for name, value in options.items() if name != "method"}
        yield MulticlassLearner(classes, **own), sets, numbers, None
        return
    for rows, signs in binary_problems(numbers, classes, scheme):
        yield KernelLearner(**options), sets if rows is None else sets.take(rows), signs, rows
