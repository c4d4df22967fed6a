"""Kernel machines over SVM-Light-TK's data: reading, training, measuring."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kakari.commands.questions import class_figures
from kakari.corpora import catalogue
from kakari.corpora.formats.vectors import TreesAndVectors, format_number, read_svmlight_tk
from kakari.corpora.records.errors import CorpusError
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.examples import ExampleReader
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.learners import LearnerOptions, make_learner
from kakari.models.reporting import Report
from kakari.models.treebank import Treebank
from kakari.reading.svmlight_tk import svmlight_tk_examples


@dataclass(frozen=True, slots=True)
class TreeExamples:
    """Examples as a kernel takes them (trees as brackets), and their labels as text."""

    examples: Any
    labels: list[str]


def kernel_over(
    tree: str | None,
    vector: str | None,
    *,
    decay: float,
    mu: float,
    max_children: int | None,
    degree: int,
    gamma: float,
    operation: str,
    tree_weight: float,
    normalize: bool,
) -> Any:
    """Return a kernel over trees, vectors or both."""
    if tree is None and vector is None:
        raise CorpusError("kernel", None, "there is neither a tree kernel nor a vector kernel")
    over_trees, over_vectors = None, None
    if tree is not None:
        over_trees = TreeKernel(tree, decay=decay, mu=mu, max_children=max_children, normalize=normalize)
    if vector is not None:
        over_vectors = VectorKernel(vector, degree=degree, gamma=gamma, normalize=normalize)
    if over_trees is None or over_vectors is None:
        return over_trees or over_vectors
    return CombinedKernel(over_trees, over_vectors, operation=operation, tree_weight=tree_weight)


def load_tree_examples(path: str, kernel: Any) -> TreeExamples:
    """Load a file in SVM-Light-TK's format, or a corpus of such, as far as the kernel looks at it."""
    examples, labels = svmlight_tk_examples(kernel, _records(path))
    return TreeExamples(examples, [format_number(label) for label in labels])


def _records(path: str) -> Iterator[TreesAndVectors]:
    if not catalogue.is_reference(path) or Path(path).exists():
        yield from read_svmlight_tk(path)
        return
    for record in catalogue.read(path):
        if not isinstance(record, TreesAndVectors):
            raise CorpusError(path, None, "this corpus does not hold lines of SVM-Light-TK")
        yield record


def train_trees(
    data: TreeExamples,
    kernel: Any,
    learner: LearnerOptions,
    *,
    threads: int = 1,
    report: Report | None = None,
) -> KernelClassifier:
    """Train on examples."""
    reader = ExampleReader(kernel, None if isinstance(kernel, VectorKernel) else Treebank())
    model = make_learner(
        learner,
        kernel,
        reader.read(data.examples, learn=True),
        np.array(data.labels),
        order=np.random.default_rng(learner.seed).permutation(len(data.labels)),
        threads=threads,
        report=report,
    )
    model.treebank = reader.treebank
    return model


def evaluate_trees(model: KernelClassifier, data: TreeExamples, *, threads: int = 1) -> dict[str, Any]:
    """Return accuracy, macro F1, F1 of each class, support vectors and the time."""
    start = time.process_time()
    guess = [str(name) for name in model.predict(data.examples, threads=threads).tolist()]
    seconds = time.process_time() - start
    support = model.information.get("support_vectors", 0)
    figures = class_figures(data.labels, guess)
    return {**figures, "support_vectors": support, "examples": len(guess), "seconds": round(seconds, 4)}
