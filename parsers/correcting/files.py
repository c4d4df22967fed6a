"""The user's file of corrections: one line each, appended whole or not at all.

A new file is written beside the old one, synced and renamed: a process that is killed leaves the old or the new file.
Those who write at the same time wait for each other at a lock file beside it (`.NAME.lock`), which is empty and may be
removed when nobody writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import GZIP_MAGIC, numbered_lines, source_name
from kakari.models.files import ModelFileError, write_bytes
from kakari.parsers.correcting.records import Correction, CorrectionError

Name = str | os.PathLike[str]


def read_corrections(path: Name) -> list[Correction]:
    """Read a file of corrections; empty lines are left out.

    Raises
    ------
    CorpusError
        If a line is no correction, or says otherwise than an earlier one of the same place; with its number.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "mine.jsonl")
    >>> append_correction(path, Correction("太郎は本を読む。", "arc", (0, 3), (5, 8)))
    1
    >>> [one.told() for one in read_corrections(path)]
    ['太郎は → 読む。']
    """
    return [one for _, one in _read(path)]


def _read(path: Name) -> list[tuple[int, Correction]]:
    found: list[tuple[int, Correction]] = []
    known: dict[object, tuple[int, Correction]] = {}
    for number, line in numbered_lines(path):
        if not line.strip():
            continue
        try:
            one = Correction.from_line(line)
            _refuse_contradiction(one, known.get(one.place))
        except CorrectionError as error:
            raise CorpusError(source_name(path), number, str(error)) from None
        known[one.place] = number, one
        found.append((number, one))
    return found


def _refuse_contradiction(one: Correction, earlier: tuple[int, Correction] | None) -> None:
    if earlier is not None and earlier[1].value != one.value:
        reason = f"this contradicts line {earlier[0]} ({earlier[1].told()}): take that one back first"
        raise CorrectionError(reason)


def append_correction(path: Name, correction: Correction) -> int:
    """Add a correction to a file, which is made if it is not there; return how many it has now.

    It is on disk when the function returns. One that contradicts an earlier one is a `CorrectionError`.
    """
    with _locked(path):
        known = _read(path) if Path(path).exists() else []
        earlier = {one.place: (number, one) for number, one in known}.get(correction.place)
        _refuse_contradiction(correction, earlier)
        before = _bytes(path) if known else b""
        glue = b"" if not before or before.endswith(b"\n") else b"\n"
        _write(path, before + glue + f"{correction.line()}\n".encode())
    return len(known) + 1


def remove_last(path: Name) -> Correction:
    """Take the last correction out of a file and return it.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "mine.jsonl")
    >>> append_correction(path, Correction("Who came?", "class", None, "HUM:ind"))
    1
    >>> remove_last(path).value, path.read_bytes()
    ('HUM:ind', b'')
    """
    with _locked(path):
        known = _read(path)
        if not known:
            raise CorpusError(source_name(path), None, "there is no correction to take back")
        number, last = known[-1]
        _write(path, b"".join(_bytes(path).splitlines(keepends=True)[: number - 1]))
    return last


def _bytes(path: Name) -> bytes:
    """Return the file as it is; what is compressed can be read, but not written to."""
    content = Path(path).read_bytes()
    if content.startswith((GZIP_MAGIC, b"BZh")):
        raise CorpusError(source_name(path), None, "this file is compressed: decompress it to add or take back lines")
    return content


def _write(path: Name, content: bytes) -> None:
    try:
        write_bytes(path, content)
    except ModelFileError as error:
        raise CorpusError(source_name(path), None, error.reason) from None


@contextmanager
def _locked(path: Name) -> Iterator[None]:
    """Wait until no other process writes the file."""
    try:
        import fcntl
    except ImportError:  # Windows has no such locks: there one process writes at a time
        yield
        return
    target = Path(path)
    try:
        descriptor = os.open(target.parent / f".{target.name}.lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise CorpusError(source_name(path), None, f"the file cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
