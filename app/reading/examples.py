"""Examples for a learner from a file: svmlight vectors, or named features between tabs."""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.corpora import catalogue
from kakari.corpora.formats.named import read_named
from kakari.corpora.formats.vectors import LabelledVector, format_number, read_svmlight
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import GZIP_MAGIC, Source, numbered_lines, source_name
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.sets.svmlight_lines import binary_lines
from kakari.models.vocabulary import Vocabulary

SVMLIGHT_FIELD = re.compile(r"[0-9]+:\S+|qid:[0-9]+|cost:\S+")


@dataclass(frozen=True, slots=True)
class Examples:
    """Feature sets and their labels, as text; the vocabulary where features have names; costs where lines have them."""

    sets: FeatureSets
    labels: list[str]
    vocabulary: Vocabulary | None
    weights: NDArray[np.float64] | None = None


def load_examples(
    path: str | io.BytesIO,
    vocabulary: Vocabulary | None = None,
    *,
    binarize: bool = False,
    labelled: bool = True,
    bits: int | None = None,
    named: bool | None = None,
) -> Examples:
    """Load a file (`-` for standard input) or `corpus:part`; the first line of a file shows its format.

    Parameters
    ----------
    vocabulary : Vocabulary, optional
        The vocabulary of a model: the file must then hold named features; unknown ones are left out.
    binarize : bool
        Count every value except 0 as 1, instead of refusing values other than 0 and 1.
    labelled : bool
        If False, lines of svmlight may lack their labels: all of them, or none.
    bits : int, optional
        Hash features to numbers of this many bits (`kakari.reading.hashing`).
    named : bool, optional
        Whether features have names, if that is known already: the vocabulary then learns new ones.
    """
    if bits is not None:
        known = has_names(path) if named is None else named
        return _hashed(path, bits, known, binarize=binarize, labelled=labelled)
    if named and vocabulary is not None:
        return _load_named(path, vocabulary)
    if isinstance(path, str) and catalogue.is_reference(path) and not Path(path).exists():
        if vocabulary is not None:
            raise CorpusError(path, None, "the model has named features, but this corpus has numbers")
        if catalogue.format_in(path).name == "svmlight":
            parts = [_binary(source.read()) for source in catalogue.sources(path)]
            if all(part is not None for part in parts):
                return _joined([part for part in parts if part is not None])
        return _load_svmlight(_vectors(path), path, binarize)
    source: Any = path
    if path == "-":
        source = io.BytesIO(sys.stdin.buffer.read())
        source.name = "<stdin>"
    if vocabulary is None and (quick := _binary(_content(source))) is not None:
        return _joined([quick])
    number, first = next(
        ((number, text) for number, text in numbered_lines(source) if text.partition("#")[0].strip()), (1, "")
    )
    if isinstance(source, io.BytesIO):
        source.seek(0)
    if not labelled and SVMLIGHT_FIELD.match(first):
        source, first = _with_labels(source), f"0 {first}"
    fields = first.partition("#")[0].split()[1:]
    if all(SVMLIGHT_FIELD.fullmatch(field) for field in fields) and (fields or vocabulary is None):
        if vocabulary is not None:
            raise CorpusError(
                source_name(source), number, "the model has named features, but this file has numbers (svmlight)"
            )
        return _load_svmlight(read_svmlight(source), source_name(source), binarize)
    return _load_named(source, Vocabulary() if vocabulary is None else vocabulary)


def _hashed(path: str | io.BytesIO, bits: int, named: bool, *, binarize: bool, labelled: bool) -> Examples:
    """Load a file with its features hashed."""
    from kakari.reading.hashing import hashed_names, hashed_sets

    if not named:
        found = load_examples(path, binarize=binarize, labelled=labelled)
        return Examples(hashed_sets(found.sets, bits), found.labels, None, found.weights)
    labels: list[str] = []

    def features() -> Iterator[tuple[str, ...]]:
        for example in read_named(path):
            labels.append(example.label)
            yield example.features

    return Examples(hashed_names(features(), bits), labels, None)


def has_names(path: str | io.BytesIO) -> bool:
    """Return whether the first line with features has names, not svmlight's numbers."""
    if path == "-":
        raise CorpusError("<stdin>", None, "hashed features are read from a file, not from a pipe")
    if isinstance(path, str) and catalogue.is_reference(path) and not Path(path).exists():
        return False
    lines = (text.partition("#")[0].split() for _, text in numbered_lines(path))
    first = next((fields for fields in lines if len(fields) > 1), [])
    if isinstance(path, io.BytesIO):
        path.seek(0)
    if first and SVMLIGHT_FIELD.fullmatch(first[0]):
        return False
    return any(SVMLIGHT_FIELD.fullmatch(field) is None for field in first[1:])


