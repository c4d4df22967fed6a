"""The smoothed partial tree kernel: trees whose labels are alike, not only equal (see smoothed.hpp).

Similarities of labels are worked out once for a block, for the labels that occur in it, as sparse rows of numbers;
everything below that is C++ without the GIL. A row costs O(distinct subtrees of b with similar roots), then one
addition a node of b. The bits are the same for any number of threads.
"""
from cpython.exc cimport PyErr_CheckSignals
from cython.operator cimport dereference
from libc.stdint cimport int32_t, int64_t
from libcpp.memory cimport unique_ptr

import numbers

import numpy as np

from kakari.kernels.trees.forest import shared_symbols
from kakari.kernels.trees.parameters import KernelError, Parameters
from kakari.kernels.trees.similarity import as_similarity, similarity_from_contents
from kakari.kernels.trees.tree_kernel import TreeKernelError, diagonal_of_examples, gram_of_examples
from kakari.kernels.stored import Contents

from kakari.kernels.trees.forest cimport Forest, ForestArrays, Tree
from kakari.kernels.trees.tree_kernel cimport Block, KernelOptions


cdef extern from "kernels/trees/smoothed.hpp" namespace "kakari" nogil:
    cdef cppclass SimilarLabels:
        const int64_t *starts
        const int32_t *columns
        const double *values

    cdef cppclass SmoothedColumns:
        SmoothedColumns(const KernelOptions &options, int64_t labels) except +
        void add(const Tree &tree) except +

    void smoothed_self_kernels(const ForestArrays &forest, const KernelOptions &options, const SimilarLabels &similar,
                               int64_t labels, int64_t threads, double *values) except +
    void smoothed_rows(const Block &block, const SmoothedColumns &columns, const SimilarLabels &similar,
                       int64_t begin, int64_t end, int64_t threads) except +


