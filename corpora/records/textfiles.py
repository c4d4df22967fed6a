"""Text in and out: plain, gzip or bz2 (reading only), a path, an open file or `-`, always with line numbers.

Readers see decoded lines without their ends; everything that can be wrong with a file as a file (missing,
a folder, cut short, not UTF-8, binary) is found here and reported in one sentence. Writers write beside the
target and rename, so that no file is ever left half written.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import os
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, cast

from kakari.corpora.records.errors import CorpusError

Source = str | os.PathLike[str] | IO[bytes] | IO[str]
GZIP_MAGIC = b"\x1f\x8b"
BZ2_BLOCK = b"1AY&SY"  # behind "BZh" and a digit


def source_name(source: Source) -> str:
    """Name a source in messages.

    Examples
    --------
    >>> source_name("-"), source_name("x/a.knp")
    ('<stdin>', 'x/a.knp')
    """
    if isinstance(source, str | os.PathLike):
        name = os.fspath(source)
        return "<stdin>" if name == "-" else name
    own_name = getattr(source, "name", None)
    return own_name if isinstance(own_name, str) else "<input>"


def numbered_lines(source: Source, *, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    r"""Yield each line's number, from 1, and its text without the line end.

    Lines end at LF and nowhere else; CRs before it (Windows, or a file converted twice) belong to the line end.
    A byte-order mark at the start is dropped.

    Examples
    --------
    >>> import io
    >>> list(numbered_lines(io.BytesIO("\ufeff上\r\n下".encode())))
    [(1, '上'), (2, '下')]
    """
    name = source_name(source)
    if isinstance(source, str | os.PathLike):
        if name == "<stdin>":
            yield from _decoded(name, sys.stdin.buffer, encoding)
            return
        with _opened(name, Path(source)) as file:
            yield from _decoded(name, file, encoding)
    elif isinstance(source, io.TextIOBase):
        yield from _checked_text(name, cast(IO[str], source))
    else:
        yield from _decoded(name, cast(IO[bytes], source), encoding)


def placed_lines(source: str, *, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    r"""Yield where each line of a file (- for a pipe) begins, in characters, and its text without the line end.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = Path(file.name).write_bytes("\ufeff上\r\n下\n".encode())
    ...     list(placed_lines(file.name))
    [(0, '上'), (3, '下')]
    """
    name = source_name(source)
    start = 0
    with contextlib.nullcontext(sys.stdin.buffer) if name == "<stdin>" else _opened(name, Path(source)) as file:
        for _, line in _decoded(name, file, encoding, ends=True):
            yield start, line.removesuffix("\n").rstrip("\r")
            start += len(line)


def _opened(name: str, path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise CorpusError(name, None, "there is no such file") from None
    except IsADirectoryError:
        raise CorpusError(name, None, "this is a folder, not a file") from None
    except PermissionError:
        raise CorpusError(name, None, "the file may not be read (permission denied)") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path itself
        raise CorpusError(name, None, f"the file cannot be opened: {error}") from None


def _decoded(name: str, file: IO[bytes], encoding: str, *, ends: bool = False) -> Iterator[tuple[int, str]]:
    number = 0
    kind = ""
    try:
        kind, content = _unzipped(file)
        for number, raw in enumerate(content, 1):
            if number == 1 and raw.startswith(b"\xef\xbb\xbf"):
                raw = raw[3:]
            if b"\0" in raw:
                raise CorpusError(name, number, "there is a NUL byte: this is not a text file")
            try:
                yield number, raw.decode(encoding) if ends else raw.decode(encoding).removesuffix("\n").rstrip("\r")
            except UnicodeDecodeError as error:
                raise CorpusError(
                    name,
                    number,
                    f"this is not {encoding.upper()} text: byte 0x{raw[error.start]:02x} at position"
                    f" {error.start + 1} of the line does not fit; convert the file first",
                ) from None
    except EOFError:
        raise CorpusError(name, number + 1, f"the {kind} file is cut short after this point") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise CorpusError(name, number + 1, f"the gzip file is damaged: {error}") from None
    except OSError as error:
        raise CorpusError(name, None, f"the file cannot be read: {error.strerror or error}") from None


def _unzipped(file: IO[bytes]) -> tuple[str, IO[bytes]]:
    """Return how a file is compressed, and its content."""
    buffered = file if hasattr(file, "peek") else io.BufferedReader(cast(Any, _Raw(file)))
    start = buffered.peek(10)[:10]
    if start[:3] == b"BZh" and start[4:] == BZ2_BLOCK:
        return "bz2", io.BufferedReader(cast(Any, bz2.BZ2File(cast(Any, buffered))), 1 << 16)
    if start[:2] == GZIP_MAGIC:
        # Buffered once more, since GzipFile's own line iteration is Python.
        return "gzip", io.BufferedReader(cast(Any, gzip.GzipFile(fileobj=cast(Any, buffered))), 1 << 16)
    return "", buffered


class _Raw(io.RawIOBase):
    """Any object with `read`, as a raw stream that a buffered reader can peek into."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _checked_text(name: str, file: IO[str]) -> Iterator[tuple[int, str]]:
    number = 0
    try:
        for number, line in enumerate(file, 1):
            if "\0" in line:
                raise CorpusError(name, number, "there is a NUL byte: this is not a text file")
            text = line.removesuffix("\n").rstrip("\r")
            yield number, text.removeprefix("\ufeff") if number == 1 else text
    except UnicodeDecodeError:
        raise CorpusError(name, number + 1, "this is not text in the encoding it was opened with") from None


def blank_line_blocks(source: Source, *, encoding: str = "utf-8") -> Iterator[list[tuple[int, str]]]:
    r"""Yield runs of lines between blank lines, as column formats write their sentences.

    Examples
    --------
    >>> import io
    >>> [[text for _, text in block] for block in blank_line_blocks(io.StringIO("a\nb\n\n\nc\n"))]
    [['a', 'b'], ['c']]
    """
    yield from blocks_of(numbered_lines(source, encoding=encoding))


def blocks_of(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Yield runs of numbered lines between blank ones."""
    block: list[tuple[int, str]] = []
    for numbered in lines:
        if numbered[1].strip(" \t"):
            block.append(numbered)
        elif block:
            yield block
            block = []
    if block:
        yield block


def write_text(chunks: Iterable[str], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write pieces of text to a path (gzip if it ends in .gz), an open text file, or `-`.

    A path gets the complete text or is left as it was.
    """
    if not isinstance(target, str | os.PathLike):
        target.writelines(chunks)
        return
    if os.fspath(target) == "-":
        sys.stdout.writelines(chunks)
        return
    with replaced_file(Path(target)) as file:
        if os.fspath(target).endswith(".gz"):
            # A fixed time stamp and no name: the same records give the same bytes.
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
                packed.writelines(chunk.encode() for chunk in chunks)
        else:
            file.writelines(chunk.encode() for chunk in chunks)


@contextlib.contextmanager
def replaced_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file beside `path` and put it in its place when everything is written.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "x.txt")
    >>> with replaced_file(path) as file:
    ...     _ = file.write(b"whole")
    >>> path.read_text()
    'whole'
    """
    if path.is_dir():
        raise CorpusError(str(path), None, "this is a folder, and no file can be written in its place")
    try:
        descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise CorpusError(str(path), None, f"the file cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        umask = os.umask(0)
        os.umask(umask)
        Path(beside).chmod(0o666 & ~umask)
        Path(beside).replace(path)
    except OSError as error:  # a full disk
        Path(beside).unlink(missing_ok=True)
        raise CorpusError(str(path), None, f"the file cannot be written: {error.strerror}") from None
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
