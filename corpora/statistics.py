"""Statistics of a corpus, counted in one pass that keeps only the counts and the document names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from kakari.corpora.formats.columns import ColumnSentence
from kakari.corpora.formats.conllu import ConlluSentence
from kakari.corpora.formats.conllx import ConllxSentence
from kakari.corpora.formats.named import NamedExample
from kakari.corpora.formats.pairs import Pair, PairCount
from kakari.corpora.formats.propbank import PropbankSentence
from kakari.corpora.formats.questions import Question
from kakari.corpora.formats.vectors import LabelledVector, TreesAndVectors
from kakari.corpora.formats.wikipedia import Article
from kakari.corpora.records.arcs import crossing_arcs, reaches_root
from kakari.corpora.records.japanese import JapaneseSentence


def count_records(records: Iterable[Any]) -> dict[str, int]:
    """Count what the records hold, in a fixed order.

    Examples
    --------
    >>> from kakari.corpora.formats.questions import Question
    >>> count_records([Question("HUM", "ind", "Who ?"), Question("LOC", "city", "Where ?")])
    {'questions': 2, 'class HUM': 1, 'class LOC': 1}
    """
    counts: Counter[str] = Counter()
    documents: set[str] = set()
    for record in records:
        counts.update(_count(record))
        document = getattr(record, "document", "")
        if document:
            documents.add(document)
    plain = {"documents": len(documents)} if documents else {}
    plain |= {key: n for key, n in counts.items() if n and " " not in key}
    return plain | {key: n for key, n in sorted(counts.items()) if n and " " in key}


@singledispatch
def _count(record: Any) -> dict[str, int]:
    # An nltk.Tree: NLTK is not imported just to register its type.
    return {"trees": 1, "tokens": len(record.leaves())}


@_count.register
def _(record: JapaneseSentence) -> dict[str, int]:
    counts = {
        "blocks": 1,
        "sentences": int(not record.is_parenthesis),
        "bunsetsu": len(record.bunsetsu),
        "base_phrases": sum(len(bunsetsu.phrases) for bunsetsu in record.bunsetsu),
        "morphemes": sum(len(phrase.morphemes) for b in record.bunsetsu for phrase in b.phrases),
        "heads not to the right": sum(0 <= b.head <= i for i, b in enumerate(record.bunsetsu)),
        "heads that do not exist": sum(not -1 <= b.head < len(record.bunsetsu) for b in record.bunsetsu),
        "blocks with crossing arcs": int(record.crossing()),
        "blocks of one bunsetsu": int(len(record.bunsetsu) == 1),
    }
    for bunsetsu in record.bunsetsu:
        counts[f"type {bunsetsu.kind}"] = counts.get(f"type {bunsetsu.kind}", 0) + 1
    return counts


@_count.register
def _(record: ConlluSentence) -> dict[str, int]:
    words = record.words
    return {
        "sentences": 1,
        "words": len(words),
        "ranges": sum(token.is_range for token in record.tokens),
        "empty_nodes": sum("." in token.id for token in record.tokens),
        **_count_arcs([None if word.head == "_" else int(word.head) for word in words]),
    }


@_count.register
def _(record: ConllxSentence) -> dict[str, int]:
    return {"sentences": 1, "words": len(record.tokens), **_count_arcs([token.head for token in record.tokens])}


def _count_arcs(found: list[int | None]) -> dict[str, int]:
    heads = [head for head in found if head is not None]
    if len(heads) != len(found):
        return {"sentences without heads": 1}
    return {
        "sentences with crossing arcs": int(bool(crossing_arcs(heads))),
        "sentences with several roots": int(heads.count(0) > 1),
        "sentences without a tree": int(not reaches_root(heads)),
    }


@_count.register
def _(record: PropbankSentence) -> dict[str, int]:
    arguments = sum(len(predicate.arguments) for predicate in record.predicates)
    return {
        "sentences": 1,
        "tokens": len(record.tree.leaves()),
        "predicates": len(record.predicates),
        "arguments": arguments,
    }


@_count.register
def _(record: Question) -> dict[str, int]:
    return {"questions": 1, f"class {record.coarse}": 1}


@_count.register
def _(record: LabelledVector) -> dict[str, int]:
    return {"examples": 1, "positive": int(record.label > 0), "nonzeros": len(record.vector.ids)}


@_count.register
def _(record: NamedExample) -> dict[str, int]:
    return {"examples": 1, "features": len(record.features), f"label {record.label}": 1}


@_count.register
def _(record: TreesAndVectors) -> dict[str, int]:
    return {
        "examples": 1,
        "positive": int(record.label > 0),
        "trees": len(record.trees),
        "nonzeros": sum(len(vector.ids) for vector in record.vectors),
    }


@_count.register
def _(record: ColumnSentence) -> dict[str, int]:
    return {"sentences": 1, "tokens": len(record.rows)}


@_count.register
def _(record: Pair) -> dict[str, int]:
    return {"pairs": 1, "hyponyms": int(record.label is True)}


@_count.register
def _(record: PairCount) -> dict[str, int]:
    return {"pairs": 1, "occurrences": record.times}


@_count.register
def _(record: Article) -> dict[str, int]:
    return {"articles": 1, "characters": len(record.text)}
