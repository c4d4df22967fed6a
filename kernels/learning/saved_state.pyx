"""Conversion of a learner's state to arrays for a file, and back.

The model is its updates in the order in which they were made: explicit weights, posting lists and sums all
follow from making them again, bit for bit, since each number is then added up in the same order. In the middle of a
run the state also holds what each example remembers, and a fingerprint of the examples, but not the examples
themselves.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.learning.binary cimport LearnerBase, Remembered, Update
from kakari.kernels.learning.passes cimport ExampleRuns

LARGEST = 2**31 - 1
MOST_BITMAPPED = 1 << 20

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


cdef bint restore_support(ExampleRuns *runs, contents) except -1:
    """Lay out an empty engine as it was, with the same support vectors; return whether there were any."""
    layout = contents.array("layout", np.int64, shape=(5,), minimum=0)
    feature_ids = contents.array("feature_ids", np.int32, minimum=0, distinct=True)
    support_ranks = contents.array("support_ranks", np.int32, minimum=0, below=feature_ids.size)
    support_offsets = contents.offsets("support_offsets", support_ranks.size)
    support_rows = contents.array("support_rows", np.int64, shape=(support_offsets.size - 1,))
    laid_out, common, dense, bitmapped, largest_run = layout.tolist()
    if not laid_out:
        return False
    check_vectors(contents, support_offsets, support_ranks)
    if common > LARGEST or dense > feature_ids.size or bitmapped > MOST_BITMAPPED:
        raise contents.refuse("more features are laid out than there are")
    cdef const int32_t[::1] features = feature_ids
    cdef const int64_t[::1] offsets = support_offsets
    cdef const int32_t[::1] ranks = support_ranks
    cdef const int64_t[::1] rows = support_rows
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


cdef int check_vectors(contents, offsets, ranks) except -1:
    """Refuse support vectors whose ranks do not rise."""
    rising = np.ones(ranks.size + 1, dtype=np.bool_)
    rising[1:ranks.size] = ranks[1:] > ranks[:ranks.size - 1]
    rising[offsets] = True
    if not rising.all():
        raise contents.refuse("a support vector's features do not rise")
    return 0


cdef int refuse_other_examples(ExampleRuns *runs, contents) except -1:
    if runs.fingerprint() != contents.array("fingerprint", np.uint64, shape=(1,))[0]:
        raise TrainingError("these are not the examples of the run that was stopped")
    return 0


cdef dict model_arrays(LearnerBase *engine):
    """Return the features by rank, the support vectors, the updates, and what the examples of a run remember."""
    return {**support_arrays(engine), **split_updates(engine.updates),
            **split_remembered(engine.remembered, engine.explicit_features() > engine.common())}


cdef int restore_model(LearnerBase *engine, contents) except -1:
    """Make the updates of a state again, in an engine that has none yet."""
    update_vectors = contents.array("update_vectors", np.int32, minimum=0)
    shape = update_vectors.shape
    cdef const int32_t[::1] vectors = update_vectors
    cdef const double[::1] amounts = contents.array("update_amounts", np.float64, shape=shape)
    cdef const int64_t[::1] visits = contents.array("update_visits", np.int64, shape=shape, minimum=0)
    cdef int64_t i
    if not restore_support(engine, contents):
        return 0
    if vectors.shape[0] and update_vectors.max() >= <int64_t>engine.examples.size():
        raise contents.refuse("an update is of an unknown support vector")
    newest = np.maximum.accumulate(np.concatenate([[-1], update_vectors]))[:update_vectors.size]
    if (update_vectors > newest + 1).any():
        raise contents.refuse("support vectors do not appear in the order of their numbers")
    with nogil:
        for i in range(vectors.shape[0]):
            engine.repeat(vectors[i], amounts[i], visits[i])
    return 0


cdef int restore_vector_weights(LearnerBase *engine, contents) except -1:
    """Restore the weights of the linear part."""
    cdef const double[::1] weights = contents.array("vector_weights", np.float64)
    cdef const double[::1] moments = contents.array("vector_moments", np.float64, shape=(weights.shape[0],))
    cdef int64_t i
    for i in range(weights.shape[0]):
        engine.linear.weights.push_back(weights[i])
        engine.linear.moments.push_back(moments[i])
    return 0


cdef int restore_run(LearnerBase *engine, contents) except -1:
    """Restore what the examples of a run, which must be the same, remembered."""
    refuse_other_examples(engine, contents)
    return join_remembered(contents, engine)


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


cdef dict split_remembered(const vector[Remembered]& remembered, bint grown):
    """Return margins and their places; a rare part only if the layout is the one that is stored."""
    cdef int64_t count = remembered.size(), i
    cdef double[:, ::1] margins = np.empty((count, 2), dtype=np.float64)
    cdef int32_t[:, ::1] places = np.empty((count, 3), dtype=np.int32)
    for i in range(count):
        margins[i, 0] = remembered[i].margin
        margins[i, 1] = 0 if grown else remembered[i].rare
        places[i, 0] = remembered[i].margin_at
        places[i, 1] = 0 if grown else remembered[i].rare_at
        places[i, 2] = remembered[i].vector
    return {"remembered_margins": margins.base, "remembered_places": places.base}


cdef int join_remembered(contents, LearnerBase *engine) except -1:
    count = engine.remembered.size()
    cdef const double[:, ::1] margins = contents.array("remembered_margins", np.float64, shape=(count, 2))
    stored = contents.array("remembered_places", np.int32, shape=(count, 3), minimum=-1)
    check_remembered(contents, stored[:, :2], stored[:, 2], engine)
    cdef const int32_t[:, ::1] places = stored
    cdef int64_t i
    for i in range(places.shape[0]):
        engine.remembered[i].margin = margins[i, 0]
        engine.remembered[i].rare = margins[i, 1]
        engine.remembered[i].margin_at = places[i, 0]
        engine.remembered[i].rare_at = places[i, 1]
        engine.remembered[i].vector = places[i, 2]
    return 0


cdef int check_remembered(contents, places, vectors, ExampleRuns *runs) except -1:
    """Refuse remembered margins of unknown updates, and unknown support vectors."""
    if places.size and places.max() > runs.update_count():
        raise contents.refuse("an example remembers a margin of an update that was not made")
    if vectors.size and vectors.max() >= <int64_t>runs.examples.size():
        raise contents.refuse("an example remembers an unknown support vector")
    return 0
