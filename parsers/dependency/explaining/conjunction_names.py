"""The conjunctions of a dependency tree in words, in the order in which `conjunctions_of` writes their hashes.

The tables repeat templates.hpp, one line a template; `tests/parsers/dependency/test_explaining.py` compares names and
hashes, so that a changed template is noticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kakari.parsers.dependency.treebank import Columns

MOST_FEATURES, MOST_TAGS, MOST_TRIPLES = 14, 64, 48  # as in tokens.hpp and candidates.hpp
Template = tuple[str, ...]


def _templates(lines: str) -> tuple[Template, ...]:
    return tuple(tuple(line.split()) for line in lines.strip().split(","))


LIGHT = _templates(
    "H.tag M.tag far, H.form M.tag far, H.tag M.form far, H.form M.form side, H.lemma M.lemma side,"
    "H.coarse M.coarse far, H.tag far, M.tag far, H.form side, M.form far, H.tag Hn.tag Mp.tag M.tag side,"
    "Hp.tag H.tag Mp.tag M.tag side, H.tag Hn.tag M.tag Mn.tag side, Hp.tag H.tag M.tag Mn.tag side,"
    "H.coarse M.tag Mn.tag far, H.coarse Mp.tag M.tag far, H.tag Hn.tag M.coarse far, Hp.tag H.tag M.coarse far,"
    "Mp.tag M.tag Mn.tag far, H.coarse M.form far, H.form M.coarse far, H.tag M.tag side, far"
)
LIGHT_BETWEEN = _templates("H.tag through M.tag side, H.coarse through M.coarse far")
FULL = _templates(
    "H.form H.tag M.form M.tag side, H.tag M.form M.tag side, H.form M.form M.tag side, H.form H.tag M.tag side,"
    "H.form H.tag M.form side, H.form M.form far, H.lemma M.lemma far, H.lemma M.tag far, H.tag M.lemma far,"
    "H.lemma M.coarse side, H.coarse M.lemma side, H.tag Hn.tag Mp.tag M.tag far, Hp.tag H.tag Mp.tag M.tag far,"
    "H.tag Hn.tag M.tag Mn.tag far, Hp.tag H.tag M.tag Mn.tag far, Hp.tag H.tag Hn.tag M.tag side,"
    "H.tag Mp.tag M.tag Mn.tag side, H.coarse Hn.coarse Mp.coarse M.coarse far, H.coarse Mpp.tag Mp.tag M.tag side,"
    "H.coarse M.tag Mn.tag Mnn.tag side, Hpp.tag Hp.tag H.tag M.coarse side, H.tag Hn.tag Hnn.tag M.coarse side,"
    "H.lemma Mp.tag M.tag side, H.lemma M.tag Mn.tag side, H.tag Hn.tag M.lemma side, Hp.tag H.tag M.lemma side,"
    "H.tag M.tag Mp.lemma side, H.tag M.tag Mn.lemma side, H.tag M.tag Hp.lemma side, H.tag M.tag Hn.lemma side,"
    "H.coarse M.lemma Mn.lemma side, H.coarse M.lemma Mp.lemma side, H.coarse M.coarse between, H.lemma far,"
    "M.lemma far, H.coarse M.coarse length far, M.tag edge H.tag"
)
OF_MODIFIER = _templates("H.tag M.feature side, H.lemma M.feature side")
OF_BOTH = _templates("H.feature M.feature side, H.coarse M.coarse H.feature M.feature side")
OF_HEAD = _templates("H.feature M.tag side, H.feature M.lemma side")
SIBLING = _templates(
    "H.tag B.tag M.tag side, H.coarse B.coarse M.coarse side apart, B.tag M.tag side, B.lemma M.lemma side,"
    "B.lemma M.tag side, B.tag M.lemma side, H.lemma B.tag M.tag side, H.tag B.lemma M.tag side,"
    "H.tag B.tag M.lemma side, H.lemma B.coarse M.coarse side, H.coarse B.lemma M.coarse side,"
    "H.coarse B.coarse M.lemma side, H.coarse B.lemma M.lemma side, H.lemma B.lemma M.coarse side,"
    "H.lemma B.coarse M.lemma side, B.coarse M.coarse side apart"
)
GRANDPARENT = _templates(
    "G.tag H.tag M.tag order, G.coarse H.coarse M.coarse order, G.tag M.tag order, G.lemma M.tag order,"
    "G.tag M.lemma order, G.lemma M.lemma order, G.lemma H.tag M.tag order, G.tag H.lemma M.tag order,"
    "G.tag H.tag M.lemma order, G.coarse H.lemma M.coarse order, G.coarse H.lemma M.lemma order,"
    "G.lemma H.lemma M.coarse order, G.lemma H.coarse M.lemma order"
)
GRANDSIBLING = _templates(
    "G.tag H.tag B.tag M.tag order, G.coarse H.coarse B.coarse M.coarse order, G.coarse B.coarse M.coarse order,"
    "G.coarse H.lemma B.coarse M.coarse order, G.lemma H.coarse B.coarse M.coarse order"
)
TRISIBLING = _templates(
    "H.tag A.tag B.tag M.tag side, H.coarse A.coarse B.coarse M.coarse side, A.tag B.tag M.tag side,"
    "H.lemma A.coarse B.coarse M.coarse side"
)
SLOTS = {
    "H": "head", "M": "word", "G": "head's head", "B": "sibling", "A": "sibling before", "Hp": "before head",
    "Hn": "after head", "Hpp": "2 before head", "Hnn": "2 after head", "Mp": "before word", "Mn": "after word",
    "Mpp": "2 before word", "Mnn": "2 after word",
}  # fmt: skip
PROPERTIES = {"form": "", "lemma": " lemma", "tag": " tag", "coarse": " part", "feature": ""}


class Part(NamedTuple):
    """A part of a tree: whose arc it belongs to (0: the end of a side), and its conjunctions in words."""

    modifier: int
    names: tuple[str, ...]


class Seen:
    """A sentence as the templates see it; place 0 is the root."""

    def __init__(self, words: Sequence[Columns]) -> None:
        self.length = len(words)
        self.words = words
        self.tags: list[str] = []  # coarse tags in the order of their first words
        self.numbers = [0]
        for place in range(1, self.length + 1):
            coarse = self.value(place, "coarse")
            if coarse not in self.tags and len(self.tags) < MOST_TAGS:
                self.tags.append(coarse)
            self.numbers.append(self.tags.index(coarse) if coarse in self.tags else MOST_TAGS - 1)

    def value(self, place: int | None, name: str) -> str:
        """Return a property of a word; there are none at the root, outside of the sentence, and where no word is."""
        if place is None or place == self.length + 3:
            return "(none)" if place is None else "(end)"
        if not 0 < place <= self.length:
            return "ROOT" if place == 0 else "(outside)"
        form, lemma, coarse, fine, _ = self.words[place - 1]
        return {
            "form": form.lower(),
            "lemma": form.lower() if lemma == "_" else lemma,
            "tag": coarse if fine == "_" else fine,
            "coarse": fine if coarse == "_" else coarse,
        }[name]

    @property
    def end(self) -> int:
        """The place that stands for the end of a side."""
        return self.length + 3

    def features(self, place: int) -> list[str]:
        """Return the morphological features of a word."""
        told = self.words[place - 1][4] if 0 < place <= self.length else "_"
        return [] if told == "_" else told.split("|")[:MOST_FEATURES]

    def between(self, one: int, other: int) -> list[str]:
        """Return the coarse tags between two words, each once."""
        found = {self.numbers[place] for place in range(min(one, other) + 1, max(one, other))}
        return [self.tags[number] for number in sorted(found)]

    def named(
        self, templates: Iterable[Template], slots: Mapping[str, int | None], told: Mapping[str, str]
    ) -> Iterator[str]:
        """Write conjunctions in words; `told` are values that are no properties of words."""
        for template in templates:
            shown = []
            for item in template:
                slot, _, name = item.partition(".")
                if not name or item in told:
                    shown.append(told[item])
                else:
                    shown.append(f"{SLOTS[slot]}{PROPERTIES[name]}={self.value(slots[slot], name)}")
            yield " & ".join(shown)


def distance(one: int, other: int) -> str:
    """Write how far two words are from each other.

    Examples
    --------
    >>> distance(3, 1), distance(3, 12)
    ('2', '6-10')
    """
    far = abs(one - other)
    return str(far) if far <= 5 else "6-10" if far <= 10 else "11-20" if far <= 20 else "21+"


def order_of(parent: int, head: int, modifier: int) -> str:
    """Write the order of three words: the head's head (g), the head (h) and the word (w)."""
    if modifier < 0:  # the end of a side is nowhere
        modifier = -1
    return "order=" + "".join(name for _, name in sorted([(parent, "g"), (head, "h"), (modifier, "w")]))


