"""One weight for each hashed conjunction, for decoders that score parts of a structure: learned, frozen as bytes.

Decoders in C++ call the classes of scalars.hpp directly; this module is for training loops, files and tests. A
conjunction costs one cache line when it is scored, about 5 bytes in a frozen model and 3 in its file.
"""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport copied
from kakari.kernels.stored import Contents

UNIT = 1 << 20  # an amount of 1.0 in a learner
FULL = 21  # weights of a line
USUAL = 13  # weights of a line on average
LEAST = 4  # weights of a line on average in a file: a line takes 64 bytes of memory


cdef class PartLearner:
    """Weights of conjunctions, whose average over the examples so far can be frozen.

    Attributes
    ----------
    examples : int
        How many examples were seen; the training loop counts them.

    Examples
    --------
    >>> learner = PartLearner()
    >>> learner.examples = 1
    >>> learner.update([17, 2**40], 0.5, at=1)
    >>> learner.score([17, 3, 2**40])
    1.0
    >>> learner.freeze().score([17, 3, 2**40])
    32258
    """

    def __init__(self):
        self.examples = 0

    def __len__(self):
        return self.weights.size()

    def update(self, hashes, double amount, *, int64_t at):
        """Add an amount, rounded to 2^-20, to the weights of conjunctions, at the example number `at`."""
        cdef const uint64_t[::1] view = np.ascontiguousarray(hashes, dtype=np.uint64)
        cdef int64_t i
        for i in range(view.shape[0]):
            self.weights.add(view[i], <int32_t>round(amount * UNIT), at)

    def absorb(self, PartLearner other not None):
        """Add the weights of another learner that saw as many examples: the averages are added up too.

        Examples
        --------
        >>> one, other = PartLearner(), PartLearner()
        >>> one.update([5], 0.5, at=1)
        >>> other.update([5, 6], 0.25, at=1)
        >>> one.absorb(other)
        >>> one.score([5]), one.score([6])
        (0.75, 0.25)
        """
        if other is self or other.examples != self.examples:
            raise ValueError("the other learner must have seen as many examples as this one")
        with nogil:
            self.weights.absorb(other.weights)

    def score(self, hashes):
        """Return the sum of the present weights."""
        cdef const uint64_t[::1] view = np.ascontiguousarray(hashes, dtype=np.uint64)
        return self.weights.score(&view[0], <int>view.shape[0]) / UNIT if view.shape[0] else 0.0

    def averages(self):
        """Return the hashes in ascending order and the averaged weight of each, without zeros."""
        cdef vector[uint64_t] hashes
        cdef vector[float] values
        with nogil:
            self.weights.averages(self.examples, hashes, values)
        return copied(hashes.data(), hashes.size(), np.uint64), copied(values.data(), values.size(), np.float32)

    def freeze(self, *, most=None):
        """Return the averaged weights, one byte each: the `most` largest ones, or all that are not rounded to 0."""
        from kakari.kernels.quantising import as_integers, largest, unit_of

        hashes, values = self.averages()
        kept = largest(np.abs(values), most)
        roots = np.sign(values[kept]) * np.sqrt(np.abs(values[kept]).astype(np.float64))
        unit = unit_of(np.abs(roots))
        rounded = as_integers(roots, unit)
        return PartWeights(laid_out(hashes[kept][rounded != 0], rounded[rounded != 0]), unit**2)


