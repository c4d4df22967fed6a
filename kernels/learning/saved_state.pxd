# Between the engine's vectors and numpy's arrays.
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from kakari.kernels.learning.binary cimport LearnerBase
from kakari.kernels.learning.passes cimport ExampleRuns

cdef dict support_arrays(ExampleRuns *runs)
cdef bint restore_support(ExampleRuns *runs, contents) except -1
cdef int check_remembered(contents, places, vectors, ExampleRuns *runs) except -1
cdef int refuse_other_examples(ExampleRuns *runs, contents) except -1
cdef dict model_arrays(LearnerBase *engine)
cdef int restore_model(LearnerBase *engine, contents) except -1
cdef int restore_vector_weights(LearnerBase *engine, contents) except -1
cdef int restore_run(LearnerBase *engine, contents) except -1
