"""Mining: the fragments with the largest weights in a tree kernel model (reverse kernel engineering).

`mine` reads them off a forest DAG, the heaviest first (see mining.hpp): the weight of a fragment in the
kernel's own space is exact, only the search for fragments is greedy, and not even that with ``exact=True``.
`enumerated_vectors` is the baseline that needs no model: all fragments up to a depth, hashed.
"""
from cpython.exc cimport PyErr_CheckSignals
from cython.operator cimport dereference
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as cpp_bool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.trees.forest cimport Forest
from kakari.kernels.fragments.dictionary cimport (
    EnumerationOptions,
    FragmentTable,
    SparseRows,
    arrays_of_rows,
    dictionary,
    enumerated_rows,
)
from kakari.kernels.trees.tree_kernel cimport KernelOptions, options_of

from kakari.kernels.fragments.dictionary import FragmentError

cdef int64_t STEPS = 2000          # fragments expanded between two looks for Ctrl-C
cdef int64_t DEEPEST = 1000        # levels of a fragment, however deep the trees are


cdef extern from "kernels/fragments/mining.hpp" namespace "kakari" nogil:
    cdef cppclass WeightedSubtrees:
        WeightedSubtrees(const KernelOptions &options, int64_t outputs) except +
        bint load(const int64_t *group_starts, int64_t groups, const int32_t *group_labels,
                  const int64_t *subtree_starts, int64_t subtrees, const int32_t *subtree_numbers,
                  const double *weights) except +

    cdef cppclass MiningOptions:
        double decay
        double minimum_count
        double factor
        int64_t depth
        int64_t breadth
        cpp_bool exact

    cdef cppclass MinedFragment:
        int32_t fragment
        double weight
        double count

    cdef cppclass FragmentMiner:
        FragmentMiner(const WeightedSubtrees &sum, const MiningOptions &options, int64_t weight,
                      int64_t count) except +
        cpp_bool work(int64_t steps) except +
        int64_t found() const
        vector[MinedFragment] heaviest(int64_t keep, FragmentTable &into) except +


def mine(dag, *, keep=None, double minimum_count=0, double factor=1000, depth=None, int64_t breadth=1, exact=False,
         int64_t output=0, counts=None, progress=None):
    """Return the heaviest fragments of a weighted sum of trees.

    Parameters
    ----------
    dag : ForestDag
        Over a subset-tree kernel.
    keep : int, optional
        The most fragments to return; by default all that reach the threshold.
    minimum_count : float
        Leave out fragments that occur less often in the trees.
    factor : float
        Leave out fragments whose weight is below that of the heaviest divided by this.
    depth : int, optional
        Levels of productions in a fragment.
    breadth : int
        How many nodes may be expanded at once: more than one finds fragments behind a light one.
    exact : bool
        Find everything that the threshold admits, not only what is reached through heavy fragments.
    output, counts : int
        Which outputs of the DAG are the weights and the occurrences; without counts, every distinct subtree
        counts once.
    progress : callable, optional
        Called with the number of fragments found so far.

    Examples
    --------
    >>> from kakari.kernels.trees.dag import ForestDag
    >>> from kakari.kernels.trees.forest import Forest
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> trees = Forest.from_arrays([1, 0, 2, 0, 3, 1, 0, 4, 0, 3], [0, 1, 0, 1, 2, 0, 1, 0, 1, 2], [0, 5, 10])
    >>> dag = ForestDag(TreeKernel("stk", decay=0.25, normalize=False))
    >>> dag.add(trees, [1.0, -1.0])
    >>> found = mine(dag, keep=2)
    >>> [(found.fragment(i), found.relevance[i].item()) for i in range(2)]
    [((0, (2,)), 0.5), ((0, (4,)), -0.5)]
    """
    cdef MiningOptions options
    kernel = dag.kernel
    if kernel.kind not in ("stk", "sst"):
        raise FragmentError(f"only fragments of the subset-tree kernel can be mined, not those of {kernel!r}")
    if factor < 1 or breadth < 1 or (depth is not None and depth < 1) or (keep is not None and keep < 0):
        raise FragmentError("factor, breadth and depth must be at least 1, and keep not negative")
    if not 0 <= output < dag.outputs or (counts is not None and not 0 <= counts < dag.outputs):
        raise FragmentError(f"the DAG has {dag.outputs} outputs")
    options.decay, options.minimum_count, options.factor = kernel.decay, minimum_count, factor
    options.depth, options.breadth, options.exact = min(depth or DEEPEST, DEEPEST), breadth, exact
    fields = part_of(dag)
    cdef unique_ptr[WeightedSubtrees] sum
    sum.reset(new WeightedSubtrees(options_of(kernel), dag.outputs))
    load(sum.get(), fields)
    cdef unique_ptr[FragmentMiner] miner
    miner.reset(new FragmentMiner(dereference(sum), options, output, -1 if counts is None else counts))
    cdef cpp_bool more = True
    while more:
        with nogil:
            more = dereference(miner).work(STEPS)
        PyErr_CheckSignals()
        if progress is not None:
            progress(dereference(miner).found())
    cdef FragmentTable table
    cdef vector[MinedFragment] best = dereference(miner).heaviest(
        dereference(miner).found() if keep is None else keep, table
    )
    return dictionary(kernel, &table, [one.fragment for one in best], [one.weight for one in best],
                      [one.count for one in best])


