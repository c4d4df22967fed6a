# A thin class over the C++ engine of binary.hpp.
from libc.stdint cimport int32_t, int64_t
from libcpp.memory cimport unique_ptr

from kakari.kernels.learning.binary cimport LearnerBase
from kakari.kernels.learning.passes cimport OnlineLearner


cdef class KernelLearner(OnlineLearner):
    cdef unique_ptr[LearnerBase] engine
    cdef double faster
    cdef int32_t largest_count

    cdef begin(self, tuple examples, int64_t passes, vectors)
