"""PropBank roles over constituency trees, in tab-separated columns (CoNLL-2012 style).

Columns: document, sentence, token, word, POS, parse bit, predicate lemma, roleset, then one column for each
predicate. Written back, a file is byte for byte what was read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, blank_line_blocks, source_name, write_text

if TYPE_CHECKING:
    from nltk.tree import Tree

FIXED_COLUMNS = 8
PARSE_BIT = re.compile(r"((?:\([^\s()*]+)*)\*(\)*)")
ROLE_BIT = PARSE_BIT  # roles open and close in the same notation
PREDICATE_ITSELF = frozenset({"V", "C-V"})


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """Tokens `start` to `end` (exclusive) with a role."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate: the token that carries its roleset, and its labelled spans (V and C-V among them)."""

    token: int
    lemma: str
    roleset: str
    spans: tuple[LabelledSpan, ...]

    @property
    def arguments(self) -> tuple[LabelledSpan, ...]:
        """The spans that are not the predicate itself."""
        return tuple(span for span in self.spans if span.label not in PREDICATE_ITSELF)


@dataclass(frozen=True, slots=True)
class PropbankSentence:
    """A sentence's tree (words are leaves, POS their parents) and its predicates."""

    document: str
    number: str
    tree: Tree
    predicates: tuple[Predicate, ...]

    @property
    def words(self) -> list[str]:
        """The words."""
        return list(self.tree.leaves())


def read_propbank(source: Source) -> Iterator[PropbankSentence]:
    r"""Yield the sentences of a file of PropBank columns.

    Examples
    --------
    >>> import io
    >>> dogs = "d\t0\t0\tDogs\tNNS\t(TOP(S(NP*)\t-\t-\t(ARG0*)"
    >>> bark = "d\t0\t1\tbark\tVBP\t(VP*)))\tbark\tbark.01\t(V*)"
    >>> sentence = next(read_propbank(io.StringIO(f"{dogs}\n{bark}\n")))
    >>> sentence.words, sentence.predicates[0].roleset, sentence.predicates[0].arguments
    (['Dogs', 'bark'], 'bark.01', (LabelledSpan(label='ARG0', start=0, end=1),))
    """
    name = source_name(source)
    from nltk.tree import Tree

    for block in blank_line_blocks(source):
        rows = [_columns(name, number, line) for number, line in block]
        lines = [number for number, _ in block]
        width = len(rows[0])
        for number, row in zip(lines, rows, strict=True):
            if len(row) != width:
                raise CorpusError(name, number, f"the line has {len(row)} columns, the sentence's first line {width}")
        yield PropbankSentence(rows[0][0], rows[0][1], _tree(name, lines, rows, Tree), _predicates(name, lines, rows))


def _columns(name: str, number: int, line: str) -> list[str]:
    columns = line.split("\t")
    if len(columns) < FIXED_COLUMNS:
        raise CorpusError(
            name,
            number,
            f"the line has {len(columns)} columns between tabs; there should be {FIXED_COLUMNS} or more",
        )
    if not all(columns):
        raise CorpusError(name, number, f"column {columns.index('') + 1} is empty")
    return columns


def _tree(name: str, lines: list[int], rows: list[list[str]], tree_type: Any) -> Any:
    stack: list[Any] = []
    root = None
    for number, row in zip(lines, rows, strict=True):
        match = PARSE_BIT.fullmatch(row[5])
        if match is None:
            raise CorpusError(name, number, f"the parse bit '{row[5][:40]}' should look like '(S(NP*' or '*))'")
        if root is not None and not stack:
            raise CorpusError(name, number, "the tree has ended before this word")
        for label in match[1].split("(")[1:]:
            node = tree_type(label, [])
            if stack:
                stack[-1].append(node)
            else:
                root = node
            stack.append(node)
        if not stack:
            raise CorpusError(name, number, "the word stands outside of the tree: no bracket is open")
        stack[-1].append(tree_type(row[4], [row[3]]))
        closing = len(match[2])
        if closing > len(stack):
            raise CorpusError(name, number, "the parse bit closes a bracket that was never opened")
        del stack[len(stack) - closing :]
    if stack:
        raise CorpusError(name, lines[-1], f"the tree is not closed: {len(stack)} brackets are still open")
    return root


