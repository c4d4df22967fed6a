"""How similar two labels are: a matrix over names, vectors of words, or a function; for the smoothed tree kernel.

Names are what labels stand for, and nothing but keys here. Equal names have the similarity 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.stored import Contents
from kakari.kernels.trees.parameters import KernelError

REMEMBERED = 2**18  # pairs of names of which a function's values are kept
BLOCK = 2**22  # cosines worked out at a time
Name = Hashable
Pairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]  # rows, columns, values


class Similarity:
    """Similarity of names; a subclass has `pairs`.

    Examples
    --------
    >>> same = Similarity()
    >>> [one.tolist() for one in same.between(["a", "b"], ["b", "c", "a"], 0.01)]
    [[0, 1, 2], [2, 0], [1.0, 1.0]]
    """

    def pairs(self, rows: Sequence[Name], columns: Sequence[Name], threshold: float) -> Pairs:
        """Return pairs of different names whose similarity is at least the threshold; pairs of equal ones may occur."""
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing, np.zeros(0)

    def between(
        self, rows: Sequence[Name], columns: Sequence[Name], threshold: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Return sparse rows of the similarities: where each row begins, its columns in ascending order, values."""
        known = {name: place for place, name in enumerate(columns)}
        same = [(row, known[name]) for row, name in enumerate(rows) if name in known]
        equal = np.array(same, dtype=np.int64).reshape(-1, 2)
        first, second, values = self.pairs(rows, columns, threshold)
        if values.size and not (np.isfinite(values).all() and values.min() >= 0):
            raise KernelError("a similarity is a finite number of at least 0")
        identical = np.zeros(values.size, dtype=bool)
        if values.size and equal.size:
            twin = np.full(len(rows), -1, dtype=np.int64)
            twin[equal[:, 0]] = equal[:, 1]
            identical = twin[first] == second
        kept = ~identical & (values >= threshold) & (values > 0)
        first = np.concatenate([equal[:, 0], first[kept]])
        second = np.concatenate([equal[:, 1], second[kept]])
        values = np.concatenate([np.ones(len(equal)), values[kept]])
        order = np.lexsort((second, first))
        starts = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=len(rows)))]).astype(np.int64)
        return starts, second[order].astype(np.int32), values[order]

    def contents(self) -> Contents:
        """Return what a file holds of the similarity."""
        raise KernelError("a similarity that is a function cannot be saved: take MatrixSimilarity or WordVectors")

    def __deepcopy__(self, memo: Any) -> Similarity:
        return self  # it never changes, and clones of a kernel share it


class MatrixSimilarity(Similarity):
    """A symmetric matrix of similarities between names; names that it lacks are similar to themselves alone.

    Parameters
    ----------
    names : sequence of str
        Labels of nodes; whole numbers if trees have no names, as those of `Forest.from_arrays`.
    values : array, as many rows and columns as there are names

    Examples
    --------
    >>> from kakari import SmoothedTreeKernel, gram
    >>> likeness = MatrixSimilarity(["dogs", "cats"], [[1.0, 0.5], [0.5, 1.0]])
    >>> kernel = SmoothedTreeKernel(likeness, normalize=False)
    >>> gram(kernel, ["(N dogs)"], ["(N dogs)", "(N cats)", "(N hope)"]).round(4).tolist()
    [[0.1536, 0.1088, 0.064]]
    """

    def __init__(self, names: Sequence[Name], values: ArrayLike) -> None:
        self.names, self.values = list(names), np.array(values, dtype=np.float64)
        if self.values.shape != (len(self.names), len(self.names)):
            raise KernelError(f"{len(self.names)} names, but similarities of the shape {self.values.shape}")
        if len(set(self.names)) < len(self.names):
            raise KernelError("a name stands twice in the similarities")
        if not np.isfinite(self.values).all() or (self.values < 0).any():
            raise KernelError("similarities are finite numbers of at least 0")
        if not np.array_equal(self.values, self.values.T):
            raise KernelError("similarities must be symmetric")
        self._places = {name: place for place, name in enumerate(self.names)}

    @staticmethod
    def of(names: Sequence[str], similarity: Callable[[str, str], float]) -> MatrixSimilarity:
        """Return the matrix of a function, which is called once for each pair of names.

        Examples
        --------
        >>> MatrixSimilarity.of(["ab", "abc"], lambda a, b: 1 / (1 + abs(len(a) - len(b)))).values.tolist()
        [[1.0, 0.5], [0.5, 1.0]]
        """
        values = np.eye(len(names))
        for row, name in enumerate(names):
            for column in range(row):
                values[row, column] = values[column, row] = similarity(names[column], name)
        return MatrixSimilarity(names, values)

    def pairs(self, rows: Sequence[Name], columns: Sequence[Name], threshold: float) -> Pairs:
        """Return pairs of names whose similarity is at least the threshold."""
        first, ours = located(rows, self._places)
        second, theirs = located(columns, self._places)
        block = self.values[np.ix_(ours, theirs)]
        own, other = np.nonzero(block >= max(threshold, np.finfo(float).tiny))
        return first[own], second[other], block[own, other]

    def contents(self) -> Contents:
        """Return what a file holds of the similarity."""
        return Contents({"values": self.values}, {"type": "matrix", "names": self.names})

    @staticmethod
    def from_contents(contents: Contents) -> MatrixSimilarity:
        """Rebuild similarities from their `contents()`."""
        names = contents.scalars("names")
        values = contents.array("values", np.float64, shape=(len(names), len(names)))
        return MatrixSimilarity(names, values)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, MatrixSimilarity)
            and self.names == other.names
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"MatrixSimilarity(<{len(self.names)} names>)"


