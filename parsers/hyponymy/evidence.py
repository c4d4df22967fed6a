"""Evidence for English pairs: how often text called one word a kind of another (Hearst patterns), as features.

The counts form a graph from words to what they were called. A pair has features of its own edge (how often, how much
more often than chance), of the edge back, of paths over a third word, of shared hypernyms, and of each word: how often
it was a hypernym and a hyponym, and the words it was called most. A model keeps the counts, so that it can be used
without the file they came from.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from kakari.corpora.formats.pairs import Pair, PairCount
from kakari.kernels.stored import Contents
from kakari.models.vocabulary import Vocabulary

MOST_CALLED = 5
MOST_PATHS = 200


class Evidence:
    """Counts of (hyponym, hypernym), with what the features need of each word.

    Examples
    --------
    >>> evidence = Evidence([PairCount("paris", "city", 7), PairCount("city", "place", 4)])
    >>> found = evidence.features(Pair("place", "paris"))
    >>> "count=0" in found, "paths=1" in found, "hyponym called city" in found
    (True, True, True)
    """

    def __init__(self, counts: Iterable[PairCount]) -> None:
        self.called: dict[str, dict[str, int]] = {}
        for hyponym, hypernym, count in counts:
            own = self.called.setdefault(hyponym, {})
            own[hypernym] = own.get(hypernym, 0) + count
        self._sum()

    def _sum(self) -> None:
        self.as_hyponym = {word: sum(own.values()) for word, own in self.called.items()}
        self.as_hypernym: dict[str, int] = {}
        self.kinds: dict[str, int] = {}
        for own in self.called.values():
            for hypernym, count in own.items():
                self.as_hypernym[hypernym] = self.as_hypernym.get(hypernym, 0) + count
                self.kinds[hypernym] = self.kinds.get(hypernym, 0) + 1
        self.total = sum(self.as_hyponym.values())

    def features(self, pair: Pair) -> list[str]:
        """Return the features of a pair."""
        found = [f"hypernym={pair.hypernym}", f"hyponym={pair.hyponym}"]
        found += self._of_word("hypernym", pair.hypernym)
        found += self._of_word("hyponym", pair.hyponym)
        found += self._of_pair(pair.hypernym, pair.hyponym)
        return list(dict.fromkeys(found))

    def _of_word(self, role: str, word: str) -> Iterable[str]:
        over, under = self.as_hypernym.get(word, 0), self.as_hyponym.get(word, 0)
        own = self.called.get(word, {})
        yield f"{role} length={min(len(word) // 2, 6)}"
        yield f"{role} as hypernym={logarithm(over)}"
        yield f"{role} as hyponym={logarithm(under)}"
        yield f"{role} kinds={logarithm(self.kinds.get(word, 0))}"
        yield f"{role} names={logarithm(len(own))}"
        yield f"{role} ratio={round(math.log2((over + 1) / (under + 1)) / 2)}"
        for size in (3, 4):
            if len(word) > size:
                yield f"{role} ends {word[-size:]}"
        for name in sorted(own, key=lambda name: (-own[name], name))[:MOST_CALLED]:
            yield f"{role} called {name}"

    def _of_pair(self, hypernym: str, hyponym: str) -> Iterable[str]:
        above, beside = self.called.get(hyponym, {}), self.called.get(hypernym, {})
        count = above.get(hypernym, 0)
        yield f"count={logarithm(count)}"
        yield f"count back={logarithm(beside.get(hyponym, 0))}"
        if count:
            chance = self.as_hyponym[hyponym] * self.as_hypernym[hypernym]
            yield f"more than chance={round(math.log2(count * self.total / chance))}"
            yield f"share={logarithm(100 * count // self.as_hyponym[hyponym])}"
        yield f"shared names={logarithm(len(above.keys() & beside.keys()))}"
        yield f"paths={logarithm(self._paths(above, hypernym))}"
        yield f"paths back={logarithm(self._paths(beside, hyponym))}"
        if hyponym.endswith(hypernym):
            yield "hyponym ends in hypernym"
        if hypernym.endswith(hyponym):
            yield "hypernym ends in hyponym"
        if hypernym[:4] == hyponym[:4]:
            yield "same beginning"
        if hypernym[-3:] == hyponym[-3:]:
            yield "same ending"

    def _paths(self, names: Mapping[str, int], goal: str) -> int:
        """Count the words over which the goal is reached; of a word with very many names, the first are looked at."""
        return sum(goal in self.called.get(name, ()) for name, _ in zip(names, range(MOST_PATHS), strict=False))

    def contents(self) -> Contents:
        """Return the saved form of the counts."""
        words = Vocabulary()
        rows = [(words.add(word), own) for word, own in self.called.items()]
        edges = [(row, words.add(name), count) for row, own in rows for name, count in own.items()]
        table = np.array(edges, dtype=np.int64).reshape(len(edges), 3)
        arrays = {"edges": table[:, :2].astype(np.int32), "counts": table[:, 2].copy()}
        return Contents(arrays, {}, {"words": words.contents()})

    @staticmethod
    def from_contents(contents: Contents) -> Evidence:
        """Rebuild the counts from their `contents()`."""
        words = Vocabulary.from_contents(contents.part("words"))
        names = [words[number] for number in range(len(words))]
        edges = contents.array("edges", np.int32, shape=(None, 2), minimum=0, below=len(words))
        counts = contents.array("counts", np.int64, shape=(len(edges),), minimum=0)
        rows = zip(edges.tolist(), counts.tolist(), strict=True)
        return Evidence(PairCount(names[below], names[above], count) for (below, above), count in rows)


def logarithm(number: int) -> int:
    """Return the power of two that a count is near to; 0 for 0.

    Examples
    --------
    >>> [logarithm(number) for number in (0, 1, 2, 3, 100)]
    [0, 1, 1, 2, 6]
    """
    return (number + 1).bit_length() - 1 if number > 0 else 0
