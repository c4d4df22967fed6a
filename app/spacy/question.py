"""The spaCy component `kakari_question`: which sentences are questions, and what they ask for.

`doc.cats` gets a share between 0 and 1 for every coarse class (`HUM`) and every fine class (`HUM:ind`); both kinds sum
to 1 in a document with one question, with several questions each class has its greatest share. A document without a
question gets nothing. Sentence by sentence: `doc._.questions` are the spans of the questions,
`sent._.question_class` is the fine class, or "" for what is no question, and `sent._.question` says coarse and fine
class with the share of the latter, None for what is no question.

Trees are those of `kakari_constituency` or of another component that sets `parse_string` (benepar); where a document
has none, the embedded parser is asked, without leaving its trees in the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from kakari.corpora.formats.questions import Question
from kakari.parsers.english.model import pretrained_model
from kakari.parsers.english.words.flat_trees import FlatTree, to_tree
from kakari.parsers.questions.compact_model import LinearQuestions, pretrained_questions
from kakari.parsers.questions.kernel_answers import KernelAnswers, load_questions, questions_from_bytes
from kakari.spacy.component import ModelComponent
from kakari.spacy.english import find_trees, flat_trees, has_trees, keep_trees

PLACES, CLASSES, SHARES = "kakari_question_places", "kakari_question_classes", "kakari_question_shares"


@dataclass(frozen=True)
class AskedSpan:
    """A question: its tokens, its fine class, and the share of every class."""

    begin: int
    end: int
    fine: str
    shares: dict[str, float]


def doc_questions(doc: Doc) -> list[Span]:
    """Return the questions of a document."""
    places = doc.user_data.get(PLACES) or []
    return [doc[begin:end] for begin, end in zip(places[::2], places[1::2], strict=True)]


def span_question_class(span: Span) -> str:
    """Return the fine class of a sentence, or nothing if it is no question."""
    places = doc_questions(span.doc)
    names = (span.doc.user_data.get(CLASSES) or "").split()
    return next((name for own, name in zip(places, names, strict=True) if own.start == span.start), "")


def span_question(span: Span) -> dict[str, Any] | None:
    """Return the coarse and fine class of a sentence and the share of the latter, None if it is no question."""
    questions, names = doc_questions(span.doc), (span.doc.user_data.get(CLASSES) or "").split()
    for own, name, share in zip(questions, names, span.doc.user_data.get(SHARES) or [], strict=True):
        if own.start == span.start:
            return {"coarse": name.partition(":")[0], "fine": name, "share": share}
    return None


def register_extensions() -> None:
    """Register what this module shows; an attribute that another library has taken is left alone."""
    if not Doc.has_extension("questions"):
        Doc.set_extension("questions", getter=doc_questions)
    if not Span.has_extension("question_class"):
        Span.set_extension("question_class", getter=span_question_class)
    if not Span.has_extension("question"):
        Span.set_extension("question", getter=span_question)


class QuestionComponent(ModelComponent):
    """Finds questions and their classes."""

    embedded: ClassVar[str] = "en"
    settings: ClassVar[Any] = None  # a LinearSettings, where the defaults do not fit
    register_extensions = staticmethod(register_extensions)

    @staticmethod
    def load_model(name: str) -> LinearQuestions | KernelAnswers:
        """Return the embedded model, or the one of a file, compact or a kernel machine."""
        return pretrained_questions() if name == "en" else load_questions(name)

    @staticmethod
    def read_model(data: bytes) -> LinearQuestions | KernelAnswers:
        """Return the model of a file's bytes."""
        return questions_from_bytes(data)

    def predict(self, documents: Sequence[Doc]) -> list[list[AskedSpan]]:
        """Return the questions of each document."""
        model: LinearQuestions | KernelAnswers = self.trained
        sentences = [
            (number, sentence, tree) for number, own in enumerate(trees_of(documents)) for sentence, tree in own
        ]
        asked = model.asked([tree for *_, tree in sentences])
        questions = [one for one, value in zip(sentences, asked.tolist(), strict=True) if value > 0]
        found: list[list[AskedSpan]] = [[] for _ in documents]
        for (number, sentence, _), row in zip(questions, model.scores([tree for *_, tree in questions]), strict=True):
            found[number].append(AskedSpan(sentence.start, sentence.end, model.best(row).fine, model.shares(row)))
        return found

    def set_annotations(self, documents: Sequence[Doc], found: Sequence[Sequence[AskedSpan]]) -> None:
        """Put questions into the documents, and the greatest share of each class into their `cats`."""
        for doc, questions in zip(documents, found, strict=True):
            doc.user_data[PLACES] = [place for one in questions for place in (one.begin, one.end)]
            doc.user_data[CLASSES] = " ".join(one.fine for one in questions)
            doc.user_data[SHARES] = [one.shares[one.fine] for one in questions]
            if questions:
                names = questions[0].shares
                doc.cats = {**doc.cats, **{name: max(one.shares[name] for one in questions) for name in names}}

    def initialize(self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None) -> None:
        """Train on the whole corpus: a document with classes in `cats` is a question, others are none.

        Where every document is a question, the embedded model's decision between questions and others is kept.
        """
        from kakari.parsers.questions.training import Sentence, train_detector, train_linear

        embedded = pretrained_questions()
        questions, sentences = [], []
        documents = [example.reference for example in get_examples()]
        for doc, own in zip(documents, trees_of(documents), strict=True):
            name, trees = best_class(doc.cats, fine=True), [tree for _, tree in own]
            if name and trees:
                values = embedded.asked(trees).tolist()
                tree = trees[values.index(max(values))]
                coarse, _, fine = name.partition(":")
                questions.append(Question(coarse, fine, doc.text, to_tree(tree)))
                sentences.append(Sentence(tree, True))
            else:
                sentences += [Sentence(tree, False) for tree in trees]
        if not questions:
            raise ValueError(f"[{self.name}] no training document has a fine class like HUM:ind in its cats")
        model = train_linear(questions, self.settings)
        others = any(not sentence.asked for sentence in sentences)
        model.detector = train_detector(sentences, self.settings) if others else embedded.detector
        self._model = model

    def _learn(self, documents: Sequence[Doc]) -> float:
        """Learn from documents with classes in their `cats`; the loss is how many sentences were wrong before.

        Of a document with a class, the sentence that most looks like a question has it. A kernel machine learns
        nothing.
        """
        from kakari.parsers.correcting.updating import updated_questions

        model = self.trained
        if not isinstance(model, LinearQuestions) or not documents:
            return 0.0
        wanted: list[tuple[FlatTree, str]] = []
        for doc, own in zip(documents, trees_of(documents), strict=True):
            name, trees = best_class(doc.cats, fine=True), [tree for _, tree in own]
            if name and trees:
                wanted.append((trees[int(model.asked(trees).argmax())], name))
            elif not best_class(doc.cats, fine=False):
                wanted += [(tree, "") for tree in trees]
        self._model, wrong = updated_questions(model, wanted)
        return wrong


