"""The conjunctions of the parser's decisions in words, in the order in which features.hpp writes their hashes.

`a` is the topmost item of the stack and `b` the one below it: the right and the left part of a join. `al` and `ar` are
the parts of `a`, `q0` is the next word. The tables repeat features.hpp, one entry a template;
`tests/parsers/english/test_explaining.py` compares names and hashes, so that a changed template is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kakari.parsers.english.constituency.shift_reduce import TRAITS

SHORT = 8  # the longest span whose shape is seen
SIZES = ("0", "1", "2", "3", "4", "5-6", "7-9", "10-14", "15+")


def _templates(entries: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(entry.split()) for entry in entries.split(","))


JOIN = _templates(
    "q0.word q0.tag, q1.word q1.tag, q2.word q2.tag, q3.word q3.tag, q0.word q1.word, q0.word q1.tag, q0.tag q1.word,"
    "q0.tag q1.tag, "  # the queue
    "b.tag b.label, b.word b.label, bl.word bl.label b.label, br.word br.label b.label, b.label bl.label br.label,"
    "b.label b.first, b.label b.first_tag b.last_tag, b.label b.size, "  # the item below
    "a.word b.word, a.word q0.word, b.word q0.word, b.word q0.tag, b.label q0.word, b.label q0.tag,"
    "a.tag b.tag q0.tag, a.word b.tag b.label, first.word last.word, before.word first.word, last.word after.word,"
    "meets.word met.word, before.word after.word, before.tag first.tag last.tag after.tag,"
    "meets.tag met.tag before.tag after.tag, size before.tag after.tag, shape before.tag after.tag, "  # words of both
    "c.tag c.label, c.word c.label, d.tag d.label, d.word d.label, b.label c.last_tag c.label, c.word a.word b.word,"
    "c.word a.word ar.word, c.tag b.tag a.word, c.label b.label q0.tag, "  # with deeper ones
    "a.tag a.label, a.word a.label, al.word al.label a.label, ar.word ar.label a.label, a.word q0.tag a.label,"
    "a.label q0.word, a.label q0.tag, a.label q0.tag q1.tag, a.label q0.tag q1.tag q2.tag, a.label al.label ar.label,"
    "a.label a.first_tag a.last_tag, a.label a.first, a.label a.last, a.label a.size, "  # the topmost item
    "a.inner a.label b.inner b.label, a.word b.label a.label, a.label b.word b.label, a.label b.label,"
    "a.label a.tag b.label b.tag, a.label b.label q0.tag, a.word b.label q0.tag a.label,"
    "a.label b.word q0.tag b.label, a.label b.label q0.word, a.label b.label q0.tag q1.tag,"
    "a.label b.label a.tag b.tag q0.tag, a.word q0.word b.label, b.word q0.word a.label b.label,"
    "b.word a.word ar.word a.label, a.label al.label ar.label b.label q0.tag, a.label b.label br.label br.tag q0.tag,"
    "a.label b.label al.label al.word, a.label b.label ar.label ar.word, a.label b.label br.word q0.word,"
    "a.label a.first_tag a.last_tag q0.tag b.last_tag, a.label b.last, a.label b.label a.size b.size,"
    "a.label b.label a.first, a.label b.label b.first, a.label b.label b.last_tag a.first_tag, a.label b.label b.last,"
    "a.label b.label q0.tag comma_a comma_b, a.label a.size q0.tag b.label, a.suffix a.label b.label,"
    "b.suffix b.label a.label, a.label b.label q0.suffix, a.tag b.word a.label, size a.label b.label after.tag,"
    "a.label b.label inside, a.label b.label inside_a inside_b, a.label b.label verbs_a verbs_b verbs_after,"
    "a.label verbs verbs_after after.tag, a.label b.label commas_after and_after after.tag,"
    "a.label b.label and after.tag before.tag, a.label b.label words_after words_before,"
    "a.label b.label before.word after.tag, a.label b.label meets.word met.word, "  # both items
    "a.label b.label c.label, a.word b.label c.label, a.label b.word c.label, a.label b.label c.word,"
    "a.label b.label c.label q0.tag, a.label b.label c.label d.label, c.word a.word a.label b.label,"
    "c.tag c.label b.tag b.label a.label a.word, a.label b.label mark c.label, a.label b.label done depth,"
    "c.label c.tag b.label b.word a.label a.tag, c.label b.label a.label c.size a.size,"
    "c.label a.label q0.word"  # both with deeper ones
)
UNARY = _templates(
    "a.label, a.label a.word, a.label a.tag, a.label q0.tag, a.label q0.word, a.label q0.tag q1.tag,"
    "a.word a.label q0.tag, a.label before.tag q0.tag, a.label before.word, a.label before.word q0.tag,"
    "a.label a.first_tag a.last_tag, a.label a.first, a.label a.last, a.label al.label ar.label,"
    "a.label a.size open done, a.label open done mark, a.label q0.tag q1.tag q2.tag,"
    "a.label before2.tag before.tag q0.tag, a.label q0.word q1.tag, a.suffix a.label q0.tag,"
    "a.label before.word q0.word, a.label a.word before.tag q0.tag, a.label before2.word before.word,"
    "a.label q0.word q1.word, a.label before.word a.first, a.label a.last q0.word,"
    "a.label a.first_tag a.last_tag before.tag q0.tag, a.label a.size before.tag q0.tag, a.label inside open done,"
    "a.label verbs verbs_after q0.tag, a.label shape before.tag q0.tag, a.label a.word a.first a.last, "
    "a.label b.label, a.label b.word, a.label b.tag b.label, a.label b.label q0.tag, a.label b.label c.label,"
    "a.label b.label c.label q0.tag, a.word a.label b.label, a.word a.label b.label q0.tag,"
    "a.label al.label ar.label b.label q0.tag, a.label b.word q0.tag, a.label b.label q0.word, a.label b.word a.word,"
    "a.label a.first b.label, a.label b.label inside"
)
ITEMS = {
    "b": "left", "c": "further left", "d": "furthest left", "bl": "left part of left", "br": "right part of left",
    "q0": "next", "q1": "2nd next", "q2": "3rd next", "q3": "4th next", "before": "before it", "before2": "2 before it",
    "after": "after it", "first": "first", "last": "last", "meets": "last of left", "met": "first of right",
}  # fmt: skip
JOINED = ITEMS | {"a": "right", "al": "left part of right", "ar": "right part of right"}
TOP = ITEMS | {"a": "this", "al": "its left part", "ar": "its right part"}
PROPERTIES = {
    "label": "", "inner": " inside", "tag": " tag", "word": " word", "suffix": " ending", "first": " first word",
    "last": " last word", "first_tag": " first tag", "last_tag": " last tag", "size": " length",
}  # fmt: skip


class StackItem(NamedTuple):
    """What features see of an item of the stack, as `derivations` has it."""

    symbol: int
    inner: int
    head: int
    begin: int
    end: int
    phase: int
    left: int
    left_head: int
    right: int
    right_head: int
    right_begin: int
    right_end: int


def size(count: int) -> str:
    """Write a number of words as features see it.

    Examples
    --------
    >>> size(3), size(8)
    ('3', '7-9')
    """
    return SIZES[count if count <= 4 else 5 if count <= 6 else 6 if count <= 9 else 7 if count <= 14 else 8]


class Named:
    """A state of the stack, and its conjunctions in words."""

    def __init__(
        self,
        words: Sequence[str],
        tags: Sequence[str],
        symbols: Sequence[str],
        items: Sequence[StackItem],
        depth: int,
        unary: bool,
    ) -> None:
        self.words, self.tags, self.symbols, self.items, self.depth = words, tags, symbols, items, depth
        self.unary = unary
        top, below = items[:2]
        self.middle, self.end = top.begin, top.end
        self.begin = below.begin if below.symbol >= 0 and not unary else top.begin
        names = ("a", "b", "c", "d")
        self.stack = dict(zip(names, items, strict=True))
        self.places = {f"q{number}": self.end + number for number in range(4)} | {
            "before": self.begin - 1, "before2": self.begin - 2, "first": self.begin, "last": self.end - 1,
            "after": self.end, "meets": self.middle - 1, "met": self.middle,
        }  # fmt: skip

    def conjunctions(self) -> list[str]:
        """Return the conjunctions in words."""
        return [" & ".join(self.told(item) for item in template) for template in (UNARY if self.unary else JOIN)]

    def told(self, item: str) -> str:
        """Write one thing that a conjunction looks at."""
        name, _, attribute = item.partition(".")
        if not attribute:
            return self.measured(name)
        shown = (TOP if self.unary else JOINED)[name]
        if name in self.places:
            return f"{shown}{PROPERTIES[attribute]}={self.of_word(self.places[name], attribute)}"
        return f"{shown}{PROPERTIES[attribute]}={self.of_item(name, attribute)}"

    def of_word(self, place: int, attribute: str) -> str:
        """Return a property of a word of the sentence."""
        if not 0 <= place < len(self.words):
            return "(none)"
        word = "".join("0" if c.isdigit() else c for c in self.words[place].lower())
        if attribute == "suffix":
            return word[-3:] if len(word) >= 3 else "(short)"
        return self.tags[place] if attribute == "tag" else word

    def of_item(self, name: str, attribute: str) -> str:
        """Return a property of an item of the stack, or of one of its two parts."""
        item = self.stack[name[0]]
        if len(name) == 2:
            symbol, head = (item.left, item.left_head) if name[1] == "l" else (item.right, item.right_head)
            if item.symbol < 0 or symbol < 0:
                return "(none)"
            return self.symbols[symbol] if attribute == "label" else self.of_word(head, attribute)
        if item.symbol < 0:
            return "(none)"
        if attribute in ("label", "inner"):
            return self.symbols[item.symbol if attribute == "label" else item.inner]
        if attribute == "size":
            return size(item.end - item.begin)
        if attribute in ("first", "first_tag"):
            return self.of_word(item.begin, "tag" if attribute == "first_tag" else "word")
        if attribute in ("last", "last_tag"):
            return self.of_word(item.end - 1, "tag" if attribute == "last_tag" else "word")
        return self.of_word(item.head, attribute)

    def count(self, trait: int, begin: int, end: int, most: int) -> str:
        """Count the words of a span whose tags have a trait."""
        found = sum(self.tags[place] in TRAITS[trait] for place in range(begin, end))
        return f"{found}" if found < most else f"{most}+"

    def inside(self, begin: int, end: int) -> str:
        """Write the brackets, quotation marks, commas and conjunctions of a span."""
        opened, closed, quotes = (
            sum(self.tags[place] in TRAITS[trait] for place in range(begin, end)) for trait in (3, 4, 5)
        )
        balance = "open" if opened > closed else "closed" if opened < closed else "balanced" if opened else "no"
        marks = "odd" if quotes % 2 else "even"
        commas, joined = self.count(1, begin, end, 3), self.count(2, begin, end, 2)
        return f"{balance} brackets, {marks} quotes, {commas} commas, {joined} conjunctions"

    def shape(self, begin: int, end: int) -> str:
        """Write the kinds of letters of the words of a short span."""
        if end - begin > SHORT:
            return "long"
        kinds = []
        for word in self.words[begin:end]:
            title = word[:1].isupper() and word[1:].islower()
            lower, upper = any(c.islower() for c in word), any(c.isupper() for c in word)
            digit = any(c.isdigit() for c in word)
            kinds.append("Xx" if title else "x" if lower else "X" if upper else "0" if digit else word)
        return " ".join(kinds)

    def comma(self, item: StackItem) -> str:
        """Return the last word of an item, if it is a part of its own."""
        alone = item.symbol >= 0 and item.right >= 0 and item.right_end - item.right_begin == 1
        return self.of_word(item.right_begin, "word") if alone else "(none)"

    def measured(self, name: str) -> str:
        """Write what is counted in the span or in the sentence."""
        begin, middle, end, length = self.begin, self.middle, self.end, len(self.words)
        told: dict[str, Callable[[], str]] = {
            "size": lambda: f"{size(end - begin)} words",
            "shape": lambda: f"shape={self.shape(begin, end)}",
            "inside": lambda: f"inside: {self.inside(begin, end)}",
            "inside_a": lambda: f"inside right: {self.inside(middle, end)}",
            "inside_b": lambda: f"inside left: {self.inside(begin, middle)}",
            "verbs": lambda: f"verbs inside={self.count(0, begin, end, 3)}",
            "verbs_a": lambda: f"verbs in right={self.count(0, middle, end, 3)}",
            "verbs_b": lambda: f"verbs in left={self.count(0, begin, middle, 3)}",
            "verbs_after": lambda: f"verbs to come={self.count(0, end, length, 3)}",
            "commas_after": lambda: f"commas to come={self.count(1, end, length, 3)}",
            "and": lambda: f"conjunctions inside={self.count(2, begin, end, 2)}",
            "and_after": lambda: f"conjunctions to come={self.count(2, end, length, 2)}",
            "words_after": lambda: f"words to come={size(length - end)}",
            "words_before": lambda: f"words before={size(begin)}",
            "comma_a": lambda: f"right ends in={self.comma(self.items[0])}",
            "comma_b": lambda: f"left ends in={self.comma(self.items[1])}",
            "mark": lambda: f"sentence ends in={self.of_word(length - 1, 'word')}",
            "done": lambda: "at the end" if end == length else "not at the end",
            "open": lambda: "at the start" if begin == 0 else "not at the start",
            "depth": lambda: f"items={min(self.depth, 4)}{'+' * (self.depth >= 4)}",
        }
        return told[name]()
