"""Tree kernels: how much two trees have in common, counted in shared fragments.

`TreeKernel` holds what kind of fragments and how they decay, and evaluates whole blocks: `gram(a, b)`. Blocks
of more than a few rows go by distinct subtrees of b (O(distinct subtrees that can match) a row, then one
addition a node of b), small ones pair by pair (O(matching node pairs)); both give the same bits, as does any
number of threads. `TreeColumns` keeps the distinct subtrees between calls, for learners that gather trees one
by one.
"""
from cpython.exc cimport PyErr_CheckSignals
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libcpp.memory cimport unique_ptr

import numbers

import numpy as np

from kakari.kernels.trees.forest cimport Forest
from kakari.kernels.trees.forest import shared_symbols

from kakari.kernels.trees.parameters import Parameters

cdef dict KINDS = {"st": 0, "stk": 1, "sst": 1, "sst-bow": 2, "ptk": 3, "kelp-st": 4}
cdef int64_t FEW_ROWS = 4      # below this, finding the distinct subtrees of b costs more than it saves


class TreeKernelError(ValueError):
    """Invalid options of a kernel, or a value that does not fit a double; the text says why."""


class TreeKernel(Parameters):
    """A kernel on trees.

    With Δ(a, b) for the fragments rooted in two nodes, K is the sum of Δ over all pairs of nodes:

    - ``"st"``: complete subtrees;
    - ``"stk"`` (also ``"sst"``): a node with all of its children or none, Δ = 0 where the productions differ,
      else λ Π (1 + Δ(children)); leaves are no roots and a leaf child counts as factor 1;
    - ``"sst-bow"``: the same, and λ for each pair of equal leaves;
    - ``"ptk"``: any ordered subset of the children, Δ = μ (λ² + Σ …) as in SVM-Light-TK, leaves included;
    - ``"kelp-st"``: KeLP's subtree kernel: Δ = λ Π Δ(children) over the children whose productions are equal, while
      others are passed over, and λ for each pair of equal leaves.

    Parameters
    ----------
    kind : str
    decay : float in (0, 1]
        λ: once for each production (``ptk``: for depth and for each child skipped).
    mu : float in (0, 1]
        μ of ``ptk``.
    max_children : int, optional
        Longest child subsequence of ``ptk``; any length without it. (SVM-Light-TK stops at 5.)
    terminal_factor : float above 0
        Of ``ptk``, as in KeLP: what a pair of equal labels counts, times μ λ², if one of the two is a leaf.
    normalize : bool
        Divide by the root of both self-kernels; a self-kernel of 0 counts as 1.
    pairing : str
        For examples of several trees: ``"sequence"`` adds up first with first, second with second, …;
        ``"all"`` adds up every tree of one example with every tree of the other. Each pair is normalized by
        itself.

    Examples
    --------
    >>> from kakari.kernels.trees.forest import Forest
    >>> pair = Forest.from_arrays([1, 0, 2, 0, 3, 1, 0, 4, 0, 3], [0, 1, 0, 1, 2, 0, 1, 0, 1, 2], [0, 5, 10])
    >>> TreeKernel("stk", decay=1.0, normalize=False).gram(pair).tolist()
    [[6.0, 3.0], [3.0, 6.0]]
    >>> TreeKernel("stk", decay=2)
    Traceback (most recent call last):
    ...
    kakari.kernels.trees.tree_kernel.TreeKernelError: the decay must be above 0 and at most 1, not 2
    """

    type_name = "tree"
    sums_as = "subtrees"
    takes = "trees"

    def __init__(self, kind="stk", *, decay=0.4, mu=0.4, max_children=None, normalize=True,
                 pairing="sequence", terminal_factor=1.0):
        if kind not in KINDS:
            raise TreeKernelError(f"there is no tree kernel {kind!r}: take one of {', '.join(KINDS)}")
        for name, value in (("decay", decay), ("mu", mu)):
            if not isinstance(value, numbers.Real) or not 0 < value <= 1:
                raise TreeKernelError(f"the {name} must be above 0 and at most 1, not {value!r}")
        if max_children is not None and not (isinstance(max_children, numbers.Integral) and max_children > 0):
            raise TreeKernelError(f"max_children must be a whole number of at least 1, not {max_children!r}")
        if not isinstance(terminal_factor, numbers.Real) or not 0 < terminal_factor < float("inf"):
            raise TreeKernelError(f"the terminal factor must be above 0, not {terminal_factor!r}")
        if pairing not in ("sequence", "all"):
            raise TreeKernelError(f"the pairing must be 'sequence' or 'all', not {pairing!r}")
        self.kind, self.decay, self.mu, self.max_children = kind, float(decay), float(mu), max_children
        self.normalize, self.pairing, self.terminal_factor = bool(normalize), pairing, float(terminal_factor)

    @staticmethod
    def from_contents(contents):
        """Rebuild a kernel from its `contents()`.

        Examples
        --------
        >>> TreeKernel.from_contents(TreeKernel("ptk", mu=0.5).contents()) == TreeKernel("ptk", mu=0.5)
        True
        """
        contents.choice("type", (TreeKernel.type_name,))
        return TreeKernel(
            contents.choice("kind", tuple(KINDS)), decay=contents.number("decay", 0, 1), mu=contents.number("mu", 0, 1),
            max_children=contents.optional_integer("max_children", 1), normalize=contents.flag("normalize"),
            pairing=contents.choice("pairing", ("sequence", "all")),
            terminal_factor=contents.number("terminal_factor") if "terminal_factor" in contents.settings else 1.0,
        )

    def __repr__(self):
        return (f"TreeKernel({self.kind!r}, decay={self.decay}, mu={self.mu},"
                f" max_children={self.max_children}, normalize={self.normalize}, pairing={self.pairing!r}"
                + ("" if self.terminal_factor == 1.0 else f", terminal_factor={self.terminal_factor}") + ")")

    def contents(self):
        """Return the saved form of the kernel: its options, the terminal factor only if it says something."""
        stored = Parameters.contents(self)
        if self.terminal_factor == 1.0:
            del stored.settings["terminal_factor"]
        return stored

    def __eq__(self, other):
        return isinstance(other, TreeKernel) and repr(self) == repr(other)

    __hash__ = None

    def gram(self, a, b=None, *, threads=1, method="auto"):
        """Return the kernel of every example of `a` with every example of `b` (of `a` itself without it).

        `method` is ``"pairs"``, ``"columns"`` (by the distinct subtrees of `b`) or ``"auto"``; it changes
        the time only.
        """
        symmetric = b is None or b is a
        if not symmetric:
            shared_symbols(a.symbols, b.symbols)

        def values(ours, theirs):
            return block(self, ours, theirs, symmetric, threads, method)

        return gram_of_examples(self, a, a if symmetric else b, values)

    def diagonal(self, a, *, threads=1):
        """Return the kernel of every example with itself.

        Examples
        --------
        >>> from kakari.kernels.trees.forest import Forest
        >>> TreeKernel("stk").diagonal(Forest.from_arrays([1, 2, 3], [0, 1, 0], [0, 2, 3])).tolist()
        [1.0, 0.0]
        """
        return diagonal_of_examples(self, a, lambda trees: self.self_kernels(trees, threads=threads), threads)

    def self_kernels(self, Forest a not None, *, int64_t threads=1):
        """Return K(t, t) of every tree, never normalized."""
        raw = np.zeros(a.arrays.tree_count + 1)
        cdef double[::1] view = raw
        cdef KernelOptions options = options_of(self)
        with nogil:
            self_kernels(a.arrays, options, threads, &view[0])
        return finite(self, raw[:a.arrays.tree_count])

    def scales(self, a, *, threads=1):
        """Return what each tree's values are multiplied by: 1 / √K(t, t), or 1 where nothing is normalized."""
        if not self.normalize:
            return np.ones(a.trees.size - 1)
        raw = self.self_kernels(a, threads=threads)
        return 1.0 / np.sqrt(np.where(raw == 0.0, 1.0, raw))


