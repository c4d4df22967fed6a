# The C++ engine of binary.hpp as Cython sees it: runs over examples, and what each example remembers of its
# last visit.
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from kakari.kernels.learning.passes cimport ExampleRuns, StepOptions


cdef extern from "kernels/learning/linear_part.hpp" namespace "kakari" nogil:
    cdef cppclass LinearPart:
        void begin(const int64_t *offsets, const int32_t *columns, const float *values, int64_t rows,
                   int64_t width) except +
        vector[double] weights
        vector[double] moments


cdef extern from "kernels/learning/adaptive_weights.hpp" namespace "kakari" nogil:
    cdef struct Update:
        int32_t vector
        double amount
        int64_t visit


cdef extern from "kernels/learning/binary.hpp" namespace "kakari" nogil:
    cdef enum class Method:
        SLICING

    cdef struct Remembered:
        double margin
        double rare
        int32_t margin_at
        int32_t rare_at
        int32_t vector

    cdef cppclass LearnerBase(ExampleRuns):
        void repeat(int32_t vector, double amount, int64_t visit) except +
        vector[double] moments(int64_t skipped) except +
        int64_t explicit_features()
        void pretend(double faster, int32_t largest_count)
        StepOptions step
        Method method
        cbool reuse
        vector[Remembered] remembered
        vector[Update] updates
        vector[double] coefficients
        LinearPart linear

    unique_ptr[LearnerBase] make_learner(int degree) except +
