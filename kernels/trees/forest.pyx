"""Forests: many trees in flat arrays, the form in which every tree kernel takes its examples.

A tree is its nodes in postorder, each with a 32-bit label and its number of children; an example is one tree
or several (or none). `Forest` adds, once, what kernels need: each node's production as a 32-bit number, its
children in one piece, its tree's nodes sorted by production. O(nodes) plus one sort a tree; 24 bytes a node.
Nothing recurses, so trees may be as deep and as wide as memory allows.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.stored import Contents

cdef int64_t LARGEST = 2**31 - 1


class ForestError(ValueError):
    """Arrays that do not form a forest, or an invalid operation; the text says why."""


cdef class Productions:
    """The productions of a forest: a node's label, then those of its children, numbered by appearance.

    Examples
    --------
    >>> forest = Forest.from_arrays([7, 5, 5, 7], [0, 1, 0, 1])
    Traceback (most recent call last):
    ...
    kakari.kernels.trees.forest.ForestError: tree 0: the numbers of children make no tree in postorder
    >>> forest = Forest.from_arrays([7, 5, 7, 5, 9], [0, 1, 0, 1, 2])
    >>> len(forest.productions), forest.productions[0], forest.productions[1]
    (2, [5, 7], [9, 5, 5])
    """

    def __len__(self):
        return self.table.size()

    def __getitem__(self, int64_t number):
        if not 0 <= number < self.table.size():
            raise IndexError(f"production {number} of {self.table.size()}")
        return [self.table.begin(number)[i] for i in range(self.table.length(number))]


cdef class Forest:
    """An immutable collection of examples, each of them one tree or several.

    Made by `from_arrays` (text is turned into numbers by `kakari.models.treebank`). Indexing by a number or a
    slice gives a smaller forest; its productions keep their numbers.

    Examples
    --------
    The tree (9 (5 7) (5 7)), in postorder, and a single leaf:

    >>> forest = Forest.from_arrays([7, 5, 7, 5, 9, 3], [0, 1, 0, 1, 2, 0], trees=[0, 5, 6])
    >>> len(forest), forest[1].labels.tolist(), forest.node_counts().tolist()
    (2, [3], [5, 1])
    """

    def __init__(self):
        raise TypeError("use Forest.from_arrays")

    @staticmethod
    def from_arrays(labels, arities, trees=None, examples=None):
        """From labels and numbers of children in postorder.

        Parameters
        ----------
        labels, arities : arrays of whole numbers
            One entry a node; labels from 0 to 2**31 - 1.
        trees : array of whole numbers, optional
            Tree t is the nodes trees[t] to trees[t + 1]; without it all nodes are one tree.
        examples : array of whole numbers, optional
            Example e is the trees examples[e] to examples[e + 1]; without it each tree is an example.
        """
        node_labels = whole_numbers(labels, "labels")
        node_arities = whole_numbers(arities, "arities")
        if node_labels.size != node_arities.size:
            raise ForestError(f"{node_labels.size} labels, but {node_arities.size} numbers of children")
        starts = checked_starts([0, node_labels.size] if trees is None else trees, node_labels.size, "trees")
        count = starts.size - 1
        groups = checked_starts(np.arange(count + 1) if examples is None else examples, count, "examples")
        return derived(groups, starts, node_labels, node_arities)

    @staticmethod
    def concatenate(forests):
        """Join forests: the examples of the first, then those of the second, and so on.

        Examples
        --------
        >>> one = Forest.from_arrays([7, 5], [0, 1])
        >>> len(Forest.concatenate([one, one, one]))
        3
        """
        parts = list(forests)
        for part in parts:
            if not isinstance(part, Forest):
                raise ForestError(f"not a forest: {type(part).__name__}")
        if not parts:
            return Forest.from_arrays([], [], [0])
        symbols = None
        for part in parts:
            symbols = shared_symbols(symbols, part.symbols)
        return derived(
            joined_starts([part.examples for part in parts]), joined_starts([part.trees for part in parts]),
            np.concatenate([part.labels for part in parts]), np.concatenate([part.arities for part in parts]),
        ).standing_for(symbols)

    @property
    def symbols(self):
        """The vocabulary of the labels, or None; only trees of one vocabulary are compared."""
        cdef Productions held = self.productions
        return held.symbols

    def standing_for(self, symbols, unknown=None):
        """Say what the labels of this forest, and of everything sliced from it, stand for; return the forest.

        Names of labels that `symbols` does not hold may be given by their numbers.
        """
        cdef Productions held = self.productions
        held.symbols, held.unknown = symbols, unknown
        return self

    def names(self, numbers, symbols=None):
        """Return what labels stand for: their names, or the numbers themselves where nobody has said it.

        Examples
        --------
        >>> forest = Forest.from_arrays([0, 1, 2], [0, 0, 2]).standing_for(["a", "b"], {2: "new"})
        >>> forest.names([2, 0]), Forest.from_arrays([7], [0]).names([7])
        (['new', 'a'], [7])
        """
        cdef Productions held = self.productions
        known = held.symbols if symbols is None else symbols
        unknown = held.unknown or {}
        if known is None:
            return [int(number) for number in numbers]
        size = len(known)
        return [unknown[n] if n in unknown else known[n] if n < size else n for n in map(int, numbers)]

    def contents(self):
        """Return the saved form of the forest: what `from_arrays` takes.

        Examples
        --------
        >>> forest = Forest.from_arrays([7, 5], [0, 1])
        >>> Forest.from_contents(forest.contents()) == forest
        True
        """
        return Contents(
            {"labels": self.labels, "arities": self.arities, "trees": self.trees, "examples": self.examples}
        )

    @staticmethod
    def from_contents(contents):
        """Rebuild a forest from its `contents()`."""
        labels = contents.array("labels", np.int32, minimum=0)
        arities = contents.array("arities", np.int32, shape=labels.shape, minimum=0)
        trees = contents.offsets("trees", labels.size)
        return Forest.from_arrays(labels, arities, trees, contents.offsets("examples", trees.size - 1))

    def __len__(self):
        return self.example_view.shape[0] - 1

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        cdef int64_t example = index
        if example < 0:
            example += len(self)
        if not 0 <= example < len(self):
            raise IndexError(f"example {index} of {len(self)}")
        return self.take([example])

    def __eq__(self, other):
        if not isinstance(other, Forest):
            return NotImplemented
        ours, theirs = self.contents().arrays, other.contents().arrays
        return all(np.array_equal(array, theirs[name]) for name, array in ours.items())

    __hash__ = None

    def __repr__(self):
        return f"<{len(self)} examples, {self.trees.size - 1} trees, {self.labels.size} nodes>"

    def __reduce__(self):
        return Forest.from_contents, (self.contents(),)

    def tree_counts(self):
        """Return the number of trees of each example."""
        return np.diff(self.examples)

    def node_counts(self):
        """Return the number of nodes of each tree, leaves included."""
        return np.diff(self.trees)

    def take(self, examples):
        """Return the examples of these numbers, in that order.

        Examples
        --------
        >>> forest = Forest.from_arrays([1, 2, 3], [0, 0, 0], trees=[0, 1, 2, 3])
        >>> forest.take([2, 0]).labels.tolist()
        [3, 1]
        """
        wanted = np.ascontiguousarray(examples, dtype=np.int64)
        if wanted.size and not (0 <= wanted.min() and wanted.max() < len(self)):
            raise IndexError(f"example numbers must be between 0 and {len(self) - 1}")
        return self.with_trees(ranges(self.examples, wanted), joined_lengths(np.diff(self.examples)[wanted]))

    def position(self, int64_t place):
        """Return the trees that stand at one place of their examples; examples without one become empty.

        Examples
        --------
        >>> forest = Forest.from_arrays([1, 2, 3], [0, 0, 0], trees=[0, 1, 2, 3], examples=[0, 2, 3])
        >>> forest.position(1).labels.tolist(), forest.position(1).tree_counts().tolist()
        ([2], [1, 0])
        """
        if place < 0:
            raise IndexError(f"place {place} is negative")
        present = self.tree_counts() > place
        return self.with_trees(self.examples[:len(self)][present] + place, joined_lengths(present))

    def with_trees(self, trees, examples):
        """Return a forest of these trees (by number), divided into examples; productions are shared."""
        nodes = ranges(self.trees, trees)
        return wrapped(
            self.productions, examples, joined_lengths(np.diff(self.trees)[trees]), self.labels[nodes],
            self.arities[nodes], self.inner_counts[trees], self.node_productions[nodes],
            self.first_child[nodes], self.children[nodes], self.order[nodes],
        )

    def aligned_to(self, Forest other not None):
        """Return this forest with productions numbered as in `other`; productions unknown there come after.

        Two forests that share their productions, as slices of one forest do, need no work.

        Examples
        --------
        >>> first, second = Forest.from_arrays([7, 5], [0, 1]), Forest.from_arrays([8, 7, 5], [0, 1, 1])
        >>> second.aligned_to(first).production_numbers().tolist()
        [-1, 1, 0]
        """
        if self.productions is other.productions:
            return self
        cdef Productions ours = self.productions, theirs = other.productions
        numbers = np.full(len(ours) + 1, -1, dtype=np.int32)
        cdef int32_t[::1] mapped = numbers
        cdef int32_t found, unknown = <int32_t>len(theirs)
        cdef int64_t i
        with nogil:
            for i in range(ours.table.size()):
                found = theirs.table.find(ours.table.begin(i), ours.table.length(i))
                if found < 0:
                    found = unknown
                    unknown += 1
                mapped[i] = found
        productions = numbers[self.node_productions]  # a leaf's -1 finds the last entry, -1 itself
        return wrapped(
            other.productions, self.examples, self.trees, self.labels, self.arities, self.inner_counts,
            productions, self.first_child, self.children, resorted(self, productions),
        )

    def production_numbers(self):
        """Return the number of each node's production, -1 for a leaf."""
        return self.node_productions


