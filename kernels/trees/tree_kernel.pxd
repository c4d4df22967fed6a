# What the Cython modules see of the C++ side of tree kernels (subtrees.hpp, gram.hpp).
from libc.stdint cimport int64_t

from kakari.kernels.trees.forest cimport ForestArrays, Tree


cdef extern from "kernels/trees/deltas.hpp" namespace "kakari" nogil:
    cdef enum class Fragments:
        SUBSET

    cdef cppclass KernelOptions:
        Fragments fragments
        double decay
        double mu
        int64_t longest
        double terminal


cdef extern from "kernels/trees/gram.hpp" namespace "kakari" nogil:
    cdef cppclass Columns:
        Columns(const KernelOptions &options) except +
        int64_t size() const
        int64_t subtree_count() const
        void add(const Tree &tree) except +

    cdef cppclass Block:
        ForestArrays a
        ForestArrays b
        const double *scale_a
        const double *scale_b
        bint symmetric
        int64_t skipped
        double *values
        void mirror() const

    void self_kernels(const ForestArrays &forest, const KernelOptions &options, int64_t threads,
                      double *values) except +
    void gram_by_pairs(const Block &block, const KernelOptions &options, int64_t begin, int64_t end,
                       int64_t threads) except +
    void gram_by_columns(const Block &block, const Columns &columns, int64_t begin, int64_t end,
                         int64_t threads) except +


cdef KernelOptions options_of(kernel)
