"""The catalogue of corpora by name: what each is, where it is searched for, how it is read and how to get it.

`kwdlc:dev` names a split, `kwdlc` all of a corpus. Folders are searched in this order: those in the variables
KAKARI_CORPORA (and NLTK_DATA for NLTK's packages), `../shared` beside the working folder during development,
the user's data folder. Nothing is ever downloaded by looking.
"""

from __future__ import annotations

import fnmatch
import os
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import IO, Any, Literal, cast

from kakari.corpora.corpus_list import CORPORA, Corpus
from kakari.corpora.formats.registry import FORMATS, Format, format_of
from kakari.corpora.questionbank import questions_of_split
from kakari.corpora.records.errors import CorpusError


def search_folders(kind: Literal["corpora", "nltk", "embedded"]) -> list[Path]:
    """List the folders in which corpora of a kind are looked for, whether they exist or not."""
    if kind == "embedded":
        return [Path(str(resources.files("kakari.corpora") / "samples"))]
    variable, shared = ("KAKARI_CORPORA", "corpora") if kind == "corpora" else ("NLTK_DATA", "nltk_data")
    named = [Path(folder) for folder in os.environ.get(variable, "").split(os.pathsep) if folder]
    beside = Path.cwd().parent / "shared" / shared
    if kind == "corpora":
        return [*named, beside, user_folder()]
    usual = [
        Path.home() / "nltk_data",
        Path(sys.prefix) / "nltk_data",
        Path(sys.prefix) / "share" / "nltk_data",
    ]
    system = [Path(root) / "nltk_data" for root in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")]
    return [folder / "corpora" for folder in [*named, beside, *usual, *system]]


def user_folder() -> Path:
    """Return the folder where a user keeps corpora for kakari."""
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "kakari" / "corpora"


def find(name: str) -> Path | None:
    """Return the folder or zip file that holds a corpus, or None if it is not on this machine.

    Examples
    --------
    >>> find("sample-ja").name
    'samples'
    """
    corpus = corpus_named(name)
    for folder in search_folders(corpus.kind):
        place = folder / corpus.folder
        if place.is_dir():
            return place
        if corpus.kind == "nltk" and place.with_suffix(".zip").is_file():
            return place.with_suffix(".zip")
    return None


def corpus_named(name: str) -> Corpus:
    """Return the catalogue's entry."""
    if name not in CORPORA:
        raise CorpusError(name, None, f"no corpus has this name (known: {', '.join(CORPORA)})")
    return CORPORA[name]


def parse_reference(reference: str) -> tuple[Corpus, tuple[str, ...]]:
    """Split `kwdlc:dev` into the corpus and its splits; without a split, all of them are meant.

    Examples
    --------
    >>> corpus, splits = parse_reference("kwdlc:dev")
    >>> corpus.name, splits
    ('kwdlc', ('dev',))
    """
    name, colon, split = reference.partition(":")
    corpus = corpus_named(name)
    if not colon:
        return corpus, tuple(corpus.splits)
    if split not in corpus.splits:
        raise CorpusError(reference, None, f"{name} has no part '{split}' (it has: {', '.join(corpus.splits)})")
    return corpus, (split,)


LIKE_REFERENCE = re.compile(r"[\w-]+(:[\w,-]+)?")  # a corpus's name, maybe with parts; files have an ending


def is_reference(text: str) -> bool:
    """Return whether a text names a corpus of the catalogue rather than a file.

    Examples
    --------
    >>> is_reference("kwdlc:dev"), is_reference("./kwdlc"), is_reference("x.knp")
    (True, False, False)
    """
    return text.partition(":")[0] in CORPORA


def format_in(reference: str, format_name: str | None = None) -> Format:
    """Return the format of a corpus; for a file, the given one, or the one that its name ending implies.

    Examples
    --------
    >>> format_in("kwdlc:dev").name, format_in("x.mrg").name, format_in("x", "qc").name
    ('knp', 'brackets', 'qc')
    """
    if format_name is not None and format_name not in FORMATS:
        raise CorpusError(format_name, None, f"no format has this name (known: {', '.join(FORMATS)})")
    if is_reference(reference):
        return FORMATS[parse_reference(reference)[0].format]
    if format_name is None and LIKE_REFERENCE.fullmatch(reference) and not Path(reference).exists():
        raise CorpusError(reference, None, "there is no such corpus (`kakari corpora` lists them), nor such a file")
    return FORMATS[format_name] if format_name else format_of(reference)


def read(reference: str, *, format_name: str | None = None, **options: Any) -> Iterator[Any]:
    """Yield the records of a corpus (`kwdlc:dev`) or of a file, whose format follows from its name.

    Options go to the reader. Corpora of the catalogue are read with what they are known to need: an
    encoding, or leniency with annotation errors that their authors state.

    Examples
    --------
    >>> next(read("sample-questions")).coarse
    'ABBR'
    """
    if not is_reference(reference):
        yield from format_in(reference, format_name).read(reference, **options)
        return
    corpus, splits = parse_reference(reference)
    place = find(corpus.name)
    if place is None:
        raise CorpusError(reference, None, f"this corpus is not on this machine. {corpus.obtain}")
    for split in splits:
        settings = {**corpus.options, **corpus.split_options.get(split, {}), **options}
        records = _records(reference, place, corpus, split, settings)
        if corpus.name == "questionbank":
            # One file, divided by the questions of qc:test, which must never be learned from.
            tested = (question.text for question in read("qc:test"))
            records = questions_of_split(records, tested, split)
        yield from records


def sources(reference: str) -> Iterator[IO[bytes]]:
    """Open the files of a corpus' parts one after another, as they are: compressed ones are not unpacked.

    Examples
    --------
    >>> [source.name.endswith(".tsv") for source in sources("sample-questions")]
    [True]
    """
    corpus, splits = parse_reference(reference)
    place = find(corpus.name)
    if place is None:
        raise CorpusError(reference, None, f"this corpus is not on this machine. {corpus.obtain}")
    for split in splits:
        for source in _files(reference, place, corpus.splits[split]):
            with source:
                yield source


def _records(reference: str, place: Path, corpus: Corpus, split: str, settings: Mapping[str, Any]) -> Iterator[Any]:
    for source in _files(reference, place, corpus.splits[split]):
        with source:
            yield from FORMATS[corpus.format].read(source, **settings)


def _files(reference: str, place: Path, patterns: tuple[str, ...]) -> Iterator[IO[bytes]]:
    """Open the files of a part one after another: those of the first pattern that finds any."""
    for pattern in patterns:
        if place.is_dir():
            paths = sorted(place.glob(pattern))
            yield from (path.open("rb") for path in paths)
            if paths:
                return
        else:
            with zipfile.ZipFile(place) as archive:
                members = fnmatch.filter(sorted(archive.namelist()), f"{place.stem}/{pattern}")
                yield from (cast(IO[bytes], _Member(archive, member, place)) for member in members)
            if members:
                return
    raise CorpusError(reference, None, f"there is no {' or '.join(patterns)} in {place}")


class _Member:
    """A file inside a zip, under a name that tells where it is."""

    def __init__(self, archive: zipfile.ZipFile, member: str, place: Path) -> None:
        self._file = archive.open(member)
        self.name = f"{place}/{member}"

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def __enter__(self) -> _Member:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