class WordVectors(Similarity):
    """Cosines of word vectors, 0 where they are negative: of spaCy, word2vec, or any that a user has.

    A label is the word itself, or the word and a class behind two colons as in KeLP (`run::v`); words of two different
    classes are not similar. A label without a vector is similar to itself alone.

    Parameters
    ----------
    vectors : mapping from words to vectors, or a sequence of words
    values : array, optional
        If words are given: their vectors, one a row.

    Examples
    --------
    >>> from kakari import SmoothedTreeKernel, gram
    >>> words = WordVectors({"dog": [1.0, 0.0], "cat": [0.8, 0.6], "run": [0.0, 1.0]})
    >>> kernel = SmoothedTreeKernel(words, decay=1.0, mu=1.0, normalize=False)
    >>> gram(kernel, ["(N dog::n)"], ["(N dog::n)", "(N cat::n)", "(N cat::v)"]).round(3).tolist()
    [[3.0, 2.6, 1.0]]
    """

    def __init__(self, vectors: Mapping[str, ArrayLike] | Sequence[str], values: ArrayLike | None = None) -> None:
        if isinstance(vectors, Mapping):
            if values is not None:
                raise KernelError("a mapping holds the vectors already")
            values = np.array(list(vectors.values()), dtype=np.float32)
        self.words = list(vectors)
        rows = np.array(values if self.words else np.zeros((0, 0)), dtype=np.float32)
        if rows.ndim != 2 or len(rows) != len(self.words):
            raise KernelError(f"{len(self.words)} words, but vectors of the shape {rows.shape}")
        if len(set(self.words)) < len(self.words):
            raise KernelError("a word stands twice among the vectors")
        if not np.isfinite(rows).all():
            raise KernelError("a vector has a value that is not finite")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        self.values = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        self._places = {word: place for place, word in enumerate(self.words)}

    def pairs(self, rows: Sequence[Name], columns: Sequence[Name], threshold: float) -> Pairs:
        """Return pairs of labels whose words have a cosine of at least the threshold."""
        split_rows, split_columns = [word_and_class(name) for name in rows], [word_and_class(name) for name in columns]
        found: list[Pairs] = []
        for kind in sorted({kind for _, kind in split_rows} & {kind for _, kind in split_columns}):
            first, ours = located([w if k == kind else None for w, k in split_rows], self._places)
            second, theirs = located([w if k == kind else None for w, k in split_columns], self._places)
            step = max(1, BLOCK // max(1, theirs.size))
            for start in range(0, ours.size, step):
                part = slice(start, start + step)
                block = (self.values[ours[part]] @ self.values[theirs].T).astype(np.float64)
                own, other = np.nonzero(block >= max(threshold, np.finfo(np.float32).tiny))
                found.append((first[part][own], second[other], np.minimum(block[own, other], 1.0)))
        if not found:
            return super().pairs(rows, columns, threshold)
        joined = [np.concatenate(parts) for parts in zip(*found, strict=True)]
        return joined[0], joined[1], joined[2]

    def contents(self) -> Contents:
        """Return what a file holds of the similarity."""
        return Contents({"values": self.values}, {"type": "vectors", "words": self.words})

    @staticmethod
    def from_contents(contents: Contents) -> WordVectors:
        """Rebuild word vectors from their `contents()`."""
        words = contents.texts("words", distinct=True)
        stored = contents.array("values", np.float32, shape=(len(words), None))
        made = WordVectors(words, stored)
        made.values = stored  # they have length 1 already: the bits stay as they are
        return made

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, WordVectors) and self.words == other.words and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"WordVectors(<{len(self.words)} words>)"


