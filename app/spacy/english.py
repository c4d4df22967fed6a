"""spaCy components for English: `kakari_tagger` sets tags, `kakari_constituency` finds trees.

Trees are kept in `doc.user_data` as two lists of characters' places and two strings (so they survive `to_bytes`,
`DocBin` and worker processes): the leaves with their tags, and the constituents with their labels. They are shown under
the names that benepar uses: `sent._.parse_string`, `span._.labels`, `span._.constituents`. The leaves of a tree are the
tokens of the treebanks (see parsers/english/words/tokens.py), so that it is the tree that the command line prints; a
constituent is a span of spaCy's tokens, the smallest one that covers it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from spacy.attrs import IDS
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.training import Example

from kakari.corpora.formats.brackets import format_brackets, parse_brackets
from kakari.parsers.english.model import EnglishModel, pretrained_model
from kakari.parsers.english.words.detokenising import detokenised
from kakari.parsers.english.words.flat_trees import FlatTree, Node, to_tree
from kakari.parsers.english.words.tokenizer import Tokens
from kakari.parsers.english.words.tokens import TokenSpan, handy_sentences, piece_spans, token_groups
from kakari.parsers.english.words.treebank_trees import flattened
from kakari.spacy.component import ModelComponent

if TYPE_CHECKING:
    from nltk.tree import Tree

SPANS, LABELS = "kakari_constituent_spans", "kakari_constituent_labels"
LEAVES, TAGS = "kakari_leaf_spans", "kakari_leaf_tags"
CharacterSpan = tuple[int, int]
TokenTag = tuple[int, str]
FoundTrees = tuple[list[Node], list[Node], list[TokenTag]]  # leaves, constituents, tokens with new tags
READ, MARKED = [IDS["ORTH"], IDS["SPACY"]], [IDS["SENT_START"]]
NOT_FIRST = np.uint64(2**64 - 1)  # spaCy's -1
Sentence = tuple[Doc, Tokens, list[TokenSpan]]  # a document, all its tokens, the treebank's tokens of the sentence


def constituents_of(doc: Doc) -> Iterator[Node]:
    """Yield a document's constituents as (label, first token, behind the last), each before those inside it."""
    starts = [token.idx for token in doc]
    for label, begin, end in _named(doc, SPANS, LABELS):
        yield label, bisect_right(starts, begin) - 1, bisect_left(starts, end)


def _named(doc: Doc, spans: str, names: str) -> Iterator[Node]:
    """Yield what is kept as a list of places and a string of names."""
    places = doc.user_data.get(spans) or []
    return zip((doc.user_data.get(names) or "").split(), places[::2], places[1::2], strict=True)


def named_leaves(doc: Doc) -> list[Node]:
    """Return the leaves of a document's trees as (tag, first character, behind the last)."""
    return list(_named(doc, LEAVES, TAGS))


def _keep(doc: Doc, spans: str, names: str, found: Sequence[Node]) -> None:
    doc.user_data[spans] = [place for _, begin, end in found for place in (begin, end)]
    doc.user_data[names] = " ".join(name for name, _, _ in found)


def treebank_leaves(doc: Doc) -> list[list[Node]] | None:
    """Return the leaves of each sentence's tree as (tag, first character, behind the last); None if there are none."""
    if LEAVES not in doc.user_data:
        return None
    leaves = list(_named(doc, LEAVES, TAGS))
    return [_between(leaves, (sentence.start_char, sentence.end_char)) for sentence in doc.sents]


def span_labels(span: Span) -> tuple[str, ...]:
    """Return the labels of the constituents that are exactly this span, the upper ones first."""
    return tuple(label for label, begin, end in constituents_of(span.doc) if (begin, end) == (span.start, span.end))


def span_constituents(span: Span) -> Iterator[Span]:
    """Yield the constituents inside a span, itself included, each span once and before those inside it."""
    found = [(b, e) for _, b, e in constituents_of(span.doc) if span.start <= b and e <= span.end]
    return (span.doc[begin:end] for begin, end in dict.fromkeys(found))