def _predicates(name: str, lines: list[int], rows: list[list[str]]) -> tuple[Predicate, ...]:
    tokens = [index for index, row in enumerate(rows) if row[7] != "-"]
    columns = len(rows[0]) - FIXED_COLUMNS
    if len(tokens) != columns:
        raise CorpusError(
            name, lines[0], f"the sentence has {len(tokens)} rolesets, but {columns} columns of arguments"
        )
    return tuple(
        Predicate(token, rows[token][6], rows[token][7], _spans(name, lines, rows, FIXED_COLUMNS + place))
        for place, token in enumerate(tokens)
    )


def _spans(name: str, lines: list[int], rows: list[list[str]], column: int) -> tuple[LabelledSpan, ...]:
    opened: list[tuple[str, int]] = []
    spans: list[LabelledSpan] = []
    for index, row in enumerate(rows):
        bit = row[column]
        if bit == "*":
            continue
        match = ROLE_BIT.fullmatch(bit)
        if match is None:
            raise CorpusError(
                name,
                lines[index],
                f"the argument '{bit[:40]}' should look like '(ARG0*', '*', '*)' or '(V*)'",
            )
        opened.extend((label, index) for label in match[1].split("(")[1:])
        for _ in match[2]:
            if not opened:
                raise CorpusError(name, lines[index], "an argument closes that was never opened")
            label, start = opened.pop()
            spans.append(LabelledSpan(label, start, index + 1))
    if opened:
        raise CorpusError(name, lines[opened[-1][1]], f"the argument '{opened[-1][0]}' does not close")
    spans.sort(key=lambda span: (span.start, -span.end))
    return tuple(spans)


def format_propbank(sentence: PropbankSentence) -> str:
    """Write a sentence as columns, with the blank line that ends it."""
    bits, tags, words = _parse_bits(sentence.tree)
    predicates = {predicate.token: predicate for predicate in sentence.predicates}
    columns = [_role_bits(predicate.spans, len(words)) for predicate in sentence.predicates]
    lines = []
    for index, word in enumerate(words):
        found = predicates.get(index)
        lemma, roleset = (found.lemma, found.roleset) if found else ("-", "-")
        row = [sentence.document, sentence.number, str(index), word, tags[index], bits[index], lemma, roleset]
        lines.append("\t".join(row + [column[index] for column in columns]))
    return "\n".join(lines) + "\n\n"


def _parse_bits(tree: Any) -> tuple[list[str], list[str], list[str]]:
    opening: list[str] = [""]
    closing: list[int] = []
    tags: list[str] = []
    words: list[str] = []
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if node is None:
            closing[-1] += 1
        elif len(node) == 1 and isinstance(node[0], str):
            tags.append(node.label())
            words.append(node[0])
            closing.append(0)
            opening.append("")
        else:
            opening[-1] += f"({node.label()}"
            waiting.append(None)
            waiting.extend(reversed(node))
    bits = [f"{start}*{')' * ends}" for start, ends in zip(opening, closing, strict=False)]
    return bits, tags, words


def _role_bits(spans: tuple[LabelledSpan, ...], length: int) -> list[str]:
    opening = [""] * length
    closing = [0] * length
    for span in spans:
        opening[span.start] += f"({span.label}"
        closing[span.end - 1] += 1
    return [f"{start}*{')' * ends}" for start, ends in zip(opening, closing, strict=True)]


def write_propbank(sentences: Iterable[PropbankSentence], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write sentences to a file of PropBank columns."""
    write_text(map(format_propbank, sentences), target)
