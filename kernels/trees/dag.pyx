"""Forest DAG: a weighted sum of trees in kernel space, with each distinct subtree stored once.

f(x) = Σ wᵢ K(tᵢ, x) is one pass over the distinct subtrees that x's nodes can match, however many trees were
added (see dag.hpp and subtrees.hpp). Adding a tree costs O(its nodes), so that an online learner grows its
model update by update; memory is that of the distinct subtrees. Several outputs (one-vs-rest classes, a model
and its average) share one pass. Exact: subtrees are compared with each other, not only their hashes.
"""
from cython.operator cimport dereference
from libc.stdint cimport int32_t, int64_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.stored import Contents

from kakari.kernels.trees.forest cimport Forest, ForestArrays, SequenceTable
from kakari.kernels.trees.tree_kernel cimport KernelOptions, options_of

from kakari.kernels.trees.tree_kernel import known_scales, places


cdef extern from "kernels/trees/dag.hpp" namespace "kakari" nogil:
    cdef cppclass SubtreeStore:
        const SequenceTable &groups() const
        const SequenceTable &subtrees() const

    cdef cppclass WeightedSubtrees:
        WeightedSubtrees(const KernelOptions &options, int64_t outputs) except +
        int64_t size() const
        const SubtreeStore &store() const
        const double *weights(int64_t subtree) const
        void add(const ForestArrays &forest, const int64_t *owners, const double *weights,
                 const double *scales) except +
        void embed(const ForestArrays &forest, const int64_t *owners, const double *weights, const double *scales,
                   vector[int32_t] &subtrees, vector[double] &values) except +
        void respond(const ForestArrays &forest, const int64_t *owners, const double *weights,
                     const double *scales, double *values) except +
        void set_weights(const double *weights) except +
        void merge(const WeightedSubtrees &other, double factor) except +
        void scale(double factor)
        void evaluate(const ForestArrays &forest, int64_t threads, const double *scales,
                      double *values) except +
        bint load(const int64_t *group_starts, int64_t groups, const int32_t *group_labels,
                  const int64_t *subtree_starts, int64_t subtrees, const int32_t *subtree_numbers,
                  const double *weights) except +


class DagError(ValueError):
    """Weights or arrays that do not fit; the text says why."""