class FunctionSimilarity(Similarity):
    """A user's function of two names, which must be symmetric; its last values are remembered.

    Examples
    --------
    >>> first_letter = FunctionSimilarity(lambda a, b: 0.5 * (a[0] == b[0]))
    >>> first_letter.between(["ab"], ["ac", "b", "ab"], 0.01)[2].tolist()
    [0.5, 1.0]
    """

    def __init__(self, function: Callable[[Any, Any], float]) -> None:
        self.function = function
        self._value = lru_cache(REMEMBERED)(function)

    def pairs(self, rows: Sequence[Name], columns: Sequence[Name], threshold: float) -> Pairs:
        """Return pairs of different names whose similarity is at least the threshold."""
        found = [
            (row, column, float(self._value(*ordered(name, other))))
            for row, name in enumerate(rows)
            for column, other in enumerate(columns)
            if name != other
        ]
        kept = [one for one in found if not one[2] < threshold]
        parts = list(zip(*kept, strict=True)) if kept else [(), (), ()]
        return np.array(parts[0], dtype=np.int64), np.array(parts[1], dtype=np.int64), np.array(parts[2], dtype=float)

    def __reduce__(self) -> Any:
        return FunctionSimilarity, (self.function,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionSimilarity) and self.function == other.function

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"FunctionSimilarity({self.function!r})"


def ordered(name: Any, other: Any) -> tuple[Any, Any]:
    """Return two names in one order, whichever comes first: a function is asked once for a pair."""
    return (name, other) if str(name) <= str(other) else (other, name)


def located(names: Sequence[Any], places: Mapping[Any, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which of the names have a place, and the places."""
    found = [(number, places[name]) for number, name in enumerate(names) if name in places]
    pairs = np.array(found, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def word_and_class(name: Any) -> tuple[str, str]:
    """Split a label into word and class.

    Examples
    --------
    >>> word_and_class("run::v"), word_and_class("NP")
    (('run', 'v'), ('NP', ''))
    """
    if not isinstance(name, str):  # a number, where trees have no names
        return "", ""
    word, colons, kind = name.rpartition("::")
    return (word, kind) if colons else (kind, "")


def as_similarity(given: Any) -> Similarity:
    """Return a similarity: that of equal names for None, a function as one.

    Examples
    --------
    >>> as_similarity(3)
    Traceback (most recent call last):
    ...
    kakari.kernels.trees.parameters.KernelError: 3 is no similarity: take MatrixSimilarity, WordVectors or a function
    """
    if given is None:
        return Similarity()
    if isinstance(given, Similarity):
        return given
    if callable(given):
        return FunctionSimilarity(given)
    raise KernelError(f"{given!r} is no similarity: take MatrixSimilarity, WordVectors or a function")


def similarity_from_contents(contents: Contents) -> Similarity:
    """Rebuild a similarity of any type from its `contents()`."""
    try:
        if contents.choice("type", ("matrix", "vectors")) == "matrix":
            return MatrixSimilarity.from_contents(contents)
        return WordVectors.from_contents(contents)
    except KernelError as error:
        raise contents.refuse(str(error)) from None
