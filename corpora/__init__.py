"""Corpora: readers and writers of each format, typed records, and the catalogue that finds a corpus by name.

Every reader takes a path, an open file or `-`, plain or gzip, and yields records one at a time; whatever is
wrong with the input is a `CorpusError` with file, line and reason.

>>> from kakari import corpora
>>> next(corpora.read("sample-ja")).text
'太郎は花子が読んでいる本を次郎に渡した。'
"""

from kakari.corpora.brackets import format_brackets, parse_brackets, read_brackets, write_brackets
from kakari.corpora.cabocha import format_cabocha, read_cabocha, write_cabocha
from kakari.corpora.catalogue import find, read
from kakari.corpora.columns import ColumnSentence, format_columns, read_columns, write_columns
from kakari.corpora.conllu import (
    ConlluSentence,
    ConlluToken,
    conllu_to_japanese,
    format_conllu,
    japanese_to_conllu,
    read_conllu,
    write_conllu,
)
from kakari.corpora.errors import CorpusError
from kakari.corpora.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.corpora.knp import format_knp, read_knp, write_knp
from kakari.corpora.named import NamedExample, format_named, read_named, write_named
from kakari.corpora.propbank import (
    LabelledSpan,
    Predicate,
    PropbankSentence,
    format_propbank,
    read_propbank,
    write_propbank,
)
from kakari.corpora.questions import (
    Question,
    format_qc,
    format_question_tree,
    read_qc,
    read_question_trees,
    write_qc,
    write_question_trees,
)
from kakari.corpora.statistics import count_records
from kakari.corpora.vectors import (
    LabelledVector,
    SparseVector,
    TreesAndVectors,
    format_svmlight,
    format_svmlight_tk,
    read_svmlight,
    read_svmlight_tk,
    write_svmlight,
    write_svmlight_tk,
)

__all__ = [
    "BasePhrase",
    "Bunsetsu",
    "ColumnSentence",
    "ConlluSentence",
    "ConlluToken",
    "CorpusError",
    "JapaneseSentence",
    "LabelledSpan",
    "LabelledVector",
    "Morpheme",
    "NamedExample",
    "Predicate",
    "PropbankSentence",
    "Question",
    "SparseVector",
    "TreesAndVectors",
    "conllu_to_japanese",
    "count_records",
    "find",
    "format_brackets",
    "format_cabocha",
    "format_columns",
    "format_conllu",
    "format_knp",
    "format_named",
    "format_propbank",
    "format_qc",
    "format_question_tree",
    "format_svmlight",
    "format_svmlight_tk",
    "japanese_to_conllu",
    "parse_brackets",
    "read",
    "read_brackets",
    "read_cabocha",
    "read_columns",
    "read_conllu",
    "read_knp",
    "read_named",
    "read_propbank",
    "read_qc",
    "read_question_trees",
    "read_svmlight",
    "read_svmlight_tk",
    "write_brackets",
    "write_cabocha",
    "write_columns",
    "write_conllu",
    "write_knp",
    "write_named",
    "write_propbank",
    "write_qc",
    "write_question_trees",
    "write_svmlight",
    "write_svmlight_tk",
]