cdef class ForestDag:
    """A weighted sum of trees.

    Many threads may evaluate at once. Adding while another thread evaluates is refused.

    Parameters
    ----------
    kernel : TreeKernel
    outputs : int
        How many weighted sums of the same trees to keep.

    Examples
    --------
    >>> from kakari.kernels.trees.forest import Forest
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> trees = Forest.from_arrays([1, 0, 2, 0, 3, 1, 0, 4, 0, 3], [0, 1, 0, 1, 2, 0, 1, 0, 1, 2], [0, 5, 10])
    >>> dag = ForestDag(TreeKernel("stk", decay=1.0, normalize=False))
    >>> dag.add(trees, [1.0, -0.5])
    >>> dag.evaluate(trees).tolist(), len(dag)
    ([4.5, 0.0], 5)
    """

    cdef readonly object kernel
    cdef readonly int64_t outputs
    cdef list parts             # one for each place of a tree in its example
    cdef int64_t readers

    def __init__(self, kernel, *, int64_t outputs=1):
        if outputs < 1:
            raise DagError(f"there must be at least one output, not {outputs}")
        self.kernel, self.outputs, self.parts = kernel, outputs, []

    def __len__(self):
        """Return the number of distinct subtrees."""
        return sum(part_size(part) for part in self.parts)

    def __repr__(self):
        return f"<{len(self)} distinct subtrees, {self.outputs} outputs, {self.kernel!r}>"

    def add(self, Forest forest not None, weights, *, scales=None):
        """Add each example times its weight (or weights, one for each output).

        `scales` of the forest's trees (`TreeKernel.scales`), if they are known, save their self-kernels.
        """
        given = checked_weights(weights, len(forest), self.outputs)
        self.refuse_readers()
        for place, (trees, owners) in enumerate(places(self.kernel, forest)):
            known = known_scales(self.kernel, trees, None if trees is not forest else scales)
            if place == len(self.parts):
                self.parts.append(DagPart(self.kernel, self.outputs))
            add_to_part(self.parts[place], trees, owners, given, known)

    def embed(self, Forest forest not None, weights):
        """Store the subtrees of examples without adding them; return the numbers of these subtrees, and what the
        examples would add to each.

        With `respond` and `set_weights` this lets a learner keep many sums over one store. Only for examples whose
        trees stand at one place: one tree each, or ``pairing="all"``.

        Examples
        --------
        >>> from kakari.kernels.trees.forest import Forest
        >>> from kakari.kernels.trees.tree_kernel import TreeKernel
        >>> trees = Forest.from_arrays([7, 5, 7, 5, 5], [0, 1, 0, 1, 1], [0, 2, 5])
        >>> dag = ForestDag(TreeKernel("stk", normalize=False))
        >>> [array.tolist() for array in dag.embed(trees, [1.0, 10.0])], dag.evaluate(trees).tolist()
        ([[0, 1], [11.0, 10.0]], [0.0, 0.0])
        """
        cdef vector[int32_t] subtrees
        cdef vector[double] values
        trees, owners, scales = self.one_place(forest)
        self.refuse_readers()
        cdef const double[:, ::1] given = checked_weights(weights, len(forest), 1)
        cdef const int64_t[::1] owner_view = owners
        cdef const double[::1] scale_view = scales
        cdef DagPart part = self.parts[0]
        cdef Forest held = trees
        if owner_view.shape[0]:
            with nogil:
                dereference(part.sum).embed(held.arrays, &owner_view[0], &given[0, 0], &scale_view[0], subtrees,
                                            values)
        numbers, places_of = np.unique(np.array(subtrees, dtype=np.int64), return_inverse=True)
        return numbers, np.bincount(places_of, np.array(values, dtype=np.float64), numbers.size)

    def respond(self, Forest forest not None, weights):
        """Return for each stored subtree the sum of the weighted examples' kernels with it.

        Its product with the values that `embed` returned for other examples is the sum of the kernels between them.

        Examples
        --------
        >>> from kakari.kernels.trees.forest import Forest
        >>> from kakari.kernels.trees.tree_kernel import TreeKernel
        >>> trees = Forest.from_arrays([7, 5, 7, 5, 5], [0, 1, 0, 1, 1], [0, 2, 5])
        >>> kernel = TreeKernel("stk", normalize=False)
        >>> dag = ForestDag(kernel)
        >>> numbers, values = dag.embed(trees, [1.0, 10.0])
        >>> float(dag.respond(trees, [1.0, 0.0])[numbers] @ values), float(kernel.gram(trees)[0] @ [1.0, 10.0])
        (4.4, 4.4)
        """
        trees, owners, scales = self.one_place(forest)
        cdef const double[:, ::1] given = checked_weights(weights, len(forest), 1)
        cdef const int64_t[::1] owner_view = owners
        cdef const double[::1] scale_view = scales
        cdef DagPart part = self.parts[0]
        cdef Forest held = trees
        values = np.zeros(len(self) + 1)
        cdef double[::1] view = values
        self.readers += 1
        try:
            if owner_view.shape[0]:
                with nogil:
                    dereference(part.sum).respond(held.arrays, &owner_view[0], &given[0, 0], &scale_view[0], &view[0])
        finally:
            self.readers -= 1
        return values[:len(self)]

    def set_weights(self, weights):
        """Replace the weights of all subtrees, in the order of their numbers (only with trees at one place)."""
        cdef DagPart part
        given = checked_weights(weights, len(self), self.outputs)
        self.refuse_readers()
        if len(self.parts) != 1:
            raise DagError(f"a DAG with trees at {len(self.parts)} places has no one numbering of subtrees")
        cdef const double[::1] view = np.append(given.ravel(), 0.0)
        part = self.parts[0]
        dereference(part.sum).set_weights(&view[0])

    cdef one_place(self, Forest forest):
        found = places(self.kernel, forest)
        if len(found) > 1 or len(self.parts) > 1:
            raise DagError("only trees at one place can be embedded: one tree an example, or pairing='all'")
        if not self.parts:
            self.parts.append(DagPart(self.kernel, self.outputs))
        trees, owners = found[0] if found else (forest, np.zeros(0, dtype=np.int64))
        return trees, owners, self.kernel.scales(trees)

    def merge(self, ForestDag other not None, double factor=1.0):
        """Add another sum, times a factor.

        Examples
        --------
        >>> from kakari.kernels.trees.forest import Forest
        >>> from kakari.kernels.trees.tree_kernel import TreeKernel
        >>> tree, kernel = Forest.from_arrays([7, 5], [0, 1]), TreeKernel("stk", normalize=False)
        >>> one, two = ForestDag(kernel), ForestDag(kernel)
        >>> one.add(tree, [1.0]); two.add(tree, [10.0])
        >>> one.merge(two, 0.5)
        >>> one.evaluate(tree).tolist(), len(one)
        ([2.4000000000000004], 1)
        """
        cdef DagPart ours, theirs
        if other.kernel != self.kernel or other.outputs != self.outputs:
            raise DagError(f"{other!r} cannot be merged into {self!r}: kernel or outputs differ")
        self.refuse_readers()
        if other is self:
            self.scale(1.0 + factor)
            return
        while len(self.parts) < len(other.parts):
            self.parts.append(DagPart(self.kernel, self.outputs))
        for ours, theirs in zip(self.parts, other.parts, strict=False):
            dereference(ours.sum).merge(dereference(theirs.sum), factor)

    def scale(self, double factor):
        """Multiply all weights by a factor."""
        cdef DagPart part
        self.refuse_readers()
        for part in self.parts:
            dereference(part.sum).scale(factor)

    def evaluate(self, Forest forest not None, *, int64_t threads=1):
        """Return f(x) of every example: one number each, or one row of outputs."""
        values = np.zeros((len(forest), self.outputs))
        self.readers += 1
        try:
            for (trees, owners), part in zip(places(self.kernel, forest), self.parts, strict=False):
                np.add.at(values, owners, evaluate_part(part, trees, self.kernel.scales(trees), self.outputs,
                                                        threads))
        finally:
            self.readers -= 1
        return values[:, 0] if self.outputs == 1 else values

    def contents(self):
        """Return the saved form of the sums, without kernel and outputs, which `from_contents` takes too.

        Examples
        --------
        >>> from kakari.kernels.trees.forest import Forest
        >>> from kakari.kernels.trees.tree_kernel import TreeKernel
        >>> tree, kernel = Forest.from_arrays([7, 5], [0, 1]), TreeKernel("stk", normalize=False)
        >>> dag = ForestDag(kernel)
        >>> dag.add(tree, [2.0])
        >>> ForestDag.from_contents(dag.contents(), kernel, 1).evaluate(tree).tolist()
        [0.8]
        """
        return Contents.joined(
            {str(place): Contents(arrays_of_part(part, self.outputs)) for place, part in enumerate(self.parts)}
        )

    @staticmethod
    def from_contents(contents, kernel, int64_t outputs):
        """Rebuild a DAG from its `contents()`, its kernel and the number of its outputs."""
        cdef ForestDag dag = ForestDag(kernel, outputs=outputs)
        for stored in contents.numbered_parts():
            part = DagPart(kernel, outputs)
            load_part(part, stored, outputs)
            dag.parts.append(part)
        return dag

    def reweighted(self, function, int64_t outputs):
        """Return a DAG of the same subtrees with other weights: `function` takes those of all outputs (columns).

        Examples
        --------
        >>> from kakari.kernels.trees.forest import Forest
        >>> from kakari.kernels.trees.tree_kernel import TreeKernel
        >>> tree, kernel = Forest.from_arrays([7, 5], [0, 1]), TreeKernel("stk", normalize=False)
        >>> dag = ForestDag(kernel)
        >>> dag.add(tree, [2.0])
        >>> dag.reweighted(lambda weights: weights @ [[2.0, 0.0]], 2).evaluate(tree).tolist()
        [[1.6, 0.0]]
        """
        contents = self.contents()
        for part in contents.parts.values():
            part.arrays["weights"] = np.ascontiguousarray(function(part.arrays["weights"]), dtype=np.float64)
        return ForestDag.from_contents(contents, self.kernel, outputs)

    def __reduce__(self):
        return ForestDag.from_contents, (self.contents(), self.kernel, self.outputs)

    cdef refuse_readers(self):
        if self.readers:
            raise RuntimeError("another thread is evaluating this DAG: it cannot be changed now")