cdef part_of(dag):
    """Return the arrays of the DAG's trees; each example must have exactly one tree."""
    parts = dag.contents().numbered_parts()
    if len(parts) > 1:
        raise FragmentError("examples must have one tree each")
    if not parts:
        raise FragmentError("the DAG is empty: there is nothing to mine")
    return parts[0].arrays


cdef load(WeightedSubtrees *sum, fields):
    cdef const int64_t[::1] group_starts = fields["group_starts"], subtree_starts = fields["subtree_starts"]
    cdef const int32_t[::1] labels = np.append(fields["group_labels"], np.int32(0))
    cdef const int32_t[::1] numbers = np.append(fields["subtree_numbers"], np.int32(0))
    cdef const double[::1] weights = np.append(fields["weights"].ravel(), 0.0)
    if not sum.load(&group_starts[0], group_starts.shape[0] - 1, &labels[0], &subtree_starts[0],
                    subtree_starts.shape[0] - 1, &numbers[0], &weights[0]):
        raise FragmentError("this DAG's arrays do not fit each other")


def enumerated_vectors(Forest forest not None, *, int64_t depth=3, int64_t longest=10_000, int bits=20,
                       double decay=0.4, normalize=True, int64_t threads=1):
    """Return the trees as sparse rows of all their fragments up to a depth, hashed into 2**bits columns.

    Each node contributes at most `longest` fragments. Values are those of the subset-tree kernel's space, rows are
    divided by their length if `normalize`.

    Examples
    --------
    >>> from kakari.kernels.trees.forest import Forest
    >>> tree = Forest.from_arrays([1, 0, 2, 0, 3], [0, 1, 0, 1, 2], [0, 5])
    >>> offsets, columns, values = enumerated_vectors(tree, depth=2, decay=1.0, normalize=False)
    >>> offsets.tolist(), values.tolist()
    ([0, 6], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    """
    cdef EnumerationOptions options
    cdef SparseRows rows
    if depth < 1 or longest < 1 or not 1 <= bits <= 31 or not 0 < decay <= 1:
        raise FragmentError("depth and longest must be at least 1, bits 1 to 31, the decay above 0 and at most 1")
    if (forest.tree_counts() != 1).any():
        raise FragmentError("examples must have one tree each")
    options.depth, options.longest, options.bits, options.decay = depth, longest, bits, decay
    with nogil:
        enumerated_rows(forest.arrays, options, threads, rows)
    offsets, columns, values = arrays_of_rows(rows, len(forest))
    if normalize and values.size:
        owners = np.repeat(np.arange(len(forest)), np.diff(offsets))
        values = values / np.sqrt(np.bincount(owners, values**2, minlength=len(forest)))[owners]
    return offsets, columns, values
