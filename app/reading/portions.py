"""Texts and analysed files in portions of a handy size, so that a huge file is never in memory at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.limits import SURROGATES

FILE_NAME = re.compile(r"\S+\.(txt|gz)")  # hardly a text: a file's name, misspelt
CHUNK_CHARACTERS = 20_000
PORTION_LINES = 15_000


class PlacedText(NamedTuple):
    """A text, and where it begins in the file or argument that it is from, in characters."""

    text: str
    start: int = 0


def placed_chunks(argument: str, lines_are_sentences: bool) -> Iterator[list[PlacedText]]:
    """Yield texts in handy portions: an argument is one text, a file's paragraphs (lines) one each."""
    portion: list[PlacedText] = []
    size = 0
    for placed in _placed(argument, lines_are_sentences):
        portion.append(placed)
        size += len(placed.text)
        if size >= CHUNK_CHARACTERS:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _placed(argument: str, lines_are_sentences: bool) -> Iterator[PlacedText]:
    if argument == "-" or _is_file(argument):
        from kakari.corpora.records.textfiles import placed_lines

        yield from (PlacedText(line, start) for start, line in placed_lines(argument))
        return
    argument = SURROGATES.sub("\ufffd", argument)  # bytes of the command line that are no UTF-8
    start = 0
    for line in argument.splitlines(keepends=True) if lines_are_sentences else [argument]:
        yield PlacedText(line.splitlines()[0] if lines_are_sentences else line, start)
        start += len(line)


def text_chunks(argument: str, lines_are_sentences: bool) -> Iterator[list[str]]:
    """Yield the same without places."""
    for portion in placed_chunks(argument, lines_are_sentences):
        yield [placed.text for placed in portion]


def document_name(argument: str) -> str:
    """Return what columns call the document that an argument is: the file's name, - for a text or a pipe.

    Examples
    --------
    >>> document_name("Who wrote Hamlet?"), document_name("-")
    ('-', '-')
    """
    return re.sub(r"\s", "_", Path(argument).name) if argument != "-" and _is_file(argument) else "-"


class Portion:
    """Numbered lines of an analysed file, whole sentences, and the error that the file's reading ended with."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[tuple[int, str]] = []
        self.error: CorpusError | None = None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        yield from self.lines
        if self.error is not None:
            raise self.error


def file_portions(argument: str) -> Iterator[Portion]:
    """Yield the lines of a file whose sentences end with EOS in handy portions.

    A file that cannot be read to its end has its error in the last portion: what is wrong before that is told first.
    """
    from kakari.corpora.records.textfiles import numbered_lines, source_name

    portion = Portion(source_name(argument))
    try:
        for numbered in numbered_lines(argument):
            portion.lines.append(numbered)
            if len(portion.lines) >= PORTION_LINES and numbered[1] == "EOS":
                yield portion
                portion = Portion(portion.name)
    except CorpusError as error:
        portion.error = error
    if portion.lines or portion.error is not None:
        yield portion


def _is_file(argument: str) -> bool:
    if not argument:  # as a path, this would be the current folder
        return False
    try:
        folder, exists = Path(argument).is_dir(), Path(argument).exists()
    except (OSError, ValueError):  # a long text is no path
        return False
    if folder:
        raise CorpusError(argument, None, "this is a folder, not a file or text")
    if not exists and FILE_NAME.fullmatch(argument):
        raise CorpusError(argument, None, "there is no such file")
    return exists
