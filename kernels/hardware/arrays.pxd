# C++ vectors to numpy arrays by one copy of memory, where Cython's own conversion would make a list of
# objects.
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy as np


cdef inline object int32_array(const vector[int32_t]& values):
    result = np.empty(values.size(), dtype=np.int32)
    cdef int32_t[::1] view = result
    if values.size():
        memcpy(&view[0], values.data(), values.size() * sizeof(int32_t))
    return result


cdef inline object int64_array(const vector[int64_t]& values):
    result = np.empty(values.size(), dtype=np.int64)
    cdef int64_t[::1] view = result
    if values.size():
        memcpy(&view[0], values.data(), values.size() * sizeof(int64_t))
    return result


cdef inline object float64_array(const vector[double]& values):
    result = np.empty(values.size(), dtype=np.float64)
    cdef double[::1] view = result
    if values.size():
        memcpy(&view[0], values.data(), values.size() * sizeof(double))
    return result
