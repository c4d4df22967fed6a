"""spaCy components for English: `kakari_tagger` sets tags, `kakari_constituency` finds trees.

Trees are kept in `doc.user_data` as a list of whole numbers and a string (so they survive `to_bytes`, `DocBin` and
worker processes), and shown under the names that benepar uses: `sent._.parse_string`, `span._.labels`,
`span._.constituents`. The leaves of a tree are the tokens of the treebanks (see parsers/english_tokens.py); a
constituent is a span of those of spaCy.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.training import Example

from kakari.corpora.brackets import format_brackets, parse_brackets
from kakari.parsers.english_model import EnglishModel, pretrained_model
from kakari.parsers.english_text import detokenised
from kakari.parsers.english_tokens import TokenSpan, pieces, sentence_groups, token_groups
from kakari.parsers.english_training import EnglishSettings, train
from kakari.parsers.english_trees import FlatTree, Node, flattened, to_tree
from kakari.spacy_component import ModelComponent

if TYPE_CHECKING:
    from nltk.tree import Tree

SPANS, LABELS = "kakari_constituent_spans", "kakari_constituent_labels"


def constituents_of(doc: Doc) -> Iterator[Node]:
    """Yield a document's constituents as (label, first token, behind the last), each before those inside it."""
    places = doc.user_data.get(SPANS) or []
    return zip((doc.user_data.get(LABELS) or "").split(), places[::2], places[1::2], strict=True)


def span_labels(span: Span) -> tuple[str, ...]:
    """Give the labels of the constituents that are exactly this span, the upper ones first."""
    return tuple(label for label, begin, end in constituents_of(span.doc) if (begin, end) == (span.start, span.end))


def span_constituents(span: Span) -> Iterator[Span]:
    """Yield the constituents inside a span, itself included, each span once and before those inside it."""
    found = [(b, e) for _, b, e in constituents_of(span.doc) if span.start <= b and e <= span.end]
    return (span.doc[begin:end] for begin, end in dict.fromkeys(found))


def span_parse_string(span: Span) -> str:
    """Give the tree of a sentence, or of a span inside one, on one line."""
    return format_brackets(span_tree(span))


def span_tree(span: Span) -> Tree:
    """Give the tree of a sentence, or of a span inside one, as an `nltk.Tree`.

    Where another component made the trees (benepar), they are read from its `parse_string`.
    """
    if SPANS not in span.doc.user_data:
        if Span.has_extension("parse_string") and Span.get_extension("parse_string")[2] is not span_parse_string:
            return parse_brackets(span._.parse_string)
        raise ValueError("the document has no trees: put kakari_constituency into the pipeline")
    root = to_tree(span_flat_tree(span))
    return root[0] if len(root) == 1 and not isinstance(root[0], str) else root


def span_flat_tree(span: Span) -> FlatTree:
    """Give the tree of a span over the treebank's tokens."""
    doc = span.doc
    groups = _groups_in(doc, token_groups(doc), span.start, span.end)
    return FlatTree(
        tuple(doc[begin:end].text for begin, end in groups),
        tuple(doc[begin].tag_ or "XX" for begin, _ in groups),
        tuple(_over_groups(constituents_of(doc), groups, span.start, span.end)),
    )


def flat_trees(doc: Doc) -> list[tuple[Span, FlatTree]]:
    """Give the sentences of a document that has trees, ours or another component's, each with its tree."""
    sentences = [sentence for sentence in doc.sents if not sentence.text.isspace()]
    if SPANS not in doc.user_data:
        return [(sentence, flattened(span_tree(sentence))) for sentence in sentences]
    groups, nodes = token_groups(doc), list(constituents_of(doc))
    ends = [end for _, end in groups]
    begins = [begin for _, begin, _ in nodes]
    found = []
    for sentence in sentences:  # groups and nodes stand in the order of the text
        start, stop = sentence.start, sentence.end
        near = groups[bisect_right(ends, start) : bisect_right(ends, stop) + 1]
        own = _groups_in(doc, near, start, stop)
        inside = nodes[bisect_left(begins, start) : bisect_left(begins, stop)]
        words = tuple(doc[begin:end].text for begin, end in own)
        tags = tuple(doc[begin].tag_ or "XX" for begin, _ in own)
        found.append((sentence, FlatTree(words, tags, tuple(_over_groups(inside, own, start, stop)))))
    return found


def has_trees(doc: Doc) -> bool:
    """Say whether a document has trees, ours or another component's."""
    if SPANS in doc.user_data:
        return True
    return Span.has_extension("parse_string") and Span.get_extension("parse_string")[2] is not span_parse_string


