"""Examples of a file in blocks of lines, for files that are larger than memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from kakari.corpora import catalogue
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import numbered_lines
from kakari.models.vocabulary import Vocabulary
from kakari.reading.examples import Examples, has_names, load_examples


@dataclass(frozen=True, slots=True)
class Stream:
    """A file that is read in blocks: how many lines each has, and how features become numbers."""

    path: str
    lines: int
    bits: int | None = None
    binarize: bool = False

    def blocks(self, vocabulary: Vocabulary | None = None) -> Iterator[Examples]:
        """Yield the examples, block by block; a vocabulary learns the features that have names."""
        return example_blocks(self.path, self.lines, vocabulary=vocabulary, bits=self.bits, binarize=self.binarize)


def example_blocks(
    path: str, lines: int, *, vocabulary: Vocabulary | None = None, bits: int | None = None, binarize: bool = False
) -> Iterator[Examples]:
    r"""Yield the examples of so many lines at a time; the file is read once, from its beginning to its end.

    Parameters
    ----------
    vocabulary : Vocabulary, optional
        Grows with the named features of each block.
    bits : int, optional
        Hash features to numbers of so many bits, instead of keeping names and ids.
    binarize : bool
        Count any value but 0 as 1, instead of refusing it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "x.svm")
    >>> _ = file.write_text("1 3:1\n-1 4:1\n1 3:1 4:1\n")
    >>> [block.labels for block in example_blocks(str(file), 2)]
    [['1', '-1'], ['1']]
    """
    if path == "-":
        raise CorpusError("<stdin>", None, "a pipe can be read only once: blocks need a file")
    numbered: Iterator[tuple[int, str]]
    if catalogue.is_reference(path) and not Path(path).exists():
        named, numbered = False, chain.from_iterable(map(numbered_lines, catalogue.sources(path)))
    else:
        named, numbered = has_names(path), numbered_lines(path)
    while block := list(islice(numbered, lines)):
        before = block[0][0] - 1
        text = "".join(f"{line}\n" for _, line in block)
        if not any(line.partition("#")[0].strip() for _, line in block):
            continue
        file = io.BytesIO(text.encode())
        file.name = path
        try:
            yield load_examples(file, vocabulary if named else None, binarize=binarize, bits=bits, named=named)
        except CorpusError as error:
            line = None if error.line is None else error.line + before
            raise CorpusError(error.path, line, error.reason) from None
