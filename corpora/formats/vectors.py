"""Sparse vectors with labels: svmlight/libsvm lines, and SVM-Light-TK lines that add trees.

svmlight: `+1 3:1 11:0.5 # comment`, and before the features `qid:4` or `cost:2.5` (what an error on this example costs,
as in SVM-light). SVM-Light-TK: `+1 |BT| tree |BT| tree |ET| 3:1 |BV| 7:1 |EV|`, several
trees and vectors a line. Written back, labels 1 and -1 have their sign, numbers their shortest form, the
label of an SVM-Light-TK line a tab behind it, and blanks at the end of a line are gone.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from kakari.corpora.formats.brackets import parse_brackets
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text

if TYPE_CHECKING:
    from nltk.tree import Tree

MARKER = re.compile(r"\|(BT|ET|BV|EV)\|")
LARGEST_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Feature ids and their values, in the order of the file."""

    ids: tuple[int, ...] = ()
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledVector:
    """A line of an svmlight file; `qid` and `cost` are None where the line has none."""

    label: float
    vector: SparseVector
    qid: int | None = None
    comment: str = ""
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class TreesAndVectors:
    """A line of an SVM-Light-TK file: trees as bracket strings (empty for an empty tree), and vectors."""

    label: float
    trees: tuple[str, ...] = ()
    vectors: tuple[SparseVector, ...] = ()
    comment: str = ""

    def nltk_trees(self) -> tuple[Tree | None, ...]:
        """Return the trees as NLTK trees; a label without children, `(b)`, is a leaf.

        Examples
        --------
        >>> TreesAndVectors(1.0, ("(A (b)(C c))",)).nltk_trees()[0].leaves()
        ['b', 'c']
        """
        return tuple(parse_brackets(tree, childless_leaves=True) if tree else None for tree in self.trees)


def read_svmlight(source: Source) -> Iterator[LabelledVector]:
    """Yield the vectors of an svmlight/libsvm file.

    Examples
    --------
    >>> import io
    >>> example = next(read_svmlight(io.StringIO("+1 qid:4 cost:2 3:1 11:0.5 # why")))
    >>> example.vector
    SparseVector(ids=(3, 11), values=(1.0, 0.5))
    >>> example.label, example.qid, example.comment, example.cost
    (1.0, 4, 'why', 2.0)
    """
    name = source_name(source)
    for number, line in numbered_lines(source):
        text, _, comment = line.partition("#")
        fields = text.split()
        if not fields:
            continue
        qid = None
        if len(fields) > 1 and fields[1].startswith("qid:"):
            qid = _whole(name, number, fields.pop(1)[4:], "query id")
        cost = None
        if len(fields) > 1 and fields[1].startswith("cost:"):
            cost = finite_number(name, number, fields.pop(1)[5:], "cost")
            if cost < 0:
                raise CorpusError(name, number, f"the cost {cost} is negative")
        label = finite_number(name, number, fields[0], "label")
        yield LabelledVector(label, _vector(name, number, fields[1:]), qid, comment.strip(), cost)


def read_svmlight_tk(source: Source) -> Iterator[TreesAndVectors]:
    """Yield the examples of an SVM-Light-TK file.

    Examples
    --------
    >>> import io
    >>> example = next(read_svmlight_tk(io.StringIO("-1 |BT| (A a) |ET| 3:1 |BV| 4:2 |EV|")))
    >>> example.trees, [vector.ids for vector in example.vectors]
    (('(A a)',), [(3,), (4,)])
    """
    name = source_name(source)
    for number, line in numbered_lines(source):
        if not line.strip() or line.startswith("#"):
            continue
        yield example_of_line(name, number, line)


def example_of_line(name: str, number: int, line: str) -> TreesAndVectors:
    """Read one line of SVM-Light-TK; name and number of the line are for messages.

    Examples
    --------
    >>> example_of_line("data", 1, "+1 |BT| (A a) |ET| 3:1 |EV|").trees
    ('(A a)',)
    """
    pieces = MARKER.split(line)  # text, marker, text, marker, …, text
    start, _, comment = pieces[0].partition("#")
    fields = start.split()
    if not fields:
        raise CorpusError(name, number, "the line has no label")
    label = finite_number(name, number, fields[0], "label")
    trees: list[str] = []
    vectors: list[SparseVector] = []
    if fields[1:] or len(pieces) == 1:  # a vector right after the label, as in svmlight
        vectors.append(_vector(name, number, fields[1:]))
    comment = comment.strip()
    in_trees = False
    last = len(pieces) - 2
    for place in range(1, len(pieces), 2):
        marker, text = pieces[place], pieces[place + 1].strip()
        if marker == "BT":
            if vectors:
                raise CorpusError(name, number, "a tree comes after a vector; trees come first")
            trees.append(checked_tree(name, number, text))
            in_trees = True
        elif in_trees and marker != "ET":
            raise CorpusError(name, number, f"|{marker}| comes before |ET| has ended the trees")
        elif marker == "ET":
            if not in_trees:
                raise CorpusError(name, number, "|ET| ends trees that |BT| has not begun")
            in_trees = False
        if marker in ("ET", "BV", "EV"):
            text, _, remark = text.partition("#")
            comment = comment or remark.strip()
            if marker == "EV" and (text.strip() or place != last):
                raise CorpusError(name, number, "there is something after |EV|, which ends the line")
            # `|ET| |BT|` only parts two trees, and an empty text before |BV| is no vector.
            if marker != "EV" and (text.strip() or marker == "BV"):
                vectors.append(_vector(name, number, text.split()))
    if in_trees:
        raise CorpusError(name, number, "the trees are not ended by |ET|")
    return TreesAndVectors(label, tuple(trees), tuple(vectors), comment)


