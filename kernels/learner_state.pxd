# Between the engine's vectors and numpy's arrays.
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from kakari.kernels.learner cimport LearnerBase
from kakari.kernels.runs cimport ExampleRuns

cdef dict support_arrays(ExampleRuns *runs)
cdef bint restore_support(ExampleRuns *runs, state) except -1
cdef int refuse_other_examples(ExampleRuns *runs, state) except -1
cdef dict model_arrays(LearnerBase *engine)
cdef int restore_model(LearnerBase *engine, state) except -1
cdef int restore_vector_weights(LearnerBase *engine, state) except -1
cdef int restore_run(LearnerBase *engine, state) except -1
cdef copied_int32(const vector[int32_t]& values)
cdef copied_int64(const vector[int64_t]& values)
cdef copied_doubles(const vector[double]& values)
