# A thin class over the C++ engine of multiclass.hpp.
from libc.stdint cimport int32_t, int64_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from kakari.kernels.learning.passes cimport ExampleRuns, OnlineLearner, StepOptions


cdef extern from "kernels/learning/multiclass.hpp" namespace "kakari" nogil:
    cdef cppclass MulticlassBase(ExampleRuns):
        void repeat(int32_t vector, int32_t right, int32_t wrong, double amount, int64_t visit) except +
        vector[double] moments(int64_t skipped) except +
        StepOptions step
        int32_t classes
        vector[int32_t] rights
        vector[int32_t] wrongs
        vector[int64_t] visits_of
        vector[double] coefficients
        vector[double] margins
        vector[double] rare_parts
        vector[int32_t] margins_at
        vector[int32_t] rare_at
        vector[int32_t] vectors

    unique_ptr[MulticlassBase] make_multiclass_learner(int degree) except +


cdef class MulticlassLearner(OnlineLearner):
    cdef unique_ptr[MulticlassBase] engine

    cdef table(self, const vector[double]& values)
    cdef restore_updates(self, state)
    cdef restore_memory(self, state)
