"""The spaCy component `kakari_parser`: tags, lemmas, features and Universal Dependencies with any dependency model.

It sets `pos_`, `tag_`, `lemma_`, `morph`, `head` and `dep_`, and sentences where there are none. Where
`kakari_constituency` ran before, words and tags are those of its trees. The words of an English model are the
treebank's: a token of spaCy's that is several words (`and/or`) carries the one that the others lean on, and of several
tokens that are one word the first carries it, and the others lean on it (`goeswith`). White space leans on the token
before it. With `beam`, the k best trees are compared, and `token._.arc_probability` says how sure an arc is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from spacy.attrs import IDS
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc, Token
from spacy.training import Example

from kakari.parsers.dependency.model import DependencyModel, pretrained_model
from kakari.parsers.dependency.treebank import TreeSentence
from kakari.parsers.english.words.tokens import piece_spans, sentence_groups
from kakari.spacy.component import ModelComponent
from kakari.spacy.english import LEAVES, doc_tokens, named_leaves, sentences_of
from kakari.spacy.noun_chunks import noun_chunks

POS: dict[str, int] = import_module("spacy.parts_of_speech").IDS  # a compiled module without stubs
PROBABILITIES = "kakari_arc_probabilities"
WRITTEN = [IDS[name] for name in ("TAG", "POS", "LEMMA", "MORPH", "HEAD", "DEP")]
EMBEDDED = "en-ud"


def token_arc_probability(token: Token) -> float | None:
    """Return how probable the head of a token is; None if that was not asked for."""
    found = token.doc.user_data.get(PROBABILITIES)
    return found[token.i] if found else None


def register_extensions() -> None:
    """Register what this module shows; an attribute that another library has taken is left alone."""
    if not Token.has_extension("arc_probability"):
        Token.set_extension("arc_probability", getter=token_arc_probability)


@dataclass(frozen=True)
class Words:
    """The words of a sentence of a document.

    Attributes
    ----------
    forms : list of str
    owners : list of (int, int)
        The tokens of the document that each word lies in, or that lie in it.
    tags : list of str or None
        Fine tags, if the document has them.
    """

    forms: list[str]
    owners: list[tuple[int, int]]
    tags: list[str] | None


@dataclass(frozen=True)
class Found:
    """Annotation of a document: rows of tag, part of speech, lemma, features, head, relation, probability."""

    rows: list[tuple[str, str, str, str, int, str]]
    probabilities: list[float] | None


class ParserComponent(ModelComponent):
    """Finds tags and dependency trees."""

    embedded: ClassVar[str] = EMBEDDED
    register_extensions = staticmethod(register_extensions)

    def __init__(
        self, nlp: Language, name: str, model_name: str, beam: int, scorer: Callable[..., dict[str, Any]] | None
    ) -> None:
        super().__init__(nlp, name, model_name, scorer)
        self.cfg["beam"] = beam
        self.language = nlp.lang or "xx"
        if nlp.lang == "en":
            vocab: Any = nlp.vocab
            vocab.get_noun_chunks = noun_chunks

    @staticmethod
    def load_model(name: str) -> DependencyModel:
        """Return the embedded model, or the one of a file."""
        return pretrained_model(name) if name == EMBEDDED else DependencyModel.load(name)

    @staticmethod
    def read_model(data: bytes) -> DependencyModel:
        """Return the model of a file's bytes."""
        return DependencyModel.from_bytes(data)

    def predict(self, documents: Sequence[Doc]) -> list[Found]:
        """Return tags and trees of each document; sentences are marked where there are none."""
        model: DependencyModel = self.trained
        words = [words_of(doc, model.language) for doc in documents]
        lines = [own for found in words for own in found]
        columns = model.tagger.tag([own.forms for own in lines], [own.tags for own in lines])
        trees: Iterator[tuple[TreeSentence, Sequence[float] | None]]
        if self.cfg["beam"]:
            scored, sure = model.best_with_probabilities(columns, self.cfg["beam"])
            trees = zip((own[0][1] for own in scored), sure, strict=True)
        else:
            trees = ((tree, None) for tree in model.parse_tagged(columns))
        return [annotation(doc, own, [next(trees) for _ in own]) for doc, own in zip(documents, words, strict=True)]

    def set_annotations(self, documents: Sequence[Doc], found: Sequence[Found]) -> None:
        """Put tags and trees into the documents."""
        for doc, own in zip(documents, found, strict=True):
            if own.rows:
                add, morphology = doc.vocab.strings.add, doc.vocab.morphology
                values: Any = np.array(
                    [
                        (add(tag), POS.get(pos, 0), add(lemma), morphology.add(features), (head - at) % 2**64, add(dep))
                        for at, (tag, pos, lemma, features, head, dep) in enumerate(own.rows)
                    ],
                    dtype=np.uint64,
                )
                doc.from_array(WRITTEN, values)
            if self.language == "en":
                document: Any = doc
                document.noun_chunks_iterator = noun_chunks
            if own.probabilities is not None:
                doc.user_data[PROBABILITIES] = own.probabilities

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        order: int = 3,
        passes: int = 6,
        folds: int = 5,
    ) -> None:
        """Train on the whole corpus, whose documents carry trees; `order`, `passes`, `folds` as on the command line."""
        from kakari.parsers.dependency.training import DependencySettings, train

        sentences = [sentence for example in get_examples() for sentence in doc_trees(example.reference)]
        if not sentences:
            raise ValueError(f"[{self.name}] no training document has dependency trees")
        settings = DependencySettings(order=order, passes=passes, folds=folds)
        self._model = train(sentences, settings, language=self.language)


