"""The learner's state as flat numpy arrays, and back.

The model is its updates in the order in which they were made: explicit weights, posting lists and sums all
follow from making them again, bit for bit, since each number is then added up in the same order. Of a run
that is under way there is, besides, what every example remembers; the examples themselves are not part of the
state, but a fingerprint of them is.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.learning.binary cimport LearnerBase, Remembered, Update
from kakari.kernels.learning.passes cimport ExampleRuns


cdef dict support_arrays(ExampleRuns *runs):
    """Return the features by rank and the support vectors."""
    return {
        "layout": np.array([runs.laid_out(), runs.common(), runs.dense(), runs.bitmapped(), runs.largest_run],
                           dtype=np.int64),
        "feature_ids": int32_array(runs.index.ids()),
        "support_offsets": int64_array(runs.log.vector_offsets()),
        "support_ranks": int32_array(runs.log.vector_ranks()),
        "support_rows": int64_array(runs.examples),
    }


cdef bint restore_support(ExampleRuns *runs, state) except -1:
    """Lay out an empty engine as it was, with the same support vectors; say whether there was anything."""
    laid_out, common, dense, bitmapped, largest_run = (int(value) for value in state["layout"])
    if not laid_out:
        return False
    cdef const int32_t[::1] features = np.ascontiguousarray(state["feature_ids"], dtype=np.int32)
    cdef const int64_t[::1] offsets = np.ascontiguousarray(state["support_offsets"], dtype=np.int64)
    cdef const int32_t[::1] ranks = np.ascontiguousarray(state["support_ranks"], dtype=np.int32)
    cdef const int64_t[::1] rows = np.ascontiguousarray(state["support_rows"], dtype=np.int64)
    cdef const int32_t *first_rank = &ranks[0] if ranks.shape[0] else NULL
    cdef int64_t i
    runs.lay_out_as(common, dense, bitmapped)
    runs.largest_run = largest_run
    with nogil:
        for i in range(features.shape[0]):
            runs.index.add(features[i])
        for i in range(rows.shape[0]):
            runs.log.add_vector(first_rank + offsets[i], <int>(offsets[i + 1] - offsets[i]))
            runs.examples.push_back(rows[i])
    return True


cdef int refuse_other_examples(ExampleRuns *runs, state) except -1:
    if runs.fingerprint() != int(state["fingerprint"][0]):
        raise TrainingError("these are not the examples of the run that was stopped")
    return 0


cdef dict model_arrays(LearnerBase *engine):
    """Return the features by rank, the support vectors, the updates, and what the examples of a run remember."""
    return {**support_arrays(engine), **split_updates(engine.updates), **split_remembered(engine.remembered)}


cdef int restore_model(LearnerBase *engine, state) except -1:
    """Make the updates of a state again, in an engine that has none yet."""
    if not restore_support(engine, state):
        return 0
    cdef const int32_t[::1] vectors = np.ascontiguousarray(state["update_vectors"], dtype=np.int32)
    cdef const double[::1] amounts = np.ascontiguousarray(state["update_amounts"], dtype=np.float64)
    cdef const int64_t[::1] visits = np.ascontiguousarray(state["update_visits"], dtype=np.int64)
    cdef int64_t i
    with nogil:
        for i in range(vectors.shape[0]):
            engine.repeat(vectors[i], amounts[i], visits[i])
    return 0


cdef int restore_vector_weights(LearnerBase *engine, state) except -1:
    """Return the linear part its weights again."""
    cdef const double[::1] weights = np.ascontiguousarray(state["vector_weights"], dtype=np.float64)
    cdef const double[::1] moments = np.ascontiguousarray(state["vector_moments"], dtype=np.float64)
    cdef int64_t i
    for i in range(weights.shape[0]):
        engine.linear.weights.push_back(weights[i])
        engine.linear.moments.push_back(moments[i])
    return 0


cdef int restore_run(LearnerBase *engine, state) except -1:
    """Let the examples of a run, which must be the same, remember what they did."""
    refuse_other_examples(engine, state)
    return join_remembered(state, engine.remembered)


cdef dict split_updates(const vector[Update]& updates):
    cdef int64_t count = updates.size(), i
    cdef int32_t[::1] vectors = np.empty(count, dtype=np.int32)
    cdef double[::1] amounts = np.empty(count, dtype=np.float64)
    cdef int64_t[::1] visits = np.empty(count, dtype=np.int64)
    for i in range(count):
        vectors[i] = updates[i].vector
        amounts[i] = updates[i].amount
        visits[i] = updates[i].visit
    return {"update_vectors": vectors.base, "update_amounts": amounts.base, "update_visits": visits.base}


cdef dict split_remembered(const vector[Remembered]& remembered):
    cdef int64_t count = remembered.size(), i
    cdef double[:, ::1] margins = np.empty((count, 2), dtype=np.float64)
    cdef int32_t[:, ::1] places = np.empty((count, 3), dtype=np.int32)
    for i in range(count):
        margins[i, 0] = remembered[i].margin
        margins[i, 1] = remembered[i].rare
        places[i, 0] = remembered[i].margin_at
        places[i, 1] = remembered[i].rare_at
        places[i, 2] = remembered[i].vector
    return {"remembered_margins": margins.base, "remembered_places": places.base}


cdef int join_remembered(state, vector[Remembered]& remembered) except -1:
    cdef const double[:, ::1] margins = np.ascontiguousarray(state["remembered_margins"], dtype=np.float64)
    cdef const int32_t[:, ::1] places = np.ascontiguousarray(state["remembered_places"], dtype=np.int32)
    cdef int64_t i
    for i in range(<int64_t>remembered.size()):
        remembered[i].margin = margins[i, 0]
        remembered[i].rare = margins[i, 1]
        remembered[i].margin_at = places[i, 0]
        remembered[i].rare_at = places[i, 1]
        remembered[i].vector = places[i, 2]
    return 0