def arc_names(seen: Seen, head: int, modifier: int) -> Iterator[str]:
    """Write the conjunctions of an arc."""
    slots = {"H": head, "M": modifier} | {
        name + step: place + by
        for name, place in (("H", head), ("M", modifier))
        for step, by in (("p", -1), ("n", 1), ("pp", -2), ("nn", 2))
    }
    side = "right of head" if head < modifier else "left of head"
    through = seen.between(head, modifier)
    length = f"sentence of {seen.length // 4 * 4}+" if seen.length < 40 else "sentence of 40+"
    edges = [*["first"] * (modifier == 1), *["last"] * (modifier == seen.length)]
    told = {
        "side": side, "far": f"{distance(head, modifier)} {side}", "between": f"between={'+'.join(through)}",
        "length": length, "edge": f"{' and '.join(edges) or 'inner'} word",
    }  # fmt: skip
    yield from seen.named(LIGHT, slots, told)
    for tag in through:
        yield from seen.named(LIGHT_BETWEEN, slots, {**told, "through": f"over {tag}"})
    yield from seen.named(FULL, slots, told)
    for own in seen.features(modifier):
        first = {**told, "M.feature": f"word {own}"}
        yield from seen.named(OF_MODIFIER, slots, first)
        for other in seen.features(head):
            yield from seen.named(OF_BOTH, slots, {**first, "H.feature": f"head {other}"})
    for other in seen.features(head):
        yield from seen.named(OF_HEAD, slots, {**told, "H.feature": f"head {other}"})