cdef class DagPart:
    """The trees of one place."""

    cdef unique_ptr[WeightedSubtrees] sum

    def __init__(self, kernel, int64_t outputs):
        self.sum.reset(new WeightedSubtrees(options_of(kernel), outputs))


cdef part_size(DagPart part):
    return dereference(part.sum).size()


cdef add_to_part(DagPart part, Forest trees, owners, const double[:, ::1] weights, const double[::1] scales):
    cdef const int64_t[::1] owner_view = owners
    if owner_view.shape[0]:
        dereference(part.sum).add(trees.arrays, &owner_view[0], &weights[0, 0], &scales[0])


cdef evaluate_part(DagPart part, Forest trees, const double[::1] scales, int64_t outputs, int64_t threads):
    values = np.zeros((trees.arrays.tree_count, outputs))
    cdef double[:, ::1] view = values
    if values.size:
        with nogil:
            dereference(part.sum).evaluate(trees.arrays, threads, &scales[0], &view[0, 0])
    return values


cdef arrays_of_part(DagPart part, int64_t outputs):
    cdef int64_t size = dereference(part.sum).size(), number, output
    cdef const double *stored
    weights = np.empty((size, outputs))
    cdef double[:, ::1] view = weights
    for number in range(size):
        stored = dereference(part.sum).weights(number)
        for output in range(outputs):
            view[number, output] = stored[output]
    return {
        "group_starts": np.array(dereference(part.sum).store().groups().starts(), dtype=np.int64),
        "group_labels": np.array(dereference(part.sum).store().groups().numbers(), dtype=np.int32),
        "subtree_starts": np.array(dereference(part.sum).store().subtrees().starts(), dtype=np.int64),
        "subtree_numbers": np.array(dereference(part.sum).store().subtrees().numbers(), dtype=np.int32),
        "weights": weights,
    }


