"""A finished kernel machine: the result of tree and vector learners, for prediction, saving and loading.

One weighted sum of kernels has an output for each binary machine, so that all classes share one pass. A machine with
its support set (a batch SVM) keeps it: it is saved, and can be exported to other programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.stored import Contents, StoredError
from kakari.kernels.trees.combined_kernel import kernel_from_contents
from kakari.models.files import StoredModel
from kakari.models.machines.examples import ExampleReader, count, example_contents, examples_from_contents
from kakari.models.machines.supports import KernelSum
from kakari.models.machines.votes import VoteSum
from kakari.models.treebank import Treebank
from kakari.models.vocabulary import Vocabulary
from kakari.models.voting import decide, machines_needed, multiclass_margins

SCHEMES = ("ovr", "ovo")


@dataclass
class Support:
    """Support examples, and their signed coefficients: one row an example, one column a machine."""

    examples: Any
    coefficients: NDArray[np.float64]


@dataclass
class KernelClassifier(StoredModel):
    """Binary machines over one kernel: one for two classes, one a class ("ovr") or one a pair ("ovo").

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> from kakari.models.machines.svm import KernelSVC
    >>> trees = ["(S (N dogs) (V bark))", "(S (N cats) (V purr))", "(Q (W who))", "(Q (W what))"]
    >>> svc = KernelSVC(TreeKernel("stk"), C=10).fit(trees, ["told", "told", "asked", "asked"])
    >>> path = pathlib.Path(tempfile.mkdtemp(), "model.safetensors")
    >>> svc.finished().save(path)
    >>> KernelClassifier.load(path).predict(["(Q (W where))", "(S (N birds) (V sing))"]).tolist()
    ['asked', 'told']
    """

    task: ClassVar[str] = "kernel-classify"
    kernel: Any
    sum: KernelSum | VoteSum
    intercepts: NDArray[np.float64]
    classes: NDArray[Any]
    scheme: str = "ovr"
    treebank: Treebank | None = None
    support: Support | None = None
    information: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def from_support(
        kernel: Any,
        support: Support,
        intercepts: ArrayLike,
        classes: ArrayLike,
        scheme: str = "ovr",
        treebank: Treebank | None = None,
        information: Mapping[str, Any] | None = None,
    ) -> KernelClassifier:
        """Make a classifier of support examples and their coefficients."""
        total = KernelSum(kernel, support.coefficients.shape[1])
        total.add(support.examples, support.coefficients)
        given = np.asarray(intercepts, dtype=np.float64)
        told = dict(information or {})
        return KernelClassifier(kernel, total, given, np.asarray(classes), scheme, treebank, support, told)

    def decision_function(self, examples: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the value of every example: one number for two classes, else one for each class."""
        return multiclass_margins(
            list(self.machine_values(examples, threads=threads).T), len(self.classes), self.scheme
        )

    def predict(self, examples: Any, *, threads: int = 1) -> NDArray[Any]:
        """Return the class of every example."""
        return np.take(self.classes, decide(self.decision_function(examples, threads=threads)))

    def machine_values(self, examples: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the value of every example (row) for every machine (column)."""
        data = ExampleReader(self.kernel, self.treebank).read(examples)
        return self.sum.evaluate(data, threads=threads) + self.intercepts

    def refuse_other(self, kernel: Any, width: int) -> None:
        """Refuse a machine with another kernel, or with another number of columns of vectors."""
        own = self.sum.width()
        if self.kernel != kernel or own not in (None, width):
            raise StoredError(f"a machine of {own} columns and {self.kernel!r}, not of {width} and {kernel!r}")

    def contents(self) -> Contents:
        """Return the saved form of the classifier."""
        parts = {"kernel": self.kernel.contents()}
        if self.support is not None:
            examples = example_contents(self.support.examples)
            parts["support"] = Contents({"coefficients": self.support.coefficients}, parts={"examples": examples})
        else:
            parts["votes" if isinstance(self.sum, VoteSum) else "sum"] = self.sum.contents()
        if self.treebank is not None:
            parts["labels"] = self.treebank.labels.contents()
        settings = {"classes": self.classes.tolist(), "scheme": self.scheme, "information": self.information}
        return Contents({"intercepts": self.intercepts}, settings, parts)

    @classmethod
    def from_contents(cls, contents: Contents) -> KernelClassifier:
        """Rebuild a classifier from its `contents()`."""
        kernel = kernel_from_contents(contents.part("kernel"))
        classes, scheme = contents.scalars("classes"), contents.choice("scheme", SCHEMES)
        if len(classes) < 2:
            raise contents.refuse(f"there are {len(classes)} classes")
        outputs = machines_needed(len(classes), scheme)
        intercepts = contents.array("intercepts", np.float64, shape=(outputs,))
        treebank = Treebank(Vocabulary.from_contents(contents.part("labels"))) if contents.has_part("labels") else None
        named = np.array(classes)
        information = contents.table("information")
        if contents.has_part("support"):
            own = contents.part("support")
            examples = examples_from_contents(own.part("examples"), kernel)
            coefficients = own.array("coefficients", np.float64, shape=(count(examples), outputs))
            support = Support(examples, coefficients)
            return KernelClassifier.from_support(kernel, support, intercepts, named, scheme, treebank, information)
        total: KernelSum | VoteSum
        if contents.has_part("votes"):
            total = VoteSum.from_contents(contents.part("votes"), kernel, outputs)
        else:
            total = KernelSum.from_contents(contents.part("sum"), kernel, outputs)
        return KernelClassifier(kernel, total, intercepts, named, scheme, treebank, None, information)
