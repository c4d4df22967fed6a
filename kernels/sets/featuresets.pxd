# Sets of 32-bit feature ids in compressed sparse rows: row i is ids[offsets[i]:offsets[i + 1]], strictly
# increasing. Two flat arrays and nothing else, so that a collection pickles, hashes, maps from disk and
# crosses threads without special code. A row is reached in O(1); nothing is ever changed in place.
from libc.stdint cimport int32_t, int64_t


cdef class FeatureSets:
    cdef readonly object offsets        # numpy int64, read-only, one more than there are rows
    cdef readonly object ids            # numpy int32, read-only
    cdef const int64_t[::1] offset_view
    cdef const int32_t[::1] id_view