def _over_groups(nodes: Iterable[Node], groups: list[TokenSpan], start: int, stop: int) -> Iterator[Node]:
    """Turn spans of spaCy's tokens into spans of groups."""
    firsts = {begin: number for number, (begin, _) in enumerate(groups)}
    lasts = {end: number + 1 for number, (_, end) in enumerate(groups)}
    for label, begin, end in nodes:
        if start <= begin and end <= stop and begin in firsts and end in lasts:
            yield label, firsts[begin], lasts[end]


def _groups_in(doc: Doc, groups: list[TokenSpan], start: int, stop: int) -> list[TokenSpan]:
    """Give the groups of a sentence; one that reaches over its end is cut there."""
    cut = [(max(begin, start), min(end, stop)) for begin, end in groups if begin < stop and end > start]
    return [(begin, end) for begin, end in cut if not doc[begin:end].text.isspace()]


def register_extensions() -> None:
    """Register what this module shows; an attribute that another library has taken is left alone."""
    extensions: tuple[tuple[str, Any], ...] = (
        ("labels", span_labels),
        ("constituents", span_constituents),
        ("parse_string", span_parse_string),
    )
    for name, getter in extensions:
        if not Span.has_extension(name):
            Span.set_extension(name, getter=getter)


class EnglishComponent(ModelComponent):
    """What both components share."""

    embedded: ClassVar[str] = "en"
    settings: ClassVar[EnglishSettings] = EnglishSettings()
    register_extensions = staticmethod(register_extensions)

    @staticmethod
    def load_model(name: str) -> EnglishModel:
        """Give the embedded model, or the one of a file."""
        return pretrained_model() if name == "en" else EnglishModel.load(name)

    @staticmethod
    def read_model(data: bytes) -> EnglishModel:
        """Give the model of a file's bytes."""
        return EnglishModel.from_bytes(data)

    def initialize(self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None) -> None:
        """Train on the whole corpus, whose documents carry tags and, for the parser, trees (see `gold_doc`)."""
        trees = [tree for example in get_examples() for tree in doc_trees(example.reference)]
        if not any(tree.words for tree in trees):
            raise ValueError(f"[{self.name}] no training document has tags: make them with kakari's gold_doc")
        if self.settings.parser is not None and not any(tree.nodes for tree in trees):
            raise ValueError(f"[{self.name}] no training document has trees: make them with kakari's gold_doc")
        self._model = train(trees, self.settings)


class TaggerComponent(EnglishComponent):
    """Sets `token.tag_`; marks sentences too where the pipeline has none."""

    settings: ClassVar[EnglishSettings] = EnglishSettings(parser=None)

    def _annotate(self, documents: list[Doc]) -> None:
        sentences = [(doc, groups) for doc in documents for groups in sentences_of(doc)]
        words, owners = _words(sentences)
        for (doc, _), own, tags in zip(sentences, owners, self.trained.tag(words), strict=True):
            # In reverse, so that the first piece of a token that the treebanks cut gives its tag.
            for (begin, end), tag in zip(own[::-1], tags[::-1], strict=True):
                for token in doc[begin:end]:
                    token.tag_ = tag
        for doc in documents:
            for token in doc:
                if token.is_space:
                    token.tag_ = "_SP"


class ConstituencyComponent(EnglishComponent):
    """Finds the tree of each sentence, with the tags of the document if all its words have one."""

    def _annotate(self, documents: list[Doc]) -> None:
        annotate_trees(documents, self.trained)


def annotate_trees(documents: list[Doc], model: EnglishModel) -> None:
    """Put the trees of a model into documents."""
    sentences = [(doc, groups) for doc in documents for groups in sentences_of(doc)]
    for doc in documents:
        doc.user_data[SPANS], doc.user_data[LABELS] = [], ""
    words, owners = _words(sentences)
    given: list[Sequence[str]] = [
        [doc[begin].tag_ for begin, _ in own] for (doc, _), own in zip(sentences, owners, strict=True)
    ]
    missing = [number for number, tags in enumerate(given) if not all(tags) or len(set(owners[number])) < len(tags)]
    for number, tags in zip(missing, model.tag([words[number] for number in missing]), strict=True):
        given[number] = tags
    labels: dict[int, list[str]] = {}
    for (doc, _), own, tree in zip(sentences, owners, model.parse(words, given), strict=True):
        for label, first, last in tree.nodes:
            doc.user_data[SPANS] += (own[first][0], own[last - 1][1])
            labels.setdefault(id(doc), []).append(label)
    for doc in documents:
        doc.user_data[LABELS] = " ".join(labels.get(id(doc), ()))


