"""Texts and analysed files in portions of moderate size, so that a huge file is never in memory at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.origins import Origin
from kakari.parsers.limits import SURROGATES

FILE_NAME = re.compile(r"\S+\.(txt|gz)")  # probably not a text, but a misspelt file name
CHUNK_CHARACTERS = 20_000
PORTION_LINES = 15_000


class TextChunk(list[str]):
    """Texts that are parsed together, with their places in the input."""

    def __init__(self, texts: Iterable[str] = (), origins: Iterable[Origin] = ()) -> None:
        super().__init__(texts)
        self.origins = list(origins)


@dataclass(frozen=True)
class Reading:
    """Settings for reading text.

    Attributes
    ----------
    lines_are_sentences : bool
    join_lines : bool
        Whether lines are wrapped: a text ends at an empty line.
    ruby : bool
        Whether ruby in 《…》 is left out.
    html : bool
        Whether the input is HTML, whose tags are left out.
    """

    lines_are_sentences: bool = False
    join_lines: bool = False
    ruby: bool = False
    html: bool = False


def text_chunks(argument: str, lines_are_sentences: bool | Reading = False) -> Iterator[TextChunk]:
    """Yield texts in portions: an argument is one text, each paragraph (line) of a file is one."""
    reading = lines_are_sentences if isinstance(lines_are_sentences, Reading) else Reading(lines_are_sentences)
    chunk = TextChunk()
    size = 0
    for text, origin in _located_texts(argument, reading):
        chunk.append(text)
        chunk.origins.append(origin)
        size += len(text)
        if size >= CHUNK_CHARACTERS:
            yield chunk
            chunk, size = TextChunk(), 0
    if chunk:
        yield chunk


def _located_texts(argument: str, reading: Reading) -> Iterator[tuple[str, Origin]]:
    """Yield texts and their places in the input."""
    is_text = argument != "-" and not _is_file(argument)
    if is_text:
        argument = SURROGATES.sub("\ufffd", argument)  # bytes of the command line that are no UTF-8
    found = _argument_texts(argument, reading) if is_text else _file_lines(argument)
    if reading.html or reading.join_lines or reading.ruby:
        from kakari.reading import markup

        if reading.html:
            found = markup.html_texts(argument if is_text else "\n".join(line for line, _ in found))
        if reading.join_lines:
            found = markup.joined_lines(found)
        if reading.ruby:
            found = map(markup.without_ruby, found)
    yield from found


def document_name(argument: str) -> str:
    """Return the name of an argument's document in column formats: the file's name, - for a text or a pipe.

    Examples
    --------
    >>> document_name("Who wrote Hamlet?"), document_name("-")
    ('-', '-')
    """
    return re.sub(r"\s", "_", Path(argument).name) if argument != "-" and _is_file(argument) else "-"


def whole_text(argument: str) -> str:
    """Return an argument, or the content of a file, in one piece."""
    if argument != "-" and not _is_file(argument):
        return SURROGATES.sub("\ufffd", argument)
    return "".join(f"{line}\n" for line, _ in _file_lines(argument))


def _file_lines(file: str) -> Iterator[tuple[str, Origin]]:
    from kakari.corpora.records.textfiles import placed_lines

    for number, (begin, line) in enumerate(placed_lines(file), 1):
        yield line, Origin((0,), (begin,), (number,))


def _argument_texts(argument: str, reading: Reading) -> Iterator[tuple[str, Origin]]:
    begins, lines, place = [], argument.splitlines(keepends=True), 0
    for line in lines:
        begins.append(place)
        place += len(line)
    if reading.lines_are_sentences or reading.join_lines:
        for number, (begin, line) in enumerate(zip(begins, lines, strict=True), 1):
            yield line.splitlines()[0], Origin((0,), (begin,), (number,))
    else:
        places = tuple(begins) or (0,)
        yield argument, Origin(places, places, tuple(range(1, len(places) + 1)))


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


def file_portions(argument: str, end: str | None = "EOS") -> Iterator[Portion]:
    """Yield the lines of a file in portions of whole sentences, which end with a line `end`; None: a sentence a line.

    If a file cannot be read to its end, the last portion has the error, so that earlier errors are reported first.
    """
    from kakari.corpora.records.textfiles import numbered_lines, source_name

    portion = Portion(source_name(argument))
    try:
        for numbered in numbered_lines(argument):
            portion.lines.append(numbered)
            if len(portion.lines) >= PORTION_LINES and end in (None, numbered[1]):
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
