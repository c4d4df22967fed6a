# Many trees in flat arrays. Node arrays run through all trees end to end, each tree in postorder; `trees`
# says where each tree begins among the nodes, `examples` where each example begins among the trees. Labels
# and arities are the whole truth; productions, children and the merge order are derived once (see trees.hpp).
# Nothing is ever changed in place, so a forest may be read from many threads.
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector


cdef extern from "kernels/trees/sequences.hpp" namespace "kakari" nogil:
    cdef cppclass SequenceTable:
        int64_t size() const
        const int32_t *begin(int64_t number) const
        int64_t length(int64_t number) const
        int32_t find(const int32_t *sequence, int64_t length) const
        int32_t find_or_add(const int32_t *sequence, int64_t length) except +
        const vector[int64_t] &starts() const
        const vector[int32_t] &numbers() const


cdef extern from "kernels/trees/trees.hpp" namespace "kakari" nogil:
    cdef cppclass Tree:
        int64_t size
        int64_t inner

    cdef cppclass ForestArrays:
        int64_t tree_count
        const int64_t *tree_starts
        const int32_t *inner_counts
        const int32_t *labels
        const int32_t *arities
        const int32_t *productions
        const int32_t *first_child
        const int32_t *children
        const int32_t *order
        Tree tree(int64_t number) const

    int64_t derive(int64_t tree_count, const int64_t *tree_starts, const int32_t *labels,
                   const int32_t *arities, int32_t *inner_counts, int32_t *productions,
                   int32_t *first_child, int32_t *children, int32_t *order, SequenceTable &table) except +
    int32_t sort_nodes(int64_t size, const int32_t *labels, const int32_t *productions, int32_t *order,
                       vector[uint64_t] &keys) except +


cdef class Productions:
    cdef SequenceTable table
    cdef object symbols     # what the labels stand for, or None if it is not known here
    cdef object unknown     # names of labels that symbols does not hold, by number, or None


cdef class Forest:
    cdef readonly Productions productions   # shared by everything sliced from one forest
    cdef readonly object examples           # numpy int64, one more than there are examples
    cdef readonly object trees              # numpy int64, one more than there are trees
    cdef readonly object labels             # numpy int32, one a node
    cdef readonly object arities            # numpy int32, one a node
    cdef object inner_counts, node_productions, first_child, children, order
    cdef ForestArrays arrays
    cdef const int64_t[::1] example_view
