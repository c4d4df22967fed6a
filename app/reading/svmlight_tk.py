"""Conversion of SVM-Light-TK's data and model files to kakari's examples and classifiers, and back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from kakari.corpora.formats.machines.svmlight import SvmLightModel, read_svmlight_model, write_svmlight_model
from kakari.corpora.formats.vectors import SparseVector, TreesAndVectors
from kakari.corpora.records.textfiles import Source
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.svmlight_tk import (
    SvmLightError,
    SvmLightMachine,
    examples_of,
    from_classifier,
    to_classifier,
)


def load_svmlight_tk(source: Source | Mapping[Any, Source]) -> KernelClassifier:
    """Read a model (classes -1 and 1), or one model for each class, by name: the largest value wins.

    Examples
    --------
    >>> import io
    >>> from kakari.models.machines.svm import KernelSVC
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> svc = KernelSVC(TreeKernel("stk")).fit(["(A a)", "(B b)"], [1, -1])
    >>> file = io.StringIO()
    >>> save_svmlight_tk(svc.finished(), file)
    >>> load_svmlight_tk(io.StringIO(file.getvalue())).decision_function(["(A a)", "(B b)"]).tolist()
    [1.0, -1.0]
    """
    if isinstance(source, Mapping):
        return to_classifier([_machine(read_svmlight_model(one)) for one in source.values()], list(source))
    return to_classifier([_machine(read_svmlight_model(source))], [-1, 1])


def save_svmlight_tk(
    classifier: KernelClassifier,
    target: str | os.PathLike[str] | Any,
    *,
    machine: int = 0,
    version: str = "V5.01-TK-1.5",
) -> None:
    """Write one binary machine of a classifier (the only one, or that of a class or a pair)."""
    found = from_classifier(classifier, machine)
    support = tuple(
        TreesAndVectors(float(coefficient), tuple(trees), tuple(SparseVector(tuple(i), tuple(v)) for i, v in vectors))
        for coefficient, trees, vectors in zip(found.coefficients, found.trees, found.vectors, strict=True)
    )
    highest = max((max(vector.ids, default=0) for one in support for vector in one.vectors), default=0)
    options = dict(found.options)
    if version == "V5.01-TK-1.2" and "F" in options:
        if options["F"] not in ("0", "1"):
            raise SvmLightError(f"version {version} has no tree kernels but ST and STK: write version V5.01-TK-1.5")
        options |= {"D": options["F"], "F": "1"}
    model = SvmLightModel(options, found.threshold, support, version, highest, len(support), found.votes)
    write_svmlight_model(model, target)


def svmlight_tk_examples(kernel: Any, records: Iterable[TreesAndVectors]) -> tuple[Any, list[float]]:
    """Return the examples of a data file as a kernel takes them, and their labels.

    Examples
    --------
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> svmlight_tk_examples(TreeKernel("stk"), [TreesAndVectors(1.0, ("(A a)",))])
    ([('(A a)',)], [1.0])
    """
    listed = list(records)
    vectors = [[(vector.ids, vector.values) for vector in record.vectors] for record in listed]
    examples = examples_of(kernel, [record.trees for record in listed], vectors)
    return examples, [record.label for record in listed]


def _machine(model: SvmLightModel) -> SvmLightMachine:
    return SvmLightMachine(
        model.options,
        model.threshold,
        np.array([one.label for one in model.support]),
        [one.trees for one in model.support],
        [[(vector.ids, vector.values) for vector in one.vectors] for one in model.support],
        model.votes,
    )