def tree_parts(words: Sequence[Columns], heads: Sequence[int], order: int) -> Iterator[Part]:
    """Yield the parts of a tree with their conjunctions in words, in the order of `conjunctions_of`.

    Examples
    --------
    >>> words = [("Dogs", "dog", "NOUN", "NNS", "Number=Plur"), ("bark", "bark", "VERB", "VBP", "_")]
    >>> parts = list(tree_parts(words, [2, 0], 1))
    >>> [part.modifier for part in parts], parts[0].names[0]
    ([1, 2], 'head tag=VBP & word tag=NNS & 1 left of head')
    """
    seen = Seen(words)
    for modifier, head in enumerate(heads, 1):
        yield Part(modifier, tuple(arc_names(seen, head, modifier)))
    if order < 2:
        return
    for modifier, head in enumerate(heads, 1):
        if head:
            parent = heads[head - 1]
            slots = {"G": parent, "H": head, "M": modifier}
            told = {"order": order_of(parent, head, modifier)}
            yield Part(modifier, tuple(seen.named(GRANDPARENT, slots, told)))
    for head in range(len(heads) + 1):
        for right in (False, True) if head else (True,):
            yield from _side(seen, heads, head, right, order)


def _side(seen: Seen, heads: Sequence[int], head: int, right: bool, order: int) -> Iterator[Part]:
    """Yield the parts with siblings on one side of a head, from near to far."""
    own = [m for m, other in enumerate(heads, 1) if other == head and (head < m) == right]
    if not right:
        own.reverse()
    candidates = seen.length - head if right else head - 1
    told = {"side": "right of head" if right else "left of head"}
    before: list[int | None] = []
    for modifier in [*own, seen.end]:
        near = before[-1] if before else None
        both = near is not None and modifier != seen.end
        told["apart"] = f"{distance(near or 0, modifier)} apart" if both else "no pair"
        slots = {"H": head, "B": near, "M": modifier}
        whose = 0 if modifier == seen.end else modifier
        yield Part(whose, tuple(seen.named(SIBLING, slots, told)))
        if modifier == seen.end:
            return
        if order > 2 and head:
            parent = heads[head - 1]
            place = {"order": order_of(parent, head, modifier)}
            yield Part(whose, tuple(seen.named(GRANDSIBLING, {**slots, "G": parent}, place)))
        if order > 2 and before and candidates <= MOST_TRIPLES:
            further = before[-2] if len(before) > 1 else None
            yield Part(whose, tuple(seen.named(TRISIBLING, {**slots, "A": further}, told)))
        before.append(modifier)
