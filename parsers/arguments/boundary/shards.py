"""Candidates of whole corpora on disk: shards of flat arrays that are mapped into memory, and a list of them.

A shard is a model file (`kakari.models.files`) of some 100,000 candidates; `shards.json` says which there are, how many
bytes each has, and its checksum. It is written last, so a folder without it was not finished. A shard that is missing,
cut short or changed raises `ShardError`: there is never a training set that has silently become smaller.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.textfiles import write_text
from kakari.models.files import ModelFileError, load_model, write_model
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import FEATURES, CandidateExtractor
from kakari.parsers.arguments.candidates.frames import ArgumentError, FramedSentence, read_frames

TASK = "argument-shard"
LIST = "shards.json"
BATCH = 50  # sentences that are worked on together, at most
CHUNK = 1 << 24  # bytes that are read at a time for a checksum
OFFSETS = ("candidate_offsets", "feature_offsets", "tree_offsets")


class ShardError(ValueError):
    """A folder of shards that cannot be used; the text names the file and the reason."""


@dataclass(frozen=True)
class Shards:
    """The shards of a folder, in order.

    Attributes
    ----------
    files : list of dict
        `name`, `bytes`, `checksum`, `examples` of each.
    labels : list of str
        Of the trees' nodes (see `CandidateExtractor`).
    options : dict
        What the shards were made from and how.
    """

    folder: Path
    files: list[dict[str, Any]]
    labels: list[str]
    options: dict[str, Any]

    def __len__(self) -> int:
        return len(self.files)

    @property
    def examples(self) -> int:
        """Number of candidates in all shards."""
        return sum(int(file["examples"]) for file in self.files)

    def read(self, number: int) -> Candidates:
        """Map a shard, after its checksum was compared."""
        entry = self.files[number]
        path = self.folder / entry["name"]
        if not path.exists():
            raise ShardError(f"{path}: the shard is missing; make the shards again")
        if path.stat().st_size != entry["bytes"]:
            raise ShardError(
                f"{path}: the shard has {path.stat().st_size} bytes, but was written with {entry['bytes']}: it was cut"
                " short or changed"
            )
        if checksum(path) != entry["checksum"]:
            raise ShardError(f"{path}: the shard has changed since it was written: its checksum differs")
        try:
            return load_model(path, TASK, Candidates.from_contents)
        except ModelFileError as error:
            raise ShardError(str(error)) from None

    def extractor(self) -> CandidateExtractor:
        """Return an extractor with the labels and options of these shards, frozen."""
        chosen = {name: self.options[name] for name in ("siblings", "prune")}
        made = CandidateExtractor(self.labels, **chosen)
        made.freeze()
        return made


def write_shards(
    corpora: Sequence[str],
    folder: Path,
    *,
    size: int = 100_000,
    limit: int | None = None,
    siblings: bool = False,
    prune: bool = False,
    progress: Callable[[int], object] | None = None,
    read: Callable[[str], Iterable[FramedSentence]] = read_frames,
) -> Shards:
    """Write the candidates of corpora as shards, unless the folder has them already.

    Parameters
    ----------
    size : int
        Candidates in a shard, about: sentences are kept whole.
    limit : int, optional
        Stop after this many candidates (at the end of a sentence).
    siblings, prune : bool
        As of `CandidateExtractor`.
    progress : callable, optional
        Called with the number of candidates written so far.
    read : callable
        Reads the sentences of a corpus. Sentences other than the corpus's own need a folder of their own.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> shards = write_shards(["sample-en"], folder, size=500)
    >>> len(shards) > 1, sum(len(shards.read(i)) for i in range(len(shards))) == shards.examples
    (True, True)
    """
    asked: dict[str, Any] = {"corpora": list(corpora), "size": size, "limit": limit}
    asked |= {"siblings": siblings, "prune": prune, "features": FEATURES}
    if (folder / LIST).exists():
        found = open_shards(folder)
        if found.options != asked:
            changed = sorted(name for name in asked if found.options.get(name) != asked[name])
            raise ShardError(f"{folder}: the shards there are of other options ({', '.join(changed)})")
        return found
    folder.mkdir(parents=True, exist_ok=True)
    extractor = CandidateExtractor(siblings=siblings, prune=prune)
    sentences = (sentence for corpus in corpora for sentence in read(corpus) if sentence.frames)
    files, written = [], 0
    for number, arrays in enumerate(_shards(extractor, sentences, size, limit)):
        files.append(_write_shard(folder / f"shard-{number:04}.safetensors", arrays))
        written += int(files[-1]["examples"])
        if progress is not None:
            progress(written)
    if not files:
        raise ArgumentError(f"there are no predicates in {' '.join(corpora)}")
    told = {"files": files, "labels": extractor.labels, "options": asked}
    write_text([json.dumps(told, ensure_ascii=False)], folder / LIST)
    return Shards(folder, files, extractor.labels, asked)


def open_shards(folder: Path) -> Shards:
    """Open a folder that `write_shards` has finished."""
    path = folder / LIST
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Shards(folder, list(told["files"]), list(told["labels"]), dict(told["options"]))
    except FileNotFoundError:
        raise ShardError(f"{path}: there is no such file: the folder has no finished shards") from None
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ShardError(f"{path}: the list of shards is damaged: {error}") from None


def checksum(path: Path) -> int:
    """Return the CRC-32 of a file."""
    found = 0
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            found = zlib.crc32(piece, found)
    return found


def joined(parts: Sequence[Candidates]) -> Candidates:
    """Join candidates end to end; sentences are numbered on.

    Examples
    --------
    >>> one = Candidates(CandidateExtractor().extract(read_frames("sample-en")))
    >>> len(joined([one, one])) == 2 * len(one)
    True
    """
    arrays = [part.arrays for part in parts]
    made: dict[str, NDArray[Any]] = {}
    for name in arrays[0]:
        if name in OFFSETS:
            made[name] = np.concatenate([[0], np.cumsum(np.concatenate([np.diff(one[name]) for one in arrays]))])
        else:
            made[name] = np.concatenate([one[name] for one in arrays])
    counts = np.cumsum([0] + [int(one["sentences"].max(initial=-1)) + 1 for one in arrays[:-1]])
    made["sentences"] = np.concatenate(
        [one["sentences"] + before for one, before in zip(arrays, counts, strict=True)]
    ).astype(np.int32)
    return Candidates(made)


def _shards(
    extractor: CandidateExtractor, sentences: Iterable[FramedSentence], size: int, limit: int | None
) -> Iterator[dict[str, NDArray[Any]]]:
    waiting: list[Candidates] = []
    count, left = 0, limit
    for batch in _batches(sentences, max(1, min(BATCH, size // 200))):
        found = Candidates(extractor.extract(batch))
        if len(found):
            waiting.append(found)
            count += len(found)
        if count >= (size if left is None else min(size, left)):
            whole = joined(waiting) if left is None or count <= left else joined(waiting).upto(left)
            yield dict(whole.arrays)
            left = None if left is None else left - count
            if left is not None and left <= 0:
                return
            waiting, count = [], 0
    if waiting:
        yield dict(joined(waiting).arrays)


def _batches(sentences: Iterable[FramedSentence], size: int) -> Iterator[list[FramedSentence]]:
    batch: list[FramedSentence] = []
    for sentence in sentences:
        batch.append(sentence)
        if len(batch) == size:
            yield batch
            batch = []
    yield batch


def _write_shard(path: Path, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    try:
        write_model(path, TASK, Candidates(arrays).contents())
    except ModelFileError as error:  # a full disk, for one
        raise ShardError(str(error)) from None
    return {
        "name": path.name,
        "bytes": path.stat().st_size,
        "checksum": checksum(path),
        "examples": int(arrays["begins"].size),
    }