def span_parse_string(span: Span) -> str:
    """Return the tree of a sentence, or of a span inside one, on one line."""
    return format_brackets(span_tree(span))


def span_tree(span: Span) -> Tree:
    """Return the tree of a sentence, or of a span inside one, as an `nltk.Tree`.

    Where another component made the trees (benepar), they are read from its `parse_string`.
    """
    if SPANS not in span.doc.user_data:
        if Span.has_extension("parse_string") and Span.get_extension("parse_string")[2] is not span_parse_string:
            return parse_brackets(span._.parse_string)
        raise ValueError("the document has no trees: put kakari_constituency into the pipeline")
    root = to_tree(span_flat_tree(span))
    return root[0] if len(root) == 1 and not isinstance(root[0], str) else root


def span_flat_tree(span: Span) -> FlatTree:
    """Return the tree of a span over the treebank's tokens."""
    leaves, nodes = list(_named(span.doc, LEAVES, TAGS)), list(_named(span.doc, SPANS, LABELS))
    return _cut(span.doc.text, leaves, nodes, (span.start_char, span.end_char))


def flat_trees(doc: Doc) -> list[tuple[Span, FlatTree]]:
    """Return the sentences of a document that has trees, ours or another component's, each with its tree."""
    text = doc_tokens(doc).text
    sentences = [(one, (one.start_char, one.end_char)) for one in doc.sents]
    kept = [(one, place) for one, place in sentences if not text[slice(*place)].isspace()]
    if SPANS not in doc.user_data:
        return [(sentence, flattened(span_tree(sentence))) for sentence, _ in kept]
    leaves, nodes = named_leaves(doc), list(_named(doc, SPANS, LABELS))
    return [(sentence, _cut(text, leaves, nodes, place)) for sentence, place in kept]


def leaf_tokens(doc: Doc, sentences: Iterable[Span]) -> Iterator[list[TokenSpan]]:
    """Yield, for some sentences of a document, the tokens of spaCy's that each leaf of the tree lies in."""
    starts = doc_tokens(doc).begins
    leaves = list(_named(doc, LEAVES, TAGS))
    for sentence in sentences:
        if LEAVES not in doc.user_data:  # another component's trees have spaCy's tokens as leaves
            yield [(token.i, token.i + 1) for token in sentence if not token.is_space]
            continue
        own = _between(leaves, (sentence.start_char, sentence.end_char))
        yield [(bisect_right(starts, begin) - 1, bisect_left(starts, end)) for _, begin, end in own]


def _cut(text: str, leaves: list[Node], nodes: list[Node], place: CharacterSpan) -> FlatTree:
    """Return the tree between two characters."""
    own = _between(leaves, place)
    firsts = {begin: number for number, (_, begin, _) in enumerate(own)}
    lasts = {end: number + 1 for number, (_, _, end) in enumerate(own)}
    return FlatTree(
        tuple(text[begin:end] for _, begin, end in own),
        tuple(tag for tag, _, _ in own),
        tuple((label, firsts[begin], lasts[end]) for label, begin, end in _between(nodes, place)),
    )


def _between(found: list[Node], place: CharacterSpan) -> list[Node]:
    """Return what lies between two characters, of what stands in the order of the text."""
    begins = bisect_left(found, place[0], key=itemgetter(1)), bisect_left(found, place[1], key=itemgetter(1))
    return [one for one in found[slice(*begins)] if one[2] <= place[1]]


def has_trees(doc: Doc) -> bool:
    """Return whether a document has trees, ours or another component's."""
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


