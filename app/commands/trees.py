"""Kernel machines over SVM-Light-TK's data: reading, training, measuring."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from kakari.commands.questions import class_figures
from kakari.corpora import catalogue
from kakari.corpora.formats.vectors import TreesAndVectors, format_number, read_svmlight_tk
from kakari.corpora.records.errors import CorpusError
from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.fragments.mining import mine
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.examples import ExampleReader, take
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.learners import LearnerOptions, make_learner
from kakari.models.machines.supports import KernelSum
from kakari.models.reporting import Report
from kakari.models.treebank import Treebank
from kakari.reading.kelp import kelp_examples
from kakari.reading.svmlight_tk import svmlight_tk_examples

MOST_FRAGMENTS = 20_000  # the heaviest of a machine, which are searched for in an example


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
    """Load a file in SVM-Light-TK's format or KeLP's (`.klp`), or a corpus; only the parts that the kernel uses."""
    if path.removesuffix(".gz").endswith(".klp"):
        return TreeExamples(*kelp_examples(kernel, path))
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


def frozen_trees(model: KernelClassifier) -> KernelClassifier:
    """Return a machine over trees without its support trees: every distinct subtree once, with its weights; exact.

    Examples
    --------
    >>> from kakari import KernelSVC
    >>> svc = KernelSVC(TreeKernel("stk")).fit(["(A a)", "(B b)"], ["a", "b"])
    >>> frozen_trees(svc.finished()).support is None
    True
    """
    told = {**model.information, "frozen": "dag"}
    return replace(model, support=None, information=told)


def tree_dags(model: KernelClassifier) -> list[ForestDag]:
    """Return the DAGs of a machine whose fragments can be listed: those of subset-tree kernels."""
    if model.treebank is None or not isinstance(model.sum, KernelSum):
        raise CorpusError("model", None, "only a machine over trees whose labels are known has fragments")
    sums = [model.sum] if model.sum.parts is None else list(model.sum.parts)
    dags = [one.dag for one in sums if one.dag is not None and one.kernel.kind in ("stk", "sst")]
    if not dags:
        raise CorpusError("model", None, f"only the subset-tree kernel (stk) has fragments, not {model.kernel!r}")
    return dags


def machine_names(model: KernelClassifier) -> list[str]:
    """Return the name of each machine: its class, or its pair of classes."""
    classes = [str(name) for name in model.classes.tolist()]
    if len(classes) == 2:
        return classes[1:]
    return classes if model.scheme == "ovr" else [f"{a} / {b}" for a, b in combinations(classes, 2)]


def fragment_rows(model: KernelClassifier, most: int) -> list[dict[str, Any]]:
    """List the heaviest fragments of each machine, whatever their sign, as brackets.

    Examples
    --------
    >>> from kakari import KernelSVC
    >>> svc = KernelSVC(TreeKernel("stk", decay=1.0)).fit(["(A a)", "(B b)"], ["a", "b"])
    >>> [(row["machine"], row["fragment"], round(row["weight"], 6)) for row in fragment_rows(svc.finished(), 2)]
    [('b', '(A a)', -1.0), ('b', '(B b)', 1.0)]
    """
    rows = []
    for dag in tree_dags(model):
        for output, name in enumerate(machine_names(model)):
            found = mine(dag, keep=most, output=output, factor=1000)
            rows += [
                {"machine": name, "weight": float(found.relevance[place]), "fragment": _brackets(model, found, place)}
                for place in range(len(found))
            ]
    return rows


def explain_tree(model: KernelClassifier, data: TreeExamples, line: int, top: int) -> list[dict[str, Any]]:
    """List the fragments of one example, counted from 1, whose weights add up to the value of each machine."""
    if line > len(data.labels):
        raise CorpusError("examples", None, f"there are {len(data.labels)} examples, so no number {line}")
    reader = ExampleReader(model.kernel, model.treebank)
    example = take(reader.read(data.examples), [line - 1])
    forest = example[0] if isinstance(example, tuple) else example
    told = []
    for output, (name, margin) in enumerate(zip(machine_names(model), model.machine_values(example)[0], strict=True)):
        items: list[dict[str, Any]] = []
        for dag in tree_dags(model):
            found = mine(dag, keep=MOST_FRAGMENTS, output=output, factor=1000)
            _, columns, values = found.vectors(forest)
            items += [
                {"conjunction": _brackets(model, found, int(column)), "weight": float(found.relevance[column] * value)}
                for column, value in zip(columns, values, strict=True)
            ]
        items.sort(key=lambda item: (-abs(item["weight"]), item["conjunction"]))
        rest = float(margin) - sum(item["weight"] for item in items[:top])
        shown = [*items[:top], {"conjunction": "(other fragments, vectors and bias)", "weight": rest}]
        told.append({"machine": name, "margin": float(margin), "items": shown})
    return told


def _brackets(model: KernelClassifier, found: FragmentDictionary, place: int) -> str:
    from kakari.parsers.arguments.boundary.mining import bracketed  # it brings scipy.sparse

    labels: Any = model.treebank.labels if model.treebank is not None else ()
    return bracketed(found.fragment(place), lambda number: str(labels[number]))