cdef class TreeColumns:
    """Trees gathered one by one, and the kernel of any tree with each of them.

    Distinct subtrees are found once, when a tree is added; a row costs no more than its own comparison. Rows
    may be asked for from many threads as long as none adds.

    Examples
    --------
    >>> from kakari.kernels.trees.forest import Forest
    >>> columns = TreeColumns(TreeKernel("stk", normalize=False))
    >>> tree = Forest.from_arrays([1, 2], [0, 1])
    >>> columns.extend(tree)
    >>> columns.extend(tree)
    >>> columns.rows(tree).tolist()
    [[0.4, 0.4]]
    """

    cdef readonly object kernel
    cdef list parts         # one for each place of a tree in its example
    cdef int64_t count

    def __init__(self, kernel):
        self.kernel, self.parts = kernel, []

    def __len__(self):
        return self.count

    def extend(self, Forest forest not None, scales=None):
        """Add the examples of a forest; `scales` of its trees, if they are known, save self-kernels."""
        for place, (trees, owners) in enumerate(places(self.kernel, forest)):
            if place == len(self.parts):
                self.parts.append(ColumnPart(self.kernel))
            known = known_scales(self.kernel, trees, None if trees is not forest else scales)
            extend_part(self.parts[place], trees, owners + self.count, known)
        self.count += len(forest)

    def rows(self, Forest forest not None, *, first=0, threads=1):
        """Return the kernel of every example of the forest with every example added so far, from `first` on."""
        cdef ColumnPart part
        out, shape = None, (len(forest), self.count - first)
        for (trees, rows), part in zip(places(self.kernel, forest), self.parts, strict=False):
            owners = joined(part.owners)
            skipped = int(np.searchsorted(owners, first))
            values = rows_of_part(part, trees, skipped, threads)
            out = gathered(out, shape, values, rows, owners[skipped:] - first)
        return np.zeros(shape) if out is None else out


