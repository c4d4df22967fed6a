# A thin class over the C++ engine of learner.hpp.
from libc.stdint cimport int64_t
from libcpp.memory cimport unique_ptr

from kakari.kernels.learner cimport LearnerBase


cdef class KernelLearner:
    cdef unique_ptr[LearnerBase] engine
    cdef readonly dict options       # as given to the constructor
    cdef readonly list mistakes      # in each finished pass
    cdef readonly int64_t passes_left

    cdef reset(self)
    cdef start(self, tuple examples, int64_t passes)
    cdef finish_pass(self)
    cdef whereabouts(self, mistakes)
