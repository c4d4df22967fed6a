"""Decisions of the segmenter that need no classifier: pairs of parts of speech that are always, or never, cut.

Exceptions are rarer than 1 in 1,000 and mostly annotation errors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.parsers.japanese.words.morphemes import Field, Morphemes

EXCEPTIONS = 0.001


def certain_pairs(morphemes: Morphemes, gold_opens: ArrayLike, fewest: int = 300) -> NDArray[np.int32]:
    """Return the pairs of parts of speech that are frequent and, except for 1 in 1,000, always decided alike.

    Rows of three numbers: the sub-POS of a morpheme's left neighbour, its own, and 1 if it opens a bunsetsu.

    Examples
    --------
    >>> from kakari.parsers.japanese.words.morphemes import Lexicon, MorphemeBatch
    >>> from kakari.models.vocabulary import Vocabulary
    >>> strings = Vocabulary()
    >>> _ = strings.add("名詞"), strings.add("助詞")
    >>> batch = MorphemeBatch(Lexicon(strings, "juman"))
    >>> for place, (word, pos) in enumerate([("木", "名詞"), ("を", "助詞"), ("木", "名詞"), ("木", "名詞")]):
    ...     batch.add(word, word, (pos,), "", "", place, place + 1)
    >>> batch.end_sentence()
    >>> certain_pairs(batch.finish(), [1, 0, 1, 0], fewest=1).tolist()
    [[0, 0, 0], [0, 1, 0], [1, 0, 1]]
    """
    subpos = morphemes.fields[:, int(Field.SUBPOS)].astype(np.int64)
    left = np.ones(len(subpos), dtype=bool)
    left[morphemes.starts[:-1][np.diff(morphemes.starts) > 0]] = False
    left[1:] &= (subpos[:-1] >= 0) & (subpos[1:] >= 0)
    places = np.flatnonzero(left)
    width = int(subpos.max(initial=0)) + 1
    pairs, inverse = np.unique(subpos[places - 1] * width + subpos[places], return_inverse=True)
    seen = np.bincount(inverse, minlength=len(pairs))
    opened = np.bincount(inverse, np.asarray(gold_opens)[places] != 0, minlength=len(pairs))
    sure = (seen >= fewest) & (np.minimum(opened, seen - opened) <= EXCEPTIONS * seen)
    return np.stack([pairs[sure] // width, pairs[sure] % width, 2 * opened[sure] > seen[sure]], axis=1).astype(np.int32)
