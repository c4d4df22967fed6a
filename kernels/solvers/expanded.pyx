"""Support vector machines with a polynomial kernel over sets, in the dual, by explicit conjunctions (see expanded.hpp).

A step costs the conjunctions of one example instead of the kernel with all examples, so that hundreds of thousands of
examples can be learned from. Memory: 4 bytes for each conjunction of each example that another example also has.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector
from cpython.exc cimport PyErr_CheckSignals
from cython.operator cimport dereference

from kakari.kernels.sets.featuresets cimport FeatureSets

import numpy as np

from kakari.kernels.solvers.dual import DualError


cdef extern from "kernels/solvers/expanded.hpp" namespace "kakari" nogil:
    cdef cppclass ExpandedSolver:
        ExpandedSolver(int degree, int64_t count, const int64_t *offsets, const int32_t *ids) except +
        double run "pass"(const double *signs, double cost, uint64_t &random)
        cbool all_active() const
        void activate()
        int64_t conjunctions() const
        const vector[double] &coefficients() const

    int32_t MOST_FEATURES "kakari::ExpandedSolver::MOST_FEATURES"


def solve_expanded(FeatureSets sets not None, labels, int degree, *, double cost=1.0, double tolerance=1e-3,
                   int64_t passes=1000, uint64_t seed=0, progress=None):
    """Train a machine with the kernel (1 + |x & y|)^degree; the kernel's constant takes the place of a bias.

    Parameters
    ----------
    sets : FeatureSets
    labels : array of 1 and -1
    degree : 1, 2 or 3
    cost : float
        The largest coefficient of an example.
    tolerance : float
        How far gradients may be from those of an optimum.
    passes : int
        Stop after this many passes over the examples.
    seed : int
        Random seed for the order of the examples.
    progress : callable, optional
        Called after each pass with its number and how far the gradients are from those of an optimum.

    Returns
    -------
    dict
        `coefficients` (signed), `passes`, `gap`, `converged`, `conjunctions` (those that two examples have).

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> found = solve_expanded(FeatureSets.from_lists([[1, 2], [3]]), [1, -1], 2, cost=10.0)
    >>> found["coefficients"].round(3).tolist(), found["converged"]
    ([0.143, -0.286], True)
    """
    if not 1 <= degree <= 3:
        raise DualError(f"the degree must be 1, 2 or 3, not {degree}")
    if not (0 < cost < np.inf and tolerance > 0 and passes >= 0):
        raise DualError("the cost and the tolerance must be above 0, and passes 0 or more")
    signs = np.ascontiguousarray(labels, dtype=np.float64)
    if signs.shape != (len(sets),) or not np.isin(signs, (1.0, -1.0)).all():
        raise DualError(f"labels must be 1 or -1, one for each of {len(sets)} examples")
    used, numbers = np.unique(sets.ids, return_inverse=True)
    if len(used) >= MOST_FEATURES:
        raise DualError(f"{len(used)} features are too many: at most {MOST_FEATURES - 1}")
    # Sets are increasing, and so are the numbers of their features.
    cdef const int32_t[::1] ids = numbers.astype(np.int32)
    cdef const int64_t[::1] offsets = sets.offsets
    cdef const double[::1] targets = signs
    cdef unique_ptr[ExpandedSolver] solver
    cdef int64_t count = len(sets), done = 0
    cdef const int32_t *first = &ids[0] if ids.shape[0] else NULL
    cdef double gap = 0.0
    cdef cbool converged = count == 0
    solver.reset(new ExpandedSolver(degree, count, &offsets[0], first))
    while not converged and done < passes:
        with nogil:
            gap = dereference(solver).run(&targets[0], cost, seed)
        done += 1
        if gap <= tolerance:
            if dereference(solver).all_active():
                converged = True
            else:
                dereference(solver).activate()
        if progress is not None:
            progress(done, gap)
        PyErr_CheckSignals()
    return {
        "coefficients": np.array(dereference(solver).coefficients(), dtype=np.float64),
        "passes": done,
        "gap": gap,
        "converged": bool(converged),
        "conjunctions": dereference(solver).conjunctions(),
    }
