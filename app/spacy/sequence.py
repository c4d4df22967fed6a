"""The spaCy component `kakari_sequence`: spans by a sequence labeller, English chunks with the embedded one.

Spans go to `doc.spans` under a key, `kakari.chunks` by default; a span's label is the chunk's type, or the label itself
where labels are not chunks. A labeller's columns are attributes of tokens (`attributes`: ORTH and TAG by default).
Where `kakari_constituency` has left the treebanks' tokens and their tags in a document, and these two are asked for,
they are used: chunks are then those that the command line prints, over the tokens of spaCy's that they lie in.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.training import Example

from kakari.models.files import ModelFileError
from kakari.parsers.english.chunks.chunker import pretrained_chunks
from kakari.parsers.sequences.chunk_tags import chunks_of, is_chunking
from kakari.parsers.sequences.model import SequenceModel, WrongColumnsError
from kakari.parsers.sequences.training import SequenceSettings, train
from kakari.spacy.component import ModelComponent
from kakari.spacy.english import doc_tokens, treebank_leaves

KEY = "kakari.chunks"
TREEBANK = ["ORTH", "TAG"]
Place = tuple[int, int]  # first token, behind the last
Labelled = tuple[int, int, str]


class SequenceComponent(ModelComponent):
    """Labels tokens and keeps the spans."""

    embedded: ClassVar[str] = "en-chunks"

    def __init__(
        self, nlp: Language, name: str, model_name: str, scorer: Any, spans_key: str, attributes: list[str]
    ) -> None:
        super().__init__(nlp, name, model_name, scorer)
        unknown = [one for one in attributes if one not in ATTRIBUTES]
        if unknown or not attributes:
            raise ValueError(f"[{name}] attributes are some of {', '.join(ATTRIBUTES)}, not {unknown or 'none'}")
        self.cfg |= {"spans_key": spans_key, "attributes": list(attributes)}

    def _set_config(self, config: dict[str, Any]) -> None:
        names = config.get("attributes") if isinstance(config, dict) else None
        if not isinstance(names, list) or not names or any(name not in list(ATTRIBUTES) for name in names):
            raise ModelFileError("<bytes>", "the settings of the component are damaged")
        super()._set_config(config)

    @staticmethod
    def register_extensions() -> None:
        """Register nothing: spans are spaCy's own."""

    @staticmethod
    def load_model(name: str) -> SequenceModel:
        """Return the embedded model, or the one of a file."""
        return pretrained_chunks() if name == "en-chunks" else SequenceModel.load(name)

    @staticmethod
    def read_model(data: bytes) -> SequenceModel:
        """Return the model of a file's bytes."""
        return SequenceModel.from_bytes(data)

    def predict(self, documents: Sequence[Doc]) -> list[list[Labelled]]:
        """Return the spans of each document as first token, the token behind the last, and label."""
        model: SequenceModel = self.trained
        attributes = self.cfg["attributes"]
        if len(attributes) != len(model.fields):
            raise WrongColumnsError(model.fields, len(attributes))
        by_document = [sentences_of(doc, attributes) for doc in documents]
        pieces = [sentence for sentences in by_document for sentence in sentences]
        fields = [[columns[number] for _, columns in pieces] for number in range(len(attributes))]
        labels = iter(zip(pieces, model.predict_fields(fields), strict=True)) if pieces else iter(())
        chunking = is_chunking(model.labels)
        found = []
        for sentences in by_document:
            own: list[Labelled] = []
            for _ in sentences:
                (places, _), names = next(labels)
                own += spans_of(places, names, chunking=chunking)
            found.append(own)
        return found

    def score(self, examples: Iterable[Example], **options: Any) -> dict[str, Any]:
        """Score annotated examples by the spans under the component's key."""
        return super().score(examples, spans_key=self.cfg["spans_key"], **options)

    def set_annotations(self, documents: Sequence[Doc], found: list[list[Labelled]]) -> None:
        """Put the spans into the documents."""
        for doc, own in zip(documents, found, strict=True):
            doc.spans[self.cfg["spans_key"]] = [Span(doc, begin, end, label) for begin, end, label in own]

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        passes: int = 10,
        beam: int = 4,
    ) -> None:
        """Train on the whole corpus, whose documents have spans under the component's key.

        The settings are those of `[initialize.components]` in spaCy's config.
        """
        attributes = self.cfg["attributes"]
        rows: list[list[tuple[str, ...]]] = []
        labels: list[list[str]] = []
        for example in get_examples():
            doc = example.reference
            marks = gold_labels(doc, self.cfg["spans_key"])
            for places, columns in sentences_of(doc, attributes, leaves=False):
                rows.append(list(zip(*columns, strict=True)))
                labels.append([marks[begin] for begin, _ in places])
        if not any(name != "O" for line in labels for name in line):
            raise ValueError(f"[{self.name}] no training document has spans under the key '{self.cfg['spans_key']}'")
        fields = tuple(name.lower() for name in attributes)
        self._model = train(rows, labels, SequenceSettings(fields=fields, passes=passes, beam=beam))


