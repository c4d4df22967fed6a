"""Questions with a coarse and a fine class: the `qc` corpus, and a TSV that adds a constituency tree.

`qc`: `DESC:manner How did serfdom develop ?`, a question a line. TSV: coarse, fine, question, tree. Both are
written back byte for byte.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from kakari.corpora.formats.brackets import format_brackets, parse_brackets
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text

if TYPE_CHECKING:
    from nltk.tree import Tree

QC_LINE = re.compile(r"([^\s:]+):(\S+) (.*\S.*)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its classes, and its tree where the corpus has one."""

    coarse: str
    fine: str
    text: str
    tree: Tree | None = None


def read_qc(source: Source, *, encoding: str = "utf-8") -> Iterator[Question]:
    """Yield the questions of a file in the format of NLTK's `qc` (whose own files are ISO-8859-2).

    Examples
    --------
    >>> import io
    >>> next(read_qc(io.StringIO("HUM:ind Who wrote Hamlet ?")))
    Question(coarse='HUM', fine='ind', text='Who wrote Hamlet ?', tree=None)
    """
    name = source_name(source)
    for number, line in numbered_lines(source, encoding=encoding):
        if not line.strip():
            continue
        match = QC_LINE.fullmatch(line)
        if match is None:
            raise CorpusError(name, number, f"'{line[:40]}' should look like 'HUM:ind Who wrote it ?'")
        yield Question(match[1], match[2], match[3])


def read_question_trees(source: Source, *, plain: bool = False) -> Iterator[Question]:
    r"""Yield the questions of a TSV file: coarse class, fine class, question and, if there, its tree.

    With `plain`, trees are `PlainTree`, not `nltk.Tree`.

    Examples
    --------
    >>> import io
    >>> line = "HUM\tind\tWho won ?\t(ROOT (SBARQ (WHNP (WP Who)) (SQ (VP (VBD won))) (. ?)))"
    >>> next(read_question_trees(io.StringIO(line))).tree.leaves()
    ['Who', 'won', '?']
    """
    name = source_name(source)
    for number, line in numbered_lines(source):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) not in (3, 4):
            raise CorpusError(name, number, f"the line has {len(columns)} columns between tabs; there should be 3 or 4")
        if not all(column.strip() for column in columns):
            raise CorpusError(name, number, "a column is empty")
        tree = parse_brackets(columns[3], name, number, plain=plain) if len(columns) == 4 else None
        yield Question(columns[0], columns[1], columns[2], tree)


def format_qc(question: Question) -> str:
    """Write a question as a line of `qc`."""
    return f"{question.coarse}:{question.fine} {question.text}\n"


def format_question_tree(question: Question) -> str:
    """Write a question as a line of TSV."""
    columns = [question.coarse, question.fine, question.text]
    if question.tree is not None:
        columns.append(format_brackets(question.tree))
    return "\t".join(columns) + "\n"


def write_qc(questions: Iterable[Question], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write questions in the format of `qc`, as UTF-8."""
    write_text(map(format_qc, questions), target)


def write_question_trees(questions: Iterable[Question], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write questions as TSV."""
    write_text(map(format_question_tree, questions), target)
