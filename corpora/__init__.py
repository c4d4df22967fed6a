"""Corpora: what there is, where it is found, and what is in it. Knows nothing of learning.

Every reader takes a path, an open file or `-`, plain or gzip, and yields records one at a time; whatever is wrong
with the input is a `CorpusError` with file, line and reason.

>>> from kakari import corpora
>>> next(corpora.read("sample-ja")).text
'太郎は花子が読んでいる本を次郎に渡した。'

In: the name of a corpus or a file
Out: records, one a sentence or example
Uses: corpora.formats, corpora.records
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.corpora.catalogue import find as find
    from kakari.corpora.catalogue import read as read
    from kakari.corpora.formats.brackets import format_brackets as format_brackets
    from kakari.corpora.formats.brackets import parse_brackets as parse_brackets
    from kakari.corpora.formats.brackets import read_brackets as read_brackets
    from kakari.corpora.formats.brackets import write_brackets as write_brackets
    from kakari.corpora.formats.cabocha import format_cabocha as format_cabocha
    from kakari.corpora.formats.cabocha import read_cabocha as read_cabocha
    from kakari.corpora.formats.cabocha import write_cabocha as write_cabocha
    from kakari.corpora.formats.columns import ColumnSentence as ColumnSentence
    from kakari.corpora.formats.columns import format_columns as format_columns
    from kakari.corpora.formats.columns import read_columns as read_columns
    from kakari.corpora.formats.columns import write_columns as write_columns
    from kakari.corpora.formats.conllu import ConlluSentence as ConlluSentence
    from kakari.corpora.formats.conllu import ConlluToken as ConlluToken
    from kakari.corpora.formats.conllu import conllu_to_japanese as conllu_to_japanese
    from kakari.corpora.formats.conllu import format_conllu as format_conllu
    from kakari.corpora.formats.conllu import japanese_to_conllu as japanese_to_conllu
    from kakari.corpora.formats.conllu import read_conllu as read_conllu
    from kakari.corpora.formats.conllu import write_conllu as write_conllu
    from kakari.corpora.formats.conllx import ConllxSentence as ConllxSentence
    from kakari.corpora.formats.conllx import ConllxToken as ConllxToken
    from kakari.corpora.formats.conllx import format_conllx as format_conllx
    from kakari.corpora.formats.conllx import read_conllx as read_conllx
    from kakari.corpora.formats.conllx import write_conllx as write_conllx
    from kakari.corpora.formats.knp import format_arcs as format_arcs
    from kakari.corpora.formats.knp import format_knp as format_knp
    from kakari.corpora.formats.knp import read_arcs as read_arcs
    from kakari.corpora.formats.knp import read_knp as read_knp
    from kakari.corpora.formats.knp import write_knp as write_knp
    from kakari.corpora.formats.named import NamedExample as NamedExample
    from kakari.corpora.formats.named import format_named as format_named
    from kakari.corpora.formats.named import read_named as read_named
    from kakari.corpora.formats.named import write_named as write_named
    from kakari.corpora.formats.propbank import LabelledSpan as LabelledSpan
    from kakari.corpora.formats.propbank import Predicate as Predicate
    from kakari.corpora.formats.propbank import PropbankSentence as PropbankSentence
    from kakari.corpora.formats.propbank import format_propbank as format_propbank
    from kakari.corpora.formats.propbank import read_propbank as read_propbank
    from kakari.corpora.formats.propbank import write_propbank as write_propbank
    from kakari.corpora.formats.questions import Question as Question
    from kakari.corpora.formats.questions import format_qc as format_qc
    from kakari.corpora.formats.questions import format_question_tree as format_question_tree
    from kakari.corpora.formats.questions import read_qc as read_qc
    from kakari.corpora.formats.questions import read_question_trees as read_question_trees
    from kakari.corpora.formats.questions import write_qc as write_qc
    from kakari.corpora.formats.questions import write_question_trees as write_question_trees
    from kakari.corpora.formats.vectors import LabelledVector as LabelledVector
    from kakari.corpora.formats.vectors import SparseVector as SparseVector
    from kakari.corpora.formats.vectors import TreesAndVectors as TreesAndVectors
    from kakari.corpora.formats.vectors import format_svmlight as format_svmlight
    from kakari.corpora.formats.vectors import format_svmlight_tk as format_svmlight_tk
    from kakari.corpora.formats.vectors import read_svmlight as read_svmlight
    from kakari.corpora.formats.vectors import read_svmlight_tk as read_svmlight_tk
    from kakari.corpora.formats.vectors import write_svmlight as write_svmlight
    from kakari.corpora.formats.vectors import write_svmlight_tk as write_svmlight_tk
    from kakari.corpora.records.errors import CorpusError as CorpusError
    from kakari.corpora.records.japanese import BasePhrase as BasePhrase
    from kakari.corpora.records.japanese import Bunsetsu as Bunsetsu
    from kakari.corpora.records.japanese import JapaneseSentence as JapaneseSentence
    from kakari.corpora.records.japanese import Morpheme as Morpheme
    from kakari.corpora.statistics import count_records as count_records

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "catalogue": "find read",
        "formats.brackets": "format_brackets parse_brackets read_brackets write_brackets",
        "formats.cabocha": "format_cabocha read_cabocha write_cabocha",
        "formats.columns": "ColumnSentence format_columns read_columns write_columns",
        "formats.conllu": (
            "ConlluSentence ConlluToken conllu_to_japanese format_conllu japanese_to_conllu read_conllu write_conllu"
        ),
        "formats.conllx": "ConllxSentence ConllxToken format_conllx read_conllx write_conllx",
        "formats.knp": "format_arcs read_arcs format_knp read_knp write_knp",
        "formats.named": "NamedExample format_named read_named write_named",
        "formats.propbank": "LabelledSpan Predicate PropbankSentence format_propbank read_propbank write_propbank",
        "formats.questions": (
            "Question format_qc format_question_tree read_qc read_question_trees write_qc write_question_trees"
        ),
        "formats.vectors": (
            "LabelledVector SparseVector TreesAndVectors format_svmlight format_svmlight_tk "
            "read_svmlight read_svmlight_tk write_svmlight write_svmlight_tk"
        ),
        "records.errors": "CorpusError",
        "records.japanese": "BasePhrase Bunsetsu JapaneseSentence Morpheme",
        "statistics": "count_records",
    },
)