cdef class ColumnPart:
    """The trees of one place."""

    cdef object kernel
    cdef unique_ptr[Columns] stored
    cdef list owners, known_scales

    def __init__(self, kernel):
        self.kernel, self.owners, self.known_scales = kernel, [], []
        self.stored.reset(new Columns(options_of(kernel)))


cdef extend_part(ColumnPart part, Forest trees, owners, scales):
    cdef int64_t tree
    for tree in range(trees.arrays.tree_count):
        dereference(part.stored).add(trees.arrays.tree(tree))
    part.owners.append(owners)
    part.known_scales.append(scales)


cdef rows_of_part(ColumnPart part, Forest trees, int64_t skipped, int64_t threads):
    from kakari.kernels.hardware.turns import turns

    cdef int64_t columns = dereference(part.stored).size() - skipped
    values = np.empty((trees.arrays.tree_count, columns))
    if values.size == 0:
        return values
    cdef double[:, ::1] view = values
    cdef const double[::1] scale_a = part.kernel.scales(trees, threads=threads)
    cdef const double[::1] scale_b = joined(part.known_scales)
    cdef Block wanted
    wanted.a, wanted.scale_a, wanted.scale_b = trees.arrays, &scale_a[0], &scale_b[skipped]
    wanted.b.tree_count, wanted.symmetric, wanted.values = columns, False, &view[0, 0]
    wanted.skipped = skipped
    cdef int64_t begin, end
    for begin, end in turns(trees.arrays.tree_count, threads):
        with nogil:
            gram_by_columns(wanted, dereference(part.stored), begin, end, threads)
        PyErr_CheckSignals()
    return values