cdef load_part(DagPart part, contents, int64_t outputs):
    group_labels = contents.array("group_labels", np.int32, minimum=0)
    subtree_numbers = contents.array("subtree_numbers", np.int32, minimum=-1)
    cdef const int64_t[::1] group_starts = contents.offsets("group_starts", group_labels.size)
    cdef const int64_t[::1] subtree_starts = contents.offsets("subtree_starts", subtree_numbers.size)
    cdef const int32_t[::1] labels = np.append(group_labels, np.int32(0))
    cdef const int32_t[::1] numbers = np.append(subtree_numbers, np.int32(0))
    cdef int64_t size = subtree_starts.shape[0] - 1
    given = contents.array("weights", np.float64, shape=(size, outputs))
    cdef const double[::1] weights = np.append(given.ravel(), 0.0)
    if not dereference(part.sum).load(&group_starts[0], group_starts.shape[0] - 1, &labels[0],
                                      &subtree_starts[0], size, &numbers[0], &weights[0]):
        raise DagError("these arrays are not those of a forest DAG with this kernel")


cdef checked_weights(weights, count, outputs):
    given = np.asarray(weights, dtype=np.float64)
    if given.ndim == 1 and outputs == 1:
        given = given[:, None]
    if given.shape != (count, outputs):
        raise DagError(f"weights should have the shape {(count, outputs)}, not {given.shape}")
    if not np.isfinite(given).all():
        raise DagError("weights must be finite numbers")
    return np.ascontiguousarray(given)