def shared_symbols(ours, theirs):
    """Return what the labels of two forests stand for; refuse two vocabularies in which one number has two meanings.

    Examples
    --------
    >>> shared_symbols(None, ["NP", "VP"]), shared_symbols(["NP"], ["NP", "VP"])
    (['NP', 'VP'], ['NP', 'VP'])
    >>> shared_symbols(["NP"], ["VP"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    kakari.kernels.trees.forest.ForestError: these trees were read by two treebanks, in which the label 0 ...
    """
    if ours is None or theirs is None or ours is theirs:
        return theirs if ours is None else ours
    shorter, longer = (ours, theirs) if len(ours) <= len(theirs) else (theirs, ours)
    for number in range(len(shorter)):
        if shorter[number] != longer[number]:
            raise ForestError(
                "these trees were read by two treebanks, in which the label"
                f" {number} means {ours[number]!r} and {theirs[number]!r}: read them with one"
            )
    return longer


cdef Forest derived(examples, trees, labels, arities):
    """Compute productions, children and order from checked arrays."""
    cdef Productions productions = Productions()
    cdef const int64_t[::1] starts = trees
    cdef const int32_t[::1] label_view = padded(labels), arity_view = padded(arities)
    cdef int64_t count = starts.shape[0] - 1, size = labels.size, bad
    inner_counts = np.zeros(count + 1, dtype=np.int32)
    results = [np.zeros(size + 1, dtype=np.int32) for _ in range(4)]
    cdef int32_t[::1] inner = inner_counts
    cdef int32_t[::1] numbers = results[0], first = results[1], children = results[2], order = results[3]
    with nogil:
        bad = derive(count, &starts[0], &label_view[0], &arity_view[0], &inner[0], &numbers[0], &first[0],
                     &children[0], &order[0], productions.table)
    if bad >= 0:
        raise ForestError(f"tree {bad}: the numbers of children make no tree in postorder")
    return wrapped(productions, examples, trees, labels, arities, inner_counts[:count],
                   results[0][:size], results[1][:size], results[2][:size], results[3][:size])


