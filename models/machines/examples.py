"""Examples of kernel machines: a forest, sparse rows, or a pair of both; and how users may give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    """Turns what users give into what a kernel takes.

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


def example_arrays(examples: Any) -> dict[str, NDArray[Any]]:
    """Return examples as flat arrays, by name.

    Examples
    --------
    >>> from scipy import sparse
    >>> sorted(example_arrays(sparse.csr_array([[1.0, 0.0]])))
    ['rows.columns', 'rows.shape', 'rows.starts', 'rows.values']
    """
    if isinstance(examples, tuple):
        return {**example_arrays(examples[0]), **example_arrays(examples[1])}
    if isinstance(examples, Forest):
        return {f"forest.{name}": array for name, array in examples.to_arrays().items()}
    return {
        "rows.values": examples.data,
        "rows.columns": examples.indices.astype(np.int32),
        "rows.starts": examples.indptr.astype(np.int64),
        "rows.shape": np.array(examples.shape, dtype=np.int64),
    }


def examples_from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Rebuild what `example_arrays` gave."""
    parts: list[Any] = []
    if "forest.labels" in arrays:
        parts.append(
            Forest.from_arrays(
                **{name: arrays[f"forest.{name}"] for name in ("labels", "arities", "trees", "examples")}
            )
        )
    if "rows.values" in arrays:
        from scipy import sparse

        held = tuple(np.array(arrays[f"rows.{name}"]) for name in ("values", "columns", "starts"))
        rows, columns = (int(number) for number in arrays["rows.shape"])
        parts.append(checked_rows(sparse.csr_array(held, shape=(rows, columns))))
    if not parts:
        raise ExampleError("there are no examples among these arrays")
    return parts[0] if len(parts) == 1 else (parts[0], parts[1])
