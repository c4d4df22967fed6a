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
LEAST_STEP = -6  # of a ratio, in powers of four


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

    def general_features(self, pair: Pair) -> list[str]:
        """Return features that do not name the pair's words, for words that no training pair has.

        Numbers are thresholds of powers of four that were reached, so that a conjunction that was seen with one
        number says something of the numbers beside it too.

        Examples
        --------
        >>> evidence = Evidence([PairCount("paris", "city", 7), PairCount("rome", "city", 4)])
        >>> found = evidence.general_features(Pair("city", "paris"))
        >>> "count ≥ 4^1" in found, any("=" in name for name in found), "hyponym called city" in found
        (True, False, True)
        """
        hypernym, hyponym = pair.hypernym, pair.hyponym
        above, beside = self.called.get(hyponym, {}), self.called.get(hypernym, {})
        counts = {
            "count": above.get(hypernym, 0),
            "count back": beside.get(hyponym, 0),
            "paths": sum(min(above[name], self.called[name][hypernym]) for name in self._between(above, hypernym)),
            "paths back": len(self._between(beside, hyponym)),
            "shared names": len(above.keys() & beside.keys()),
        }
        over, kinds = self.as_hypernym, self.kinds
        ratios = {
            "as hypernyms": (over.get(hypernym, 0), over.get(hyponym, 0)),
            "kinds of both": (kinds.get(hypernym, 0), kinds.get(hyponym, 0)),
        }
        for role, word in (("hypernym", hypernym), ("hyponym", hyponym)):
            under, names = self.as_hyponym.get(word, 0), len(self.called.get(word, {}))
            counts |= {f"{role} as hypernym": over.get(word, 0), f"{role} as hyponym": under}
            counts[f"{role} kinds"] = kinds.get(word, 0)
            ratios[f"{role}"] = (over.get(word, 0), under)
            if role == "hypernym":
                counts[f"{role} names"] = names
                ratios[f"{role} kinds to names"] = (kinds.get(word, 0), names)
        found = [
            name for role, word in (("hypernym", hypernym), ("hyponym", hyponym)) for name in self._names(role, word)
        ]
        for what, count in counts.items():
            found += [f"{what} ≥ 4^{power}" for power in range(1, reached(count, 0) + 1)]
        for what, (one, other) in ratios.items():
            found += [f"ratio of {what} ≥ 4^{power}" for power in range(LEAST_STEP + 1, reached(one, other) + 1)]
        return found

    def _between(self, names: Mapping[str, int], goal: str) -> list[str]:
        """Return the words over which the goal is reached; of a word with very many names, the first are looked at."""
        first = (name for name, _ in zip(names, range(MOST_PATHS), strict=False))
        return [name for name in first if goal in self.called.get(name, ())]

    def _names(self, role: str, word: str) -> Iterable[str]:
        own = self.called.get(word, {})
        for name in sorted(own, key=lambda name: (-own[name], name))[:MOST_CALLED]:
            yield f"{role} called {name}"

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
        yield from self._names(role, word)

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
        yield f"paths={logarithm(len(self._between(above, hypernym)))}"
        yield f"paths back={logarithm(len(self._between(beside, hyponym)))}"
        if hyponym.endswith(hypernym):
            yield "hyponym ends in hypernym"
        if hypernym.endswith(hyponym):
            yield "hypernym ends in hyponym"
        if hypernym[:4] == hyponym[:4]:
            yield "same beginning"
        if hypernym[-3:] == hyponym[-3:]:
            yield "same ending"

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


def reached(one: int, other: int) -> int:
    """Return the power of four that the ratio of two counts, each and one more, reaches.

    Examples
    --------
    >>> reached(0, 0), reached(3, 0), reached(15, 0), reached(0, 1)
    (0, 1, 2, -1)
    """
    return math.floor(math.log2((one + 1) / (other + 1)) / 2)