def _words(sentences: list[tuple[Doc, list[TokenSpan]]]) -> tuple[list[list[str]], list[list[TokenSpan]]]:
    """Give the treebank's tokens of each sentence, and for each of them the tokens of spaCy's that it is in."""
    words, owners = [], []
    for doc, groups in sentences:
        found = [(piece, group) for group in groups for piece in pieces(doc[group[0] : group[1]].text)]
        words.append([piece for piece, _ in found])
        owners.append([group for _, group in found])
    return words, owners


def sentences_of(doc: Doc) -> list[list[TokenSpan]]:
    """Give the treebank's tokens of each sentence; where no sentences are marked, find and mark them."""
    groups = token_groups(doc)
    if not groups:
        return []
    if not doc.has_annotation("SENT_START"):
        starts = {groups[begin][0] for begin, _ in sentence_groups(doc, groups)}
        starts = (starts - {groups[0][0]}) | {0}
        for token in doc:
            token.is_sent_start = token.i in starts
    found = (_groups_in(doc, groups, sentence.start, sentence.end) for sentence in doc.sents)
    return [own for own in found if own]


def gold_doc(nlp: Language, tree: FlatTree) -> Doc:
    """Make a training document of a tree: its words are the tokens, its tags and constituents the annotation."""
    text, spans = detokenised(tree)
    spaces = [end < len(text) and text[end] == " " for _, end in spans]
    words = [text[begin:end] for begin, end in spans]
    doc = Doc(
        nlp.vocab, words=words, spaces=spaces, tags=list(tree.tags), sent_starts=[i == 0 for i in range(len(words))]
    )
    doc.user_data[SPANS] = [place for _, begin, end in tree.nodes for place in (begin, end)]
    doc.user_data[LABELS] = " ".join(label for label, _, _ in tree.nodes)
    return doc


def doc_trees(doc: Doc) -> list[FlatTree]:
    """Give the trees of an annotated document over its own tokens, without those that have no tag."""
    trees = []
    nodes = list(constituents_of(doc))
    for sentence in doc.sents if doc.has_annotation("TAG") else ():
        places = [token.i for token in sentence if not token.is_space]
        if not places or not all(doc[place].tag_ for place in places):
            continue
        groups = [(place, place + 1) for place in places]
        own = tuple(_over_groups(nodes, groups, sentence.start, sentence.end))
        trees.append(FlatTree(tuple(doc[i].text for i in places), tuple(doc[i].tag_ for i in places), own))
    return trees


@Language.factory(
    "kakari_tagger",
    assigns=["token.tag", "token.is_sent_start"],
    default_config={"model": "en", "scorer": {"@scorers": "kakari.tagger_scorer.v1"}},
    default_score_weights={"tag_acc": 1.0},
)
def make_tagger(nlp: Language, name: str, model: str, scorer: Any) -> TaggerComponent:
    """Make the component; `model` is "en" for the embedded one, or a file."""
    return TaggerComponent(nlp, name, model, scorer)


@Language.factory(
    "kakari_constituency",
    assigns=["span._.parse_string", "span._.labels", "span._.constituents", "token.is_sent_start"],
    default_config={"model": "en", "scorer": {"@scorers": "kakari.constituency_scorer.v1"}},
    default_score_weights={"constituents_f": 1.0, "constituents_p": 0.0, "constituents_r": 0.0},
)
def make_constituency(nlp: Language, name: str, model: str, scorer: Any) -> ConstituencyComponent:
    """Make the component; `model` is "en" for the embedded one, or a file."""
    return ConstituencyComponent(nlp, name, model, scorer)


def make_tagger_scorer() -> Callable[..., dict[str, Any]]:
    """Make the scorer of tags."""
    return score_tags


def make_constituency_scorer() -> Callable[..., dict[str, Any]]:
    """Make the scorer of constituents."""
    return score_constituents


def score_tags(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
    """Score tags as spaCy's own tagger does."""
    return dict(Scorer.score_token_attr(examples, "tag"))


def score_constituents(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
    """Score labelled constituents by characters: precision, recall, F1."""
    found = gold = right = 0
    for example in examples:
        sets = []
        for doc in (example.predicted, example.reference):
            spans = [(label, doc[begin:end]) for label, begin, end in constituents_of(doc)]
            sets.append({(label, span.start_char, span.end_char) for label, span in spans})
        found, gold, right = found + len(sets[0]), gold + len(sets[1]), right + len(sets[0] & sets[1])
    return {
        "constituents_p": right / found if found else 0.0,
        "constituents_r": right / gold if gold else 0.0,
        "constituents_f": 2 * right / (found + gold) if found + gold else None,
    }