def _groups_in(tokens: Tokens, groups: list[TokenSpan], start: int, stop: int) -> list[TokenSpan]:
    """Return the groups of a sentence; one that reaches over its end is cut there."""
    first, behind = bisect_right(groups, start, key=itemgetter(1)), bisect_left(groups, stop, key=itemgetter(0))
    cut = [(max(begin, start), min(end, stop)) for begin, end in groups[first:behind]]
    return [(begin, end) for begin, end in cut if not tokens.between(begin, end).isspace()]


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
    """Base of both components."""

    embedded: ClassVar[str] = "en"
    has_parser: ClassVar[bool] = True
    register_extensions = staticmethod(register_extensions)

    @staticmethod
    def load_model(name: str) -> EnglishModel:
        """Return the embedded model, or the one of a file."""
        return pretrained_model() if name == "en" else EnglishModel.load(name)

    @staticmethod
    def read_model(data: bytes) -> EnglishModel:
        """Return the model of a file's bytes."""
        return EnglishModel.from_bytes(data)

    def initialize(self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None) -> None:
        """Train on the whole corpus, whose documents carry tags and, for the parser, trees (see `gold_doc`)."""
        from kakari.parsers.english.training import EnglishSettings, train

        settings = EnglishSettings() if self.has_parser else EnglishSettings(parser=None)
        trees = [tree for example in get_examples() for tree in doc_trees(example.reference)]
        if not any(tree.words for tree in trees):
            raise ValueError(f"[{self.name}] no training document has tags: make them with kakari's gold_doc")
        if self.has_parser and not any(tree.nodes for tree in trees):
            raise ValueError(f"[{self.name}] no training document has trees: make them with kakari's gold_doc")
        self._model = train(trees, settings)

    def _learn(self, documents: Sequence[Doc]) -> float:
        """Learn from annotated documents; the loss is the number of sentences that were analysed wrongly before."""
        from kakari.parsers.english.tuning import tuned_parser, tuned_tagger

        trees = [tree for doc in documents for tree in doc_trees(doc) if tree.nodes or not self.has_parser]
        if not trees:
            return 0.0
        self._model, wrong = (tuned_parser if self.has_parser else tuned_tagger)(self.trained, trees)
        return wrong


class TaggerComponent(EnglishComponent):
    """Sets `token.tag_`; marks sentences too where the pipeline has none."""

    has_parser: ClassVar[bool] = False

    def predict(self, documents: Sequence[Doc]) -> list[list[str]]:
        """Return the tag of each token; sentences are marked where there are none."""
        found = {id(doc): ["_SP" if token.is_space else token.tag_ for token in doc] for doc in documents}
        sentences = read_sentences(documents)
        words, owners, _ = _words(sentences)
        for (doc, tokens, _), own, tags in zip(sentences, owners, self.trained.tag(words), strict=True):
            written, texts = found[id(doc)], tokens.texts
            # In reverse, so that the first piece of a token that the treebanks cut gives its tag.
            for (begin, end), tag in zip(own[::-1], tags[::-1], strict=True):
                written[begin:end] = ["_SP" if text.isspace() else tag for text in texts[begin:end]]
        return [found[id(doc)] for doc in documents]

    def set_annotations(self, documents: Sequence[Doc], found: list[list[str]]) -> None:
        """Tag the tokens."""
        for doc, tags in zip(documents, found, strict=True):
            for token, tag in zip(doc, tags, strict=True):
                token.tag_ = tag


class ConstituencyComponent(EnglishComponent):
    """Finds the tree of each sentence, with the tags of the document if all its words have one.

    Tags that the model's own tagger finds too say nothing that it does not know: they are decided again, together with
    the tree, and set where they come out otherwise. Sentences with a token that the treebanks cut (`and/or`) have
    more words than tags: they are tagged again too.
    """

    def predict(self, documents: Sequence[Doc]) -> list[FoundTrees]:
        """Return the trees of each document, and new tags of tokens; sentences are marked where there are none."""
        return find_trees(documents, self.trained)

    def set_annotations(self, documents: Sequence[Doc], found: Sequence[FoundTrees]) -> None:
        """Put trees into the documents."""
        keep_trees(documents, found)
        for doc, (_, _, changed) in zip(documents, found, strict=True):
            for place, tag in changed:
                doc[place].tag_ = tag


