"""Parts of structures with slots full of properties, and the template kernel between them (parts.hpp).

The kernel counts the combinations of properties that two parts share, one property a slot: for the arcs of a tree, of
one property of the head, one of the modifier, and one or none of the edge. A slot may be optional and may count pairs
of properties as well. Kernel values are integers.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

from kakari.kernels.stored import Contents

MOST_KINDS = 16
MOST_SLOTS = 8
MOST_WIDTH = 1024


class TemplateError(ValueError):
    """Templates, parts or arrays that do not fit together; the text says why."""


cdef class TemplateKernel:
    """k(p, p') = the product over slots of (m + optional)^degree, where m properties of a slot are equal.

    Parameters
    ----------
    widths : sequence of int
        How many properties the rows of each table have.
    kinds : sequence of sequences of (table, degree, optional)
        The slots of each kind of part; degree is 1 or 2. Parts of two kinds have nothing in common.

    Examples
    --------
    >>> kernel = TemplateKernel([2, 1], [[(0, 1, False), (0, 1, False), (1, 1, True)]])
    >>> words, edges = [[1, 5], [2, 5], [2, -1]], [[0], [1]]
    >>> arcs = Parts(kernel, [words, edges], [0, 0], [[0, 1, 0], [0, 2, 0]])
    >>> kernel.gram(arcs, arcs).tolist()
    [[8, 4], [4, 4]]
    """

    def __init__(self, widths, kinds):
        self.widths = tuple(int(width) for width in widths)
        self.kinds = tuple(tuple((int(t), int(d), bool(o)) for t, d, o in kind) for kind in kinds)
        if not 1 <= len(self.kinds) <= MOST_KINDS:
            raise TemplateError(f"there are 1 to {MOST_KINDS} kinds of parts, not {len(self.kinds)}")
        if not all(1 <= width <= MOST_WIDTH for width in self.widths):
            raise TemplateError(f"a row has 1 to {MOST_WIDTH} properties")
        cdef TemplateKind kind
        cdef TemplateSlot slot
        for slots in self.kinds:
            if not 1 <= len(slots) <= MOST_SLOTS:
                raise TemplateError(f"a part has 1 to {MOST_SLOTS} slots, not {len(slots)}")
            kind.slots.clear()
            for table, degree, optional in slots:
                if not 0 <= table < len(self.widths):
                    raise TemplateError(f"there is no table {table}")
                if degree not in (1, 2):
                    raise TemplateError(f"the degree of a slot is 1 or 2, not {degree}")
                slot.table, slot.degree, slot.optional = table, degree, optional
                kind.slots.push_back(slot)
            self.own_kinds.push_back(kind)
        for width in self.widths:
            self.own_widths.push_back(width)

    def gram(self, Parts one not None, Parts other not None):
        """Return the kernel value of each pair of parts."""
        if not one.kernel == other.kernel == self:
            raise TemplateError("the parts belong to another kernel")
        result = np.zeros((len(one), len(other)), dtype=np.int64)
        cdef int64_t[:, ::1] values = result
        cdef int64_t i, j
        with nogil:
            for i in range(one.arrays.count):
                for j in range(other.arrays.count):
                    values[i, j] = one.arrays.kernel(i, other.arrays, j)
        return result

    def __eq__(self, other):
        if not isinstance(other, TemplateKernel):
            return NotImplemented
        return (self.widths, self.kinds) == (other.widths, other.kinds)

    def __hash__(self):
        return hash((self.widths, self.kinds))

    def __repr__(self):
        return f"TemplateKernel({list(self.widths)}, {[list(kind) for kind in self.kinds]})"

    def contents(self):
        """Return the saved form of the kernel."""
        return Contents(settings={"widths": list(self.widths), "kinds": [
            [value for table, degree, optional in kind for value in (table, degree, int(optional))]
            for kind in self.kinds
        ]})

    @staticmethod
    def from_contents(contents):
        """Rebuild a kernel from its `contents()`."""
        kinds = contents.lists("kinds")
        if not all(type(value) is int and 0 <= value < MOST_WIDTH for kind in kinds for value in kind):
            raise contents.refuse("the slots of the templates are damaged")
        if any(len(kind) % 3 for kind in kinds):
            raise contents.refuse("the slots of the templates are damaged")
        try:
            return TemplateKernel(
                contents.integers("widths", 1, MOST_WIDTH),
                [list(zip(kind[::3], kind[1::3], kind[2::3], strict=True)) for kind in kinds],
            )
        except TemplateError as error:
            raise contents.refuse(str(error)) from None

    def __reduce__(self):
        return TemplateKernel, (self.widths, self.kinds)


cdef class Parts:
    """Parts over tables of properties.

    Parameters
    ----------
    kernel : TemplateKernel
    tables : sequence of arrays of int32
        A row for each possible content of a slot, a column for each property; -1 is a missing property.
    kinds : array of uint8
        The kind of each part.
    slots : array of int32
        The row that fills each slot of each part. If a part has fewer slots than others, the rest is ignored.
    """

    def __init__(self, TemplateKernel kernel not None, tables, kinds, slots):
        self.kernel = kernel
        self.tables = []
        for width, table in zip(kernel.widths, tables, strict=True):
            rows = np.ascontiguousarray(table, dtype=np.int32).reshape(-1, width)
            if rows.size and rows.min() < -1:
                raise TemplateError("a property is a number from 0 on, or -1")
            self.tables.append(rows)
        most = max(len(kind) for kind in kernel.kinds)
        self.kinds = np.ascontiguousarray(kinds, dtype=np.uint8)
        self.slots = np.ascontiguousarray(slots, dtype=np.int32).reshape(-1, most)
        if self.kinds.shape != (len(self.slots),):
            raise TemplateError("each part has one kind")
        if self.kinds.size and self.kinds.max() >= len(kernel.kinds):
            raise TemplateError(f"there is no kind {self.kinds.max()}")
        for number, kind in enumerate(kernel.kinds):
            own = self.slots[self.kinds == number]
            for place, (table, _, _) in enumerate(kind):
                if own.size and not 0 <= own[:, place].min() <= own[:, place].max() < len(self.tables[table]):
                    raise TemplateError(f"slot {place} of a part is filled by a row that is not in table {table}")
        self.arrays.kinds, self.arrays.count, self.arrays.most = kernel.own_kinds, len(self.slots), most
        cdef PropertyTable view
        cdef const int32_t[:, ::1] values
        for rows in self.tables:
            values = rows
            view.values = &values[0, 0] if values.shape[0] else NULL
            view.rows, view.width = values.shape[0], <int32_t>values.shape[1]
            self.arrays.tables.push_back(view)
        cdef const uint8_t[::1] kind_view = self.kinds
        cdef const int32_t[:, ::1] slot_view = self.slots
        if len(self.slots):
            self.arrays.kind_of, self.arrays.slots = &kind_view[0], &slot_view[0, 0]

    def __len__(self):
        return self.arrays.count
