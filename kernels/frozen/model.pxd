# A frozen model for decoders: `model.margin_of(ids, length, workspace.scratch)` without the GIL, one decision
# a call. The model is read-only and shared by all threads; a workspace belongs to one thread at a time.
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libcpp.vector cimport vector


cdef extern from "kernels/frozen/classifier.hpp" namespace "kakari" nogil:
    cdef cppclass FrozenArrays:
        int degree
        double constant
        int64_t features, common, rows
        const int32_t *ids
        const int32_t *direct
        int64_t direct_size
        vector[int32_t] slots
        uint64_t slot_of(int32_t id) const
        const void *head[4]
        double scale[4]
        bint kernel_tail
        int words
        const int64_t *posting_starts
        const void *postings
        const uint64_t *table
        const void *inner_labels[4]
        const void *inner_weights[4]
        const uint32_t *inner_starts[4]
        const uint32_t *leaf_starts[4]
        const void *leaf_labels[4]
        const void *leaf_weights[4]
        const double *tail_positive
        const double *tail_negative
        bint fill_slots() except +

    cdef cppclass FrozenScratch:
        vector[int32_t] ranks
        vector[uint64_t] prefix_keys
        vector[double] prefix_totals

    cdef cppclass FrozenClassifier:
        double margin(const int32_t *, int64_t, FrozenScratch &) except +
        double margin_of_ranks(const int32_t *, int64_t, FrozenScratch &) except +
        int64_t rank_of(int32_t id)
        double sign(const int32_t *, int64_t, FrozenScratch &) except +
        int64_t rank_features(const int32_t *, int64_t, FrozenScratch &) except +
        void run(const int64_t *, const int32_t *, int64_t, double *, int, bint, int64_t) except +
        const FrozenArrays model

    FrozenClassifier *new_classifier(const FrozenArrays &, int, int) except +


cdef class Workspace:
    cdef FrozenScratch *scratch
    cdef FrozenModel model              # keeps what the scratch was made for


cdef class FrozenModel:
    cdef readonly dict settings
    cdef readonly dict arrays
    cdef FrozenClassifier *classifier
    cdef FrozenArrays view
    cdef object bounds, direct
    # Never -1e300 as a real result: no margin of float weights gets there.
    cdef double margin_of(self, const int32_t *ids, int64_t length,
                          FrozenScratch *scratch) except? -1e300 nogil
