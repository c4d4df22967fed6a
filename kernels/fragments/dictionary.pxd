# What Cython sees of fragment tables (table.hpp, matching.hpp, vectors.hpp).
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from kakari.kernels.trees.forest cimport ForestArrays, SequenceTable


cdef extern from "kernels/fragments/table.hpp" namespace "kakari" nogil:
    cdef cppclass FragmentTable:
        int64_t size() const
        const SequenceTable &productions() const
        const SequenceTable &fragments() const
        int32_t expanded(int64_t fragment) const
        int64_t arity(int64_t fragment) const
        int32_t production(int64_t fragment) const
        const int32_t *parts(int64_t fragment) const
        int32_t add_from(const FragmentTable &other, int32_t fragment, vector[int32_t] &known) except +
        bint load(const int64_t *production_starts, int64_t productions, const int32_t *labels,
                  const int64_t *fragment_starts, int64_t fragments, const int32_t *numbers) except +


cdef extern from "kernels/fragments/matching.hpp" namespace "kakari" nogil:
    cdef cppclass FragmentMatcher:
        FragmentMatcher()
        FragmentMatcher(const FragmentTable &table) except +


cdef extern from "kernels/fragments/vectors.hpp" namespace "kakari" nogil:
    cdef cppclass SparseRows:
        int64_t entries() const
        void write(int64_t *offsets, int32_t *columns, double *values) const

    cdef cppclass EnumerationOptions:
        int64_t depth
        int64_t longest
        int bits
        double decay

    void dictionary_rows(const FragmentMatcher &matcher, const int32_t *column_of, const double *decays,
                         const ForestArrays &forest, const double *scales, int64_t threads,
                         SparseRows &out) except +
    void dictionary_margins(const FragmentMatcher &matcher, const double *weight_of, const ForestArrays &forest,
                            const double *scales, int64_t threads, double *values) except +
    void enumerated_rows(const ForestArrays &forest, const EnumerationOptions &options, int64_t threads,
                         SparseRows &out) except +


cdef class FragmentDictionary:
    cdef readonly object kernel        # the subset-tree kernel whose fragments these are
    cdef readonly object fragments     # numpy int32, by column: its fragment in the table
    cdef readonly object relevance     # numpy float64, by column
    cdef readonly object counts        # numpy float64, by column
    cdef FragmentTable table
    cdef FragmentMatcher matcher
    cdef object column_of              # numpy int32, by fragment; -1 for what is only part of others
    cdef object decays                 # numpy float64, by column: λ^(l/2)

    cdef finish(self)


cdef dictionary(kernel, const FragmentTable *table, fragments, relevance, counts)
cdef arrays_of_rows(const SparseRows &rows, int64_t count)
