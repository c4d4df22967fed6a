"""Multipliers of cutting planes: the small quadratic problem that a cutting-plane learner solves in each iteration.

See cutting_planes.hpp: O(cuts) a step, a few hundred steps if it starts from the multipliers of the last iteration.
"""
from libc.stdint cimport int64_t

import numpy as np


cdef extern from "kernels/solvers/cutting_planes.hpp" namespace "kakari" nogil:
    int64_t solve_cuts(int64_t count, int64_t width, const double *gram, const double *offsets, double total,
                       double tolerance, int64_t limit, double *multipliers) except +


def multipliers(gram, offsets, double total, *, start=None, double tolerance=1e-9, int64_t max_steps=100_000):
    """Minimise ½ aᵀ gram a − offsetsᵀ a over a ≥ 0 with a sum of at most `total`.

    Examples
    --------
    >>> multipliers([[1.0, 0.0], [0.0, 1.0]], [0.5, 3.0], 1.0).tolist()
    [0.0, 1.0]
    >>> multipliers([[1.0, 0.0], [0.0, 1.0]], [0.5, 3.0], 10.0).tolist()
    [0.5, 3.0]
    """
    cdef const double[:, ::1] matrix = np.ascontiguousarray(gram, dtype=np.float64)
    cdef const double[::1] given = np.ascontiguousarray(offsets, dtype=np.float64)
    cdef int64_t count = given.shape[0]
    if matrix.shape[0] < count or matrix.shape[1] < count or not total > 0:
        raise ValueError(f"{count} cuts need a matrix of as many rows, and a total above 0")
    values = np.zeros(count) if start is None else np.array(start, dtype=np.float64)
    if values.shape != (count,) or not np.isfinite(np.asarray(matrix)[:count, :count]).all():
        raise ValueError(f"{count} cuts need as many multipliers to start from, and finite products")
    cdef double[::1] view = values
    if count:
        with nogil:
            solve_cuts(count, matrix.shape[1], &matrix[0, 0], &given[0], total, tolerance, max_steps, &view[0])
    return values