def checked_tree(name: str, number: int, text: str) -> str:
    """Return a tree whose brackets are balanced; refuse any other, with file and line."""
    depth = 0
    for place, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth < 0 or (depth == 0 and place != len(text) - 1):
                raise CorpusError(name, number, f"the tree '{text[:40]}' closes too early")
        elif depth == 0:
            raise CorpusError(name, number, f"the tree '{text[:40]}' does not begin with a bracket")
    if depth:
        raise CorpusError(name, number, f"the tree '{text[:40]}' is not closed: {depth} brackets too few")
    return text


def _vector(name: str, number: int, fields: list[str]) -> SparseVector:
    parts = ":".join(fields).split(":")
    numbers, rest = parts[::2], parts[1::2]
    if len(parts) == 2 * len(fields) and rest.count("1") == len(rest):  # binary features: nearly every line there is
        digits = "".join(numbers)
        if digits.isascii() and digits.isdecimal() and all(numbers) and max(map(len, numbers)) <= 9:
            return SparseVector(tuple(map(int, numbers)), (1.0,) * len(numbers))
    ids: list[int] = []
    values: list[float] = []
    for field in fields:
        feature, colon, value = field.partition(":")
        if not colon:
            raise CorpusError(name, number, f"'{field[:40]}' should look like 'feature:value', as in '12:1'")
        ids.append(_whole(name, number, feature, "feature number"))
        values.append(1.0 if value == "1" else finite_number(name, number, value, "value"))
    return SparseVector(tuple(ids), tuple(values))


def _whole(name: str, number: int, text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 10) or int(text) > LARGEST_ID:
        raise CorpusError(name, number, f"the {what} '{text[:40]}' is no whole number from 0 to {LARGEST_ID}")
    return int(text)


def finite_number(name: str, number: int, text: str, what: str) -> float:
    """Return a finite number; refuse any other text, with file and line."""
    try:
        value = float(text)
    except ValueError:
        raise CorpusError(name, number, f"the {what} '{text[:40]}' is not a number") from None
    if not math.isfinite(value):
        raise CorpusError(name, number, f"the {what} '{text[:40]}' is not a finite number")
    return value


def format_number(value: float) -> str:
    """Write a number in its shortest form that reads back the same.

    Examples
    --------
    >>> format_number(1.0), format_number(0.1)
    ('1', '0.1')
    """
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)


def _format_label(label: float) -> str:
    return "+1" if label == 1 else format_number(label)


def _format_vector(vector: SparseVector) -> str:
    return " ".join(f"{i}:{format_number(v)}" for i, v in zip(vector.ids, vector.values, strict=True))


def format_svmlight(example: LabelledVector) -> str:
    """Write a vector as a line of svmlight."""
    pieces = [_format_label(example.label)]
    if example.qid is not None:
        pieces.append(f"qid:{example.qid}")
    if example.cost is not None:
        pieces.append(f"cost:{format_number(example.cost)}")
    if example.vector.ids:
        pieces.append(_format_vector(example.vector))
    if example.comment:
        pieces.append(f"# {example.comment}")
    return " ".join(pieces) + "\n"


def format_svmlight_tk(example: TreesAndVectors) -> str:
    r"""Write an example as a line of SVM-Light-TK.

    Examples
    --------
    >>> format_svmlight_tk(TreesAndVectors(1.0, ("(A a)", "(B b)"), (SparseVector((3,), (1.0,)),))).strip()
    '+1\t|BT| (A a) |BT| (B b) |ET| 3:1 |EV|'
    """
    pieces = [f"|BT| {tree}".strip() for tree in example.trees]
    if pieces:
        pieces.append("|ET|")
    for index, vector in enumerate(example.vectors):
        if index or not vector.ids:
            pieces.append("|BV|")
        if vector.ids:
            pieces.append(_format_vector(vector))
    if example.vectors or not example.trees:
        pieces.append("|EV|")
    if example.comment:
        pieces.append(f"# {example.comment}")
    return f"{_format_label(example.label)}\t{' '.join(pieces)}\n"


def write_svmlight(examples: Iterable[LabelledVector], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write vectors to an svmlight file."""
    write_text(map(format_svmlight, examples), target)


def write_svmlight_tk(examples: Iterable[TreesAndVectors], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write examples to an SVM-Light-TK file."""
    write_text(map(format_svmlight_tk, examples), target)
