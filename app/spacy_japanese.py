"""spaCy components for Japanese: `kakari_bunsetsu` finds bunsetsu, `kakari_dependency` their heads.

What they find is kept and shown as `kakari.spacy_bunsetsu` says.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import srsly
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from kakari.parsers.adapters import spacy_morphemes
from kakari.parsers.japanese import pretrained_model
from kakari.parsers.japanese_model import JapaneseModel
from kakari.parsers.japanese_training import JapaneseSettings, train
from kakari.parsers.sentences import sentence_spans
from kakari.spacy_bunsetsu import HEADS, SCORES, STARTS, bunsetsu_spans, content_token, register_extensions
from kakari.spacy_gold import doc_records


class JapaneseComponent:
    """What both components share: a model, serialisation, and the training contract without Thinc."""

    model = None
    is_trainable = True

    def __init__(self, nlp: Language, name: str, model_name: str, scorer: Callable[..., dict[str, Any]] | None) -> None:
        self.name = name
        self.vocab = nlp.vocab
        self.scorer = scorer
        self.cfg: dict[str, Any] = {"model": model_name}
        self._model: JapaneseModel | None = None
        register_extensions()

    @property
    def japanese_model(self) -> JapaneseModel:
        """The trained model; the embedded one, or the one at a path, is loaded on first use."""
        if self._model is None:
            named = self.cfg["model"]
            self._model = pretrained_model(named) if named == "ja" else JapaneseModel.load(named)
        return self._model

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate many documents, a batch at a time."""
        waiting = iter(stream)
        while documents := list(islice(waiting, batch_size)):
            self._annotate(documents)
            yield from documents

    def _annotate(self, documents: list[Doc]) -> None:
        raise TypeError(f"{type(self).__name__} does not annotate")

    def initialize(self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None) -> None:
        """Train on the whole corpus, whose documents carry bunsetsu and heads (see `gold_doc`)."""
        records = [record for example in get_examples() for record in doc_records(example.reference)]
        if not records:
            raise ValueError(f"[{self.name}] no training document has bunsetsu: make them with kakari's gold_doc")
        self._model = train(records, JapaneseSettings(tagset="sudachi"))

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Any = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Take part in a training loop: everything was learned by `initialize`, so nothing is left to lose."""
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        return losses

    def finish_update(self, sgd: Any) -> None:
        """Do nothing: there are no gradients."""

    def score(self, examples: Iterable[Example], **options: Any) -> dict[str, Any]:
        """Score annotated examples."""
        return {} if self.scorer is None else self.scorer(examples, **options)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Give the component's state, the model included."""
        state: dict[str, Any] = {} if "cfg" in exclude else {"cfg": self.cfg}
        if "model" not in exclude:
            state["model"] = self.japanese_model.to_bytes()
        return bytes(srsly.msgpack_dumps(state))

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> JapaneseComponent:
        """Take over a state."""
        state = srsly.msgpack_loads(data)
        if "cfg" in state and "cfg" not in exclude:
            self.cfg = state["cfg"]
        if "model" in state and "model" not in exclude:
            self._model = JapaneseModel.from_bytes(state["model"])
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the component's folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        if "cfg" not in exclude:
            srsly.write_json(folder / "cfg", self.cfg)
        if "model" not in exclude:
            self.japanese_model.save(folder / "model.safetensors")

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> JapaneseComponent:
        """Read the component's folder."""
        folder = Path(path)
        if "cfg" not in exclude:
            self.cfg = dict(srsly.read_json(folder / "cfg"))
        if "model" not in exclude:
            self._model = JapaneseModel.load(folder / "model.safetensors")
        return self

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state["_model"] = None if self._model is None or self.cfg["model"] == "ja" else self._model.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        model = state.pop("_model")
        self.__dict__.update(state)
        self._model = None if model is None else JapaneseModel.from_bytes(model)
        register_extensions()


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
