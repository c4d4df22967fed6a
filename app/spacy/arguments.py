"""spaCy component for English: `kakari_arguments` finds predicates and their arguments in the trees of a document.

They are kept in `doc.user_data` as lists of whole numbers and of strings (so they survive `to_bytes`, `DocBin` and
worker processes), shown as `doc._.predicates`, and drawn by displaCy from `doc.spans["kakari.arguments"]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, ClassVar

from spacy.language import Language
from spacy.tokens import Doc, Span, Token
from spacy.training import Example

from kakari.parsers.arguments.candidates.frames import Frame, FramedSentence
from kakari.parsers.arguments.model import ArgumentModel, load_arguments
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.tokens import TokenSpan
from kakari.spacy.component import ModelComponent
from kakari.spacy.english import SPANS, constituents_of, flat_trees, gold_doc, has_trees, leaf_tokens

PLACES, NAMES = "kakari_predicate_places", "kakari_predicate_names"
ROLESETS = "kakari_predicate_rolesets"
GROUP = "kakari.arguments"
ITSELF = "V"


@dataclass(frozen=True)
class Predicate:
    """A predicate of a document.

    Attributes
    ----------
    token : Token
    lemma : str
        Its base form.
    arguments : tuple of Span
        From left to right; the label of each is its role.
    roleset : str
        PropBank's name of its sense (`see.01`); empty where none was told.
    """

    token: Token
    lemma: str
    arguments: tuple[Span, ...]
    roleset: str = ""


def doc_predicates(doc: Doc) -> tuple[Predicate, ...]:
    """Return a document's predicates, from left to right."""
    return tuple(
        Predicate(
            doc[frame.token],
            frame.lemma,
            tuple(Span(doc, *span, label=role) for span, role in zip(frame.spans, frame.roles, strict=True)),
            frame.roleset,
        )
        for frame in doc_frames(doc)
    )


def doc_frames(doc: Doc) -> list[Frame]:
    """Return a document's predicates as frames over spaCy's tokens.

    A `DocBin` without user data keeps the spans that are drawn, from which they are read then.
    """
    if PLACES not in doc.user_data and GROUP in doc.spans:
        return drawn_frames(doc)
    places, names = iter(doc.user_data.get(PLACES) or ()), iter(doc.user_data.get(NAMES) or ())
    rolesets = iter(doc.user_data.get(ROLESETS) or ())
    frames = []
    for token in places:
        count = next(places)
        spans = tuple((next(places), next(places)) for _ in range(count))
        named = next(names), spans, tuple(next(names) for _ in range(count))
        frames.append(Frame(token, *named, next(rolesets, "")))
    return frames


def drawn_frames(doc: Doc) -> list[Frame]:
    """Return the predicates that the spans of a document show: each one's own word, then its arguments."""
    frames: list[Frame] = []
    for span in doc.spans[GROUP]:
        lemma, _, role = span.label_.rpartition(":")
        if role == ITSELF:
            frames.append(Frame(span.start, lemma))
        elif frames:
            last = frames[-1]
            frames[-1] = replace(last, spans=(*last.spans, (span.start, span.end)), roles=(*last.roles, role))
    return frames


def set_frames(doc: Doc, frames: Sequence[Frame]) -> None:
    """Annotate a document with predicates over spaCy's tokens."""
    places: list[int] = []
    names: list[str] = []
    drawn = []
    for frame in frames:
        places += [frame.token, len(frame.spans), *(place for span in frame.spans for place in span)]
        names += [frame.lemma, *frame.roles]
        drawn.append(Span(doc, frame.token, frame.token + 1, label=f"{frame.lemma}:{ITSELF}"))
        for span, role in zip(frame.spans, frame.roles, strict=True):
            drawn.append(Span(doc, *span, label=f"{frame.lemma}:{role}"))
    doc.user_data[PLACES], doc.user_data[NAMES] = places, names
    doc.user_data[ROLESETS] = [frame.roleset for frame in frames]
    doc.spans[GROUP] = drawn


def register_extensions() -> None:
    """Register what this module shows."""
    if not Doc.has_extension("predicates"):
        Doc.set_extension("predicates", getter=doc_predicates)


