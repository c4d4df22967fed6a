"""spaCy components for Japanese: `kakari_bunsetsu` finds bunsetsu, `kakari_dependency` their heads.

What they find is kept and shown as `kakari.spacy_bunsetsu` says.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from kakari.parsers.dependency import chunk_counts
from kakari.parsers.japanese import pretrained_model
from kakari.parsers.japanese_model import JapaneseModel
from kakari.parsers.japanese_training import JapaneseSettings, train
from kakari.parsers.sentences import sentence_spans
from kakari.parsers.spacy_rows import spacy_rows
from kakari.spacy_bunsetsu import HEADS, SCORES, STARTS, bunsetsu_spans, content_token, register_extensions
from kakari.spacy_component import ModelComponent
from kakari.spacy_gold import doc_records


class JapaneseComponent(ModelComponent):
    """What both components share."""

    embedded: ClassVar[str] = "ja"
    register_extensions = staticmethod(register_extensions)

    @staticmethod
    def load_model(name: str) -> JapaneseModel:
        """Give the embedded model, or the one of a file."""
        return pretrained_model(name) if name == "ja" else JapaneseModel.load(name)

    @staticmethod
    def read_model(data: bytes) -> JapaneseModel:
        """Give the model of a file's bytes."""
        return JapaneseModel.from_bytes(data)

    def initialize(self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None) -> None:
        """Train on the whole corpus, whose documents carry bunsetsu and heads (see `gold_doc`)."""
        records = [record for example in get_examples() for record in doc_records(example.reference)]
        if not records:
            raise ValueError(f"[{self.name}] no training document has bunsetsu: make them with kakari's gold_doc")
        self._model = train(records, JapaneseSettings(tagset="sudachi"))


class BunsetsuComponent(JapaneseComponent):
    """Cuts documents into bunsetsu; marks sentences too where the pipeline has none."""

    def _annotate(self, documents: list[Doc]) -> None:
        sentences = [sentence for doc in documents for sentence in sentences_of(doc)]
        for doc in documents:
            doc.user_data[STARTS] = []
            doc.user_data.pop(HEADS, None)
        if not sentences:
            return
        morphemes, tokens = spacy_rows(sentences, self.trained.lexicon)
        opens = np.array(self.trained.segment(morphemes), dtype=bool)
        bounds = morphemes.starts
        opens[bounds[:-1][np.diff(bounds) > 0]] = True  # a sentence opens one, whatever the classifier says
        ends = np.cumsum(np.concatenate(([0], opens)))[bounds].tolist()
        marks = tokens[opens].tolist()
        for number, (doc, _, _) in enumerate(sentences):
            doc.user_data[STARTS].extend(marks[ends[number] : ends[number + 1]])


class DependencyComponent(JapaneseComponent):
    """Finds the head of each bunsetsu; with `tokens`, sets `token.head` and `token.dep_` too."""

    def __init__(self, nlp: Language, name: str, model_name: str, scorer: Any, tokens: bool = False) -> None:
        super().__init__(nlp, name, model_name, scorer)
        self.cfg["tokens"] = tokens

    def _annotate(self, documents: list[Doc]) -> None:
        for doc in documents:
            if STARTS not in doc.user_data:
                raise ValueError(f"[{self.name}] the document has no bunsetsu: put kakari_bunsetsu before this")
            doc.user_data[HEADS], doc.user_data[SCORES] = [], []
        sentences = [sentence for doc in documents for sentence in sentences_of(doc)]
        if not sentences:
            return
        morphemes, tokens = spacy_rows(sentences, self.trained.lexicon)
        opens, owners = self._openings(sentences, morphemes.starts.tolist(), tokens.tolist())
        heads, margins = self.trained.parse(morphemes, opens)
        counts = chunk_counts(morphemes, opens).tolist()
        self._store([doc for doc, _, _ in sentences], owners, counts, heads.tolist(), margins.tolist())
        if self.cfg["tokens"]:
            for doc in documents:
                set_token_heads(doc)

    @staticmethod
    def _openings(
        sentences: list[tuple[Doc, int, int]], bounds: list[int], tokens: list[int]
    ) -> tuple[NDArray[np.uint8], list[list[int]]]:
        """Mark the morphemes that open the documents' bunsetsu; say for each sentence which of those each one is.

        A bunsetsu of nothing but white space is part of the next one to the parser.
        """
        opens = np.zeros(len(tokens), dtype=np.uint8)
        owners = []
        for number, (doc, first, last) in enumerate(sentences):
            starts = doc.user_data[STARTS]
            begin, end = bounds[number], bounds[number + 1]
            inside = starts[bisect_left(starts, first) : bisect_left(starts, last)]
            places = [min(bisect_left(tokens, start, begin, end), end - 1) for start in inside]
            opened = sorted({begin, *places})
            opens[opened] = 1
            ranks = {place: rank for rank, place in enumerate(opened)}
            owners.append([ranks[place] for place in places])
        return opens, owners

    @staticmethod
    def _store(
        documents: list[Doc], owners: list[list[int]], counts: list[int], heads: list[int], margins: list[float]
    ) -> None:
        place = 0
        for doc, own, count in zip(documents, owners, counts, strict=True):
            first = len(doc.user_data[HEADS])
            last = {owner: at for at, owner in enumerate(own)}
            for at, owner in enumerate(own):
                head = heads[place + owner]
                leans = at + 1 if last[owner] != at else at if head < 0 else last[head]
                doc.user_data[HEADS].append(first + leans)
                doc.user_data[SCORES].append(margins[place + owner])
            place += count