def words_of(doc: Doc, language: str) -> list[Words]:
    """Return the words of each sentence of a document, with their tags if the document has them."""
    if language != "en":
        return [_plain_words(doc, sentence.start, sentence.end) for sentence in _marked(doc).sents
                if not sentence.text.isspace()]  # fmt: skip
    if LEAVES in doc.user_data and doc.has_annotation("SENT_START"):
        return _leaf_words(doc)
    tokens = doc_tokens(doc)
    sentences = sentences_of(doc, tokens)
    if LEAVES in doc.user_data:
        return _leaf_words(doc)
    found = []
    for groups in sentences:
        pieces = [(span, group) for group in groups for span in piece_spans(tokens, group)]
        owners = [group for _, group in pieces]
        tags = [doc[begin].tag_ for begin, _ in owners]
        # A token that is several words has one tag, which is not enough.
        known = all(tags) and len(set(owners)) == len(owners)
        found.append(Words([tokens.text[b:e] for (b, e), _ in pieces], owners, tags if known else None))
    return found


def _leaf_words(doc: Doc) -> list[Words]:
    """Return the leaves of the constituency trees, sentence by sentence."""
    tokens = doc_tokens(doc)
    starts, text = tokens.begins, tokens.text
    firsts = [starts[sentence.start] for sentence in doc.sents]
    found: dict[int, Words] = {}
    for tag, begin, end in named_leaves(doc):
        own = found.setdefault(bisect_right(firsts, begin), Words([], [], []))
        own.forms.append(text[begin:end])
        own.owners.append((bisect_right(starts, begin) - 1, bisect_left(starts, end)))
        if own.tags is not None:
            own.tags.append(tag)
    return list(found.values())


def _plain_words(doc: Doc, start: int, end: int) -> Words:
    kept = [token for token in doc[start:end] if not token.is_space]
    tags = [token.tag_ for token in kept]
    return Words(
        [token.text for token in kept], [(token.i, token.i + 1) for token in kept], tags if all(tags) else None
    )


def _marked(doc: Doc) -> Doc:
    """Mark sentences where there are none, and return the document."""
    if len(doc) and not doc.has_annotation("SENT_START"):
        tokens = doc_tokens(doc)
        groups = [(token.i, token.i + 1) for token in doc if not token.is_space]
        starts = {groups[begin][0] for begin, _ in sentence_groups(tokens, groups)} if groups else set()
        starts = (starts - {groups[0][0]} if groups else starts) | {0}
        for token in doc:
            token.is_sent_start = token.i in starts
    return doc


