"""What broke: sentences that the original model analysed as a quality table says, and the corrected one no longer does.

A table is a file with a text and its analysis on each line, with a tab between them; further columns are the user's.
The package brings a sample of each task along, which we wrote.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import numbered_lines, source_name
from kakari.parsers.correcting.learning import corrector_of, history, original


class Broken(NamedTuple):
    """A text, its analysis by the table and the original model, and by the corrected one."""

    text: str
    before: str
    now: str


def read_table(path: str | os.PathLike[str]) -> list[tuple[str, str]]:
    r"""Read the texts and analyses of a quality table.

    Examples
    --------
    >>> import io
    >>> read_table(io.BytesIO("本を読む。\t本を:1 読む。:-1\tan object\t-".encode()))
    [('本を読む。', '本を:1 読む。:-1')]
    """
    rows = []
    for number, line in numbered_lines(path):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2 or not columns[0].strip() or not columns[1].strip():
            raise CorpusError(source_name(path), number, "a line has a text and its analysis, with a tab between them")
        rows.append((columns[0], columns[1]))
    return rows


def check(model: Any, rows: Sequence[tuple[str, str]] | None = None) -> list[Broken]:
    """Return the rows that a model's corrections broke; those of corrected texts are the user's to decide.

    Parameters
    ----------
    model : StoredModel
        A corrected one; one without corrections has broken nothing.
    rows : sequence of (text, analysis), optional
        Of a quality table; without them, those of the embedded sample.

    Examples
    --------
    >>> from kakari.parsers.japanese.parser import pretrained_model
    >>> check(pretrained_model())
    []
    """
    now = corrector_of(model)
    corrected = {one.text for one in history(model)}
    wanted = [row for row in (now.sample() if rows is None else rows) if row[0] not in corrected]
    texts = [text for text, _ in wanted]
    if not texts or not corrected:
        return []
    before = corrector_of(original(model)).shown(texts)
    return [
        Broken(text, expected, new)
        for (text, expected), old, new in zip(wanted, before, now.shown(texts), strict=True)
        if old == expected != new
    ]
