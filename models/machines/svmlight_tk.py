"""Conversion of SVM-light's and SVM-Light-TK's kernel options and models to kakari's, and back; no files here.

    -t 0..3  linear, polynomial (-s -r -d), rbf (-g), sigmoid (-s -r) over vectors
    -t 5     -C T trees only, -C V vectors only, -C + both added (trees times -T), -C * both multiplied
    -F       0 ST, 1 STK, 2 SST-bow, 3 PTK (older versions: -D 0 ST, 1 STK)    -L λ    -M μ
    -S       the kernel of vectors, as -t     -N  1 trees, 2 vectors, 3 both are normalised
    -W       S first tree with first, …; A every tree with every tree
    -t 11    re-ranking: each example is a pair of trees, compared as -t 5 -C T compares trees
    -z       c a support vector machine, o an online learner, whose name -A has; -c C, -j cost factor

PTK has child subsequences of at most 5 there, so it has `max_children=5` here. A model's value is Σ alpha·y k − b.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.trees.combined_kernel import CombinedKernel, PreferenceKernel
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.examples import ExampleReader, count, join
from kakari.models.machines.kernel_classifier import KernelClassifier, Support
from kakari.models.machines.learners import LEARNERS, LearnerOptions
from kakari.models.machines.online_machines import algorithm_named
from kakari.models.machines.votes import VoteSum
from kakari.models.treebank import Treebank

TREE_KINDS = ("st", "stk", "sst-bow", "ptk")
VECTOR_KINDS = ("linear", "polynomial", "rbf", "sigmoid")
LONGEST_SEQUENCE = 5
LEARNING = ("-z", "-A", "-c", "-j")  # options of SVM-Light-TK that are not of the kernel
WIDTH = 2**31 - 1  # columns of vectors: any feature number has its place
DEFAULTS = {
    "t": "0", "d": "3", "g": "1", "s": "1", "r": "1", "L": "0.4", "T": "1", "C": "T", "F": "1",
    "S": "1", "M": "0.4", "N": "3", "V": "S", "W": "S", "U": "0",
}  # fmt: skip
Vector = tuple[Sequence[int], Sequence[float]]


class SvmLightError(ValueError):
    """Options or examples that only one of SVM-Light-TK and kakari has; the text says which."""


@dataclass(frozen=True)
class SvmLightMachine:
    """One binary machine as SVM-Light-TK stores it: options by letter, b, and support vectors with alpha·y."""

    options: Mapping[str, str]
    threshold: float
    coefficients: NDArray[np.float64]
    trees: Sequence[Sequence[str]]
    vectors: Sequence[Sequence[Vector]]
    votes: tuple[int, ...] = ()  # of a voted perceptron: how long the model lasted that each support vector made


def options_of(arguments: str) -> dict[str, str]:
    """Read kernel options as they are given on SVM-Light-TK's command line.

    Examples
    --------
    >>> options_of("-t 5 -C + -S 0")
    {'t': '5', 'C': '+', 'S': '0'}
    """
    words = shlex.split(arguments)
    options: dict[str, str] = {}
    for name, value in zip(words[::2], [*words[1::2], ""], strict=False):
        letter = name.removeprefix("-")
        if not name.startswith("-") or letter not in {*DEFAULTS, "D", "u"}:
            raise SvmLightError(f"{name!r} is no kernel option of SVM-Light-TK")
        if not value:
            raise SvmLightError(f"the option {name} has no value")
        options[letter] = value
    return options


def kernel_of(options: Mapping[str, str] | str) -> Any:
    """Return the kernel that the options describe.

    Examples
    --------
    >>> kernel_of("-t 5 -L 0.3")
    TreeKernel('stk', decay=0.3, mu=0.4, max_children=None, normalize=True, pairing='sequence')
    >>> kernel_of("-t 12")
    Traceback (most recent call last):
    ...
    kakari...SvmLightError: there is no counterpart of kernel type -t 12 (re-ranking of vectors, or user-defined)
    """
    given = options_of(options) if isinstance(options, str) else dict(options)
    full = {**DEFAULTS, **given}
    kind = _whole(full, "t")
    if 0 <= kind < len(VECTOR_KINDS):
        return _vector_kernel(full, kind, normalize=False)
    if kind not in (5, 11):
        raise SvmLightError(
            f"there is no counterpart of kernel type -t {kind} (re-ranking of vectors, or user-defined)"
        )
    combination, normalization = full["C"], _whole(full, "N")
    if normalization not in (0, 1, 2, 3):
        raise SvmLightError(f"-N is 0, 1, 2 or 3, not {normalization}")
    if kind == 11:
        return PreferenceKernel(_tree_kernel(full, normalize=normalization in (1, 3), older="D" in given))
    if combination == "V":
        return _vector_kernel(full, _whole(full, "S"), normalize=normalization >= 2)
    tree = _tree_kernel(full, normalize=normalization in (1, 3), older="D" in given)
    if combination == "T":
        return tree
    if combination not in ("+", "*"):
        raise SvmLightError(f"-C is T, V, + or *, not {combination}")
    vector = _vector_kernel(full, _whole(full, "S"), normalize=normalization >= 2)
    weight = _number(full, "T") if combination == "+" else 1.0  # a product ignores -T there
    return CombinedKernel(tree, vector, operation=combination, tree_weight=weight)


def learner_of(arguments: str) -> tuple[Any, LearnerOptions]:
    """Return kernel and learner of a command line of SVM-Light-TK: `-z o -A pai` is an online learner.

    Examples
    --------
    >>> kernel, learner = learner_of("-t 5 -L 0.3 -z o -A pai -c 0.5")
    >>> kernel.decay, learner.learner, learner.cost, learner.keep_support
    (0.3, 'pa-1', 0.5, True)
    >>> learner_of("-t 5")[1].learner
    'svm'
    """
    words = shlex.split(arguments)
    found = dict(zip(words[::2], [*words[1::2], ""], strict=False))
    own = {name: found.pop(name) for name in LEARNING if name in found}
    kernel = kernel_of(options_of(" ".join(f"{name} {shlex.quote(value)}" for name, value in found.items())))
    mode = own.get("-z", "c")
    if mode not in ("c", "o"):
        raise SvmLightError(f"there is no counterpart of -z {mode}: only c (classification) and o (online)")
    if (mode == "o") != ("-A" in own):
        raise SvmLightError("-z o and -A go together: -z o -A perceptron")
    name = algorithm_named(own.get("-A", "svm"))
    if name not in LEARNERS or (mode == "o" and name in ("svm", "sdag")):
        raise SvmLightError(f"there is no online learner -A {own['-A']}: take one of {', '.join(LEARNERS[2:])}")
    cost, factor = (_number({"x": own.get(letter, "1")}, "x") for letter in ("-c", "-j"))
    if min(cost, factor) <= 0:
        raise SvmLightError("-c and -j are above 0")
    return kernel, LearnerOptions(name, cost, factor, keep_support=mode == "o")


def _tree_kernel(options: Mapping[str, str], *, normalize: bool, older: bool) -> TreeKernel:
    if _whole(options, "U") != 0:
        raise SvmLightError("there is no counterpart of -U: parameters for each tree from a file")
    if options["W"] not in ("S", "A"):
        raise SvmLightError(f"there is no counterpart of -W {options['W']}: only S and A")
    kind = _whole(options, "D") if older else _whole(options, "F")
    if not 0 <= kind < len(TREE_KINDS):
        raise SvmLightError(f"there is no counterpart of the tree kernel -F {kind}: only 0, 1, 2 and 3")
    return TreeKernel(
        TREE_KINDS[kind],
        decay=_number(options, "L"),
        mu=_number(options, "M"),
        max_children=LONGEST_SEQUENCE if TREE_KINDS[kind] == "ptk" else None,
        normalize=normalize,
        pairing="sequence" if options["W"] == "S" else "all",
    )


def _vector_kernel(options: Mapping[str, str], kind: int, *, normalize: bool) -> VectorKernel:
    if not 0 <= kind < len(VECTOR_KINDS):
        raise SvmLightError(f"there is no counterpart of the vector kernel {kind}: only 0, 1, 2 and 3")
    name = VECTOR_KINDS[kind]
    gamma = _number(options, "g" if name == "rbf" else "s")
    if name == "linear":
        return VectorKernel("linear", normalize=normalize)
    degree = _whole(options, "d")
    return VectorKernel(name, degree=degree, gamma=gamma, constant=_number(options, "r"), normalize=normalize)


def options_of_kernel(kernel: Any) -> dict[str, str]:
    """Return the options that describe a kernel.

    Examples
    --------
    >>> kernel = CombinedKernel(TreeKernel("st"), VectorKernel("rbf", gamma=2.0, normalize=True), tree_weight=0.5)
    >>> kernel_of(options_of_kernel(kernel)) == kernel
    True
    """
    if isinstance(kernel, VectorKernel):
        if not kernel.normalize:
            return _vector_options(kernel, "t")
        return {"t": "5", "C": "V", "N": "2", **_vector_options(kernel, "S")}
    if isinstance(kernel, TreeKernel):
        return {"t": "5", "C": "T", "N": "1" if kernel.normalize else "0", **_tree_options(kernel)}
    if isinstance(kernel, PreferenceKernel):
        return {**options_of_kernel(kernel.kernel), "t": "11"}
    if not isinstance(kernel, CombinedKernel):
        raise SvmLightError(f"SVM-Light-TK has no such kernel: {kernel!r}")
    if kernel.operation == "*" and kernel.tree_weight != 1.0:
        raise SvmLightError("SVM-Light-TK has no weight (tree_weight) in a product of kernels")
    return {
        "t": "5",
        "C": kernel.operation,
        "T": repr(kernel.tree_weight),
        "N": str(int(kernel.tree.normalize) + 2 * int(kernel.vector.normalize)),
        **_tree_options(kernel.tree),
        **_vector_options(kernel.vector, "S"),
    }


def _tree_options(kernel: TreeKernel) -> dict[str, str]:
    kind = "stk" if kernel.kind == "sst" else kernel.kind
    if kind == "ptk" and kernel.max_children != LONGEST_SEQUENCE:
        raise SvmLightError(
            f"SVM-Light-TK counts child subsequences of at most {LONGEST_SEQUENCE}: train with max_children=5"
        )
    options = {"F": str(TREE_KINDS.index(kind)), "L": repr(kernel.decay), "W": kernel.pairing[0].upper()}
    return {**options, "M": repr(kernel.mu)} if kind == "ptk" else options


def _vector_options(kernel: VectorKernel, letter: str) -> dict[str, str]:
    options = {letter: str(VECTOR_KINDS.index(kernel.kind))}
    if kernel.kind == "rbf":
        options["g"] = repr(kernel.gamma)
    elif kernel.kind != "linear":
        options |= {"s": repr(kernel.gamma), "r": repr(kernel.constant), "d": str(kernel.degree)}
    return options


def examples_of(kernel: Any, trees: Sequence[Sequence[str]], vectors: Sequence[Sequence[Vector]]) -> Any:
    """Return trees and vectors as the kernel takes them: brackets, sparse rows, or a pair of both.

    Examples
    --------
    >>> examples_of(VectorKernel("linear"), [[]], [[([3], [1.0])]]).shape
    (1, 2147483647)
    """
    if kernel.takes == "trees":
        return trees
    several = next((number for number, one in enumerate(vectors) if len(one) > 1), None)
    if several is not None:
        raise SvmLightError(f"example {several} has {len(vectors[several])} vectors: we have one for each example")
    ids = [np.asarray(one[0][0] if one else [], dtype=np.int64) for one in vectors]
    values = [np.asarray(one[0][1] if one else [], dtype=np.float64) for one in vectors]
    starts = np.cumsum([0, *(one.size for one in ids)])
    flat = np.concatenate([np.zeros(0, dtype=np.int64), *ids])
    from scipy import sparse  # slow to import, and few commands need it

    rows = sparse.csr_array((np.concatenate([np.zeros(0), *values]), flat, starts), shape=(len(vectors), WIDTH))
    return (trees, rows) if isinstance(kernel, CombinedKernel) else rows


def to_classifier(machines: Sequence[SvmLightMachine], classes: ArrayLike) -> KernelClassifier:
    """Make a classifier of one machine (two classes, the second positive) or of one for each class.

    Examples
    --------
    >>> machine = SvmLightMachine({"t": "5"}, 0.5, np.array([1.0, -1.0]), [["(A a)"], ["(B b)"]], [[], []])
    >>> to_classifier([machine], [-1, 1]).decision_function(["(A a)", "(C c)"]).tolist()
    [0.5, -0.5]
    """
    names = np.asarray(classes)
    if len(machines) != (1 if names.size == 2 else names.size):
        raise SvmLightError(f"{len(machines)} machines do not fit {names.size} classes: one for two, else one a class")
    kernel = kernel_of(machines[0].options)
    for machine in machines[1:]:
        if kernel_of(machine.options) != kernel:
            raise SvmLightError("the machines have different kernels")
    reader = ExampleReader(kernel, None if isinstance(kernel, VectorKernel) else Treebank())
    parts = [reader.read(examples_of(kernel, machine.trees, machine.vectors), learn=True) for machine in machines]
    sizes = [count(part) for part in parts]
    coefficients = np.zeros((sum(sizes), len(machines)))
    for column, (machine, start) in enumerate(zip(machines, np.cumsum([0, *sizes]), strict=False)):
        coefficients[start : start + sizes[column], column] = machine.coefficients
    thresholds = np.array([machine.threshold for machine in machines])
    if any(machine.votes for machine in machines):
        voted = votes_of(machines, kernel, parts)
        return KernelClassifier(kernel, voted, -thresholds, names, "ovr", reader.treebank)
    support = Support(join(parts), coefficients)
    return KernelClassifier.from_support(kernel, support, -thresholds, names, "ovr", reader.treebank)


def votes_of(machines: Sequence[SvmLightMachine], kernel: Any, parts: Sequence[Any]) -> VoteSum:
    """Return the votes of voted perceptrons, whose support vectors stand in the order in which they were added."""
    votes = VoteSum(kernel, len(machines))
    for place, (machine, examples) in enumerate(zip(machines, parts, strict=True)):
        if len(machine.votes) != count(examples):
            raise SvmLightError(f"there are {len(machine.votes)} votes for {count(examples)} support vectors")
        ends = np.cumsum(np.array(machine.votes, dtype=np.float64))
        votes.add(place, examples, np.asarray(machine.coefficients), np.concatenate([[0.0], ends[:-1]]))
        votes.clocks[place] = ends[-1] if ends.size else 0.0
    return votes


def from_classifier(classifier: KernelClassifier, machine: int = 0) -> SvmLightMachine:
    """Return one binary machine of a classifier as SVM-Light-TK stores it."""
    if not 0 <= machine < classifier.intercepts.size:
        raise SvmLightError(f"there is no machine {machine}")
    votes: tuple[int, ...] = ()
    kernel = classifier.kernel
    if isinstance(classifier.sum, VoteSum):
        examples, own, survived = classifier.sum.of_machine(machine)
        rows = np.arange(own.size)
        votes = tuple(int(steps) for steps in survived)
    elif classifier.support is None:
        raise SvmLightError(
            "only machines with support vectors can be written: train KernelSVC, or an online learner that keeps them"
            " (keep_support=True, --keep-support)"
        )
    else:
        own = classifier.support.coefficients[:, machine]
        rows = np.flatnonzero(own)
        examples = classifier.support.examples
    forest, vectors = examples if isinstance(examples, tuple) else (examples, examples)
    trees: list[list[str]] = [[] for _ in rows]
    if not isinstance(kernel, VectorKernel):
        if classifier.treebank is None:
            raise SvmLightError("a model that has learnt from a Forest has no labels to write trees with")
        trees = classifier.treebank.write(forest.take(rows))
    listed: list[list[Vector]] = [[] for _ in rows]
    if kernel.takes != "trees":
        listed = [[_row(vectors, row)] for row in rows.tolist()]
    options = options_of_kernel(kernel)
    return SvmLightMachine(options, -float(classifier.intercepts[machine]), own[rows], trees, listed, votes)


def _row(vectors: Any, row: int) -> Vector:
    start, end = vectors.indptr[row], vectors.indptr[row + 1]
    ids = vectors.indices[start:end]
    if ids.size and ids.min() < 1:
        raise SvmLightError("SVM-light numbers features from 1: shift the columns by one before training")
    return ids.tolist(), vectors.data[start:end].tolist()


def _number(options: Mapping[str, str], letter: str) -> float:
    try:
        return float(options[letter])
    except ValueError:
        raise SvmLightError(f"-{letter} is a number, not {options[letter]!r}") from None


def _whole(options: Mapping[str, str], letter: str) -> int:
    value = _number(options, letter)
    if not value.is_integer():  # nor is an infinite one
        raise SvmLightError(f"-{letter} is a whole number, not {options[letter]!r}")
    return int(value)
