# Parts over tables of properties, as arrays that C++ reads (parts.hpp).
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector


cdef extern from "kernels/templates/parts.hpp" namespace "kakari" nogil:
    cdef cppclass TemplateSlot:
        TemplateSlot()
        int32_t table
        int32_t degree
        cbool optional

    cdef cppclass TemplateKind:
        TemplateKind()
        vector[TemplateSlot] slots

    cdef cppclass PropertyTable:
        PropertyTable()
        const int32_t *values
        int64_t rows
        int32_t width

    cdef cppclass PartArrays:
        PartArrays()
        vector[TemplateKind] kinds
        vector[PropertyTable] tables
        const uint8_t *kind_of
        const int32_t *slots
        int64_t count
        int32_t most
        int64_t kernel(int64_t part, const PartArrays& others, int64_t other)


cdef class TemplateKernel:
    cdef readonly tuple kinds
    cdef readonly tuple widths
    cdef vector[TemplateKind] own_kinds
    cdef vector[int32_t] own_widths


cdef class Parts:
    cdef PartArrays arrays
    cdef readonly TemplateKernel kernel
    cdef readonly list tables
    cdef readonly object kinds
    cdef readonly object slots
