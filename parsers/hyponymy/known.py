"""What other annotated pairs say of a pair's words: features for pairs whose words occur in the training pairs.

The true pairs form a taxonomy: if (animal, dog) is true, (dog, animal) is not, and a word that is in a class already is
seldom in a second one far from it. A pair is never told its own label, so that training pairs have the same features
as new ones. Words that no training pair has get no features.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from kakari.corpora.formats.pairs import Pair


class KnownPairs:
    """Annotated pairs, asked about other pairs of the same words.

    Examples
    --------
    >>> known = KnownPairs([Pair("animal", "dog", True), Pair("being", "animal", True), Pair("dog", "being", False)])
    >>> "reverse is true" in known.features(Pair("dog", "animal")), "path" in known.features(Pair("being", "dog"))
    (True, True)
    >>> known.features(Pair("city", "paris"))
    []
    """

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self.labels: dict[tuple[str, str], bool] = {}
        self.classes: dict[str, set[str]] = defaultdict(set)  # of a hyponym: the hypernyms of its true pairs
        self.others: dict[str, set[str]] = defaultdict(set)  # and of its false ones
        self.as_hypernym: Counter[str] = Counter()
        self.as_hyponym: Counter[str] = Counter()
        for pair in pairs:
            self.labels[pair.hypernym, pair.hyponym] = bool(pair.label)
            (self.classes if pair.label else self.others)[pair.hyponym].add(pair.hypernym)
            self.as_hypernym[pair.hypernym] += 1
            self.as_hyponym[pair.hyponym] += 1

    def features(self, pair: Pair) -> list[str]:
        """Return what the other pairs say of a pair; its own label, where it is known, is not looked at."""
        return [*self._of_taxonomy(pair.hypernym, pair.hyponym), *self._of_counts(pair.hypernym, pair.hyponym)]

    def _of_taxonomy(self, hypernym: str, hyponym: str) -> Iterator[str]:
        reverse = self.labels.get((hyponym, hypernym))
        if reverse is not None:
            yield f"reverse is {'true' if reverse else 'false'}"
        above = self.classes.get(hyponym, set()) - {hypernym}
        beside = self.classes.get(hypernym, set()) - {hyponym}
        if any(hypernym in self.classes.get(name, ()) for name in above):
            yield "path"
        if any(hyponym in self.classes.get(name, ()) for name in beside):
            yield "path back"
        if above & beside:
            yield "both in one class"
        if above:
            yield "hyponym has a class"
        if beside:
            yield "hypernym has a class"
        if self.others.get(hyponym, set()) - {hypernym}:
            yield "hyponym has a false pair"

    def _of_counts(self, hypernym: str, hyponym: str) -> Iterator[str]:
        own = (hypernym, hyponym) in self.labels
        counts = {
            "hypernym as hypernym": self.as_hypernym[hypernym] - own,
            "hypernym as hyponym": self.as_hyponym[hypernym],
            "hyponym as hyponym": self.as_hyponym[hyponym] - own,
            "hyponym as hypernym": self.as_hypernym[hyponym],
        }
        for name, count in counts.items():
            for power in range(count.bit_length()):
                yield f"{name} in {2**power} pairs"