cdef block(kernel, Forest a, Forest b, bint symmetric, int64_t threads, method):
    """Return the kernel of every tree of a with every tree of b."""
    from kakari.kernels.hardware.turns import turns  # parsers work out no Gram matrix

    if method not in ("auto", "pairs", "columns"):
        raise TreeKernelError(f"the method must be 'auto', 'pairs' or 'columns', not {method!r}")
    cdef int64_t rows = a.arrays.tree_count, columns = b.arrays.tree_count, tree, begin, end
    values = np.empty((rows, columns))
    if values.size == 0:
        return values
    cdef double[:, ::1] view = values
    scales = kernel.scales(b, threads=threads)
    cdef const double[::1] scale_b = scales
    cdef const double[::1] scale_a = scales if symmetric else kernel.scales(a, threads=threads)
    cdef bint by_pairs = method == "pairs" or (method == "auto" and rows < FEW_ROWS)
    cdef Forest aligned = a.aligned_to(b) if by_pairs else a
    cdef KernelOptions options = options_of(kernel)
    cdef unique_ptr[Columns] stored
    cdef Block wanted
    wanted.a, wanted.b = aligned.arrays, b.arrays
    wanted.scale_a, wanted.scale_b = &scale_a[0], &scale_b[0]
    wanted.symmetric, wanted.values = symmetric, &view[0, 0]
    if not by_pairs:
        with nogil:
            stored.reset(new Columns(options))
            for tree in range(columns):
                dereference(stored).add(b.arrays.tree(tree))
    for begin, end in turns(rows, threads):
        with nogil:
            if by_pairs:
                gram_by_pairs(wanted, options, begin, end, threads)
            else:
                gram_by_columns(wanted, dereference(stored), begin, end, threads)
        PyErr_CheckSignals()
    with nogil:
        wanted.mirror()
    return finite(kernel, values)


def places(kernel, Forest forest not None):
    """Divide a forest into groups of trees that are compared with each other, with the examples they belong to."""
    counts = forest.tree_counts()
    if kernel.pairing == "all" or (counts == 1).all():
        return [(forest, np.repeat(np.arange(len(forest)), counts))]
    return [
        (forest.position(place), np.flatnonzero(counts > place))
        for place in range(counts.max() if counts.size else 0)
    ]


def gram_of_examples(kernel, a, b, values):
    """Return the kernel of examples of one or more trees each; `values(ours, theirs)` compares groups of trees."""
    shape, out = (len(a), len(b)), None
    for (ours, rows), (theirs, columns) in zip(places(kernel, a), places(kernel, b), strict=False):
        out = gathered(out, shape, values(ours, ours if a is b else theirs), rows, columns)
    return np.zeros(shape) if out is None else out


def diagonal_of_examples(kernel, a, self_kernels, threads):
    """Return the kernel of every example with itself; `self_kernels(trees)` is K(t, t) of each tree."""
    values = np.zeros(len(a))
    if kernel.pairing == "all" and (a.tree_counts() > 1).any():
        for i in range(len(a)):
            values[i] = kernel.gram(a[i], threads=threads)[0, 0]
        return values
    for trees, owners in places(kernel, a):
        raw = self_kernels(trees)
        np.add.at(values, owners, (raw > 0).astype(float) if kernel.normalize else raw)
    return values


def known_scales(kernel, Forest trees not None, scales):
    """Return the scales of the trees, computed if they are not given."""
    if scales is None:
        return kernel.scales(trees)
    given = np.ascontiguousarray(scales, dtype=np.float64)
    if given.shape != (trees.arrays.tree_count,) or not np.isfinite(given).all():
        raise TreeKernelError(f"there should be one finite scale for each of {trees.arrays.tree_count} trees")
    return given


def gathered(out, shape, values, rows, columns):
    """Add the values of trees to those of their examples; the usual case is one tree an example."""
    one_each = np.array_equal(rows, np.arange(shape[0])) and np.array_equal(columns, np.arange(shape[1]))
    if one_each:
        return values if out is None else out + values
    if out is None:
        out = np.zeros(shape)
    np.add.at(out, (rows[:, None], columns[None, :]), values)
    return out


cdef joined(list arrays):
    """Return many arrays as one, and keep it so."""
    if len(arrays) > 1:
        arrays[:] = [np.concatenate(arrays)]
    return arrays[0]


cdef finite(kernel, values):
    # The largest value is NaN or infinite if any is.
    if values.size and not np.isfinite(values.max()):
        raise TreeKernelError(
            f"kernel values of these trees do not fit a double with decay {kernel.decay}:"
            " take a smaller decay"
        )
    return values


cdef KernelOptions options_of(kernel):
    cdef KernelOptions options
    options.fragments = <Fragments><int>KINDS[kernel.kind]
    options.decay, options.mu = kernel.decay, kernel.mu
    options.longest = -1 if kernel.max_children is None else kernel.max_children
    options.terminal = kernel.terminal_factor
    return options