def find_trees(documents: Sequence[Doc], model: EnglishModel) -> list[FoundTrees]:
    """Parse documents: leaves and constituents of each in places of characters, and the tags that are to be changed."""
    sentences = read_sentences(documents)
    words, owners, places = _words(sentences)
    set_tags = {id(doc): [token.tag_ for token in doc] for doc in documents}
    given = [[set_tags[id(doc)][begin] for begin, _ in own] for (doc, _, _), own in zip(sentences, owners, strict=True)]
    known: list[list[str] | None] = [None] * len(given)
    free: set[int] = set()  # sentences whose tags are those of the model's own tagger
    taggings = model.taggings(words)
    for number, tags in enumerate(taggings.best()):
        if not all(given[number]):
            continue
        # Of a token that the treebanks cut, the first piece has its tag.
        pieces = zip(owners[number], given[number], tags, strict=True)
        if all(
            mine == own or owner == before
            for before, (owner, mine, own) in zip((None, *owners[number]), pieces, strict=False)
        ):
            free.add(number)
        elif len(set(owners[number])) == len(tags):
            known[number] = given[number]
    found: dict[int, FoundTrees] = {id(doc): ([], [], []) for doc in documents}
    for number, tree in enumerate(model.parse(words, known, taggings)):
        (doc, _, _), own = sentences[number], places[number]
        leaves, nodes, changed = found[id(doc)]
        leaves += ((tag, begin, end) for tag, (begin, end) in zip(tree.tags, own, strict=True))
        nodes += ((label, own[first][0], own[last - 1][1]) for label, first, last in tree.nodes)
        if number in free:
            changed += _changes(doc, owners[number], given[number], tree.tags)
    return [found[id(doc)] for doc in documents]


def _changes(doc: Doc, owners: Sequence[TokenSpan], given: Sequence[str], tags: Sequence[str]) -> Iterator[TokenTag]:
    """Yield the tokens of a sentence whose tags are new."""
    first = {owner: (old, new) for owner, old, new in reversed(list(zip(owners, given, tags, strict=True)))}
    for (begin, end), (old, new) in first.items():
        if old != new:
            yield from ((place, new) for place in range(begin, end) if not doc[place].is_space)


def keep_trees(documents: Sequence[Doc], found: Sequence[FoundTrees]) -> None:
    """Put trees into documents."""
    for doc, (leaves, nodes, _) in zip(documents, found, strict=True):
        _keep(doc, LEAVES, TAGS, leaves)
        _keep(doc, SPANS, LABELS, nodes)


def _words(
    sentences: list[Sentence],
) -> tuple[list[list[str]], list[list[TokenSpan]], list[list[CharacterSpan]]]:
    """Return the treebank's tokens of each sentence, the tokens of spaCy's that each is in, and its characters."""
    words, owners, places = [], [], []
    for _, tokens, groups in sentences:
        found = [(span, group) for group in groups for span in piece_spans(tokens, group)]
        text = tokens.text
        words.append([text[begin:end] for (begin, end), _ in found])
        owners.append([group for _, group in found])
        places.append([span for span, _ in found])
    return words, owners, places


def doc_tokens(doc: Doc) -> Tokens:
    """Return a document's tokens as the rules of the treebanks' tokens want them."""
    table: Any = doc.to_array(READ)
    strings: Any = doc.vocab.strings
    texts: list[str] = [strings[number] for number in table[:, 0].tolist()] if len(doc) else []
    spaces = table[:, 1].astype(bool).tolist() if len(doc) else []
    sizes = (len(text) + blank for text, blank in zip(texts, spaces, strict=True))
    begins = list(accumulate(sizes, initial=0))
    text = "".join([text + " " if blank else text for text, blank in zip(texts, spaces, strict=True)])
    return Tokens(text, texts, begins[:-1], spaces)