class SmoothedTreeKernel(Parameters):
    """The smoothed partial tree kernel (SPTK): partial trees whose labels are similar.

    With σ for the similarity of two labels, Δ = σ μ (λ² + Σ over ordered subsets of the children), or σ μ λ² τ if one
    of the two nodes is a leaf, as in KeLP; K is the sum of Δ over all pairs of nodes. Equal labels have σ = 1. Without
    a similarity it is ``TreeKernel("ptk")``.

    Parameters
    ----------
    similarity : WordVectors, MatrixSimilarity, a function of two labels, or None
        A function must be symmetric and is called once for each pair of labels of a block; `MatrixSimilarity.of` calls
        it once for all.
    decay : float in (0, 1]
        λ.
    mu : float in (0, 1]
        μ.
    terminal_factor : float above 0
        τ.
    threshold : float
        Similarities below it count as 0.
    max_children : int, optional
        Longest child subsequence; any length without it. (KeLP stops at 5.)
    normalize : bool
        Divide by the root of both self-kernels; a self-kernel of 0 counts as 1.
    pairing : {"sequence", "all"}
        For examples of several trees, as of `TreeKernel`.

    Examples
    --------
    >>> from kakari import KernelSVC, SmoothedTreeKernel, WordVectors
    >>> words = WordVectors({"dog": [1, 0, 0.2], "cat": [0.9, 0, 0.1], "runs": [0, 1, 0], "sleeps": [0, 0.9, 0.3]})
    >>> trees = ["(S (N dog) (V runs))", "(Q (V runs) (N dog))"]
    >>> svc = KernelSVC(SmoothedTreeKernel(words)).fit(trees, ["told", "asked"])
    >>> svc.predict(["(S (N cat) (V sleeps))"]).tolist()
    ['told']
    """

    type_name = "smoothed-tree"
    takes = "trees"

    def __init__(self, similarity=None, *, decay=0.4, mu=0.4, terminal_factor=1.0, threshold=0.01, max_children=None,
                 normalize=True, pairing="sequence"):
        as_similarity(similarity)
        for name, value in (("decay", decay), ("mu", mu)):
            if not isinstance(value, numbers.Real) or not 0 < value <= 1:
                raise TreeKernelError(f"the {name} must be above 0 and at most 1, not {value!r}")
        if max_children is not None and not (isinstance(max_children, numbers.Integral) and max_children > 0):
            raise TreeKernelError(f"max_children must be a whole number of at least 1, not {max_children!r}")
        for name, value in (("terminal factor", terminal_factor), ("threshold", threshold)):
            if not isinstance(value, numbers.Real) or not 0 < value < float("inf"):
                raise TreeKernelError(f"the {name} must be above 0, not {value!r}")
        if pairing not in ("sequence", "all"):
            raise TreeKernelError(f"the pairing must be 'sequence' or 'all', not {pairing!r}")
        self.similarity, self.decay, self.mu = similarity, float(decay), float(mu)
        self.terminal_factor, self.threshold, self.max_children = float(terminal_factor), float(threshold), max_children
        self.normalize, self.pairing = bool(normalize), pairing

    def contents(self):
        """Return what a file holds of the kernel; a similarity that is a function is refused."""
        settings = {"type": self.type_name, **self.get_params(deep=False)}
        del settings["similarity"]
        parts = {} if self.similarity is None else {"similarity": as_similarity(self.similarity).contents()}
        return Contents.joined(parts, settings)

    @staticmethod
    def from_contents(contents):
        """Rebuild a kernel from its `contents()`.

        Examples
        --------
        >>> kernel = SmoothedTreeKernel(mu=0.5)
        >>> SmoothedTreeKernel.from_contents(kernel.contents()) == kernel
        True
        """
        contents.choice("type", (SmoothedTreeKernel.type_name,))
        similarity = similarity_from_contents(contents.part("similarity")) if contents.has_part("similarity") else None
        try:
            return SmoothedTreeKernel(
                similarity, decay=contents.number("decay"), mu=contents.number("mu"),
                terminal_factor=contents.number("terminal_factor"), threshold=contents.number("threshold"),
                max_children=contents.optional_integer("max_children", 1), normalize=contents.flag("normalize"),
                pairing=contents.choice("pairing", ("sequence", "all")),
            )
        except TreeKernelError as error:
            raise contents.refuse(str(error)) from None

    def __repr__(self):
        options = ", ".join(f"{name}={value!r}" for name, value in self.get_params(deep=False).items())
        return f"SmoothedTreeKernel({options})"

    def __eq__(self, other):
        return isinstance(other, SmoothedTreeKernel) and self.get_params(False) == other.get_params(False)

    __hash__ = None

    def gram(self, a, b=None, *, threads=1):
        """Return the kernel of every example of `a` with every example of `b` (of `a` itself without it)."""
        symmetric = b is None or b is a
        symbols = shared_symbols(a.symbols, a.symbols if symmetric else b.symbols)

        def values(ours, theirs):
            return block(self, ours, theirs, symmetric, symbols, threads)

        return gram_of_examples(self, a, a if symmetric else b, values)

    def diagonal(self, a, *, threads=1):
        """Return the kernel of every example with itself.

        Examples
        --------
        >>> from kakari.kernels.trees.forest import Forest
        >>> SmoothedTreeKernel().diagonal(Forest.from_arrays([1, 2, 3], [0, 1, 0], [0, 2, 3])).tolist()
        [1.0, 1.0]
        """
        return diagonal_of_examples(
            self, a, lambda trees: self_kernels(self, trees, a.symbols, threads), threads
        )


cdef class Labels:
    """The labels of a forest, numbered from 0 in the order of their numbers there."""

    cdef object used, compact       # numbers in the forest; one compact number a node
    cdef ForestArrays arrays
    cdef const int32_t[::1] view

    def __init__(self, Forest forest not None):
        self.used, inverse = np.unique(forest.labels, return_inverse=True)
        self.compact = np.append(inverse, 0).astype(np.int32)
        self.view = self.compact
        self.arrays = forest.arrays
        self.arrays.labels = &self.view[0]


