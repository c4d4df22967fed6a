"""A finished kernel machine: what tree and vector learners leave behind, for prediction, saving and loading.

One weighted sum of kernels has an output for each binary machine, so that all classes share one pass. A machine with
its support set (a batch SVM) keeps it: that is what is saved, and what other programs can take over.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.files import ModelFileError, named, read_model, write_model
from kakari.models.machines.examples import ExampleReader, count, example_arrays, examples_from_arrays
from kakari.models.machines.supports import KernelSum, checked_weights
from kakari.models.machines.votes import VoteSum
from kakari.models.treebank import Treebank
from kakari.models.vocabulary import Vocabulary, VocabularyError
from kakari.models.voting import decide, machines_needed, multiclass_margins

TASK = "kernel-classify"
SCHEMES = ("ovr", "ovo")
KERNELS: dict[str, Any] = {"tree": TreeKernel, "vector": VectorKernel, "combined": CombinedKernel}


@dataclass
class Support:
    """Support examples, and their signed coefficients: one row an example, one column a machine."""

    examples: Any
    coefficients: NDArray[np.float64]


@dataclass
class KernelClassifier:
    """Binary machines over one kernel: one for two classes, one a class ("ovr") or one a pair ("ovo").

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from kakari.models.machines.svm import KernelSVC
    >>> trees = ["(S (N dogs) (V bark))", "(S (N cats) (V purr))", "(Q (W who))", "(Q (W what))"]
    >>> svc = KernelSVC(TreeKernel("stk"), C=10).fit(trees, ["told", "told", "asked", "asked"])
    >>> path = pathlib.Path(tempfile.mkdtemp(), "model.safetensors")
    >>> svc.finished().save(path)
    >>> KernelClassifier.load(path).predict(["(Q (W where))", "(S (N birds) (V sing))"]).tolist()
    ['asked', 'told']
    """

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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file."""
        write_model(path, TASK, *self.to_parts())

    def to_parts(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return the state as flat arrays, by name, and as metadata that JSON can hold."""
        arrays: dict[str, NDArray[Any]] = {"intercepts": self.intercepts}
        if self.support is not None:
            own = {"coefficients": self.support.coefficients, **example_arrays(self.support.examples)}
            arrays |= {f"support.{name}": array for name, array in own.items()}
        else:
            arrays |= {f"sum.{name}": array for name, array in self.sum.to_arrays().items()}
        if self.treebank is not None:
            words = self.treebank.labels.to_arrays()
            arrays |= {f"labels.{name}": array for name, array in words.items()}
        metadata = {
            "classes": self.classes.tolist(),
            "scheme": self.scheme,
            "kernel": kernel_settings(self.kernel),
            "outputs": self.sum.outputs,
            "votes": isinstance(self.sum, VoteSum),
            "information": self.information,
        }
        return arrays, metadata

    @staticmethod
    def from_parts(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, Any]) -> KernelClassifier:
        """Rebuild what `to_parts` gave; what does not fit is a `KeyError`, `TypeError` or `ValueError`."""
        return _assembled(arrays, metadata)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> KernelClassifier:
        """Read a model file."""
        arrays, metadata = read_model(path, TASK)
        try:
            return KernelClassifier.from_parts(arrays, metadata)
        except (KeyError, TypeError) as error:
            raise ModelFileError(os.fspath(path), f"the model lacks {error}") from None
        except (ValueError, VocabularyError) as error:
            raise ModelFileError(os.fspath(path), f"the model is damaged: {error}") from None


def kernel_settings(kernel: Any) -> dict[str, Any]:
    """Return a kernel as numbers and names, which JSON can hold.

    Examples
    --------
    >>> kernel_from_settings(kernel_settings(TreeKernel("ptk", mu=0.5))) == TreeKernel("ptk", mu=0.5)
    True
    """
    for name, kind in KERNELS.items():
        if isinstance(kernel, kind):
            options = kernel.get_params(deep=False)
            nested = {key: kernel_settings(part) for key, part in options.items() if hasattr(part, "get_params")}
            return {"type": name, **options, **nested}
    raise TypeError(f"there is no kernel of the type {type(kernel).__name__}")


def kernel_from_settings(settings: Mapping[str, Any]) -> Any:
    """Rebuild a kernel from its settings."""
    options = {key: kernel_from_settings(part) if isinstance(part, dict) else part for key, part in settings.items()}
    kind = options.pop("type")
    if kind not in KERNELS:
        raise ValueError(f"there is no kernel of the type {kind!r}")
    return KERNELS[kind](**options)


def _assembled(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, Any]) -> KernelClassifier:
    kernel, outputs = kernel_from_settings(metadata["kernel"]), int(metadata["outputs"])
    classes, scheme = np.array(metadata["classes"]), str(metadata["scheme"])
    if scheme not in SCHEMES or machines_needed(classes.size, scheme) != outputs:
        raise ValueError(f"{outputs} machines do not fit {classes.size} classes under the scheme {scheme!r}")
    intercepts = checked_weights(arrays["intercepts"][None, :], 1, outputs)[0]
    words = named(arrays, "labels.")
    treebank = Treebank(Vocabulary.from_arrays(**words)) if words else None
    information = dict(metadata["information"])
    own = named(arrays, "support.")
    if own:
        examples = examples_from_arrays(own)
        coefficients = checked_weights(own["coefficients"], count(examples), outputs)
        support = Support(examples, coefficients)
        return KernelClassifier.from_support(kernel, support, intercepts, classes, scheme, treebank, information)
    kind = VoteSum if metadata["votes"] else KernelSum
    total = kind.from_arrays(kernel, outputs, named(arrays, "sum."))
    return KernelClassifier(kernel, total, intercepts, classes, scheme, treebank, None, information)