cdef Forest wrapped(Productions productions, examples, trees, labels, arities, inner_counts, numbers,
                    first_child, children, order):
    """Make a forest of arrays that are known to be right."""
    cdef Forest forest = Forest.__new__(Forest)
    forest.productions = productions
    forest.examples, forest.trees = frozen(examples, np.int64), frozen(trees, np.int64)
    forest.labels, forest.arities = frozen(labels, np.int32), frozen(arities, np.int32)
    forest.inner_counts, forest.node_productions = frozen(inner_counts, np.int32), frozen(numbers, np.int32)
    forest.first_child, forest.children = frozen(first_child, np.int32), frozen(children, np.int32)
    forest.order = frozen(order, np.int32)
    forest.example_view = forest.examples
    forest.arrays.tree_count = forest.trees.size - 1
    forest.arrays.tree_starts = <const int64_t *>address(forest.trees)
    forest.arrays.inner_counts = <const int32_t *>address(forest.inner_counts)
    forest.arrays.labels = <const int32_t *>address(forest.labels)
    forest.arrays.arities = <const int32_t *>address(forest.arities)
    forest.arrays.productions = <const int32_t *>address(forest.node_productions)
    forest.arrays.first_child = <const int32_t *>address(forest.first_child)
    forest.arrays.children = <const int32_t *>address(forest.children)
    forest.arrays.order = <const int32_t *>address(forest.order)
    return forest


