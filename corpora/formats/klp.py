"""KeLP's data files (`.klp`): labels, then named representations of an example, or of a pair of examples.

    food |BT:parse| (S(NP(N bread))) |ET| |BV:words| bread:1.0 |EV| |BDV:space| 0.1,0.2 |EDV| |BS:text| bread |ES|
    match |<| |BT| (A(b)) |ET| |,| |BT| (A(c)) |ET| |>| |BV| overlap:0.5 |EV|

A representation is a tree (T), a sparse vector with named features (V), a dense vector (DV), or a string (S); others
are kept as text. Trees are brackets; KeLP drops blanks inside of them: `(S (NP we))` and `(S(NP(we)))` are the same.
Written back, each representation stands one blank from the next.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from kakari.corpora.formats.vectors import checked_tree, finite_number, format_number
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text

BEGIN = re.compile(r"\|B([A-Z]+)(?::([^|]*))?\|")
OPEN, BETWEEN, CLOSE = "|<|", "|,|", "|>|"
DEEPEST = 20  # pairs within pairs


@dataclass(frozen=True, slots=True)
class Representation:
    """One view of an example: its kind (T, V, DV, S, …), its name ("" if it has none), and its text.

    Examples
    --------
    >>> Representation("V", "words", "bread:2 and:1").features()
    {'bread': 2.0, 'and': 1.0}
    """

    kind: str
    name: str
    text: str

    def features(self) -> dict[str, float]:
        """Return the features of a sparse vector by name."""
        return {name: float(value) for name, _, value in (field.rpartition(":") for field in self.text.split())}

    def numbers(self) -> list[float]:
        """Return the values of a dense vector.

        Examples
        --------
        >>> Representation("DV", "", "0.5,-1").numbers()
        [0.5, -1.0]
        """
        return [float(field) for field in re.split(r"[,\s]+", self.text) if field]


@dataclass(frozen=True, slots=True)
class KelpExample:
    """A line of a `.klp` file: labels, representations, and for a pair both of its examples."""

    labels: tuple[str, ...] = ()
    representations: tuple[Representation, ...] = ()
    pair: tuple[KelpExample, KelpExample] | None = None

    def trees(self) -> tuple[str, ...]:
        """Return its trees as brackets."""
        return tuple(one.text for one in self.representations if one.kind == "T")

    def named(self, name: str) -> Representation | None:
        """Return the representation of a name, or of a place ("0", "1", …) if none has it; None if there is none.

        Examples
        --------
        >>> KelpExample((), (Representation("S", "", "we go"),)).named("0").text
        'we go'
        """
        for place, one in enumerate(self.representations):
            if (one.name or str(place)) == name:
                return one
        return None


def read_klp(source: Source) -> Iterator[KelpExample]:
    """Yield the examples of a `.klp` file.

    Examples
    --------
    >>> import io
    >>> [example] = read_klp(io.StringIO("food |BT:parse| (S (N bread)) |ET| |BV| bread:1.0 |EV|"))
    >>> example.labels, example.trees(), example.named("1").features()
    (('food',), ('(S (N bread))',), {'bread': 1.0})
    """
    name = source_name(source)
    for number, line in numbered_lines(source):
        if line.strip():
            yield _Reader(name, number).example(line.strip(), 0)


class _Reader:
    """Reads one line; what is wrong is said with its place."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number

    def example(self, text: str, depth: int) -> KelpExample:
        bar = text.find("|")
        if bar < 0:
            raise self.error(f"'{text[:40]}' has no representation, which should look like '|BT| (A a) |ET|'")
        labels, rest = tuple(text[:bar].split()), text[bar:]
        if not rest.startswith(OPEN):
            return KelpExample(labels, self.representations(rest))
        if depth == DEEPEST:
            raise self.error(f"pairs are nested more than {DEEPEST} times")
        middle, end = self.bounds(rest)
        first = self.example(rest[len(OPEN) : middle].strip(), depth + 1)
        second = self.example(rest[middle + len(BETWEEN) : end].strip(), depth + 1)
        return KelpExample(labels, self.representations(rest[end + len(CLOSE) :]), (first, second))

    def bounds(self, text: str) -> tuple[int, int]:
        """Find where the outer pair is parted and closed."""
        depth, middle = 0, -1
        for mark in re.finditer(r"\|[<,>]\|", text):
            depth += {OPEN: 1, CLOSE: -1}.get(mark[0], 0)
            if mark[0] == BETWEEN and depth == 1:
                if middle >= 0:
                    raise self.error("a pair has more than two examples")
                middle = mark.start()
            if depth == 0:
                if middle < 0:
                    raise self.error(f"a pair has only one example: there is no {BETWEEN}")
                return middle, mark.start()
        raise self.error(f"a pair is not closed by {CLOSE}")

    def representations(self, text: str) -> tuple[Representation, ...]:
        found: list[Representation] = []
        place = 0
        while text[place:].strip():
            begin = BEGIN.search(text, place)
            before = text[place : len(text) if begin is None else begin.start()].strip()
            if before or begin is None:
                raise self.error(f"'{before[:40]}' stands outside of any representation")
            end = text.find(f"|E{begin[1]}|", begin.end())
            if end < 0:
                raise self.error(f"|B{begin[1]}| is not ended by |E{begin[1]}|")
            found.append(self.checked(begin[1], begin[2] or "", text[begin.end() : end].strip()))
            place = end + len(begin[1]) + 3
        names = [one.name or str(number) for number, one in enumerate(found)]
        if len(set(names)) < len(names):
            raise self.error("two representations have the same name")
        return tuple(found)

    def checked(self, kind: str, name: str, text: str) -> Representation:
        """Refuse a tree that is none, and vectors whose values are no numbers."""
        if kind == "T" and text:
            checked_tree(self.name, self.number, text)
        elif kind == "V":
            for field in text.split():
                feature, colon, value = field.rpartition(":")
                if not (feature and colon):
                    raise self.error(f"'{field[:40]}' should look like 'feature:value', as in 'bread:1'")
                finite_number(self.name, self.number, value, "value")
        elif kind == "DV":
            for field in re.split(r"[,\s]+", text):
                if field:
                    finite_number(self.name, self.number, field, "value")
        return Representation(kind, name, text)

    def error(self, reason: str) -> CorpusError:
        return CorpusError(self.name, self.number, reason)


def format_klp(example: KelpExample) -> str:
    r"""Write an example as a line of KeLP.

    Examples
    --------
    >>> format_klp(KelpExample(("food",), (Representation("T", "parse", "(S (N bread))"),)))
    'food |BT:parse| (S (N bread)) |ET|\n'
    """
    return f"{_formatted(example)}\n"


def _formatted(example: KelpExample) -> str:
    pieces = list(example.labels)
    if example.pair is not None:
        first, second = map(_formatted, example.pair)
        pieces += [OPEN, first, BETWEEN, second, CLOSE]
    for one in example.representations:
        name = f":{one.name}" if one.name else ""
        pieces.append(" ".join([f"|B{one.kind}{name}|", *([one.text] if one.text else []), f"|E{one.kind}|"]))
    return " ".join(pieces)


def write_klp(examples: Iterable[KelpExample], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write examples to a `.klp` file."""
    write_text(map(format_klp, examples), target)


def sparse_text(features: dict[str, float]) -> str:
    """Write named features as the text of a sparse vector.

    Examples
    --------
    >>> sparse_text({"bread": 1.0, "and": 0.5})
    'bread:1 and:0.5'
    """
    return " ".join(f"{name}:{format_number(value)}" for name, value in features.items())