ATTRIBUTES = ("ORTH", "LOWER", "NORM", "LEMMA", "TAG", "POS", "DEP", "SHAPE", "PREFIX", "SUFFIX", "ENT_TYPE", "MORPH")


def sentences_of(
    doc: Doc, attributes: Sequence[str], *, leaves: bool = True
) -> list[tuple[list[Place], list[list[str]]]]:
    """Return the tokens of each sentence, white space left out: their places, and their strings column by column."""
    if leaves and list(attributes) == TREEBANK:
        found = _leaf_sentences(doc)
        if found is not None:
            return found
    marked = doc.has_annotation("SENT_START")
    spans = list(doc.sents) if marked else [doc[:]] if len(doc) else []
    sentences = []
    for span in spans:
        tokens = [token for token in span if not token.is_space]
        columns = [[_text(token, name) for token in tokens] for name in attributes]
        sentences.append(([(token.i, token.i + 1) for token in tokens], columns))
    return sentences


def _text(token: Any, attribute: str) -> str:
    return str(token.morph) if attribute == "MORPH" else str(getattr(token, f"{attribute.lower()}_"))


def _leaf_sentences(doc: Doc) -> list[tuple[list[Place], list[list[str]]]] | None:
    """Return the treebanks' tokens of each sentence with their tags; None if the document has none."""
    leaves = treebank_leaves(doc)
    if leaves is None:
        return None
    tokens = doc_tokens(doc)
    text, starts = tokens.text, tokens.begins
    sentences = []
    for own in leaves:
        places = [(bisect_right(starts, begin) - 1, bisect_left(starts, end)) for _, begin, end in own]
        columns = [[text[begin:end] for _, begin, end in own], [tag for tag, _, _ in own]]
        sentences.append((places, columns))
    return sentences


def spans_of(places: Sequence[Place], labels: Sequence[str], *, chunking: bool) -> list[Labelled]:
    """Return chunks, or single tokens, as spans of a document's tokens.

    Examples
    --------
    >>> spans_of([(0, 1), (1, 2), (3, 4)], ["B-NP", "I-NP", "O"], chunking=True)
    [(0, 2, 'NP')]
    """
    if not chunking:
        return [(begin, end, label) for (begin, end), label in zip(places, labels, strict=True)]
    return [(places[first][0], places[last - 1][1], kind) for first, last, kind in chunks_of(labels)]


def gold_labels(doc: Doc, key: str) -> list[str]:
    """Return the label of each token, from the document's spans; overlapping ones are refused."""
    labels = ["O"] * len(doc)
    for span in doc.spans.get(key) or []:
        if any(label != "O" for label in labels[span.start : span.end]):
            raise ValueError(f"spans under the key '{key}' overlap: '{span.text[:40]}'")
        labels[span.start : span.end] = [f"B-{span.label_}"] + [f"I-{span.label_}"] * (len(span) - 1)
    return labels


@Language.factory(
    "kakari_sequence",
    assigns=["doc.spans"],
    default_config={
        "model": "en-chunks",
        "spans_key": KEY,
        "attributes": TREEBANK,
        "scorer": {"@scorers": "kakari.sequence_scorer.v1"},
    },
    default_score_weights={"chunks_f": 1.0, "chunks_p": 0.0, "chunks_r": 0.0},
)
def make_sequence(
    nlp: Language, name: str, model: str, spans_key: str, attributes: list[str], scorer: Any
) -> SequenceComponent:
    """Make the component; `model` is "en-chunks" for the embedded one, or a file of `kakari train sequence`."""
    return SequenceComponent(nlp, name, model, scorer, spans_key, attributes)


def make_sequence_scorer() -> Callable[..., dict[str, Any]]:
    """Make the scorer of spans."""
    return score_sequence


def score_sequence(examples: Iterable[Example], *, spans_key: str = KEY, **options: Any) -> dict[str, Any]:
    """Score the spans of predicted documents: `chunks_p`, `chunks_r`, `chunks_f`, and by label."""
    return Scorer.score_spans(
        examples,
        "chunks",
        getter=lambda doc, attribute: doc.spans.get(spans_key) or [],
        has_annotation=lambda doc: spans_key in doc.spans,
        labeled=True,
        allow_overlap=False,
    )