def annotation(doc: Doc, words: Sequence[Words], trees: Sequence[tuple[TreeSentence, Sequence[float] | None]]) -> Found:
    """Turn the trees of words into rows of tokens."""
    rows: list[Any] = [None] * len(doc)
    probabilities = [1.0] * len(doc)
    for own, (tree, sure) in zip(words, trees, strict=True):
        carriers = _carriers(own, tree)
        for place, (begin, end) in enumerate(own.owners):
            if carriers[begin] != place:
                continue
            _, lemma, coarse, fine, features = tree.words[place]
            head = tree.heads[place]
            at = begin if head == 0 else own.owners[head - 1][0]
            relation = "ROOT" if head == 0 else tree.relations[place]
            rows[begin] = (fine, coarse, lemma, "" if features == "_" else features, at, relation)
            probabilities[begin] = 1.0 if sure is None else round(sure[place], 6)
            for rest in range(begin + 1, end):
                if not doc[rest].is_space:
                    rows[rest] = (fine, "X", doc[rest].lower_, "", begin, "goeswith")
    first = next((at for at, row in enumerate(rows) if row is not None), 0)
    for at, row in enumerate(rows):
        if row is None:
            rows[at] = ("_SP", "SPACE", doc[at].text, "", first if at < first else max(at - 1, 0), "dep")
    has_probabilities = any(sure is not None for _, sure in trees)
    return Found(rows, probabilities if has_probabilities else None)


def _carriers(own: Words, tree: TreeSentence) -> dict[int, int]:
    """Return, for the first token of each word, the word that it carries: the first whose head is not in the token."""
    found: dict[int, int] = {}
    for place, (begin, _) in enumerate(own.owners):
        head = tree.heads[place]
        outside = head == 0 or own.owners[head - 1][0] != begin
        if outside and begin not in found:
            found[begin] = place
    return found


def doc_trees(doc: Doc) -> list[TreeSentence]:
    """Return the trees of an annotated document over its own tokens, white space left out."""
    if not doc.has_annotation("DEP"):
        return []
    found = []
    for sentence in doc.sents:
        kept = [token for token in sentence if not token.is_space]
        places = {token.i: place for place, token in enumerate(kept, 1)}
        words = tuple(
            (token.text, token.lemma_ or "_", token.pos_ or "_", token.tag_ or "_", str(token.morph) or "_")
            for token in kept
        )
        heads = tuple(0 if token.head.i == token.i else places.get(token.head.i, 0) for token in kept)
        relations = tuple("root" if head == 0 else token.dep_ for token, head in zip(kept, heads, strict=True))
        found.append(TreeSentence(words, heads, relations))
    return [sentence for sentence in found if sentence.words]


@Language.factory(
    "kakari_parser",
    assigns=["token.tag", "token.pos", "token.lemma", "token.morph", "token.head", "token.dep", "token.is_sent_start",
             "token._.arc_probability"],
    default_config={"model": EMBEDDED, "beam": 0, "scorer": {"@scorers": "kakari.parser_scorer.v1"}},
    default_score_weights={"dep_uas": 0.5, "dep_las": 0.5, "tag_acc": 0.0, "pos_acc": 0.0, "lemma_acc": 0.0,
                           "morph_acc": 0.0},
)  # fmt: skip
def make_parser(nlp: Language, name: str, model: str, beam: int, scorer: Any) -> ParserComponent:
    """Make the component; `model` is "en-ud" for the embedded one, or a file; `beam` trees are compared, if any."""
    return ParserComponent(nlp, name, model, beam, scorer)


def make_parser_scorer() -> Callable[..., dict[str, Any]]:
    """Make the scorer of tags and trees."""
    return score_parses


def score_parses(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
    """Score tags, lemmas, features, heads and relations as spaCy's own components do."""
    kept = list(examples)
    figures = {"dep_uas": None, "dep_las": None}
    figures |= Scorer.score_deps(kept, "dep", getter=_relation, head_attr="head", ignore_labels=("punct",))
    for name in ("tag", "pos", "lemma"):
        figures |= Scorer.score_token_attr(kept, name)
    return figures | Scorer.score_token_attr(kept, "morph", getter=_features)


def _features(token: Token, name: str) -> int:
    """Return the number of a token's features, which a comparison with 0 does not break on."""
    features: Any = token.morph
    return int(features.key)


def _relation(token: Token, name: str) -> str:
    return token.dep_
