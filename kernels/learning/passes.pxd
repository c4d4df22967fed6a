# The C++ runs of passes.hpp as Cython sees them, and the class that steers one from Python.
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector


cdef extern from "kernels/replay/support_log.hpp" namespace "kakari" nogil:
    cdef cppclass SupportLog:
        int64_t size()
        int32_t vectors()
        const vector[int64_t]& vector_offsets()
        const vector[int32_t]& vector_ranks()
        const vector[int32_t]& entry_vectors()
        const vector[double]& entry_coefficients()
        int32_t add_vector(const int32_t *ranks, int length) except +


cdef extern from "kernels/sets/feature_index.hpp" namespace "kakari" nogil:
    cdef cppclass FeatureIndex:
        int32_t add(int32_t id) except +
        const vector[int32_t]& ids()


cdef extern from "kernels/learning/steps.hpp" namespace "kakari" nogil:
    cdef enum class Rule:
        PERCEPTRON

    cdef struct StepOptions:
        Rule rule
        cbool kernel_step
        double cost


cdef extern from "kernels/learning/passes.hpp" namespace "kakari" nogil:
    void draw_order "kakari::visiting_order"(int64_t examples, uint64_t seed, uint64_t turn, int64_t *order)

    cdef cppclass ExampleRuns:
        void begin(const int64_t *offsets, const int32_t *ids, int64_t rows, const int64_t *first,
                   const int32_t *labels, const double *weights) except +
        void end() except +
        int64_t run(int64_t examples, double seconds) except +
        void finish_pass() except +
        void start_pass() except +
        int64_t rows()
        int64_t common()
        int64_t dense()
        int64_t bitmapped()
        cbool laid_out()
        cbool running()
        uint64_t fingerprint()
        void lay_out_as(int64_t common, int64_t dense, int64_t bitmapped) except +
        int64_t update_count()
        int64_t bytes()
        int64_t wanted_common
        int64_t memory_limit
        cbool shuffle
        uint64_t seed
        FeatureIndex index
        SupportLog log
        vector[int64_t] examples
        int64_t examples_before
        int64_t largest_run
        cbool diverged
        int64_t position
        int64_t passes
        int64_t visits
        int64_t mistakes_in_pass
        int64_t peak_bytes


cdef class OnlineLearner:
    cdef ExampleRuns *runs           # belongs to the subclass, which sets it in `reset`
    cdef readonly dict options       # as given to the constructor
    cdef readonly list mistakes      # in each finished pass
    cdef list pass_ends              # visits so far, at the end of each
    cdef readonly int64_t passes_left

    cdef reset(self)
    cdef tuple checked(self, sets, labels, weights)
    cdef set_options(self, StepOptions *step)
    cdef start(self, tuple examples, int64_t passes)
    cdef finish_pass(self)
    cdef int64_t visits_before(self, after) except -1
    cdef whereabouts(self, mistakes)
    cdef dict run_arrays(self)
    cdef dict run_settings(self)
    cdef restore_progress(self, contents)
