# The support and its linear view as C++ objects (support_parts.hpp, combinations.hpp, frozen.hpp).
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from kakari.kernels.templates.parts cimport PartArrays, Parts, TemplateKernel, TemplateKind


cdef extern from "kernels/templates/frozen.hpp" namespace "kakari" nogil:
    cdef cppclass RowIndex:
        int32_t size()
        const vector[int32_t]& values()

    cdef cppclass MatchCounts:
        MatchCounts() except +
        void begin(size_t tables) except +

    cdef cppclass PartSupport:
        PartSupport(const vector[TemplateKind]& kinds, const vector[int32_t]& widths) except +
        int64_t size()
        int64_t additions(int32_t kind)
        void add(const PartArrays& parts, int64_t part, int64_t amount, int64_t weighted) except +
        int64_t sum(const PartArrays& parts, int64_t part, MatchCounts& counts) except +
        int64_t sum_since(const PartArrays& parts, int64_t part, int64_t place, MatchCounts& counts) except +
        const RowIndex& table(size_t number)
        void list(vector[int32_t]& kinds, vector[int32_t]& rows, vector[int64_t]& amounts,
                  vector[int64_t]& weighted) except +

    cdef cppclass CombinationScratch:
        CombinationScratch() except +
        void forget()

    cdef cppclass FrozenArrays:
        FrozenArrays() except +
        vector[uint64_t] first
        vector[uint64_t] second
        vector[int32_t] parents
        vector[int32_t] terms
        vector[int32_t] counts
        vector[int32_t] entry_terms
        vector[int32_t] entry_weights
        double unit

    cdef cppclass FrozenTable:
        FrozenTable() except +

    FrozenTable thawed(const vector[TemplateKind]& kinds, const FrozenArrays& arrays) except +
    void freeze_support(const PartSupport& support, const vector[TemplateKind]& kinds, int64_t most, double unit,
                        FrozenArrays& to) except +
    int64_t sum_of_part(const FrozenTable& table, const PartArrays& parts, int64_t part,
                        CombinationScratch& scratch) except +

    cdef cppclass PartCombination:
        vector[int32_t] terms
        int64_t weight

    void combinations_of(const FrozenTable& table, const PartArrays& parts, int64_t part,
                         vector[PartCombination]& to) except +


cdef class Support:
    cdef unique_ptr[PartSupport] own
    cdef readonly TemplateKernel kernel
    cdef check(self, Parts parts)


cdef class CombinationWeights:
    cdef FrozenTable table
    cdef readonly TemplateKernel kernel
    cdef readonly dict arrays
    cdef readonly double unit
    cdef fill(self, vector[int32_t]& to, name)
    cdef fill64(self, vector[uint64_t]& to, name)