def laid_out(hashes, amounts):
    """Lay sorted hashes and their weights out in lines; a line with too many drops its smallest."""
    lines = max(1, -(-len(hashes) // USUAL))
    own = ((hashes >> np.uint64(32)) * np.uint64(lines)) >> np.uint64(32)
    order = np.lexsort((hashes, -np.abs(amounts.astype(np.int16)), own))
    begins = np.searchsorted(own, np.arange(lines, dtype=np.uint64))
    rank = np.arange(len(hashes)) - begins[own[order].astype(np.int64)]
    kept = order[rank < FULL]
    return {
        "counts": np.bincount(own[kept].astype(np.int64), minlength=lines).astype(np.uint8),
        "checks": (hashes[kept] & np.uint64(0xFFFF)).astype(np.uint16),
        "amounts": amounts[kept],
    }


cdef class PartWeights:
    """Frozen weights of conjunctions; safe to use from many threads.

    Parameters
    ----------
    arrays : dict
        `counts` (uint8, weights of each line), `checks` (uint16) and `amounts` (int8) of each weight.
    unit : float
        The averaged weight that a byte of 1 stands for; a byte b stands for b |b| of them.
    added : (array of uint64, array of int32), optional
        Hashes and amounts, in units, of weights that are added to the frozen ones. They are not saved.

    Examples
    --------
    >>> learner = PartLearner()
    >>> learner.update([17], 1.0, at=0)
    >>> learner.freeze().with_added([17, 5], [-1000, 3]).score([17, 5])
    15132
    """

    def __cinit__(self):
        self.beside = NULL

    def __dealloc__(self):
        del self.beside

    def __init__(self, arrays, unit=1.0, added=None):
        self.unit = unit
        self.added = None
        self.arrays = {
            "counts": np.ascontiguousarray(arrays["counts"], dtype=np.uint8),
            "checks": np.ascontiguousarray(arrays["checks"], dtype=np.uint16),
            "amounts": np.ascontiguousarray(arrays["amounts"], dtype=np.int8),
        }
        cdef const uint8_t[::1] counts = self.arrays["counts"]
        cdef const uint16_t[::1] checks = self.arrays["checks"]
        cdef const int8_t[::1] amounts = self.arrays["amounts"]
        total = int(np.sum(self.arrays["counts"], dtype=np.int64))
        full = counts.shape[0] == 0 or np.max(self.arrays["counts"]) > FULL
        if full or not total == checks.shape[0] == amounts.shape[0]:
            raise ValueError("these arrays are not frozen weights of parts")
        if total:
            self.weights.fill(&counts[0], counts.shape[0], &checks[0], &amounts[0])
        if added is not None:
            self.add_beside(added[0], added[1])

    cdef add_beside(self, hashes, amounts):
        """Set the weights that are added to the frozen ones."""
        cdef const uint64_t[::1] keys = np.ascontiguousarray(hashes, dtype=np.uint64)
        cdef const int32_t[::1] values = np.ascontiguousarray(amounts, dtype=np.int32)
        cdef Py_ssize_t i
        if keys.shape[0] != values.shape[0]:
            raise ValueError("each hash needs one amount")
        self.added = (np.asarray(keys), np.asarray(values))
        del self.beside
        self.beside = new ScalarLearner()
        for i in range(keys.shape[0]):
            self.beside.add(keys[i], values[i], 0)
        self.weights.add_beside(self.beside)

    def with_added(self, hashes, amounts):
        """Return the frozen weights with these added to them, instead of those added before."""
        return PartWeights(self.arrays, self.unit, (hashes, amounts))

    def __len__(self):
        return len(self.arrays["checks"])

    def score(self, hashes):
        """Return the sum of the weights, in the units of the freezing."""
        cdef const uint64_t[::1] view = np.ascontiguousarray(hashes, dtype=np.uint64)
        return self.weights.score(&view[0], <int>view.shape[0]) if view.shape[0] else 0

    def contents(self):
        """Return the saved form of the weights."""
        return Contents(self.arrays, {"unit": self.unit})

    @staticmethod
    def from_contents(contents):
        """Rebuild weights from their `contents()`."""
        counts = contents.array("counts", np.uint8, below=FULL + 1)
        total = int(np.sum(counts, dtype=np.int64))
        if counts.size > 1 + total // LEAST:
            raise contents.refuse("there are many more lines than weights")
        arrays = {
            "counts": counts, "checks": contents.array("checks", np.uint16, shape=(total,)),
            "amounts": contents.array("amounts", np.int8, shape=(total,)),
        }
        return PartWeights(arrays, contents.number("unit"))

    def __reduce__(self):
        return PartWeights, (self.arrays, self.unit, self.added)