def read_sentences(documents: Iterable[Doc]) -> list[Sentence]:
    """Return the sentences of documents, each with its document's tokens; sentences are marked where there are none."""
    found: list[Sentence] = []
    for doc in documents:
        tokens = doc_tokens(doc)
        found += ((doc, tokens, groups) for groups in sentences_of(doc, tokens))
    return found


def sentences_of(doc: Doc, tokens: Tokens) -> list[list[TokenSpan]]:
    """Return the treebank's tokens of each sentence; where no sentences are marked, find and mark them."""
    groups = token_groups(tokens)
    if not groups:
        return []
    if not doc.has_annotation("SENT_START"):
        starts = {groups[begin][0] for begin, _ in handy_sentences(tokens, groups)}
        firsts = sorted((starts - {groups[0][0]}) | {0})
        marks: Any = np.full(len(doc), NOT_FIRST)
        marks[firsts] = 1
        doc.from_array(MARKED, marks)
    elif "sents" in doc.user_hooks:
        firsts = [sentence.start for sentence in doc.sents]
    else:
        own_marks: Any = doc.to_array(MARKED)
        firsts = [0, *(np.flatnonzero(own_marks[1:] == 1) + 1).tolist()]
    if len(firsts) == 1 and groups[-1][1] <= len(doc):
        return [groups]
    bounds = zip(firsts, [*firsts[1:], len(doc)], strict=True)
    found = (_groups_in(tokens, groups, begin, end) for begin, end in bounds)
    return [own for own in found if own]


def gold_doc(nlp: Language, tree: FlatTree) -> Doc:
    """Make a training document of a tree: its words are the tokens, its tags and constituents the annotation."""
    text, spans = detokenised(tree)
    spaces = [end < len(text) and text[end] == " " for _, end in spans]
    words = [text[begin:end] for begin, end in spans]
    doc = Doc(
        nlp.vocab, words=words, spaces=spaces, tags=list(tree.tags), sent_starts=[i == 0 for i in range(len(words))]
    )
    _keep(doc, LEAVES, TAGS, [(tag, begin, end) for tag, (begin, end) in zip(tree.tags, spans, strict=True)])
    _keep(doc, SPANS, LABELS, [(label, spans[begin][0], spans[end - 1][1]) for label, begin, end in tree.nodes])
    return doc


def doc_trees(doc: Doc) -> list[FlatTree]:
    """Return the trees of an annotated document over its own tokens, without those that have no tag."""
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
    assigns=["span._.parse_string", "span._.labels", "span._.constituents", "token.is_sent_start", "token.tag"],
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
    """Score tags as spaCy's own tagger does, and sentences as its own senter does, where they are marked."""
    compared = list(examples)
    sentences = Scorer.score_spans(compared, "sents", has_annotation=has_sentences)
    sentences.pop("sents_per_type", None)
    return {**Scorer.score_token_attr(compared, "tag"), **sentences}


def has_sentences(doc: Doc) -> bool:
    """Say whether the sentences of a document are marked."""
    return bool(doc.has_annotation("SENT_START"))


def score_constituents(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
    """Score labelled constituents by characters: precision, recall, F1."""
    found = gold = right = 0
    for example in examples:
        sets = []
        for doc in (example.predicted, example.reference):
            spans = [(label, doc[begin:end]) for label, begin, end in constituents_of(doc)]
            sets.append({(label, span.start_char, span.end_char) for label, span in spans})
        found, gold, right = found + len(sets[0]), gold + len(sets[1]), right + len(sets[0] & sets[1])
    figures = {
        "p": right / found if found else 0.0,
        "r": right / gold if gold else 0.0,
        "f": 2 * right / (found + gold) if found + gold else None,
    }
    # The latter are what `spacy evaluate --spans-key kakari.constituents` shows.
    return {
        f"{name}_{key}": value
        for name in ("constituents", "spans_kakari.constituents")
        for key, value in figures.items()
    }
