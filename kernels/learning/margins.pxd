# Margins of a fixed support set; the work is done by margins.hpp, and nothing changes after construction.
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr


cdef extern from "kernels/learning/margins.hpp" namespace "kakari" nogil:
    cdef cppclass MarginsBase:
        void build(const int64_t *offsets, const int32_t *ids, int64_t rows, const double *coefficients,
                   const int32_t *ranking, int64_t ranked) except +
        void margins(const int64_t *offsets, const int32_t *ids, int64_t rows, cbool signs_only,
                     double *results) except +
        int64_t bytes()
        int method
        cbool reuse
        int64_t common

    unique_ptr[MarginsBase] make_margins(int degree) except +


cdef class SupportMargins:
    cdef unique_ptr[MarginsBase] engine
    cdef readonly int degree
    cdef readonly str method
    cdef readonly bint reuse
