"""Examples of kernel machines: a forest, sparse rows, or a pair of both; and how users may give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kakari.kernels.stored import Contents
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.forest import Forest
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import checked_rows
from kakari.models.treebank import Treebank


class ExampleError(ValueError):
    """Examples that do not fit a kernel or a model; the text says why."""


def count(examples: Any) -> int:
    """Return the number of examples."""
    if isinstance(examples, tuple):
        return count(examples[0])
    return len(examples) if isinstance(examples, Forest) else int(examples.shape[0])


def width(examples: Any) -> int | None:
    """Return the number of columns of vectors; None of trees."""
    if isinstance(examples, tuple):
        return width(examples[1])
    return None if isinstance(examples, Forest) else int(examples.shape[1])


def take(examples: Any, numbers: ArrayLike) -> Any:
    """Return the examples of these numbers, in that order."""
    if isinstance(examples, tuple):
        return tuple(take(part, numbers) for part in examples)
    return examples.take(numbers) if isinstance(examples, Forest) else examples[np.asarray(numbers)]


def join(parts: Sequence[Any]) -> Any:
    """Join examples of one kind."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], tuple):
        return tuple(join(part) for part in zip(*parts, strict=True))
    if isinstance(parts[0], Forest):
        return Forest.concatenate(parts)
    from scipy import sparse  # slow to import, and few commands need it

    return sparse.vstack(parts, format="csr")


class ExampleReader:
    """Converts users' examples into what a kernel takes.

    Trees are a `Forest`, or a sequence of bracket strings, NLTK trees, or sequences of these (several trees an
    example); vectors a sparse matrix or rows of numbers; a combined kernel takes a pair of both. Labels are kept
    in `treebank`, which stays None as long as only forests are given.

    Examples
    --------
    >>> reader = ExampleReader(TreeKernel("stk"))
    >>> reader.read(["(S (NP we) (VP go))"], learn=True), len(reader.treebank.labels)
    (<1 examples, 1 trees, 5 nodes>, 5)
    """

    def __init__(self, kernel: Any, treebank: Treebank | None = None) -> None:
        self.kernel, self.treebank = kernel, treebank
        self._trained = False

    def read(self, examples: Any, *, learn: bool = False) -> Any:
        """Return examples as a forest, as sparse rows, or as a pair of both; new labels are kept if `learn`."""
        if isinstance(self.kernel, TreeKernel):
            return self._trees(examples, learn)
        if not isinstance(self.kernel, CombinedKernel):
            return checked_rows(examples)
        if not isinstance(examples, tuple) or len(examples) != 2:
            raise ExampleError("a combined kernel takes a pair: trees, and a matrix with a row for each example")
        pair = self._trees(examples[0], learn), checked_rows(examples[1])
        if count(pair[0]) != count(pair[1]):
            raise ExampleError(f"{count(pair[0])} examples of trees, but {count(pair[1])} vectors")
        return pair

    def _trees(self, examples: Any, learn: bool) -> Forest:
        if isinstance(examples, Forest):
            self._trained = self._trained or learn
            return examples
        if isinstance(examples, str) or hasattr(examples, "label") or not hasattr(examples, "__iter__"):
            raise ExampleError("a tree kernel takes a sequence of trees (brackets or NLTK trees), or a Forest")
        listed = list(examples)
        if listed and all(isinstance(one, Forest) for one in listed):
            return Forest.concatenate(listed)
        if self.treebank is None:
            if self._trained or not learn:
                raise ExampleError("this model has learnt from a Forest: it has no labels to read trees with")
            self.treebank = Treebank()
        return self.treebank.read(listed, learn=learn)


def example_contents(examples: Any) -> Contents:
    """Return what a file holds of examples.

    Examples
    --------
    >>> from scipy import sparse
    >>> sorted(example_contents(sparse.csr_array([[1.0, 0.0]])).part("rows").arrays)
    ['columns', 'starts', 'values']
    """
    if isinstance(examples, tuple):
        return Contents.joined({**example_contents(examples[0]).parts, **example_contents(examples[1]).parts})
    if isinstance(examples, Forest):
        return Contents.joined({"forest": examples.contents()})
    arrays = {
        "values": np.asarray(examples.data, dtype=np.float64),
        "columns": examples.indices.astype(np.int32),
        "starts": examples.indptr.astype(np.int64),
    }
    return Contents.joined({"rows": Contents(arrays, {"width": int(examples.shape[1])})})


def examples_from_contents(contents: Contents, kernel: Any) -> Any:
    """Rebuild examples from their contents, as a kernel takes them."""
    parts: list[Any] = []
    if isinstance(kernel, (TreeKernel, CombinedKernel)):
        parts.append(Forest.from_contents(contents.part("forest")))
    if not isinstance(kernel, TreeKernel):
        parts.append(rows_from_contents(contents.part("rows")))
    if len(parts) == 1:
        return parts[0]
    if count(parts[0]) != count(parts[1]):
        raise contents.refuse(f"there are {count(parts[0])} examples of trees, but {count(parts[1])} vectors")
    return parts[0], parts[1]


def rows_from_contents(contents: Contents) -> Any:
    """Rebuild sparse rows; SciPy believes what it is given, so all of it is checked here."""
    from scipy import sparse

    width = contents.integer("width", 0)
    columns = contents.array("columns", np.int32, minimum=0, below=width)
    values = contents.array("values", np.float64, shape=columns.shape)
    starts = contents.offsets("starts", columns.size)
    held = values.copy(), columns.copy(), starts.copy()
    return checked_rows(sparse.csr_array(held, shape=(starts.size - 1, width)))
