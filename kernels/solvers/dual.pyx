"""Batch support vector machines in the dual, over a Gram matrix that several machines share.

`GramCache` holds rows of the matrix in single precision (4 n bytes a row), as many as its limit allows; a callable
computes blocks of kernel values. `solve` finds the coefficients of one machine (see dual.hpp): O(examples) for each
coefficient that changes. Everything except missing kernel values is computed without the GIL. It can be interrupted at
any time and reports its progress.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector
from cpython.exc cimport PyErr_CheckSignals
from cython.operator cimport dereference

import numpy as np


cdef extern from "kernels/solvers/gram_rows.hpp" namespace "kakari" nogil:
    cdef cppclass GramRows:
        GramRows(int64_t count, int64_t capacity) except +
        int64_t capacity() const
        int64_t held() const
        const float *find(int64_t row)
        float *place(int64_t row) except +
        void fill(int64_t row, int64_t first_column, int64_t columns, const double *values) except +
        cbool gather(int64_t row, const int32_t *columns, const double *values) except +
        void mirror(int64_t first, int64_t end) except +


cdef extern from "kernels/solvers/dual.hpp" namespace "kakari" nogil:
    cdef cppclass DualOptions:
        double tolerance
        bint bias

    cdef cppclass DualSolver:
        void start(GramRows &rows, int64_t count, const int64_t *numbers, const double *signs,
                   const double *targets, const double *costs, const double *values,
                   const DualOptions &options) except +
        int run(int64_t steps) except +
        const vector[int64_t] &wanted() const
        int64_t steps() const
        double gap() const
        double objective() const
        double bias() const
        void write(double *values) const


cdef int CONVERGED = 0, WANTS_ROWS = 1, STUCK = 3
cdef int64_t BLOCK = 512        # most rows of kernel values in double precision at a time
cdef int64_t BLOCK_VALUES = 2**19   # and about how many values, 4 MB
cdef int64_t CHUNK = 2000       # steps between two checks for signals

INFINITE = "kernel values must be finite numbers, not NaN or inf in single precision"


class DualError(ValueError):
    """Invalid labels, costs or kernel values; the text says why."""


cdef class GramCache:
    """Rows of a Gram matrix, shared by all machines that learn from the same examples.

    Parameters
    ----------
    diagonal : array
        The kernel of each example with itself.
    block : callable
        `block(rows, first)` returns the kernel of the examples `rows` with all examples from `first` on.
    limit : int
        Memory for rows, in bytes. If all rows fit, all are computed at once, each pair of examples once.
    lazy : bool
        Work out only the rows that are asked for, even if all fit: where few examples become support vectors, that is
        less work and less memory.
    matrix : array, optional
        The whole matrix, if there is one: it is then copied without asking `block`, if all rows fit.
    order : array of int, optional
        The row and column of each example in that matrix, if they are in another order.

    Examples
    --------
    >>> gram = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> cache = GramCache(np.diag(gram), lambda rows, first: gram[rows, first:])
    >>> cache.row(1).tolist(), cache.complete
    ([1.0, 3.0], True)
    """

    cdef unique_ptr[GramRows] rows
    cdef object block
    cdef bint lazy
    cdef object matrix, order
    cdef readonly object diagonal
    cdef readonly int64_t evaluations   # kernel values worked out so far

    def __init__(self, diagonal, block, *, int64_t limit=2**30, bint lazy=False, matrix=None, order=None):
        self.diagonal = np.ascontiguousarray(diagonal, dtype=np.float64)
        if self.diagonal.ndim != 1 or not np.isfinite(self.diagonal).all():
            raise DualError("the kernel of each example with itself must be a finite number")
        self.block, self.lazy = block, lazy
        cdef int64_t count = self.diagonal.size
        self.rows.reset(new GramRows(count, limit // (4 * max(count, 1))))
        if matrix is not None:
            self.matrix = np.ascontiguousarray(matrix, dtype=np.float64)
            self.order = np.ascontiguousarray(np.arange(count) if order is None else order, dtype=np.int32)
            if self.matrix.shape != (count, count) or not np.array_equal(np.sort(self.order), np.arange(count)):
                raise DualError(f"a matrix of {count} examples has {count} rows and columns, not {self.matrix.shape}")

    def __len__(self):
        return self.diagonal.size

    @property
    def complete(self):
        """True if all rows fit."""
        return dereference(self.rows).capacity() == len(self)

    def row(self, int64_t number):
        """Return a row, computed if it is not in the cache."""
        if not 0 <= number < len(self):
            raise IndexError(f"row {number} of {len(self)}")
        self.need([number])
        cdef const float *found = dereference(self.rows).find(number)
        cdef int64_t i
        values = np.empty(len(self), dtype=np.float32)
        cdef float[::1] view = values
        for i in range(len(self)):
            view[i] = found[i]
        return values

    cdef need(self, numbers):
        """Compute rows; the first time all of them, if they fit."""
        if self.complete and not self.lazy:
            if dereference(self.rows).held() == 0:
                if self.matrix is None:
                    self.fill_all()
                else:
                    self.copy_all()
            return
        missing = np.array(numbers, dtype=np.int64)
        values = self.checked_block(missing, 0)
        cdef const double[:, ::1] view = values
        cdef int64_t i
        cdef const int64_t[::1] rows = missing
        for i in range(rows.shape[0]):
            dereference(self.rows).fill(rows[i], 0, view.shape[1], &view[i, 0])

    cdef fill_all(self):
        cdef int64_t first, end = 0, i, count = len(self)
        cdef const double[:, ::1] view
        try:
            while end < count:
                first, end = end, min(end + max(1, min(BLOCK, BLOCK_VALUES // (count - end))), count)
                view = self.checked_block(np.arange(first, end), first)
                with nogil:
                    for i in range(first, end):
                        dereference(self.rows).fill(i, first, count - first, &view[i - first, 0])
                PyErr_CheckSignals()
            with nogil:
                dereference(self.rows).mirror(0, count)
        except BaseException:
            self.rows.reset(new GramRows(count, count))     # drop rows that are filled only in part
            raise

    cdef copy_all(self):
        cdef int64_t i, count = len(self)
        cdef const double[:, ::1] values = self.matrix
        cdef const int32_t[::1] order = self.order
        cdef cbool finite = True
        with nogil:
            for i in range(count):
                finite = dereference(self.rows).gather(i, &order[0], &values[order[i], 0])
                if not finite:
                    break
        if not finite:
            self.rows.reset(new GramRows(count, count))
            raise DualError(INFINITE)
        self.evaluations += count * count

    cdef checked_block(self, rows, int64_t first):
        values = np.ascontiguousarray(self.block(rows, first), dtype=np.float64)
        if values.shape != (len(rows), len(self) - first):
            raise DualError(f"kernel values have the shape {values.shape}, not {(len(rows), len(self) - first)}")
        if values.size and not np.isfinite(values.min() + values.max()):
            raise DualError(INFINITE)
        self.evaluations += values.size
        return values


def solve(GramCache cache not None, labels, costs, *, members=None, targets=None, start=None, bint bias=True,
          double tolerance=1e-3, int64_t max_steps=-1, progress=None):
    """Train one machine.

    Parameters
    ----------
    cache : GramCache
    labels : array of 1 and -1
        One for each member.
    costs : float or array
        The largest coefficient of each member: C times its weight.
    members : array of int, optional
        Numbers of the examples to train on; all by default.
    targets : array, optional
        What the value of each member should reach, from the side of its label: y - ε and y + ε in regression, where
        each example is a member twice. By default the labels themselves.
    start : array, optional
        Signed coefficients to start from. They are brought into their bounds, and made to add up to 0 for a bias.
    bias : bool
        Whether to learn a constant too.
    tolerance : float
        How far from optimal a gradient may be.
    max_steps : int
        Stop after this many steps, -1 for no limit.
    progress : callable, optional
        Called now and then with the number of steps and the largest violation.

    Returns
    -------
    dict
        `coefficients` (signed), `bias`, `objective` (of the dual that is minimised), `steps`, `gap`, `converged`: false
        if the steps were used up, or if a step would be lost in the rounding of 64-bit numbers.

    Examples
    --------
    >>> gram = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> cache = GramCache(np.diag(gram), lambda rows, first: gram[rows, first:])
    >>> found = solve(cache, [1, -1], 10.0)
    >>> found["coefficients"].tolist(), found["bias"], found["objective"]
    ([1.0, -1.0], 0.0, -1.0)
    """
    numbers = np.arange(len(cache)) if members is None else np.ascontiguousarray(members, dtype=np.int64)
    if numbers.ndim != 1 or (numbers.size and not (0 <= numbers.min() and numbers.max() < len(cache))):
        raise DualError(f"members must be numbers from 0 to {len(cache) - 1}")
    signs, limits = checked_labels(labels, numbers.size), checked_costs(costs, numbers.size)
    aims = signs if targets is None else np.ascontiguousarray(targets, dtype=np.float64)
    if aims.shape != signs.shape or not np.isfinite(aims).all():
        raise DualError(f"targets are one finite number for each of {signs.size} members")
    first = np.zeros(numbers.size) if start is None else feasible(start, signs, limits, bias)
    if tolerance <= 0:
        raise DualError(f"the tolerance must be above 0, not {tolerance}")
    cdef DualOptions options
    options.tolerance, options.bias = tolerance, bias
    cdef DualSolver solver
    cdef const int64_t[::1] number_view = np.append(numbers, 0)     # never without an address
    cdef const double[::1] sign_view = np.append(signs, 0.0), cost_view = np.append(limits, 0.0)
    cdef const double[::1] start_view = np.append(first, 0.0)
    cdef const double[::1] target_view = np.append(aims, 0.0)
    solver.start(dereference(cache.rows), numbers.size, &number_view[0], &sign_view[0], &target_view[0], &cost_view[0],
                 &start_view[0], options)
    cdef int state = drive(cache, solver, max_steps, progress)
    values = np.zeros(numbers.size + 1)
    cdef double[::1] view = values
    solver.write(&view[0])
    return {
        "coefficients": values[:numbers.size], "bias": solver.bias(), "objective": solver.objective(),
        "steps": solver.steps(), "gap": solver.gap(), "converged": state == CONVERGED,
    }


cdef int drive(GramCache cache, DualSolver &solver, int64_t max_steps, progress) except -1:
    """Run until the optimum, or until the steps are used up; compute missing rows in between."""
    cdef int state
    cdef int64_t chunk = CHUNK
    while True:
        if max_steps >= 0:
            chunk = min(CHUNK, max_steps - solver.steps())
        with nogil:
            state = solver.run(chunk)
        if state == CONVERGED or state == STUCK:
            return state
        PyErr_CheckSignals()
        if state == WANTS_ROWS:
            cache.need(solver.wanted())
            continue
        if progress is not None:
            progress(solver.steps(), solver.gap())
        if 0 <= max_steps <= solver.steps():
            return state


cdef checked_labels(labels, int64_t count):
    signs = np.ascontiguousarray(labels, dtype=np.float64)
    if signs.shape != (count,):
        raise DualError(f"{count} examples need as many labels, not an array of shape {signs.shape}")
    if not (np.abs(signs) == 1).all():
        raise DualError("labels must be 1 or -1")
    return signs


cdef checked_costs(costs, int64_t count):
    limits = np.ascontiguousarray(np.broadcast_to(np.asarray(costs, dtype=np.float64), (count,)))
    if count and not (limits.min() >= 0 and np.isfinite(limits.max())):
        raise DualError("costs must be finite and not negative")
    return limits


cdef feasible(start, signs, limits, bint bias):
    """Clip coefficients to their bounds; with a bias, shrink the larger of the two sides until their sums are equal."""
    given = np.asarray(start, dtype=np.float64)
    if given.shape != signs.shape or not np.isfinite(given).all():
        raise DualError(f"a start is one finite number for each of {signs.size} examples")
    sizes = np.clip(given * signs, 0.0, limits)
    if bias:
        sides = [float(sizes[signs > 0].sum()), float(sizes[signs < 0].sum())]
        lighter = min(sides)
        for sign, side in zip((1, -1), sides, strict=True):
            if side > lighter:
                sizes[signs == sign] *= lighter / side
    return sizes * signs
