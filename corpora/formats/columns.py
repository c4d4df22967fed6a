"""Plain column formats: a token a line, a blank line after each sentence.

Serves CoNLL-2000 (word, POS, chunk) and the dependency treebank. Written back with the separator
that was read; several blank lines become one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, blank_line_blocks, source_name, write_text


@dataclass(frozen=True, slots=True)
class ColumnSentence:
    """The rows of a sentence, all of one width, and what separates the columns (a blank or a tab)."""

    rows: tuple[tuple[str, ...], ...]
    separator: str = " "


def read_columns(source: Source, *, encoding: str = "utf-8") -> Iterator[ColumnSentence]:
    r"""Yield the sentences of a column file; a tab separates the columns if the first line has one.

    Examples
    --------
    >>> import io
    >>> next(read_columns(io.StringIO("Dogs NNS B-NP\nbark VBP B-VP\n"))).rows
    (('Dogs', 'NNS', 'B-NP'), ('bark', 'VBP', 'B-VP'))
    """
    for _, sentence in read_placed_columns(source, encoding=encoding):
        yield sentence


def read_placed_columns(source: Source, *, encoding: str = "utf-8") -> Iterator[tuple[int, ColumnSentence]]:
    r"""Yield the sentences of a column file, each with the line of its first token.

    Examples
    --------
    >>> import io
    >>> [line for line, _ in read_placed_columns(io.StringIO("Dogs NNS\nbark VBP\n\nYes UH\n"))]
    [1, 4]
    """
    name = source_name(source)
    width: int | None = None
    separator = " "
    for block in blank_line_blocks(source, encoding=encoding):
        rows: list[tuple[str, ...]] = []
        for number, line in block:
            if width is None:
                separator = "\t" if "\t" in line else " "
                width = len(line.split(separator))
            row = tuple(line.split(separator))
            if len(row) != width:
                raise CorpusError(name, number, f"the line has {len(row)} columns, the first line of the file {width}")
            rows.append(row)
        yield block[0][0], ColumnSentence(tuple(rows), separator)


def format_columns(sentence: ColumnSentence) -> str:
    """Write a sentence, with the blank line that ends it."""
    return "".join(sentence.separator.join(row) + "\n" for row in sentence.rows) + "\n"


def write_columns(sentences: Iterable[ColumnSentence], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write sentences to a column file."""
    write_text(map(format_columns, sentences), target)
