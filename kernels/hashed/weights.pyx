"""Linear weights of hashed conjunctions for up to 256 classes: learned as integers, frozen as bytes.

Use it where an example has few conjunctions, which templates name: no support vectors, no walk over all pairs of
features. Decoders in C++ and Cython call the classes of rows.hpp directly; this module is for training loops, files
and tests. A conjunction costs one probe when it is scored,
two cache lines frozen (one in the lines of lines.hpp, which decoders of many classes use), and 5 bytes with one class
in a frozen model.
"""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.arrays cimport checked_offsets, copied, int32_array, int64_array
from kakari.kernels.stored import Contents

MOST_CLASSES = 256
MOST_ROWS = 255  # of a bucket: three to six on average, and a lookup reads all of them


cdef class HashedLearner:
    """Integer weights of conjunctions, whose average over the examples so far can be frozen.

    Attributes
    ----------
    examples : int
        How many examples were seen; the training loop counts them.

    Examples
    --------
    >>> learner = HashedLearner()
    >>> learner.examples = 3
    >>> learner.update([17, 2**40], 1, 1, at=1)
    >>> learner.update([17], 0, -1, at=3)
    >>> learner.scores([17], 2).tolist()
    [-1, 1]
    >>> learner.freeze().scores([17], 2).tolist()
    [-42, 127]
    """

    def __init__(self):
        self.examples = 0

    def __len__(self):
        return self.rows.rows()

    def update(self, hashes, int place, int amount, *, int64_t at):
        """Add an amount to the weights of conjunctions for a class, at the example number `at`."""
        if not 0 <= place < MOST_CLASSES:
            raise ValueError(f"class {place} is not between 0 and {MOST_CLASSES - 1}")
        cdef const uint64_t[::1] view = np.ascontiguousarray(hashes, dtype=np.uint64)
        if view.shape[0]:
            self.rows.update(&view[0], <int>view.shape[0], place, amount, at)

    def absorb(self, HashedLearner other not None):
        """Add the weights of another learner that saw as many examples: the averages are added up too.

        Examples
        --------
        >>> one, other = HashedLearner(), HashedLearner()
        >>> one.update([5], 3, 2, at=1)
        >>> other.update([5], 3, 1, at=1)
        >>> one.absorb(other)
        >>> one.scores([5], 4).tolist()
        [0, 0, 0, 3]
        """
        if other is self or other.examples != self.examples:
            raise ValueError("the other learner must have seen as many examples as this one")
        with nogil:
            self.rows.absorb(other.rows)

    def scores(self, hashes, int classes):
        """Return the sum of the present weights for each class."""
        cdef const uint64_t[::1] view = checked_hashes(hashes)
        result = np.zeros(MOST_CLASSES, dtype=np.int32)
        cdef int32_t[::1] target = result
        if view.shape[0]:
            self.rows.score(&view[0], <int>view.shape[0], &target[0])
        return result[:classes]

    cdef magnitudes(self):
        """Return the absolute values of the averaged weights."""
        cdef vector[float] sizes
        with nogil:
            self.rows.magnitudes(self.examples, sizes)
        return copied(sizes.data(), sizes.size(), np.float32)

    def unit(self):
        """Return the averaged weight that a frozen weight of 1 stands for.

        Examples
        --------
        >>> learner = HashedLearner()
        >>> learner.update([5], 0, 254, at=0)
        >>> learner.unit(), learner.freeze().scores([5], 1).tolist()
        (2.0, [127])
        """
        from kakari.kernels.quantising import unit_of

        return unit_of(self.magnitudes())

    def freeze(self, *, most=None):
        """Return the averaged weights, one byte each: the `most` largest ones, or all that are not rounded to 0.

        The largest weight becomes 127 or -127. Of equal weights, those with the smaller hashes are kept.
        """
        from kakari.kernels.quantising import as_integers, largest, unit_of

        magnitudes = self.magnitudes()
        unit = unit_of(magnitudes)
        cdef double smallest = 0.49 * unit  # what is smaller becomes 0
        if most is not None and 0 < most < len(magnitudes):
            # The engine compares doubles with this float.
            smallest = max(smallest, magnitudes[largest(magnitudes, most)].min() * (1 - 1e-6))
        cdef vector[uint64_t] hashes
        cdef vector[uint8_t] places
        cdef vector[double] values
        with nogil:
            self.rows.averages(self.examples, smallest, hashes, places, values)
        averages = copied(values.data(), values.size(), np.float64)
        kept = largest(np.abs(averages).astype(np.float32), most)
        return HashedWeights.of(
            copied(hashes.data(), hashes.size(), np.uint64)[kept],
            copied(places.data(), places.size(), np.uint8)[kept],
            as_integers(averages[kept], unit),
        )

    def contents(self):
        """Return the saved form of the learner: everything needed to continue training."""
        cdef vector[uint64_t] hashes
        cdef vector[int32_t] places, amounts
        cdef vector[int64_t] moments
        with nogil:
            self.rows.list(hashes, places, amounts, moments)
        arrays = {
            "hashes": copied(hashes.data(), hashes.size(), np.uint64),
            "places": int32_array(places),
            "amounts": int32_array(amounts),
            "moments": int64_array(moments),
        }
        return Contents(arrays, {"examples": self.examples})

    @staticmethod
    def from_contents(contents):
        """Rebuild a learner from its `contents()`.

        Examples
        --------
        >>> learner = HashedLearner()
        >>> learner.update([5], 3, 2, at=1)
        >>> HashedLearner.from_contents(learner.contents()).scores([5], 4).tolist()
        [0, 0, 0, 2]
        """
        cdef HashedLearner self = HashedLearner()
        cdef const uint64_t[::1] hashes = contents.array("hashes", np.uint64)
        count = hashes.shape[0]
        cdef const int32_t[::1] places = contents.array(
            "places", np.int32, shape=(count,), minimum=0, below=MOST_CLASSES
        )
        cdef const int32_t[::1] amounts = contents.array("amounts", np.int32, shape=(count,))
        cdef const int64_t[::1] moments = contents.array("moments", np.int64, shape=(count,))
        cdef Py_ssize_t i
        for i in range(hashes.shape[0]):
            self.rows.add(hashes[i], places[i], amounts[i], moments[i])
        self.examples = contents.integer("examples", 0, 2**62)
        return self


