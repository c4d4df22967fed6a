"""Examples of kernel machines: a forest, sparse rows, or a pair of both; and the forms in which users pass them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.forest import Forest
from kakari.kernels.trees.given_kernel import GramRows, as_kernel, size
from kakari.kernels.trees.vector_kernel import checked_rows
from kakari.models.treebank import Treebank


class ExampleError(ValueError):
    """Examples that do not fit a kernel or a model; the text says why."""


class TreesAndVectors:
    """Examples of trees and vectors together, for kernels over both: scikit-learn divides and shuffles them as one.

    Parameters
    ----------
    trees
        A `Forest`, or a sequence of bracket strings or NLTK trees.
    vectors
        A sparse matrix or rows of numbers, one for each example.

    Examples
    --------
    >>> from sklearn.model_selection import cross_val_score
    >>> from kakari import KernelSVC, TreeKernel, VectorKernel
    >>> trees = ["(S (N dogs) (V bark))", "(Q (W who))"] * 4
    >>> both = TreesAndVectors(trees, [[0.0, 1.0], [1.0, 0.0]] * 4)
    >>> both[[1, 0]].trees, len(both)
    (['(Q (W who))', '(S (N dogs) (V bark))'], 8)
    >>> machine = KernelSVC(TreeKernel("stk") + VectorKernel("linear"))
    >>> cross_val_score(machine, both, ["told", "asked"] * 4, cv=2).tolist()
    [1.0, 1.0]
    """

    def __init__(self, trees: Any, vectors: Any) -> None:
        self.trees = trees if isinstance(trees, Forest) else list(trees)
        self.vectors = vectors.tocsr() if hasattr(vectors, "tocsr") else np.asarray(vectors)
        if len(self.trees) != self.vectors.shape[0]:
            raise ExampleError(f"{len(self.trees)} examples of trees, but {self.vectors.shape[0]} vectors")
        self.shape = (len(self.trees),)

    def __len__(self) -> int:
        return len(self.trees)

    def __getitem__(self, index: Any) -> TreesAndVectors:
        """Return the examples of a slice, of numbers or of a mask."""
        if isinstance(index, tuple):  # scikit-learn asks arrays for [rows, ...]
            index = index[0]
        numbers = np.atleast_1d(np.arange(len(self))[index])
        trees = self.trees.take(numbers) if isinstance(self.trees, Forest) else [self.trees[i] for i in numbers]
        return TreesAndVectors(trees, self.vectors[numbers])

    def __repr__(self) -> str:
        return f"<{len(self)} examples of trees and {self.vectors.shape[1]} columns>"


def count(examples: Any) -> int:
    """Return the number of examples."""
    return count(examples[0]) if isinstance(examples, tuple) else size(examples)


def width(examples: Any) -> int | None:
    """Return the number of columns of vectors; None for trees."""
    if isinstance(examples, tuple):
        return width(examples[1])
    return int(examples.shape[1]) if len(getattr(examples, "shape", ())) > 1 else None


def take(examples: Any, numbers: ArrayLike) -> Any:
    """Return the examples of these numbers, in that order."""
    if isinstance(examples, tuple):
        return tuple(take(part, numbers) for part in examples)
    if isinstance(examples, Forest):
        return examples.take(numbers)
    wanted = np.asarray(numbers)
    return examples[wanted] if hasattr(examples, "shape") else [examples[i] for i in wanted.tolist()]


def kept(examples: Any, numbers: ArrayLike) -> Any:
    """Return these examples as a model keeps them: of a matrix of kernel values, only the columns."""
    return examples.names(numbers) if isinstance(examples, GramRows) else take(examples, numbers)


def join(parts: Sequence[Any]) -> Any:
    """Join examples of one kind."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], tuple):
        return tuple(join(part) for part in zip(*parts, strict=True))
    if isinstance(parts[0], (Forest, GramRows)):
        return type(parts[0]).concatenate(parts)
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    if not hasattr(parts[0], "shape"):
        return [one for part in parts for one in part]
    from scipy import sparse  # slow to import, and few commands need it

    return sparse.vstack(parts, format="csr")


