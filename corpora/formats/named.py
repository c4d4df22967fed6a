"""Examples with named features, tab-separated: a label, then the features of the example.

`spam⇥word=cheap⇥from=unknown` is one example; a label alone is an example without features. Written back byte for
byte, except for line ends (LF) and empty lines (dropped).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text


@dataclass(frozen=True, slots=True)
class NamedExample:
    """A label and the names of the features that the example has."""

    label: str
    features: tuple[str, ...] = ()


def read_named(source: Source) -> Iterator[NamedExample]:
    r"""Yield the examples of a file of named features.

    Examples
    --------
    >>> import io
    >>> next(read_named(io.StringIO("spam\tword=cheap\tfrom=unknown")))
    NamedExample(label='spam', features=('word=cheap', 'from=unknown'))
    """
    name = source_name(source)
    for number, line in numbered_lines(source):
        if not line.strip():
            continue
        label, *features = line.split("\t")
        if not label:
            raise CorpusError(name, number, "the line has no label before its first tab")
        if not all(features):
            raise CorpusError(name, number, f"feature {features.index('') + 1} of the line is empty")
        yield NamedExample(label, tuple(features))


def format_named(example: NamedExample) -> str:
    """Write an example as a line."""
    return "\t".join((example.label, *example.features)) + "\n"


def write_named(examples: Iterable[NamedExample], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write examples to a file of named features."""
    write_text(map(format_named, examples), target)