cdef class Similar:
    """Similarities of the labels of two forests, as C++ reads them."""

    cdef SimilarLabels rows
    cdef const int64_t[::1] starts
    cdef const int32_t[::1] columns
    cdef const double[::1] values

    def __init__(self, kernel, ours, theirs):
        starts, columns, values = as_similarity(kernel.similarity).between(ours, theirs, kernel.threshold)
        self.starts = np.ascontiguousarray(starts, dtype=np.int64)
        self.columns = np.append(columns, 0).astype(np.int32)
        self.values = np.append(values, 0.0)
        self.rows.starts, self.rows.columns, self.rows.values = &self.starts[0], &self.columns[0], &self.values[0]


cdef KernelOptions options_of(kernel):
    cdef KernelOptions options
    options.decay, options.mu, options.terminal = kernel.decay, kernel.mu, kernel.terminal_factor
    options.longest = -1 if kernel.max_children is None else kernel.max_children
    return options


cdef self_kernels(kernel, Forest trees, symbols, int64_t threads):
    """Return K(t, t) of every tree, never normalized."""
    cdef Labels labels = Labels(trees)
    names = trees.names(labels.used, symbols)
    cdef Similar similar = Similar(kernel, names, names)
    cdef KernelOptions options = options_of(kernel)
    cdef int64_t count = labels.used.size
    raw = np.zeros(labels.arrays.tree_count + 1)
    cdef double[::1] view = raw
    with nogil:
        smoothed_self_kernels(labels.arrays, options, similar.rows, count, threads, &view[0])
    return finite(kernel, raw[:labels.arrays.tree_count])


cdef scales(kernel, Forest trees, symbols, int64_t threads):
    """Return what each tree's values are multiplied by."""
    if not kernel.normalize:
        return np.ones(trees.arrays.tree_count)
    raw = self_kernels(kernel, trees, symbols, threads)
    return 1.0 / np.sqrt(np.where(raw == 0.0, 1.0, raw))


cdef block(kernel, Forest a, Forest b, bint symmetric, symbols, int64_t threads):
    """Return the kernel of every tree of a with every tree of b."""
    from kakari.kernels.hardware.turns import turns  # parsers work out no Gram matrix

    values = np.empty((a.arrays.tree_count, b.arrays.tree_count))
    if values.size == 0:
        return values
    cdef double[:, ::1] view = values
    cdef Labels ours = Labels(a), theirs = Labels(b)
    cdef Similar similar = Similar(kernel, a.names(ours.used, symbols), b.names(theirs.used, symbols))
    cdef KernelOptions options = options_of(kernel)
    cdef unique_ptr[SmoothedColumns] stored
    cdef int64_t count = theirs.used.size, tree, begin, end
    with nogil:
        stored.reset(new SmoothedColumns(options, count))
        for tree in range(theirs.arrays.tree_count):
            dereference(stored).add(theirs.arrays.tree(tree))
    of_b = scales(kernel, b, symbols, threads)
    cdef const double[::1] scale_b = of_b, scale_a = of_b if symmetric else scales(kernel, a, symbols, threads)
    cdef Block wanted
    wanted.a, wanted.b = ours.arrays, theirs.arrays
    wanted.scale_a, wanted.scale_b = &scale_a[0], &scale_b[0]
    wanted.symmetric, wanted.values = symmetric, &view[0, 0]
    for begin, end in turns(values.shape[0], threads):
        with nogil:
            smoothed_rows(wanted, dereference(stored), similar.rows, begin, end, threads)
        PyErr_CheckSignals()
    with nogil:
        wanted.mirror()
    return finite(kernel, values)


cdef finite(kernel, values):
    if values.size and not np.isfinite(values.max()):
        raise KernelError(
            f"kernel values of these trees do not fit a double with decay {kernel.decay} and mu {kernel.mu}:"
            " take smaller ones"
        )
    return values
