# C++ vectors to numpy arrays by one copy of memory, where Cython's own conversion would make a list of
# objects.
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy as np


cdef inline object copied(const void *values, size_t count, dtype):
    """Return `count` numbers of this dtype, which begin at `values`, as an array."""
    cdef Py_buffer target
    result = np.empty(count, dtype=dtype)
    if count:
        PyObject_GetBuffer(result, &target, PyBUF_SIMPLE)
        memcpy(target.buf, values, target.len)
        PyBuffer_Release(&target)
    return result


cdef inline object int32_array(const vector[int32_t]& values):
    return copied(values.data(), values.size(), np.int32)


cdef inline object int64_array(const vector[int64_t]& values):
    return copied(values.data(), values.size(), np.int64)


cdef inline object float64_array(const vector[double]& values):
    return copied(values.data(), values.size(), np.float64)


cdef inline object checked_offsets(offsets, int64_t end):
    """Return where each row begins and, last, where all end, after checking that they rise from 0 to `end`."""
    starts = np.ascontiguousarray(offsets, dtype=np.int64)
    if starts.ndim != 1 or not len(starts) or starts[0] != 0 or starts[-1] != end or (starts[1:] < starts[:-1]).any():
        raise ValueError(f"the offsets do not rise from 0 to {end}")
    return starts