class ExampleReader:
    """Converts users' examples into what a kernel takes.

    Trees are a `Forest`, or a sequence of bracket strings, NLTK trees, or sequences of these (several trees an
    example); vectors a sparse matrix or rows of numbers; a kernel over both takes `TreesAndVectors` or a pair of both.
    What a user-defined kernel takes is left as it is. Labels are kept in `treebank`, which stays None as long as only
    forests are given.

    Examples
    --------
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> reader = ExampleReader(TreeKernel("stk"))
    >>> reader.read(["(S (NP we) (VP go))"], learn=True), len(reader.treebank.labels)
    (<1 examples, 1 trees, 5 nodes>, 5)
    """

    def __init__(self, kernel: Any, treebank: Treebank | None = None) -> None:
        self.kernel, self.treebank = kernel, treebank
        self._trained = False

    def read(self, examples: Any, *, learn: bool = False) -> Any:
        """Return examples as a forest, as sparse rows, or as a pair of both; new labels are kept if `learn`."""
        if self.kernel.takes == "trees":
            return self._trees(examples, learn)
        if self.kernel.takes == "vectors":
            return checked_rows(examples)
        if self.kernel.takes == "kernel values":
            return kernel_values(examples, learn)
        if self.kernel.takes == "anything":
            return as_given(examples)
        if isinstance(examples, TreesAndVectors):
            examples = examples.trees, examples.vectors
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


def kernel_values(given: Any, learn: bool) -> GramRows:
    """Return a matrix of kernel values as examples; those to learn from have a column each."""
    if isinstance(given, GramRows):
        return given
    values = np.asarray(given, dtype=np.float64)
    if values.ndim != 2 or (learn and values.shape[0] != values.shape[1]):
        wanted = "a square matrix, the kernel of each example with each" if learn else "a matrix"
        raise ExampleError(f"a precomputed kernel is {wanted}, not of the shape {values.shape}")
    return GramRows(values, np.arange(values.shape[0]) if learn else None)


def as_given(examples: Any) -> Any:
    """Return examples of a user-defined kernel: arrays and sparse rows as they are, anything else as a list."""
    if hasattr(examples, "tocsr"):
        return examples.tocsr()
    return examples if isinstance(examples, (np.ndarray, Forest)) else list(examples)


def example_contents(examples: Any) -> Contents:
    """Return the saved form of examples.

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
    if isinstance(examples, GramRows):
        if examples.columns is None:
            raise ExampleError("kernel values without columns cannot be stored")
        columns = Contents({"numbers": examples.columns}, {"width": int(examples.shape[1])})
        return Contents.joined({"columns": columns})
    if not hasattr(examples, "indptr"):
        raise ExampleError("examples of a user-defined kernel cannot be stored")
    arrays = {
        "values": np.asarray(examples.data, dtype=np.float64),
        "columns": examples.indices.astype(np.int32),
        "starts": examples.indptr.astype(np.int64),
    }
    return Contents.joined({"rows": Contents(arrays, {"width": int(examples.shape[1])})})


def examples_from_contents(contents: Contents, kernel: Any) -> Any:
    """Rebuild examples from their contents, as a kernel takes them."""
    parts: list[Any] = []
    if kernel.takes == "kernel values":
        own = contents.part("columns")
        wide = own.integer("width", 0)
        columns = own.array("numbers", np.int64, minimum=0, below=wide)
        return GramRows.of_columns(columns, wide)
    if kernel.takes in ("trees", "pairs"):
        parts.append(Forest.from_contents(contents.part("forest")))
    if kernel.takes in ("vectors", "pairs"):
        parts.append(rows_from_contents(contents.part("rows")))
    if len(parts) == 1:
        return parts[0]
    if count(parts[0]) != count(parts[1]):
        raise contents.refuse(f"there are {count(parts[0])} examples of trees, but {count(parts[1])} vectors")
    return parts[0], parts[1]


def rows_from_contents(contents: Contents) -> Any:
    """Rebuild sparse rows; SciPy does not check them, so everything is checked here."""
    from scipy import sparse

    width = contents.integer("width", 0)
    columns = contents.array("columns", np.int32, minimum=0, below=width)
    values = contents.array("values", np.float64, shape=columns.shape)
    starts = contents.offsets("starts", columns.size)
    held = values.copy(), columns.copy(), starts.copy()
    return checked_rows(sparse.csr_array(held, shape=(starts.size - 1, width)))


def gram(kernel: Any, a: Any, b: Any = None, *, threads: int = 1) -> NDArray[np.float64]:
    """Return the kernel of every example of `a` with every example of `b` (of `a` itself without it).

    Parameters
    ----------
    kernel : TreeKernel, VectorKernel, a sum of these, or an object with `gram` and `diagonal`
    a, b
        Trees (bracket strings, `nltk.Tree`, a `Forest`), rows of numbers, or `TreesAndVectors`. Labels of `a` and `b`
        are shared by name; forests must come from one `Treebank`.

    Examples
    --------
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> gram(TreeKernel("stk"), ["(S (N dogs))"], ["(S (N dogs))", "(S (N cats))"]).round(2).tolist()
    [[1.0, 0.42]]
    """
    own = as_kernel(kernel)
    reader = ExampleReader(own)
    ours = reader.read(a, learn=True)
    values: NDArray[np.float64] = own.gram(ours, None if b is None else reader.read(b, learn=True), threads=threads)
    return values
