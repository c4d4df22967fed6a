"""Labelled sentences from column files: a token a line, its label in the last column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kakari.corpora import catalogue
from kakari.corpora.formats.columns import ColumnSentence, read_placed_columns
from kakari.corpora.records.errors import CorpusError
from kakari.parsers.sequences.chunk_tags import is_chunk_label, is_chunking, kept_types


@dataclass(frozen=True)
class LabelledSentences:
    """Tokens as rows of strings, and a label for each."""

    rows: list[list[tuple[str, ...]]]
    labels: list[list[str]]

    @property
    def chunking(self) -> bool:
        """True if the labels are chunks."""
        return any(is_chunking(sentence) for sentence in self.labels)


def read_labelled(reference: str, *, types: tuple[str, ...] = (), chunks: bool = False) -> LabelledSentences:
    r"""Read a corpus of the catalogue (`conll2000:train`) or a file; only chunks of the given types, if there are any.

    Parameters
    ----------
    chunks : bool
        Refuse labels that are not chunk labels. They are also refused if some of the file's labels begin with B- or I-.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "x.txt")
    >>> _ = path.write_text("Dogs NNS B-NP\nbark VBP B-VP\n")
    >>> read_labelled(str(path), types=("NP",)).labels
    [['B-NP', 'O']]
    """
    sentences = list(placed_sentences(reference))
    if not sentences:
        raise CorpusError(reference, None, "there are no tokens in it")
    if len(sentences[0][1].rows[0]) < 2:
        raise CorpusError(
            reference, sentences[0][0], "a token needs a column and a label behind it; there is one column"
        )
    labels = [[row[-1] for row in sentence.rows] for _, sentence in sentences]
    if chunks or types or any(is_chunking(sentence) for sentence in labels):
        _refuse_others(reference, [line for line, _ in sentences], labels)
    if types:
        labels = [kept_types(sentence, types) for sentence in labels]
    return LabelledSentences([[row[:-1] for row in sentence.rows] for _, sentence in sentences], labels)


def placed_sentences(reference: str) -> Iterator[tuple[int | None, ColumnSentence]]:
    """Yield the sentences of a corpus or file with their line numbers (None for a corpus)."""
    if not catalogue.is_reference(reference):
        yield from read_placed_columns(reference)
        return
    if catalogue.format_in(reference).name != "columns":
        raise CorpusError(reference, None, "this corpus is not in plain columns with a label at the end")
    for sentence in catalogue.read(reference):
        yield None, sentence


def _refuse_others(reference: str, lines: list[int | None], labels: list[list[str]]) -> None:
    for line, sentence in zip(lines, labels, strict=True):
        for place, label in enumerate(sentence):
            if not is_chunk_label(label):
                at = None if line is None else line + place
                raise CorpusError(reference, at, f"the label '{label}' is neither O nor begins with B or I")
