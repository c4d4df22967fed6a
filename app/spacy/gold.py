"""Training and scoring documents: records to spaCy documents and back, and the scorers of both components."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.spacy.bunsetsu import HEADS, STARTS, bunsetsu_spans


def gold_doc(nlp: Language, record: JapaneseSentence) -> Doc:
    """Make a training document of a record: spaCy's tokens, the record's bunsetsu and heads by characters.

    A boundary inside a token moves to the token's start; a bunsetsu that loses all its tokens is joined to the next.
    """
    doc = nlp.make_doc(record.text)
    places = [token.idx for token in doc]
    begins: list[int] = []
    owner: list[int] = []
    begin = 0
    for bunsetsu in record.bunsetsu:
        at = bisect_right(places, begin) - 1 if places else 0
        if begins and begins[-1] == at:
            owner.append(len(begins) - 1)
        else:
            begins.append(at)
            owner.append(len(begins) - 1)
        begin += len(bunsetsu.text)
    heads = list(range(len(begins)))
    for number, bunsetsu in enumerate(record.bunsetsu):
        if bunsetsu.head >= 0 and owner[bunsetsu.head] != owner[number]:
            heads[owner[number]] = owner[bunsetsu.head]
    doc.user_data[STARTS] = begins if len(doc) else []
    doc.user_data[HEADS] = heads if len(doc) else []
    for token in doc:
        token.is_sent_start = token.i == 0
    return doc


def doc_records(doc: Doc) -> list[JapaneseSentence]:
    """Return the sentences of an annotated document as records."""
    starts = doc.user_data.get(STARTS) or []
    heads = doc.user_data.get(HEADS) or []
    records = []
    for sentence in doc.sents if starts else ():
        inside = [number for number, start in enumerate(starts) if sentence.start <= start < sentence.end]
        bunsetsu = []
        for number in inside:
            head = heads[number] if heads else number
            local = -1 if head == number else head - inside[0]
            end = starts[number + 1] if number + 1 < len(starts) else len(doc)
            words = tuple(
                Morpheme(token.text_with_ws, "", token.lemma_, tuple(token.tag_.split("-")))
                for token in doc[starts[number] : end]
            )
            bunsetsu.append(Bunsetsu(local, "D", (BasePhrase(local, "D", words),)))
        records.append(JapaneseSentence(tuple(bunsetsu)))
    return records


def make_bunsetsu_scorer() -> Callable[..., dict[str, Any]]:
    """Make the scorer of bunsetsu spans."""
    return score_bunsetsu


def make_dependency_scorer() -> Callable[..., dict[str, Any]]:
    """Make the scorer of heads."""
    return score_dependency


def _spans(doc: Doc) -> list[tuple[int, int]]:
    return [(span.start_char, span.end_char) for span in bunsetsu_spans(doc)]


def score_bunsetsu(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
    """Score spans by characters: precision, recall, F1."""
    found = gold = right = 0
    for example in examples:
        ours, theirs = set(_spans(example.predicted)), set(_spans(example.reference))
        found, gold, right = found + len(ours), gold + len(theirs), right + len(ours & theirs)
    precision, recall = right / found if found else 0.0, right / gold if gold else 0.0
    return {
        "bunsetsu_p": precision,
        "bunsetsu_r": recall,
        "bunsetsu_f": 2 * right / (found + gold) if found + gold else None,
    }


def score_dependency(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
    """Score heads: the share of gold bunsetsu but roots that are found with the right head."""
    total = right = 0
    for example in examples:
        arcs = []
        for doc in (example.predicted, example.reference):
            spans = _spans(doc)
            arcs.append({(spans[i], spans[h]) for i, h in enumerate(doc.user_data.get(HEADS) or []) if i != h})
        total, right = total + len(arcs[1]), right + len(arcs[0] & arcs[1])
    return {"bunsetsu_dep_acc": right / total if total else None}
