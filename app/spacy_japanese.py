"""spaCy components for Japanese: `kakari_bunsetsu` finds bunsetsu, `kakari_dependency` their heads.

What they find is kept in `doc.user_data` as lists of whole numbers (so it survives `to_bytes`, `DocBin` and
worker processes), and shown through extensions: `doc._.bunsetsu` gives spans, `span._.head` the bunsetsu that one
depends on (the last one's is itself, as in spaCy), `span._.content_token` and `span._.function_token` its head and
functional token, `token._.bunsetsu` the bunsetsu around a token.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span, Token
from spacy.training import Example

from kakari.corpora.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.parsers.adapters import spacy_morphemes
from kakari.parsers.japanese import pretrained_model
from kakari.parsers.japanese_model import JapaneseModel
from kakari.parsers.japanese_training import JapaneseSettings, train
from kakari.parsers.sentences import sentence_spans
from kakari.spacy_component import ModelComponent

STARTS, HEADS, SCORES = "kakari_bunsetsu_starts", "kakari_bunsetsu_heads", "kakari_bunsetsu_scores"


def bunsetsu_spans(doc: Doc) -> list[Span]:
    """Give the bunsetsu of a document as spans, in order."""
    starts = doc.user_data.get(STARTS, [])
    return [doc[begin:end] for begin, end in zip(starts, [*starts[1:], len(doc)], strict=False)]


def _number(token_or_span: Token | Span) -> int | None:
    """Give the number of the bunsetsu that holds a token, or that a span starts in."""
    doc = token_or_span.doc
    index = token_or_span.i if isinstance(token_or_span, Token) else token_or_span.start
    starts = doc.user_data.get(STARTS)
    return bisect_right(starts, index) - 1 if starts else None


def bunsetsu_of(token_or_span: Token | Span) -> Span | None:
    """Give the bunsetsu that holds a token (or a span's first token); None if none were found."""
    number = _number(token_or_span)
    if number is None:
        return None
    starts = token_or_span.doc.user_data[STARTS]
    return token_or_span.doc[starts[number] : (*starts[1:], len(token_or_span.doc))[number]]


def bunsetsu_head(token_or_span: Token | Span) -> Span | None:
    """Give the bunsetsu that this one depends on; itself for the last of a sentence."""
    number = _number(token_or_span)
    heads = token_or_span.doc.user_data.get(HEADS)
    if number is None or not heads:
        return None
    starts = [*token_or_span.doc.user_data[STARTS], len(token_or_span.doc)]
    head = heads[number]
    return token_or_span.doc[starts[head] : starts[head + 1]]


def content_token(span: Span) -> Token:
    """Give a bunsetsu's head token: the last that is no particle, auxiliary, suffix or mark."""
    return span[_as_bunsetsu(span).content_index()]


def function_token(span: Span) -> Token:
    """Give a bunsetsu's functional token: the last that is no mark."""
    return span[_as_bunsetsu(span).function_index()]


def _as_bunsetsu(span: Span) -> Bunsetsu:
    words = tuple(Morpheme(token.text, "", token.lemma_, tuple(token.tag_.split("-"))) for token in span)
    return Bunsetsu(-1, "D", (BasePhrase(-1, "D", words),))


def register_extensions() -> None:
    """Register what this module shows; an attribute that another library has taken is left alone."""
    extensions: tuple[tuple[Any, str, Any], ...] = (
        (Doc, "bunsetsu", bunsetsu_spans),
        (Token, "bunsetsu", bunsetsu_of),
        (Span, "head", bunsetsu_head),
        (Span, "content_token", content_token),
        (Span, "function_token", function_token),
    )
    for holder, name, getter in extensions:
        if not holder.has_extension(name):
            holder.set_extension(name, getter=getter)


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

    @property
    def japanese_model(self) -> JapaneseModel:
        """The trained model."""
        return cast(JapaneseModel, self.trained)

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
        morphemes = spacy_morphemes(sentences, self.japanese_model.lexicon)
        opens = np.asarray(self.japanese_model.segment(morphemes), dtype=bool)
        places: dict[int, int] = {}
        document = None
        for number, (doc, first, last) in enumerate(sentences):
            if doc is not document:
                document, offsets = doc, token_offsets(doc)
            low, high = morphemes.starts[number], morphemes.starts[number + 1]
            places = {offsets[index] - offsets[first]: index for index in range(first, last)}
            # White space before the first word belongs to it, so its offset may be that of the blank.
            starts = {places[mark] for mark in morphemes.begins[low:high][opens[low:high]].tolist()}
            doc.user_data[STARTS].extend(sorted({first, *starts}))


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
        morphemes = spacy_morphemes(sentences, self.japanese_model.lexicon)
        begins, bounds = morphemes.begins.tolist(), morphemes.starts.tolist()
        opens = np.zeros(len(begins), dtype=np.uint8)
        counts = []
        document = None
        for number, (doc, first, last) in enumerate(sentences):
            if doc is not document:
                document, offsets, starts = doc, token_offsets(doc), doc.user_data[STARTS]
            inside = starts[bisect_left(starts, first) : bisect_left(starts, last)]
            marks = {offsets[start] - offsets[first] for start in inside}
            for place in range(bounds[number], bounds[number + 1]):
                opens[place] = begins[place] in marks
            counts.append(len(inside))
        heads, margins = self.japanese_model.parse(morphemes, opens)
        self._store([doc for doc, _, _ in sentences], counts, heads.tolist(), margins.tolist())
        if self.cfg["tokens"]:
            for doc in documents:
                set_token_heads(doc)

    @staticmethod
    def _store(documents: list[Doc], counts: list[int], heads: list[int], margins: list[float]) -> None:
        place = 0
        for doc, count in zip(documents, counts, strict=True):
            first = len(doc.user_data[HEADS])
            own = heads[place : place + count]
            doc.user_data[HEADS].extend(first + (head if head >= 0 else at) for at, head in enumerate(own))
            doc.user_data[SCORES].extend(margins[place : place + count])
            place += count


def token_offsets(doc: Doc) -> list[int]:
    """Give the first character of each token."""
    sizes = doc.to_array(["LENGTH", "SPACY"]).sum(axis=1)
    return [0, *np.cumsum(sizes)[:-1].tolist()] if len(doc) else []


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
    """Give the sentences of an annotated document as records."""
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