cdef class HashedWeights:
    """Frozen weights of conjunctions; safe to use from many threads.

    Parameters
    ----------
    buckets : array of uint32
        Where each bucket of records begins and, last, where all end.
    records : array of uint8
        See rows.hpp.
    """

    def __init__(self, buckets, records):
        self.arrays = {
            "buckets": np.ascontiguousarray(buckets, dtype=np.uint32),
            "records": np.ascontiguousarray(records, dtype=np.uint8),
        }
        if not fits_together(self.arrays["buckets"], self.arrays["records"]):
            raise ValueError("these arrays are not frozen weights")
        self.bucket_view = self.arrays["buckets"]
        self.record_view = self.arrays["records"]
        cdef const uint8_t *first = NULL
        if self.record_view.shape[0]:
            first = &self.record_view[0]
        self.rows = RowTable(&self.bucket_view[0], self.bucket_view.shape[0] - 1, first)

    cdef const RowLines *lined(self) except NULL:
        """Return the weights laid out in lines, made when they are first asked for (with the GIL)."""
        cdef const uint8_t *first = NULL
        if not self.lines:
            if self.record_view.shape[0]:
                first = &self.record_view[0]
            self.lines.reset(new RowLines(&self.bucket_view[0], self.bucket_view.shape[0] - 1, first))
        return self.lines.get()

    @staticmethod
    def of(hashes, places, amounts):
        """Return a table of weights: the class (uint8) and the byte of each, in the order of their hashes.

        Examples
        --------
        >>> HashedWeights.of([5, 5, 9], [0, 1, 1], [3, -4, 7]).scores([5, 9], 2).tolist()
        [3, 3]
        """
        given = np.asarray(amounts, dtype=np.int8)
        kept = np.flatnonzero(given)
        cdef const uint64_t[::1] keys = np.asarray(hashes, dtype=np.uint64)[kept]
        cdef const uint8_t[::1] own = np.asarray(places, dtype=np.uint8)[kept]
        cdef const int8_t[::1] values = given[kept]
        cdef vector[uint32_t] buckets
        cdef vector[uint8_t] records
        cdef int64_t count = keys.shape[0]
        if (np.asarray(keys)[1:] < np.asarray(keys)[:-1]).any():
            raise ValueError("the hashes are not in order")
        if count:
            lay_out(&keys[0], &own[0], &values[0], count, buckets, records)
        else:
            lay_out(NULL, NULL, NULL, 0, buckets, records)
        return HashedWeights(
            copied(buckets.data(), buckets.size(), np.uint32), copied(records.data(), records.size(), np.uint8)
        )

    def sums(self, offsets, hashes, int classes):
        """Return the sum of the weights of each example (row) for each class (column), in the units of the freezing.

        Example i has the conjunctions hashes[offsets[i]:offsets[i + 1]].

        Examples
        --------
        >>> HashedWeights.of([5, 9], [0, 1], [3, 7]).sums([0, 2, 2], [5, 9], 2).tolist()
        [[3.0, 7.0], [0.0, 0.0]]
        """
        cdef const uint64_t[::1] keys = np.ascontiguousarray(hashes, dtype=np.uint64)
        cdef const int64_t[::1] starts = checked_offsets(offsets, keys.shape[0])
        if not 0 <= classes <= MOST_CLASSES:
            raise ValueError(f"there are {classes} classes, not 0 to {MOST_CLASSES}")
        result = np.zeros((starts.shape[0] - 1, classes))
        cdef double[:, ::1] target = result
        cdef int32_t found[256]
        cdef int64_t row
        cdef int k
        with nogil:
            for row in range(target.shape[0]):
                if starts[row] == starts[row + 1]:
                    continue
                memset(found, 0, sizeof(found))
                self.rows.score(&keys[starts[row]], <int>(starts[row + 1] - starts[row]), found)
                for k in range(classes):
                    target[row, k] = found[k]
        return result

    def line_scores(self, hashes, int classes):
        """Return the same as `scores`, computed from the lines that decoders use.

        Examples
        --------
        >>> HashedWeights.of([5, 5, 9], [0, 1, 1], [3, -4, 7]).line_scores([5, 9], 2).tolist()
        [3, 3]
        """
        cdef const uint64_t[::1] view = checked_hashes(hashes)
        result = np.zeros(MOST_CLASSES, dtype=np.int32)
        cdef int32_t[::1] target = result
        cdef const RowLines *lines = self.lined()
        if view.shape[0]:
            lines.score(&view[0], <int>view.shape[0], &target[0])
        return result[:classes]

    def scores(self, hashes, int classes):
        """Return the sum of the weights for each class, in the units of the freezing."""
        cdef const uint64_t[::1] view = checked_hashes(hashes)
        result = np.zeros(MOST_CLASSES, dtype=np.int32)
        cdef int32_t[::1] target = result
        if view.shape[0]:
            self.rows.score(&view[0], <int>view.shape[0], &target[0])
        return result[:classes]

    def contents(self):
        """Return the saved form of the weights: columns, which compress well.

        These are `sizes` (rows in each bucket), `checks` (16 bits of the hash) and `counts` (classes) of each row,
        `places` and `amounts` of each weight.

        Examples
        --------
        >>> learner = HashedLearner()
        >>> learner.examples = 1
        >>> learner.update([2**63 + 5], 3, 2, at=1)
        >>> columns = learner.freeze().contents().arrays
        >>> [columns[name].tolist() for name in ("sizes", "checks", "counts", "places", "amounts")]
        [[1], [5], [1], [3], [127]]
        """
        cdef const uint8_t[::1] records = self.record_view
        cdef int64_t at = 0, rows = 0, weights = 0, buckets = self.bucket_view.shape[0] - 1, i, k
        with nogil:
            while at < records.shape[0]:
                rows += 1
                weights += records[at + 2]
                at += 3 + 2 * records[at + 2]
        columns = {
            "sizes": np.zeros(buckets, dtype=np.uint16),
            "checks": np.empty(rows, dtype=np.uint16),
            "counts": np.empty(rows, dtype=np.uint8),
            "places": np.empty(weights, dtype=np.uint8),
            "amounts": np.empty(weights, dtype=np.int8),
        }
        cdef uint16_t[::1] sizes = columns["sizes"], checks = columns["checks"]
        cdef uint8_t[::1] counts = columns["counts"], places = columns["places"]
        cdef int8_t[::1] amounts = columns["amounts"]
        cdef int64_t row = 0, weight = 0
        with nogil:
            for i in range(buckets):
                at = self.bucket_view[i]
                while at < self.bucket_view[i + 1]:
                    sizes[i] += 1
                    checks[row] = <uint16_t>(records[at] | records[at + 1] << 8)
                    counts[row] = records[at + 2]
                    for k in range(counts[row]):
                        places[weight] = records[at + 3 + 2 * k]
                        amounts[weight] = <int8_t>records[at + 4 + 2 * k]
                        weight += 1
                    at += 3 + 2 * counts[row]
                    row += 1
        return Contents(columns)

    @staticmethod
    def from_contents(contents, classes=MOST_CLASSES):
        """Rebuild weights for so many classes from their `contents()`."""
        size_array = contents.array("sizes", np.uint16)
        count_array = contents.array("counts", np.uint8)
        cdef const uint16_t[::1] sizes = size_array
        cdef const uint8_t[::1] counts = count_array
        cdef int64_t rows = counts.shape[0], weights = int(np.sum(count_array, dtype=np.int64))
        cdef int64_t at = 0, row = 0, weight = 0, i, _j, _k
        cdef const uint16_t[::1] checks = contents.array("checks", np.uint16, shape=(rows,))
        cdef const uint8_t[::1] places = contents.array("places", np.uint8, shape=(weights,), below=classes)
        cdef const int8_t[::1] amounts = contents.array("amounts", np.int8, shape=(weights,))
        if not sizes.shape[0] or sizes.shape[0] & (sizes.shape[0] - 1) or np.sum(size_array, dtype=np.int64) != rows:
            raise contents.refuse("the buckets do not hold the rows of the weights")
        if sizes.shape[0] > max(1, rows):
            raise contents.refuse("there are more buckets than rows of weights")
        if np.max(size_array) > MOST_ROWS:
            raise contents.refuse(f"a bucket has more than {MOST_ROWS} rows of weights")
        if 3 * rows + 2 * weights >= 2**32:
            raise contents.refuse("there are more weights than a table can hold")
        bucket_array = np.zeros(sizes.shape[0] + 1, dtype=np.uint32)
        record_array = np.empty(3 * rows + 2 * weights, dtype=np.uint8)
        cdef uint32_t[::1] buckets = bucket_array
        cdef uint8_t[::1] records = record_array
        with nogil:
            for i in range(sizes.shape[0]):
                for _j in range(sizes[i]):
                    records[at] = <uint8_t>checks[row]
                    records[at + 1] = <uint8_t>(checks[row] >> 8)
                    records[at + 2] = counts[row]
                    at += 3
                    for _k in range(counts[row]):
                        records[at] = places[weight]
                        records[at + 1] = <uint8_t>amounts[weight]
                        at += 2
                        weight += 1
                    row += 1
                buckets[i + 1] = <uint32_t>at
        return HashedWeights(bucket_array, record_array)

    def changed(self, HashedLearner learner not None, int step=1):
        """Return these weights plus those of a learner, `step` units for each of the learner's.

        A weight stays between -127 and 127. As in all frozen weights, conjunctions are told apart by some bits of their
        hashes only.

        Examples
        --------
        >>> learner = HashedLearner()
        >>> learner.update([5], 1, 2, at=0)
        >>> HashedWeights.of([5, 5, 9], [0, 1, 1], [3, -4, 7]).changed(learner, 3).scores([5], 2).tolist()
        [3, 2]
        """
        columns, news = self.contents().arrays, learner.contents().arrays
        buckets = len(columns["sizes"])
        bits = np.uint64(buckets.bit_length() - 1)
        owners = np.repeat(np.arange(buckets, dtype=np.uint64), columns["sizes"])
        rows = (owners << np.uint64(16) | columns["checks"]) << np.uint64(8)
        hashes = news["hashes"]
        places = (hashes >> (np.uint64(64) - bits)) if buckets > 1 else np.zeros_like(hashes)
        keys = np.concatenate([
            np.repeat(rows, columns["counts"]) | columns["places"],
            (places << np.uint64(16) | hashes & np.uint64(65535)) << np.uint64(8) | news["places"].astype(np.uint64),
        ])
        amounts = np.concatenate([columns["amounts"].astype(np.int64), step * news["amounts"].astype(np.int64)])
        found, own = np.unique(keys, return_inverse=True)
        sums = np.clip(np.bincount(own, weights=amounts, minlength=len(found)), -127, 127).astype(np.int8)
        found, sums = found[sums != 0], sums[sums != 0]
        heads, counts = np.unique(found >> np.uint64(8), return_counts=True)
        sizes = np.bincount((heads >> np.uint64(16)).astype(np.int64), minlength=buckets)
        if len(sizes) and sizes.max(initial=0) > 65535:
            raise ValueError("a bucket has more conjunctions than it can hold")
        made = {
            "sizes": sizes.astype(np.uint16),
            "checks": (heads & np.uint64(65535)).astype(np.uint16),
            "counts": counts.astype(np.uint8),
            "places": (found & np.uint64(255)).astype(np.uint8),
            "amounts": sums,
        }
        return HashedWeights.from_contents(Contents(made))

    def __reduce__(self):
        return HashedWeights.from_contents, (self.contents(),)


cdef checked_hashes(hashes):
    array = np.ascontiguousarray(hashes, dtype=np.uint64)
    if array.size > MOST_CLASSES:
        raise ValueError(f"{array.size} conjunctions are more than {MOST_CLASSES}")
    return array


cdef bint fits_together(buckets, records):
    """Return whether the records of each bucket end where it does, so that no lookup leaves the arrays."""
    cdef const uint32_t[::1] begins = buckets
    cdef const uint8_t[::1] data = records
    cdef int64_t count = begins.shape[0] - 1, i, at, size = data.shape[0]
    if count < 1 or count & (count - 1) or begins[0] != 0 or begins[count] != size:
        return False
    for i in range(count):
        at = begins[i]
        while at < begins[i + 1]:
            if at + 3 > size:
                return False
            at += 3 + 2 * data[at + 2]
        if at != begins[i + 1]:
            return False
    return True
