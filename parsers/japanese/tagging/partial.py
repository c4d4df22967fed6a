r"""Partly annotated text: some boundaries are known, the other places are left open.

A line is a sentence. `|` stands where a word ends and another begins, `-` where none does; all other places are open.
A backslash before `|`, `-` or `\` makes it a character of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name

OPEN = -1
MARKS = {"|": 1, "-": 0}


class PartialSentence(NamedTuple):
    """A text, and for each character whether a word begins there: 1, 0, or -1 where it is left open."""

    text: str
    marks: tuple[int, ...]


def read_partial(source: Source) -> Iterator[PartialSentence]:
    r"""Yield the sentences of partly annotated text; blank lines are passed over.

    Examples
    --------
    >>> import io
    >>> list(read_partial(io.StringIO("太-郎|は行く\n")))
    [PartialSentence(text='太郎は行く', marks=(1, 0, 1, -1, -1))]
    """
    name = source_name(source)
    for number, line in numbered_lines(source):
        if line.strip():
            yield _sentence(name, number, line.rstrip("\r\n"))


def _sentence(name: str, number: int, line: str) -> PartialSentence:
    characters: list[str] = []
    marks: list[int] = []
    waiting = OPEN
    rest = iter(line)
    for character in rest:
        if character in MARKS:
            if waiting != OPEN or not characters:
                raise CorpusError(name, number, _misplaced(character))
            waiting = MARKS[character]
            continue
        if character == "\\":
            character = next(rest, "")
            if character not in ("\\", *MARKS):
                raise CorpusError(name, number, "a backslash stands before |, - or another backslash only")
        characters.append(character)
        marks.append(waiting)
        waiting = OPEN
    if waiting != OPEN:
        raise CorpusError(name, number, _misplaced(line[-1]))
    return PartialSentence("".join(characters), (1, *marks[1:]))


def _misplaced(mark: str) -> str:
    return f"'{mark}' does not stand between two characters (a mark of the text itself has a backslash before it)"


def allowed_marks(sentences: list[PartialSentence]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
    """Return the choices that a labeller has for the characters of sentences; see `label_batch`.

    Examples
    --------
    >>> [one.tolist() for one in allowed_marks([PartialSentence("太郎は", (1, -1, 0))])]
    [[1, -1, 0], [0, 1, 2], [0, 1]]
    """
    which = np.array([mark for sentence in sentences for mark in sentence.marks], dtype=np.int32)
    return which, np.array([0, 1, 2], dtype=np.int32), np.array([0, 1], dtype=np.uint8)