class ArgumentsComponent(ModelComponent):
    """Finds predicates and arguments in documents with trees."""

    embedded: ClassVar[str] = "en"
    register_extensions = staticmethod(register_extensions)

    def __init__(self, nlp: Language, name: str, model_name: str, scorer: Any, *, nominal: bool = False) -> None:
        super().__init__(nlp, name, model_name, scorer)
        self.cfg["nominal"] = nominal

    @staticmethod
    def load_model(name: str) -> ArgumentModel:
        """Return the embedded model, or the one of a file of `train en-arguments` or `train en-boundary`."""
        return load_arguments(name)

    @staticmethod
    def read_model(data: bytes) -> ArgumentModel:
        """Return the model of a file's bytes."""
        return ArgumentModel.from_bytes(data)

    def predict(self, documents: Sequence[Doc]) -> list[list[Frame]]:
        """Return the predicates of each document, over spaCy's tokens."""
        for doc in documents:
            if len(doc) and not has_trees(doc):
                raise ValueError(f"[{self.name}] the document has no trees: put kakari_constituency before it")
        sentences = [(one, tree) for doc in documents if len(doc) for one, tree in flat_trees(doc)]
        found: dict[int, list[Frame]] = {}
        answered = self.trained.find([tree for _, tree in sentences], nominal=self.cfg["nominal"])
        for doc, own in groupby(zip(sentences, answered, strict=True), lambda pair: pair[0][0].doc):
            pairs = list(own)
            groups = leaf_tokens(doc, (one for (one, _), _ in pairs))
            found[id(doc)] = [
                over_tokens(frame, leaves)
                for (_, answer), leaves in zip(pairs, groups, strict=True)
                for frame in answer.frames
            ]
        return [found.get(id(doc), []) for doc in documents]

    def set_annotations(self, documents: Sequence[Doc], found: Sequence[Sequence[Frame]]) -> None:
        """Put predicates into the documents."""
        for doc, frames in zip(documents, found, strict=True):
            set_frames(doc, frames)

    def initialize(self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None) -> None:
        """Train on the whole corpus, whose documents carry trees and predicates (see `gold_arguments_doc`)."""
        sentences = [one for example in get_examples() for one in framed_sentences(example.reference)]
        if not any(frame.spans for one in sentences for frame in one.frames):
            raise ValueError(f"[{self.name}] no training document has arguments: make them with gold_arguments_doc")
        from kakari.parsers.arguments.training import train_arguments

        self._model = train_arguments(sentences)

    def _learn(self, documents: Sequence[Doc]) -> float:
        """Learn from annotated documents; the loss is the number of predicates whose arguments were wrong before."""
        from kakari.parsers.correcting.updating import updated_arguments

        sentences = [one for doc in documents for one in framed_sentences(doc) if one.frames]
        if not sentences:
            return 0.0
        self._model, wrong = updated_arguments(self.trained, sentences)
        return wrong


def over_tokens(frame: Frame, groups: Sequence[TokenSpan]) -> Frame:
    """Turn a frame over the treebank's tokens into one over spaCy's."""
    spans = tuple((groups[begin][0], groups[end - 1][1]) for begin, end in frame.spans)
    return Frame(groups[frame.token][0], frame.lemma, spans, frame.roles, frame.roleset)


def framed_sentences(doc: Doc) -> list[FramedSentence]:
    """Return the trees of an annotated document with their predicates, over its own tokens."""
    frames, found = doc_frames(doc), []
    for sentence in doc.sents if doc.has_annotation("SENT_START") and SPANS in doc.user_data else ():
        start, stop = sentence.start, sentence.end
        nodes = tuple((label, b - start, e - start) for label, b, e in constituents_of(doc) if start <= b and e <= stop)
        tree = FlatTree(tuple(token.text for token in sentence), tuple(token.tag_ for token in sentence), nodes)
        own = tuple(
            replace(frame, token=frame.token - start, spans=tuple((b - start, e - start) for b, e in frame.spans))
            for frame in frames
            if start <= frame.token < stop
        )
        found.append(FramedSentence(tree, own))
    return found


def gold_arguments_doc(nlp: Language, sentence: FramedSentence) -> Doc:
    """Make a training document of a tree with predicates."""
    doc = gold_doc(nlp, sentence.tree)
    set_frames(doc, sentence.frames)
    return doc


@Language.factory(
    "kakari_arguments",
    assigns=["doc._.predicates", "doc.spans"],
    requires=["span._.parse_string"],
    default_config={"model": "en", "nominal": False, "scorer": {"@scorers": "kakari.arguments_scorer.v1"}},
    default_score_weights={"arguments_f": 1.0, "arguments_p": 0.0, "arguments_r": 0.0, "arguments_labelled_f": 0.0},
)
def make_arguments(nlp: Language, name: str, model: str, nominal: bool, scorer: Any) -> ArgumentsComponent:
    """Make the component; `model` is "en" for the embedded one, or a file; `nominal` admits nouns and adjectives."""
    return ArgumentsComponent(nlp, name, model, scorer, nominal=nominal)


def make_arguments_scorer() -> Callable[..., dict[str, Any]]:
    """Make the scorer of arguments."""
    return score_arguments


def score_arguments(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
    """Score arguments by characters, each with its predicate: precision, recall, F1, and F1 with roles."""
    found = gold = right = labelled = 0
    for example in examples:
        have, wanted = _pairs(example.predicted), _pairs(example.reference)
        found, gold, labelled = found + len(have), gold + len(wanted), labelled + len(have & wanted)
        right += len({pair[:3] for pair in have} & {pair[:3] for pair in wanted})
    return {
        "arguments_p": right / found if found else 0.0,
        "arguments_r": right / gold if gold else 0.0,
        "arguments_f": 2 * right / (found + gold) if found + gold else None,
        "arguments_labelled_f": 2 * labelled / (found + gold) if found + gold else None,
        # What `spacy evaluate --spans-key kakari.arguments` shows.
        f"spans_{GROUP}_p": labelled / found if found else 0.0,
        f"spans_{GROUP}_r": labelled / gold if gold else 0.0,
        f"spans_{GROUP}_f": 2 * labelled / (found + gold) if found + gold else None,
    }


def _pairs(doc: Doc) -> set[tuple[int, int, int, str]]:
    return {
        (predicate.token.idx, span.start_char, span.end_char, span.label_)
        for predicate in doc_predicates(doc)
        for span in predicate.arguments
    }
