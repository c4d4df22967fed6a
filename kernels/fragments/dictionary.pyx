"""Fragments of trees as the columns of a vector space: the subset-tree kernel made explicit.

A `FragmentDictionary` names fragments, the most relevant first, and turns a tree into a sparse vector of them in one
walk (see matching.hpp). A fragment that expands l nodes and stands c times in a tree has the value
c · λ^(l/2), over the tree's norm where the kernel is normalised: with every fragment in the dictionary, the dot product
of two vectors is the kernel. Dictionaries are made by `kakari.kernels.fragments.mining.mine`, are merged, and are flat
arrays when stored. Reading is safe from many threads.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.stored import Contents
from kakari.kernels.trees.tree_kernel import TreeKernel

from kakari.kernels.trees.forest cimport Forest


class FragmentError(ValueError):
    """Fragments, trees or arrays that do not fit each other; the text says why."""


cdef class FragmentDictionary:
    """Fragments of the subset-tree kernel, each a column.

    Examples
    --------
    >>> from kakari.kernels.trees.dag import ForestDag
    >>> from kakari.kernels.trees.forest import Forest
    >>> from kakari.kernels.fragments.mining import mine
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> kernel = TreeKernel("stk", decay=1.0, normalize=False)
    >>> tree = Forest.from_arrays([1, 0, 2, 0, 3], [0, 1, 0, 1, 2], [0, 5])
    >>> dag = ForestDag(kernel)
    >>> dag.add(tree, [1.0])
    >>> fragments = mine(dag)
    >>> len(fragments), fragments.fragment(0)
    (6, (0, (1,)))
    >>> offsets, columns, values = fragments.vectors(tree)
    >>> columns.tolist(), (values @ values).item(), kernel.gram(tree).item()
    ([0, 1, 2, 3, 4, 5], 6.0, 6.0)
    """

    def __init__(self):
        raise TypeError("dictionaries come from mine(), merged() or from_contents()")

    def __len__(self):
        return self.fragments.size

    def __repr__(self):
        return f"<{len(self)} fragments of {self.kernel!r}>"

    cdef finish(self):
        """Fill the fields that follow from the table and the columns' fragments."""
        cdef int64_t i
        cdef const int32_t[::1] fragments = self.fragments
        self.matcher = FragmentMatcher(self.table)
        self.column_of = np.full(max(1, self.table.size()), -1, dtype=np.int32)
        self.column_of[self.fragments] = np.arange(len(self), dtype=np.int32)
        expanded = np.empty(len(self))
        cdef double[::1] view = expanded
        for i in range(fragments.shape[0]):
            view[i] = self.table.expanded(fragments[i])
        self.decays = self.kernel.decay ** (0.5 * expanded)

    def vectors(self, Forest forest not None, *, int64_t threads=1):
        """Return the trees as sparse rows: offsets, columns in rising order, values."""
        cdef const double[::1] scales = self.scales_of(forest, threads)
        cdef const int32_t[::1] column_of = self.column_of
        cdef const double[::1] decays = np.append(self.decays, 0.0)
        cdef SparseRows rows
        if len(forest):
            with nogil:
                dictionary_rows(self.matcher, &column_of[0], &decays[0], forest.arrays, &scales[0], threads, rows)
        return arrays_of_rows(rows, len(forest))

    def margins(self, Forest forest not None, weights, *, int64_t threads=1):
        """Return the dot product of every tree's vector with the weights of the columns, without making the vectors."""
        given = np.asarray(weights, dtype=np.float64)
        if given.shape != (len(self),):
            raise FragmentError(f"there should be {len(self)} weights, not {given.shape}")
        by_fragment = np.zeros(self.column_of.size)
        by_fragment[self.fragments] = given * self.decays
        cdef const double[::1] scales = self.scales_of(forest, threads)
        cdef const double[::1] weight_view = by_fragment
        values = np.zeros(len(forest))
        cdef double[::1] view = values
        if values.size:
            with nogil:
                dictionary_margins(self.matcher, &weight_view[0], forest.arrays, &scales[0], threads, &view[0])
        return values

    def scales_of(self, forest, threads):
        """Return the factor of each tree's vector: 1 over its norm if the kernel is normalised, else 1."""
        if (forest.tree_counts() != 1).any():
            raise FragmentError("examples must have one tree each")
        return np.ascontiguousarray(self.kernel.scales(forest, threads=threads))

    def fragment(self, int64_t column):
        """Return a fragment as nested tuples of label numbers: (label, child, …), (label,) if unexpanded."""
        if not 0 <= column < len(self):
            raise IndexError(f"there is no fragment {column} among {len(self)}")
        return nested(&self.table, self.fragments[column])

    @staticmethod
    def merged(dictionaries, *, keep=None):
        """Return the union of dictionaries of one kernel, relevance and counts of equal fragments added up.

        The `keep` most relevant are kept; the order of the dictionaries does not matter except for rounding.

        Examples
        --------
        >>> from kakari.kernels.trees.dag import ForestDag
        >>> from kakari.kernels.trees.forest import Forest
        >>> from kakari.kernels.fragments.mining import mine
        >>> from kakari.kernels.trees.tree_kernel import TreeKernel
        >>> dag = ForestDag(TreeKernel("stk", normalize=False))
        >>> dag.add(Forest.from_arrays([7, 5], [0, 1]), [2.0])
        >>> both = FragmentDictionary.merged([mine(dag), mine(dag)])
        >>> len(both), both.relevance.round(3).tolist()
        (1, [2.53])
        """
        cdef FragmentDictionary one
        cdef vector[int32_t] known
        cdef FragmentTable table
        cdef int32_t fragment
        given = list(dictionaries)
        if not given:
            raise FragmentError("there is no dictionary to merge")
        relevance, counts = {}, {}
        for one in given:
            if one.kernel != given[0].kernel:
                raise FragmentError(f"dictionaries of {one.kernel!r} and {given[0].kernel!r} cannot be merged")
            known.assign(one.table.size(), -1)
            for column, fragment in enumerate(one.fragments.tolist()):
                number = table.add_from(one.table, fragment, known)
                relevance[number] = relevance.get(number, 0.0) + one.relevance[column].item()
                counts[number] = counts.get(number, 0.0) + one.counts[column].item()
        best = sorted(relevance, key=lambda number: (-abs(relevance[number]), number))[:keep]
        return dictionary(given[0].kernel, &table, best, [relevance[n] for n in best], [counts[n] for n in best])

    def contents(self):
        """Return the saved form of the dictionary, its kernel included."""
        return Contents(
            {
                "production_starts": np.array(self.table.productions().starts(), dtype=np.int64),
                "production_labels": np.array(self.table.productions().numbers(), dtype=np.int32),
                "fragment_starts": np.array(self.table.fragments().starts(), dtype=np.int64),
                "fragment_numbers": np.array(self.table.fragments().numbers(), dtype=np.int32),
                "fragments": self.fragments,
                "relevance": self.relevance,
                "counts": self.counts,
            },
            parts={"kernel": self.kernel.contents()},
        )

    @staticmethod
    def from_contents(contents):
        """Rebuild a dictionary from its `contents()`.

        Examples
        --------
        >>> from kakari.kernels.trees.tree_kernel import TreeKernel
        >>> arrays = {"production_starts": np.array([0, 2]), "production_labels": np.array([4, 5], np.int32),
        ...           "fragment_starts": np.array([0, 2]), "fragment_numbers": np.array([0, -1], np.int32),
        ...           "fragments": np.array([0], np.int32), "relevance": np.array([1.5]), "counts": np.array([3.0])}
        >>> stored = Contents(arrays, parts={"kernel": TreeKernel("stk").contents()})
        >>> FragmentDictionary.from_contents(stored).fragment(0)
        (4, (5,))
        """
        cdef FragmentDictionary made = FragmentDictionary.__new__(FragmentDictionary)
        production_labels = contents.array("production_labels", np.int32, minimum=0)
        fragment_numbers = contents.array("fragment_numbers", np.int32, minimum=-1)
        cdef const int64_t[::1] productions = contents.offsets("production_starts", production_labels.size)
        cdef const int64_t[::1] fragments = contents.offsets("fragment_starts", fragment_numbers.size)
        cdef const int32_t[::1] labels = np.append(production_labels, np.int32(0))
        cdef const int32_t[::1] numbers = np.append(fragment_numbers, np.int32(0))
        if not made.table.load(&productions[0], productions.shape[0] - 1, &labels[0], &fragments[0],
                               fragments.shape[0] - 1, &numbers[0]):
            raise FragmentError("these arrays are not those of a dictionary of fragments")
        made.kernel = TreeKernel.from_contents(contents.part("kernel"))
        made.fragments = contents.array("fragments", np.int32, minimum=0, below=made.table.size(), distinct=True)
        made.relevance = contents.array("relevance", np.float64, shape=made.fragments.shape)
        made.counts = contents.array("counts", np.float64, shape=made.fragments.shape)
        made.finish()
        return made

    def __reduce__(self):
        return FragmentDictionary.from_contents, (self.contents(),)


