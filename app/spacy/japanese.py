"""spaCy components for Japanese: `kakari_bunsetsu` finds bunsetsu, `kakari_dependency` their heads.

With `tokens`, the latter sets Universal Dependencies too: `token.head`, `token.dep_` and `token.pos_`. What they find
is kept and shown as `kakari.spacy.bunsetsu` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from kakari.parsers.japanese.model import JapaneseModel
from kakari.parsers.japanese.parser import WORDS, pretrained_model
from kakari.parsers.japanese.universal.model import Converter, pretrained_universal
from kakari.spacy.arrays import (
    TREE_AND_PARTS,
    find_bunsetsu,
    find_heads,
    per_document,
    read_documents,
    token_trees,
)
from kakari.spacy.bunsetsu import HEADS, SCORES, STARTS, register_extensions
from kakari.spacy.component import ModelComponent
from kakari.spacy.gold import doc_records
from kakari.spacy.noun_chunks import japanese_noun_chunks


class JapaneseComponent(ModelComponent):
    """Base of both components."""

    embedded: ClassVar[str] = "ja"
    register_extensions = staticmethod(register_extensions)

    @staticmethod
    def load_model(name: str) -> JapaneseModel:
        """Return an embedded model, or the one of a file."""
        return pretrained_model(name) if name in WORDS.values() else JapaneseModel.load(name)

    def _is_embedded(self) -> bool:
        name = self.cfg["model"]
        return name in WORDS.values() and self._model is self.load_model(name)

    @staticmethod
    def read_model(data: bytes) -> JapaneseModel:
        """Return the model of a file's bytes."""
        return JapaneseModel.from_bytes(data)

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        degree: int = 2,
        passes: int = 20,
    ) -> None:
        """Train on the whole corpus, whose documents carry bunsetsu and heads (see `gold_doc`).

        The settings are those of `[initialize.components]` in spaCy's config: the kernel's degree, and passes.
        """
        records = [record for example in get_examples() for record in doc_records(example.reference)]
        if not records:
            raise ValueError(f"[{self.name}] no training document has bunsetsu: make them with kakari's gold_doc")
        from kakari.parsers.japanese.training import JapaneseSettings, LearnerSettings, ParserSettings, train

        learner = LearnerSettings(degree=degree, passes=passes)
        parsers = (ParserSettings(learner=learner),)
        self._model = train(records, JapaneseSettings(tagset="sudachi", segmenter=learner, parsers=parsers))


class BunsetsuComponent(JapaneseComponent):
    """Cuts documents into bunsetsu; marks sentences too where the pipeline has none."""

    def predict(self, documents: Sequence[Doc]) -> list[list[int]]:
        """Return the first token of each bunsetsu of each document; sentences are marked where there are none."""
        for doc in documents:
            if doc.lang_ not in ("ja", "xx", ""):
                raise ValueError(f"[{self.name}] this is a document of language '{doc.lang_}': bunsetsu are Japanese")
        rows = read_documents(documents, self.trained.lexicon)
        starts = find_bunsetsu(rows, self.trained)
        return per_document(starts, rows.cuts(starts), rows.bounds[:-1])

    def set_annotations(self, documents: Sequence[Doc], found: list[list[int]]) -> None:
        """Put bunsetsu into the documents; heads of earlier ones are forgotten."""
        for doc, starts in zip(documents, found, strict=True):
            doc.user_data[STARTS] = starts
            doc.user_data.pop(HEADS, None)


@dataclass(frozen=True)
class FoundInDoc:
    """Heads and scores of a document's bunsetsu; HEAD, DEP and POS of its tokens, if they were looked for."""

    heads: list[int]
    scores: list[float]
    tokens: NDArray[np.uint64] | None = None


class DependencyComponent(JapaneseComponent):
    """Finds the head of each bunsetsu; with `tokens`, Universal Dependencies of the tokens too."""

    def __init__(self, nlp: Language, name: str, model_name: str, scorer: Any, tokens: bool = False) -> None:
        super().__init__(nlp, name, model_name, scorer)
        self.cfg["tokens"] = tokens
        self._converter: tuple[JapaneseModel, Converter] | None = None
        if tokens:
            vocab: Any = nlp.vocab
            vocab.get_noun_chunks = japanese_noun_chunks

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_converter": None}

    @property
    def converter(self) -> Converter:
        """The converter from the model's bunsetsu to Universal Dependencies."""
        known, model = self._converter, self.trained
        if known is None or known[0] is not model:
            known = self._converter = model, Converter(pretrained_universal(), model.lexicon.strings)
        return known[1]

    def predict(self, documents: Sequence[Doc]) -> list[FoundInDoc]:
        """Return the heads of the bunsetsu of each document, the scores of these arcs, and the trees of tokens."""
        for doc in documents:
            if STARTS not in doc.user_data:
                raise ValueError(f"[{self.name}] the document has no bunsetsu: put kakari_bunsetsu before this")
        rows = read_documents(documents, self.trained.lexicon)
        own = [doc.user_data[STARTS] for doc in documents]
        counted = [begin + start for begin, starts in zip(rows.bounds.tolist(), own, strict=False) for start in starts]
        starts = np.array(counted, dtype=np.int64)
        found = find_heads(rows, starts, self.trained)
        cuts = rows.cuts(starts)
        heads, scores = per_document(found.heads, cuts, cuts[:-1]), per_document(found.scores, cuts)
        trees: list[Any] = [None] * len(documents)
        if self.cfg["tokens"]:
            columns = token_trees(rows, found, self.converter).columns(self.vocab)
            trees = [columns[begin:end] for begin, end in pairwise(rows.bounds.tolist())]
        return [FoundInDoc(*one) for one in zip(heads, scores, trees, strict=True)]

    def set_annotations(self, documents: Sequence[Doc], found: list[FoundInDoc]) -> None:
        """Put heads, scores and trees into the documents."""
        for doc, one in zip(documents, found, strict=True):
            doc.user_data[HEADS], doc.user_data[SCORES] = one.heads, one.scores
            if one.tokens is not None and len(doc):
                values: Any = one.tokens
                doc.from_array(TREE_AND_PARTS, values)
                document: Any = doc
                document.noun_chunks_iterator = japanese_noun_chunks


@Language.factory(
    "kakari_bunsetsu",
    assigns=["doc._.bunsetsu", "token.is_sent_start"],
    default_config={"model": "ja", "scorer": {"@scorers": "kakari.bunsetsu_scorer.v1"}},
    default_score_weights={"bunsetsu_f": 1.0, "bunsetsu_p": 0.0, "bunsetsu_r": 0.0},
)
def make_bunsetsu(nlp: Language, name: str, model: str, scorer: Any) -> BunsetsuComponent:
    """Make the component; `model` is "ja" or "ja-juman" (our own words) for an embedded one, or a file."""
    return BunsetsuComponent(nlp, name, model, scorer)


@Language.factory(
    "kakari_dependency",
    requires=["doc._.bunsetsu"],
    assigns=["span._.head"],
    default_config={"model": "ja", "tokens": False, "scorer": {"@scorers": "kakari.dependency_scorer.v1"}},
    default_score_weights={"bunsetsu_dep_acc": 1.0},
)
def make_dependency(nlp: Language, name: str, model: str, tokens: bool, scorer: Any) -> DependencyComponent:
    """Make the component; with `tokens`, `token.head`, `token.dep_` and `token.pos_` are set as well."""
    return DependencyComponent(nlp, name, model, scorer, tokens)