def trees_of(documents: Sequence[Doc]) -> list[list[tuple[Span, FlatTree]]]:
    """Return the sentences of documents, each with a tree; where there are none, those of the embedded parser."""
    bare = [doc for doc in documents if len(doc) and not has_trees(doc)]
    copies = {id(doc): doc.copy() for doc in bare}
    keep_trees(list(copies.values()), find_trees(list(copies.values()), pretrained_model()))
    found = [flat_trees(copies.get(id(doc), doc)) if len(doc) else [] for doc in documents]
    untagged = [tree for own in found for _, tree in own if "XX" in tree.tags]
    tags = dict(zip(map(id, untagged), pretrained_model().tag([tree.words for tree in untagged]), strict=True))
    return [
        [
            (doc[sentence.start : sentence.end], replace(tree, tags=tags.get(id(tree), tree.tags)))
            for sentence, tree in own
            if tree.words
        ]
        for doc, own in zip(documents, found, strict=True)
    ]


def best_class(cats: dict[str, float], *, fine: bool) -> str:
    """Return the coarse or the fine class with the greatest share; nothing where there is none above 0.

    Examples
    --------
    >>> cats = {"HUM": 0.9, "LOC": 0.1, "HUM:ind": 0.8, "HUM:gr": 0.1, "LOC:city": 0.1}
    >>> best_class(cats, fine=False), best_class(cats, fine=True), best_class({"HUM": 0.0}, fine=False)
    ('HUM', 'HUM:ind', '')
    """
    own = {name: share for name, share in cats.items() if (":" in name) == fine and share > 0}
    return max(own, key=lambda name: own[name], default="")


def gold_question(nlp: Language, question: Question) -> Doc:
    """Make a training document of a question: its classes are its `cats`."""
    doc = nlp.make_doc(question.text)
    doc.cats = {question.coarse: 1.0, f"{question.coarse}:{question.fine}": 1.0}
    return doc


@Language.factory(
    "kakari_question",
    assigns=["doc.cats", "doc._.questions", "span._.question", "span._.question_class"],
    default_config={"model": "en", "scorer": {"@scorers": "kakari.question_scorer.v1"}},
    default_score_weights={"question_acc": 0.5, "question_fine_acc": 0.5, "question_p": 0.0, "question_r": 0.0},
)
def make_question(nlp: Language, name: str, model: str, scorer: Any) -> QuestionComponent:
    """Make the component; `model` is "en" for the embedded one, or a file."""
    return QuestionComponent(nlp, name, model, scorer)


def make_question_scorer() -> Callable[..., dict[str, Any]]:
    """Make the scorer of questions."""
    return score_questions


def score_questions(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
    """Score classes on the documents that are questions, and which documents were taken for questions."""
    questions = found = both = coarse = fine = 0
    for example in examples:
        gold, guess = example.reference.cats, example.predicted.cats
        asked, taken = bool(best_class(gold, fine=False)), bool(best_class(guess, fine=False))
        questions, found, both = questions + asked, found + taken, both + (asked and taken)
        if asked:
            coarse += best_class(gold, fine=False) == best_class(guess, fine=False)
            fine += best_class(gold, fine=True) == best_class(guess, fine=True)
    return {
        "question_acc": coarse / questions if questions else None,
        "question_fine_acc": fine / questions if questions else None,
        "question_p": both / found if found else None,
        "question_r": both / questions if questions else None,
        "cats_score": fine / questions if questions else None,  # which `spacy evaluate` shows
    }
