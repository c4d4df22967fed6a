"""Texts and analysed files in portions of a handy size, so that a huge file is never in memory at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.limits import SURROGATES

FILE_NAME = re.compile(r"\S+\.(txt|gz)")  # hardly a text: a file's name, misspelt
CHUNK_CHARACTERS = 20_000
PORTION_LINES = 15_000


def text_chunks(argument: str, lines_are_sentences: bool) -> Iterator[list[str]]:
    """Yield texts in handy portions: an argument is one text, a file's paragraphs (lines) one each."""
    texts: Iterable[str]
    if argument != "-" and not _is_file(argument):
        argument = SURROGATES.sub("\ufffd", argument)  # bytes of the command line that are no UTF-8
        texts = argument.splitlines() if lines_are_sentences else [argument]
    else:
        from kakari.corpora.records.textfiles import numbered_lines

        texts = (line for _, line in numbered_lines(argument))
    portion: list[str] = []
    size = 0
    for text in texts:
        portion.append(text)
        size += len(text)
        if size >= CHUNK_CHARACTERS:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


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