def token_offsets(doc: Doc) -> list[int]:
    """Give the first character of each token."""
    sizes = doc.to_array(["LENGTH", "SPACY"]).tolist()
    return list(accumulate((length + space for length, space in sizes), initial=0))[:-1]


def sentences_of(doc: Doc) -> list[tuple[Doc, int, int]]:
    """Give the sentences as (doc, first token, behind the last); where none are marked, find and mark them."""
    if not len(doc):
        return []
    if doc.has_annotation("SENT_START"):
        return [(doc, sentence.start, sentence.end) for sentence in doc.sents]
    places = token_offsets(doc)
    starts = sorted({0, *(bisect_left(places, begin) for begin, _ in sentence_spans(doc.text))} - {len(doc)})
    marks = np.full(len(doc), -1, dtype=np.int64)
    marks[starts] = 1
    heads: Any = marks.astype(np.uint64)
    doc.from_array(["SENT_START"], heads)
    return [(doc, first, last) for first, last in zip(starts, [*starts[1:], len(doc)], strict=True)]


def set_token_heads(doc: Doc) -> None:
    """Turn bunsetsu arcs into a tree of tokens: words lean on their bunsetsu's content word, those as bunsetsu do."""
    spans = bunsetsu_spans(doc)
    content = [content_token(span).i for span in spans]
    for number, span in enumerate(spans):
        head = doc.user_data[HEADS][number]
        for token in span:
            if token.i != content[number]:
                token.head, token.dep_ = doc[content[number]], "dep"
            else:
                token.head, token.dep_ = doc[content[head]], "ROOT" if head == number else "dep"


@Language.factory(
    "kakari_bunsetsu",
    assigns=["doc._.bunsetsu", "token.is_sent_start"],
    default_config={"model": "ja", "scorer": {"@scorers": "kakari.bunsetsu_scorer.v1"}},
    default_score_weights={"bunsetsu_f": 1.0, "bunsetsu_p": 0.0, "bunsetsu_r": 0.0},
)
def make_bunsetsu(nlp: Language, name: str, model: str, scorer: Any) -> BunsetsuComponent:
    """Make the component; `model` is "ja" for the embedded one, or a file."""
    return BunsetsuComponent(nlp, name, model, scorer)


@Language.factory(
    "kakari_dependency",
    requires=["doc._.bunsetsu"],
    assigns=["span._.head"],
    default_config={"model": "ja", "tokens": False, "scorer": {"@scorers": "kakari.dependency_scorer.v1"}},
    default_score_weights={"bunsetsu_dep_acc": 1.0},
)
def make_dependency(nlp: Language, name: str, model: str, tokens: bool, scorer: Any) -> DependencyComponent:
    """Make the component; with `tokens`, `token.head` and `token.dep_` are set as well."""
    return DependencyComponent(nlp, name, model, scorer, tokens)