cdef void *address(array) except? NULL:
    cdef size_t place = array.ctypes.data
    return <void *>place


cdef resorted(Forest forest, productions):
    """Sort the nodes of each tree again, by these numbers of their productions."""
    order = np.zeros(forest.labels.size + 1, dtype=np.int32)
    cdef int32_t[::1] sorted_nodes = order
    cdef const int32_t[::1] numbers = padded(productions)
    cdef vector[uint64_t] keys
    cdef int64_t tree, start
    with nogil:
        for tree in range(forest.arrays.tree_count):
            start = forest.arrays.tree_starts[tree]
            sort_nodes(forest.arrays.tree_starts[tree + 1] - start, forest.arrays.labels + start,
                       &numbers[start], &sorted_nodes[start], keys)
    return order[:forest.labels.size]


cdef padded(array):
    """Return the array with one more entry, so that even an empty one has an address."""
    return np.append(array, np.zeros(1, dtype=np.int32)).astype(np.int32, copy=False)


cdef frozen(array, kind):
    fixed = np.ascontiguousarray(array, dtype=kind)
    if fixed.flags.writeable:
        fixed = fixed.view()
        fixed.flags.writeable = False
    return fixed


cdef whole_numbers(given, name):
    numbers = np.asarray(given)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise ForestError(f"{name} must be a one-dimensional array of whole numbers")
    if numbers.size and not (0 <= numbers.min() and numbers.max() <= LARGEST):
        raise ForestError(f"{name} must be between 0 and {LARGEST}")
    return np.array(numbers, dtype=np.int32)


cdef checked_starts(given, end, name):
    starts = np.asarray(given)
    if starts.ndim != 1 or starts.size == 0 or starts.dtype.kind not in "iu":
        raise ForestError(f"{name} must be a one-dimensional array of whole numbers that starts with 0")
    starts = np.array(starts, dtype=np.int64)
    if starts[0] != 0 or (np.diff(starts) < 0).any():
        raise ForestError(f"{name} must start with 0 and never fall")
    if starts[starts.size - 1] != end:
        raise ForestError(f"{name} must end with {end}, not {starts[starts.size - 1]}")
    return starts


cdef joined_starts(parts):
    return joined_lengths(np.concatenate([np.diff(part) for part in parts]))


cdef joined_lengths(lengths):
    starts = np.zeros(lengths.size + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


cdef ranges(starts, rows):
    """Return all numbers from starts[r] to starts[r + 1], for each of the rows, end to end."""
    lengths = np.diff(starts)[rows]
    ends = np.cumsum(lengths)
    total = int(ends[ends.size - 1]) if ends.size else 0
    return np.arange(total, dtype=np.int64) + np.repeat(starts[rows] - (ends - lengths), lengths)
