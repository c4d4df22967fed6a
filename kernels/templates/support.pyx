"""The support of a template kernel machine: as parts with coefficients, and frozen as weights of combinations.

`Support` sums kernel values over parts (an inverted index and interned rows, support_parts.hpp). `CombinationWeights`
is the same sum as a linear model over combinations of properties (frozen.hpp). It costs a few look-ups a part,
whatever the size of the support, and can explain a score. Both are safe to read from many threads.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.stored import Contents
from kakari.kernels.templates.parts import TemplateError

from kakari.kernels.hardware.arrays cimport copied, int32_array, int64_array
from kakari.kernels.templates.parts cimport Parts, TemplateKernel

NO_SECOND = 2**64 - 1


cdef class Support:
    """Parts with coefficients; equal parts are one, their coefficients added up.

    Examples
    --------
    >>> from kakari.kernels.templates import Parts, TemplateKernel
    >>> kernel = TemplateKernel([1], [[(0, 1, False), (0, 1, True)]])
    >>> parts = Parts(kernel, [[[3], [4]]], [0, 0], [[0, 1], [0, 0]])
    >>> support = Support(kernel)
    >>> support.add(parts, [5, -2])
    >>> len(support), support.sums(parts).tolist()
    (2, [8, 1])
    >>> support.freeze().sums(parts).tolist()
    [8, 1]
    """

    def __init__(self, TemplateKernel kernel not None):
        self.kernel = kernel
        self.own.reset(new PartSupport(kernel.own_kinds, kernel.own_widths))

    def __len__(self):
        return self.own.get().size()

    def add(self, Parts parts not None, amounts):
        """Add integers to the coefficients of parts."""
        self.check(parts)
        cdef const int64_t[::1] own = np.ascontiguousarray(amounts, dtype=np.int64)
        if own.shape[0] != parts.arrays.count:
            raise TemplateError("each part has one amount")
        cdef int64_t i
        with nogil:
            for i in range(own.shape[0]):
                self.own.get().add(parts.arrays, i, own[i], 0)

    def sums(self, Parts parts not None):
        """Return the sum of kernel values with all support parts, times their coefficients, for each part."""
        self.check(parts)
        result = np.zeros(len(parts), dtype=np.int64)
        cdef int64_t[::1] values = result
        cdef MatchCounts counts
        cdef int64_t i
        with nogil:
            for i in range(values.shape[0]):
                counts.begin(parts.arrays.tables.size())
                values[i] = self.own.get().sum(parts.arrays, i, counts)
        return result

    def parts(self):
        """Return the support as `Parts`, and the coefficient of each."""
        cdef vector[int32_t] kinds, rows
        cdef vector[int64_t] amounts, weighted
        self.own.get().list(kinds, rows, amounts, weighted)
        tables = [int32_array(self.own.get().table(i).values()) for i in range(len(self.kernel.widths))]
        return Parts(self.kernel, tables, int32_array(kinds), int32_array(rows)), int64_array(amounts)

    def freeze(self, *, most=None, double unit=1.0):
        """Return the support as weights of combinations: the `most` largest ones, or all of them.

        A coefficient of 1 stands for `unit`.
        """
        cdef FrozenArrays arrays
        cdef int64_t count = 0 if most is None else most
        if most is not None and count < 1:
            raise TemplateError("at least one weight is kept")
        with nogil:
            freeze_support(self.own.get()[0], self.kernel.own_kinds, count, unit, arrays)
        return CombinationWeights(self.kernel, {
            "first": copied(arrays.first.data(), arrays.first.size(), np.uint64),
            "second": copied(arrays.second.data(), arrays.second.size(), np.uint64),
            "parents": int32_array(arrays.parents), "terms": int32_array(arrays.terms),
            "counts": int32_array(arrays.counts), "entry_terms": int32_array(arrays.entry_terms),
            "entry_weights": int32_array(arrays.entry_weights),
        }, arrays.unit)

    cdef check(self, Parts parts):
        if parts.kernel != self.kernel:
            raise TemplateError("the parts belong to another kernel")


cdef class CombinationWeights:
    """A frozen template kernel machine; made by `Support.freeze`.

    Parameters
    ----------
    kernel : TemplateKernel
    arrays : dict
        As frozen.hpp describes them.
    unit : float
        What a weight of 1 stands for.
    """

    def __init__(self, TemplateKernel kernel not None, arrays, double unit=1.0):
        self.kernel, self.unit = kernel, unit
        self.arrays = {
            name: np.ascontiguousarray(arrays[name], dtype=np.uint64 if name in ("first", "second") else np.int32)
            for name in ("first", "second", "parents", "terms", "counts", "entry_terms", "entry_weights")
        }
        cdef FrozenArrays own
        self.fill64(own.first, "first")
        self.fill64(own.second, "second")
        self.fill(own.parents, "parents")
        self.fill(own.terms, "terms")
        self.fill(own.counts, "counts")
        self.fill(own.entry_terms, "entry_terms")
        self.fill(own.entry_weights, "entry_weights")
        if own.first.size() != own.second.size() or own.parents.size() != own.terms.size():
            raise TemplateError("these arrays are not weights of combinations")
        try:
            self.table = thawed(kernel.own_kinds, own)
        except ValueError as error:
            raise TemplateError(f"these arrays are not weights of combinations: {error}") from None

    cdef fill(self, vector[int32_t]& to, name):
        cdef const int32_t[::1] values = self.arrays[name]
        if values.shape[0]:
            to.assign(&values[0], &values[0] + values.shape[0])

    cdef fill64(self, vector[uint64_t]& to, name):
        cdef const uint64_t[::1] values = self.arrays[name]
        if values.shape[0]:
            to.assign(&values[0], &values[0] + values.shape[0])

    def __len__(self):
        return len(self.arrays["entry_weights"])

    def sums(self, Parts parts not None):
        """Return the sum of the weights of each part's combinations."""
        if parts.kernel != self.kernel:
            raise TemplateError("the parts belong to another kernel")
        result = np.zeros(len(parts), dtype=np.int64)
        cdef int64_t[::1] values = result
        cdef CombinationScratch scratch
        cdef int64_t i
        with nogil:
            for i in range(values.shape[0]):
                values[i] = sum_of_part(self.table, parts.arrays, i, scratch)
        return result

    def combinations(self, Parts parts not None, int64_t part):
        """Return the combinations whose weights add up to one part's sum, the largest weights first.

        Returns
        -------
        list of (tuple of tuples of (table, column, value), int)
            For each slot the properties of the combination (none, one or two), and the weight.

        Examples
        --------
        >>> from kakari.kernels.templates import Parts, TemplateKernel
        >>> kernel = TemplateKernel([1], [[(0, 1, False), (0, 1, True)]])
        >>> parts = Parts(kernel, [[[3], [4]]], [0], [[0, 1]])
        >>> support = Support(kernel)
        >>> support.add(parts, [5])
        >>> support.freeze().combinations(parts, 0)
        [((((0, 0, 3),), ()), 5), ((((0, 0, 3),), ((0, 0, 4),)), 5)]
        """
        if parts.kernel != self.kernel or not 0 <= part < parts.arrays.count:
            raise TemplateError("the part does not exist, or belongs to another kernel")
        cdef vector[PartCombination] found
        combinations_of(self.table, parts.arrays, part, found)
        listed = [
            (tuple(self.named(found[i].terms[s]) for s in range(found[i].terms.size())), found[i].weight)
            for i in range(found.size())
        ]
        return sorted(listed, key=lambda one: (-abs(one[1]), one[0]))

    def named(self, int32_t term):
        """Return the properties of a term."""
        if term == 0:
            return ()
        keys = [int(self.arrays[name][term - 1]) for name in ("first", "second")]
        return tuple((key >> 48, key >> 32 & 0xFFFF, key & 0xFFFFFFFF) for key in keys if key != NO_SECOND)

    def contents(self):
        """Return the saved form of the weights."""
        arrays = {name: array for name, array in self.arrays.items() if name != "second" or (array != NO_SECOND).any()}
        return Contents(arrays, {"unit": self.unit}, {"kernel": self.kernel.contents()})

    @staticmethod
    def from_contents(contents):
        """Rebuild weights from their `contents()`."""
        first = contents.array("first", np.uint64)
        arrays = {
            name: contents.array(name, np.int32)
            for name in ("parents", "terms", "counts", "entry_terms", "entry_weights")
        }
        second = np.full(first.shape, NO_SECOND, dtype=np.uint64)
        if contents.has_array("second"):
            second = contents.array("second", np.uint64, shape=first.shape)
        kernel = TemplateKernel.from_contents(contents.part("kernel"))
        try:
            return CombinationWeights(kernel, {"first": first, "second": second, **arrays}, contents.number("unit"))
        except TemplateError as error:
            raise contents.refuse(str(error)) from None

    def __reduce__(self):
        return CombinationWeights, (self.kernel, self.arrays, self.unit)
