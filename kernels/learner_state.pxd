# Between the engine's vectors and numpy's arrays.
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from kakari.kernels.learner cimport LearnerBase

cdef dict model_arrays(LearnerBase *engine)
cdef dict run_arrays(LearnerBase *engine)
cdef int restore_model(LearnerBase *engine, state) except -1
cdef int restore_run(LearnerBase *engine, state) except -1
cdef copied_int32(const vector[int32_t]& values)
cdef copied_int64(const vector[int64_t]& values)
cdef copied_doubles(const vector[double]& values)
