"""The formats by name: which files they have, how they are read and written.

To add one: write its module (records, `read_x`, `format_x`, `write_x`) and add a row here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from kakari.corpora.formats import (
    brackets,
    cabocha,
    columns,
    conllu,
    conllx,
    klp,
    knp,
    named,
    pairs,
    propbank,
    questions,
    vectors,
    wikipedia,
)
from kakari.corpora.records.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, the endings of its files (before `.gz`), reader and writer of one record."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[..., Iterator[Any]]
    format: Callable[[Any], str]


def _tree_line(tree: Any) -> str:
    return brackets.format_brackets(tree) + "\n"


FORMATS = {
    entry.name: entry
    for entry in (
        Format("knp", "KNP text", (".knp",), knp.read_knp, knp.format_knp),
        Format("cabocha", "CaboCha lattice", (".cabocha",), cabocha.read_cabocha, cabocha.format_cabocha),
        Format("arcs", "bunsetsu with heads, a sentence a line", (".arcs",), knp.read_arcs, knp.format_arcs),
        Format("conllu", "CoNLL-U", (".conllu",), conllu.read_conllu, conllu.format_conllu),
        Format("conllx", "CoNLL-X (2006, 2007)", (".conllx",), conllx.read_conllx, conllx.format_conllx),
        Format("propbank", "PropBank columns", (".conll",), propbank.read_propbank, propbank.format_propbank),
        Format("brackets", "PTB brackets", (".mrg", ".ptb"), brackets.read_brackets, _tree_line),
        Format("qc", "questions with classes", (".qc",), questions.read_qc, questions.format_qc),
        Format(
            "question-trees",
            "questions with classes and trees",
            (".tsv",),
            questions.read_question_trees,
            questions.format_question_tree,
        ),
        Format("svmlight", "svmlight vectors", (".svm",), vectors.read_svmlight, vectors.format_svmlight),
        Format(
            "svmlight-tk",
            "SVM-Light-TK trees and vectors",
            (".dat",),
            vectors.read_svmlight_tk,
            vectors.format_svmlight_tk,
        ),
        Format("klp", "KeLP's examples", (".klp",), klp.read_klp, klp.format_klp),
        Format("pairs", "pairs of hypernym and hyponym", (".pairs",), pairs.read_pairs, pairs.format_pair),
        Format("pair-counts", "counts of pairs", (".counts",), pairs.read_counts, pairs.format_count),
        Format(
            "wikipedia",
            "Wikipedia articles: XML dumps or JSON lines",
            (".xml", ".xml.bz2", ".json", ".jsonl"),
            wikipedia.read_articles,
            wikipedia.format_article,
        ),
        Format("named", "named features", (".features",), named.read_named, named.format_named),
        Format("columns", "plain columns", (".txt", ".dp"), columns.read_columns, columns.format_columns),
    )
}


def format_of(path: str) -> Format:
    """Guess a file's format from the ending of its name.

    Examples
    --------
    >>> format_of("x/train.knp.gz").name
    'knp'
    """
    name = path.removesuffix(".gz")
    for entry in FORMATS.values():
        if name.endswith(entry.suffixes):
            return entry
    known = ", ".join(suffix for entry in FORMATS.values() for suffix in entry.suffixes)
    raise CorpusError(path, None, f"the ending of the name tells no format (known: {known}, each also with .gz)")


def to_jsonable(value: Any) -> Any:
    """Turn a record into what JSON can hold; trees become bracket strings.

    Examples
    --------
    >>> from kakari.corpora.formats.propbank import LabelledSpan
    >>> to_jsonable((LabelledSpan("ARG0", 0, 1),))
    [{'label': 'ARG0', 'start': 0, 'end': 1}]
    """
    if dataclasses.is_dataclass(value):
        return {f.name: to_jsonable(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [to_jsonable(item) for item in value]
    if hasattr(value, "leaves"):
        return brackets.format_brackets(value)
    return value