def in_columns(examples: Examples, columns: int, first_used: bool, first_id: int | None) -> tuple[Examples, bool]:
    """Return examples with ids as the columns of a model trained in Python, and whether ids were shifted for that.

    scikit-learn's `load_svmlight_file` makes column 0 of id 1 in a file whose ids begin at 1.

    Parameters
    ----------
    columns : int
        Number of columns of the training matrix.
    first_used : bool
        Whether the model knows column 0. If so, and the file has no id 0, or if the file has an id beyond the columns,
        its ids must have been shifted.
    first_id : int or None
        The id of column 0, if the user gave it.

    Examples
    --------
    >>> examples = Examples(FeatureSets.from_lists([[1, 3]]), ["1"], None)
    >>> shifted, told = in_columns(examples, 3, True, None)
    >>> shifted.sets.tolist(), told
    ([[0, 2]], True)
    """
    ids = examples.sets.ids
    lowest = int(ids.min()) if ids.size else 0
    if first_id is None:
        first_id = int(lowest > 0 and (first_used or int(ids.max()) == columns))
    if first_id == 0:
        return examples, False
    if lowest < first_id:
        raise CorpusError("examples", None, f"there is a feature {lowest}, but ids were said to begin at {first_id}")
    moved = FeatureSets.from_arrays(examples.sets.offsets, ids - first_id)
    return Examples(moved, examples.labels, None, examples.weights), True


Rows = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]


def _content(source: Any) -> bytes:
    """Return all bytes of a source; empty if it cannot be read, which the next reader reports."""
    if isinstance(source, io.BytesIO):
        return source.getvalue()
    try:
        return Path(source).read_bytes() if Path(source).is_file() else b""  # a pipe can be read only once
    except (OSError, ValueError):
        return b""


def _binary(content: bytes) -> Rows | None:
    """Read lines of binary features; None if there is anything else, or nothing."""
    if content.startswith(GZIP_MAGIC):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            return None
    return binary_lines(content) if content else None


def _joined(parts: Sequence[Rows]) -> Examples:
    labels = np.concatenate([own for own, _, _ in parts])
    values, places = np.unique(labels, return_inverse=True)
    names = [format_number(value) for value in values.tolist()]
    ends = np.concatenate([[0], *(np.diff(offsets) for _, offsets, _ in parts)]).cumsum()
    sets = FeatureSets.from_arrays(ends, np.concatenate([ids for _, _, ids in parts]))
    return Examples(sets, [names[place] for place in places.tolist()], None)


def _with_labels(source: Source) -> Any:
    """Return a file of lines without labels as one with labels, under the same name and with the same line numbers."""
    lines: list[str] = []
    for number, text in numbered_lines(source):
        lines.extend([""] * (number - 1 - len(lines)))
        lines.append(f"0 {text}" if text.partition("#")[0].strip() else text)
    made = io.BytesIO("\n".join([*lines, ""]).encode())
    made.name = source_name(source)
    return made


def _load_named(source: Source, vocabulary: Vocabulary) -> Examples:
    labels: list[str] = []

    def features() -> Iterator[tuple[str, ...]]:
        for example in read_named(source):
            labels.append(example.label)
            yield example.features

    return Examples(vocabulary.encode(features()), labels, vocabulary)


def _vectors(reference: str) -> Iterator[LabelledVector]:
    for example in catalogue.read(reference):
        if not isinstance(example, LabelledVector):
            raise CorpusError(reference, None, "this corpus does not hold vectors of features")
        yield example


def _load_svmlight(examples: Iterable[LabelledVector], name: str, binarize: bool) -> Examples:
    labels: list[str] = []
    costs: list[float | None] = []
    offsets: list[int] = [0]
    ids: list[int] = []
    for row, example in enumerate(examples, 1):
        labels.append(format_number(example.label))
        costs.append(example.cost)
        vector = example.vector
        if vector.values.count(1.0) == len(vector.values):
            ids.extend(vector.ids)
        else:
            ids.extend(_members(name, row, vector.ids, vector.values, binarize))
        offsets.append(len(ids))
    weights = None
    if any(cost is not None for cost in costs):
        weights = np.array([1.0 if cost is None else cost for cost in costs])
    return Examples(FeatureSets.from_arrays(offsets, np.array(ids, dtype=np.int32)), labels, None, weights)


def _members(name: str, row: int, ids: tuple[int, ...], values: tuple[float, ...], binarize: bool) -> Iterator[int]:
    for feature, value in zip(ids, values, strict=True):
        if value == 1.0 or (binarize and value != 0.0):
            yield feature
        elif value != 0.0:
            raise CorpusError(
                name,
                None,
                f"row {row}, column {feature}: the value {value!r} is neither 0 nor 1"
                " (--binarize counts anything but zero as 1)",
            )


def class_numbers(labels: list[str]) -> tuple[list[Any], NDArray[np.int64]]:
    """Sort the classes, as numbers where all are, and number the labels.

    Examples
    --------
    >>> classes, numbers = class_numbers(["1", "-1", "1"])
    >>> classes, numbers.tolist()
    ([-1, 1], [1, 0, 1])
    """
    names = sorted(set(labels))
    try:
        values = {name: _number(name) for name in names}
    except ValueError:
        values = {name: name for name in names}
    classes = sorted(set(values.values()))
    place = {name: classes.index(value) for name, value in values.items()}
    return classes, np.array([place[label] for label in labels], dtype=np.int64)


def _number(label: str) -> Any:
    value = float(label)
    return int(value) if value == int(value) else value