cdef dictionary(kernel, const FragmentTable *table, fragments, relevance, counts):
    """Make a dictionary of some fragments of a table, and of nothing that they do not need."""
    cdef FragmentDictionary made = FragmentDictionary.__new__(FragmentDictionary)
    cdef vector[int32_t] known
    cdef int32_t fragment
    known.assign(table[0].size(), -1)
    made.kernel = kernel
    made.fragments = np.array(
        [made.table.add_from(table[0], fragment, known) for fragment in fragments], dtype=np.int32
    )
    made.relevance = np.array(relevance, dtype=np.float64)
    made.counts = np.array(counts, dtype=np.float64)
    made.finish()
    return made


cdef nested(const FragmentTable *table, int32_t fragment):
    cdef int32_t production = table[0].production(fragment)
    cdef const int32_t *labels = table[0].productions().begin(production)
    cdef const int32_t *parts = table[0].parts(fragment)
    return labels[0], *(
        (labels[1 + i],) if parts[i] < 0 else nested(table, parts[i]) for i in range(table[0].arity(fragment))
    )


cdef arrays_of_rows(const SparseRows &rows, int64_t count):
    cdef int64_t entries = rows.entries()
    offsets = np.zeros(count + 1, dtype=np.int64)
    columns = np.empty(entries + 1, dtype=np.int32)
    values = np.empty(entries + 1)
    cdef int64_t[::1] offset_view = offsets
    cdef int32_t[::1] column_view = columns
    cdef double[::1] value_view = values
    rows.write(&offset_view[0], &column_view[0], &value_view[0])
    return offsets, columns[:entries], values[:entries]
