# The online learner of training.pyx is the C++ engine of learner.hpp: a log of updates, explicit weights of the
# conjunctions of common features, and what each example remembers of its last visit.
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector


cdef extern from "support_log.hpp" namespace "kakari" nogil:
    cdef cppclass SupportLog:
        int64_t size()
        int32_t vectors()
        const vector[int64_t]& vector_offsets()
        const vector[int32_t]& vector_ranks()
        int32_t add_vector(const int32_t *ranks, int length) except +


cdef extern from "feature_index.hpp" namespace "kakari" nogil:
    cdef cppclass FeatureIndex:
        int32_t add(int32_t id) except +
        const vector[int32_t]& ids()


cdef extern from "learner.hpp" namespace "kakari" nogil:
    cdef struct LearnerOptions:
        int rule
        int method
        cbool reuse
        cbool kernel_step
        double cost
        int64_t common
        int64_t memory_limit
        cbool shuffle
        uint64_t seed

    cdef struct Remembered:
        double margin
        double rare
        int32_t margin_at
        int32_t rare_at
        int32_t vector

    cdef struct Update:
        int32_t vector
        double amount
        int64_t visit

    void draw_order "kakari::visiting_order"(int64_t examples, uint64_t seed, uint64_t turn, int64_t *order)

    cdef cppclass LearnerBase:
        void begin(const int64_t *offsets, const int32_t *ids, int64_t rows, const int64_t *first,
                   const int8_t *labels, const double *weights) except +
        void end()
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
        void repeat(int32_t vector, double amount, int64_t visit) except +
        int64_t bytes()
        LearnerOptions options
        FeatureIndex index
        SupportLog log
        vector[Remembered] remembered
        vector[Update] updates
        vector[double] coefficients
        vector[double] moments
        vector[int64_t] examples
        int64_t examples_before
        int64_t position
        int64_t passes
        int64_t visits
        int64_t mistakes_in_pass
        int64_t peak_bytes

    unique_ptr[LearnerBase] make_learner(int degree) except +


cdef class KernelLearner:
    cdef unique_ptr[LearnerBase] engine
    cdef readonly dict options       # as given to the constructor
    cdef readonly list mistakes      # in each finished pass
    cdef readonly int64_t passes_left

    cdef reset(self)
    cdef start(self, tuple examples, int64_t passes)
    cdef finish_pass(self)
    cdef whereabouts(self, mistakes)
    cdef feature_ids(self)
    cdef support_ranks(self)
    cdef restore_model(self, state)
    cdef restore_progress(self, state)
