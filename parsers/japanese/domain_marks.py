"""Marks for training data of another standard: extra features of its examples, which never occur in parsed text.

With a kernel of degree 2, a conjunction of a mark and another feature has a weight for the marked examples alone, so
that they change the common weights less; several marks make the two kinds of data less similar under the kernel.
The marks are taken out of the support vectors before these are frozen, which changes no margin of an unmarked example.
"""

from __future__ import annotations

import numpy as np

from kakari.kernels.sets.featuresets import FeatureSets
from kakari.parsers.japanese.words.morphemes import Morphemes


def first_sentences(morphemes: Morphemes, count: int) -> Morphemes:
    """Return the first sentences of a batch, without copying them."""
    end = int(morphemes.starts[count])
    rows = morphemes.fields[:end], morphemes.begins[:end], morphemes.ends[:end]
    return Morphemes(*rows, morphemes.starts[: count + 1])


def marked(sets: FeatureSets, rows: int, marks: range) -> FeatureSets:
    """Add marks, which are larger than all ids, to the first sets.

    Examples
    --------
    >>> marked(FeatureSets.from_lists([[1, 2], [], [3]]), 2, range(7, 9)).tolist()
    [[1, 2, 7, 8], [7, 8], [3]]
    """
    offsets, ids = np.asarray(sets.offsets), np.asarray(sets.ids)
    places = np.repeat(offsets[1 : rows + 1], len(marks))
    more = np.insert(ids, places, np.tile(np.array(marks, dtype=np.int32), rows))
    added = np.minimum(np.arange(len(offsets)), rows) * len(marks)
    return FeatureSets.from_arrays(offsets + added, more)


def unmarked(sets: FeatureSets, first_mark: int) -> FeatureSets:
    """Take the marks out again.

    Examples
    --------
    >>> unmarked(FeatureSets.from_lists([[1, 7], [7, 8], [3]]), 7).tolist()
    [[1], [], [3]]
    """
    kept = np.asarray(sets.ids) < first_mark
    before = np.concatenate(([0], np.cumsum(kept)))
    return FeatureSets.from_arrays(before[sets.offsets], sets.ids[kept])
