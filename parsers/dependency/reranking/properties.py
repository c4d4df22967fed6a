"""Properties of words as numbers: form, lemma, tags, and one column for each morphological feature.

A value has a number in its column, from 1 on; 0 is the root's, -1 is absent or unknown. Forms and lemmas that are rare
in the training data have none: a combination with one would be learned from one sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents

Columns = tuple[str, str, str, str, str]  # form, lemma, coarse tag, fine tag, features
FORM, LEMMA, TAG, COARSE = range(4)  # columns of the numbers; features follow
MOST_FEATURES = 16


def plain_values(word: Columns) -> tuple[str, str, str, str]:
    """Return form, lemma, fine tag and coarse tag; what is unknown is told by what is there."""
    form, lemma, coarse, fine, _ = word
    small = form.lower()
    return (
        small,
        small if lemma == "_" else lemma,
        coarse if fine == "_" else fine,
        fine if coarse == "_" else coarse,
    )


def values_by_name(features: str) -> dict[str, str]:
    """Return the features of a column by their names."""
    return {} if features == "_" else {item.partition("=")[0]: item for item in features.split("|")}


class WordProperties:
    """Numbers for the values of properties.

    Parameters
    ----------
    forms, lemmas, tags, coarses : sequences of str
    features : sequence of (str, sequence of str)
        Names of morphological features and their values.

    Examples
    --------
    >>> properties = WordProperties(["dogs"], ["dog"], ["NNS"], ["NOUN"], [("Number", ["Number=Plur"])])
    >>> properties.numbers([[("Dogs", "dog", "NOUN", "NNS", "Number=Plur"), ("!", "!", "PUNCT", ".", "_")]]).tolist()
    [[1, 1, 1, 1, 1], [-1, -1, -1, -1, -1]]
    """

    def __init__(
        self,
        forms: Sequence[str],
        lemmas: Sequence[str],
        tags: Sequence[str],
        coarses: Sequence[str],
        features: Sequence[tuple[str, Sequence[str]]],
    ) -> None:
        self.values = [list(forms), list(lemmas), list(tags), list(coarses), *(list(own) for _, own in features)]
        self.names = [name for name, _ in features]
        self._numbers = [{value: number for number, value in enumerate(own, 1)} for own in self.values]

    @property
    def width(self) -> int:
        """Number of properties of a word."""
        return len(self.values)

    def row(self, word: Columns, features: dict[str, list[int]]) -> list[int]:
        """Return the numbers of one word; `features` holds those of columns of features that were met before."""
        own = features.get(word[4])
        if own is None:
            named = values_by_name(word[4])
            numbers = zip(self._numbers[4:], self.names, strict=True)
            own = features[word[4]] = [known.get(named.get(name, ""), -1) for known, name in numbers]
        plain = zip(self._numbers[:4], plain_values(word), strict=True)
        return [*(known.get(value, -1) for known, value in plain), *own]

    def numbers(self, sentences: Sequence[Sequence[Columns]]) -> NDArray[np.int32]:
        """Return the numbers of all words of some sentences; a word that comes again is looked up once."""
        known: dict[Columns, int] = {}
        rows: list[list[int]] = []
        features: dict[str, list[int]] = {}
        places: list[int] = []
        for sentence in sentences:
            for word in sentence:
                place = known.get(word)
                if place is None:
                    place = known[word] = len(rows)
                    rows.append(self.row(word, features))
                places.append(place)
        return np.array(rows, dtype=np.int32).reshape(-1, self.width)[places]

    @staticmethod
    def of(sentences: Sequence[Sequence[Columns]], least: int = 3, *, forms: bool = True) -> WordProperties:
        """Assign numbers to the properties of tagged sentences; forms, if wanted, and lemmas occur `least` times."""
        counts: list[Counter[str]] = [Counter() for _ in range(4)]
        features: dict[str, Counter[str]] = {}
        for word in (word for sentence in sentences for word in sentence):
            for count, value in zip(counts, plain_values(word), strict=True):
                count[value] += 1
            for name, value in values_by_name(word[4]).items():
                features.setdefault(name, Counter())[value] += 1
        small, lemmas = ([value for value, times in sorted(count.items()) if times >= least] for count in counts[:2])
        frequent = sorted(features, key=lambda name: (-features[name].total(), name))[:MOST_FEATURES]
        return WordProperties(
            small if forms else [], lemmas, sorted(counts[TAG]), sorted(counts[COARSE]),
            [(name, sorted(features[name])) for name in sorted(frequent)],
        )  # fmt: skip

    def contents(self) -> Contents:
        """Return the saved form of the properties."""
        return Contents(settings={"values": self.values, "features": self.names})

    @staticmethod
    def from_contents(contents: Contents) -> WordProperties:
        """Rebuild properties from their `contents()`."""
        values, names = contents.lists("values"), contents.texts("features", distinct=True)
        known = all(isinstance(value, str) for own in values for value in own)
        if len(values) != len(names) + 4 or not known or any(len(set(own)) < len(own) for own in values):
            raise contents.refuse("the values of the properties are damaged")
        if not values[TAG] or not values[COARSE] or len(names) > MOST_FEATURES:
            raise contents.refuse("there are no tags, or too many features")
        return WordProperties(values[0], values[1], values[2], values[3], list(zip(names, values[4:], strict=True)))
