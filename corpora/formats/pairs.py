r"""Pairs of words that may be hypernym and hyponym, as TSV with a line of column names.

Columns are found by name, in any order: `hypernym` and `hyponym` (or `word2` and `word1`, as in hypernymysuite) are
required, annotated pairs have `label` (True or False), and the other fields of `Pair` describe where a candidate was
found. Unknown columns are refused, so that a misspelt one is not silently empty.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate pair and where it was found.

    Attributes
    ----------
    label : bool or None
        Whether the hyponym is a kind or an instance of the hypernym; None if it is not annotated.
    article : str
        The title of the Wikipedia article.
    path : tuple of str
        The kinds of the nodes from the article's title down to the hyponym: title, heading, bullet, …
    distance : int
        How many steps up from the hyponym the hypernym is; 0 for pairs that are not from a tree.
    siblings : int
        How many nodes of the hyponym's kind its parent has.
    places : int
        How often the hyponym is an item in the article.
    pattern : str
        What was cut off the hypernym's text: 主な, の一覧.
    form : str
        How the hyponym was written, words between blanks: link, gloss, …
    suffix : str
        The last character that most of the siblings share.
    fold : str
        The part of the data this pair belongs to.
    """

    hypernym: str
    hyponym: str
    label: bool | None = None
    article: str = ""
    path: tuple[str, ...] = ()
    distance: int = 0
    siblings: int = 0
    places: int = 0
    pattern: str = ""
    form: str = ""
    suffix: str = ""
    fold: str = ""


class PairCount(NamedTuple):
    """The number of times that a text called one word a kind of another."""

    hyponym: str
    hypernym: str
    times: int


COLUMNS = tuple(Pair.__dataclass_fields__)
OTHER_NAMES = {"word1": "hyponym", "word2": "hypernym"}
LABELS = {"True": True, "False": False, "true": True, "false": False, "1": True, "0": False, "": None}
NUMBERS = ("distance", "siblings", "places")


def read_pairs(source: Source) -> Iterator[Pair]:
    r"""Yield the pairs of a TSV file.

    Examples
    --------
    >>> import io
    >>> next(read_pairs(io.StringIO("word1\tword2\tlabel\nparis\tcity\tTrue\n")))
    Pair(hypernym='city', hyponym='paris', label=True, article='', path=(), ...)
    """
    name = source_name(source)
    lines = numbered_lines(source)
    first = next(lines, None)
    if first is None:
        return
    columns = _columns(name, first[1])
    for number, line in lines:
        if line.strip():
            values = line.split("\t")
            if len(values) != len(columns):
                reason = f"the line has {len(values)} columns between tabs; the first line names {len(columns)}"
                raise CorpusError(name, number, reason)
            yield _pair(name, number, dict(zip(columns, values, strict=True)))


def _columns(name: str, line: str) -> list[str]:
    columns = [OTHER_NAMES.get(column, column) for column in line.split("\t")]
    for column in columns:
        if column not in COLUMNS:
            raise CorpusError(name, 1, f"'{column[:40]}' is no column of pairs (known: {', '.join(COLUMNS)})")
    if len(set(columns)) < len(columns):
        raise CorpusError(name, 1, "a column stands here twice")
    for needed in ("hypernym", "hyponym"):
        if needed not in columns:
            raise CorpusError(name, 1, f"there is no column '{needed}'")
    return columns


def _pair(name: str, number: int, values: dict[str, str]) -> Pair:
    if not values["hypernym"].strip() or not values["hyponym"].strip():
        raise CorpusError(name, number, "a word of the pair is empty")
    given: dict[str, Any] = dict(values)
    if "label" in given:
        if values["label"] not in LABELS:
            raise CorpusError(name, number, f"the label '{values['label'][:40]}' is neither True nor False")
        given["label"] = LABELS[values["label"]]
    if "path" in given:
        given["path"] = tuple(values["path"].split("/")) if values["path"] else ()
    for column in NUMBERS:
        if column in given:
            if not (values[column].isascii() and values[column].isdigit() and len(values[column]) < 10):
                raise CorpusError(name, number, f"'{values[column][:40]}' is no number of {column}")
            given[column] = int(values[column])
    return Pair(**given)


def format_pair(pair: Pair) -> str:
    """Write a pair as a line of TSV with all columns, in the order of `COLUMNS`."""
    label = "" if pair.label is None else str(pair.label)
    values = (
        pair.hypernym,
        pair.hyponym,
        label,
        pair.article,
        "/".join(pair.path),
        str(pair.distance),
        str(pair.siblings),
        str(pair.places),
        pair.pattern,
        pair.form,
        pair.suffix,
        pair.fold,
    )
    return "\t".join(values) + "\n"


def write_pairs(pairs: Iterable[Pair], target: str | os.PathLike[str] | IO[str]) -> None:
    r"""Write pairs as TSV, with the line of column names.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_pairs([Pair("city", "paris", True)], file)
    >>> list(read_pairs(io.StringIO(file.getvalue()))) == [Pair("city", "paris", True)]
    True
    """

    def lines() -> Iterator[str]:
        yield "\t".join(COLUMNS) + "\n"
        for pair in pairs:
            yield format_pair(pair)

    write_text(lines(), target)


def read_counts(source: Source) -> Iterator[PairCount]:
    r"""Yield the lines of a file of counts: hyponym, hypernym, count between tabs.

    Examples
    --------
    >>> import io
    >>> next(read_counts(io.StringIO("paris\tcity\t7\n")))
    PairCount(hyponym='paris', hypernym='city', times=7)
    """
    name = source_name(source)
    for number, line in numbered_lines(source):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) != 3:
            raise CorpusError(name, number, f"the line has {len(columns)} columns between tabs; there should be 3")
        hyponym, hypernym, count = columns
        if not (count.isascii() and count.isdigit() and len(count) < 16):
            raise CorpusError(name, number, f"'{count[:40]}' is no count")
        if not hyponym or not hypernym:
            raise CorpusError(name, number, "a word of the pair is empty")
        yield PairCount(hyponym, hypernym, int(count))


def format_count(pair: PairCount) -> str:
    """Write a count as a line of TSV."""
    return f"{pair.hyponym}\t{pair.hypernym}\t{pair.times}\n"
