"""The question classifier: trees and features of questions, a kernel over both, coarse and fine classes.

A model holds one set of machines for the six coarse classes, one for the fifty fine ones, or both. With both, a fine
class is scored together with its coarse class, so that the two answers always agree.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.formats.brackets import format_brackets
from kakari.corpora.formats.questions import Question
from kakari.kernels.stored import Contents
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import HIGHEST_STORED_DEGREE, VectorKernel
from kakari.models.files import StoredModel
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.learners import LearnerOptions, make_learner
from kakari.models.reporting import Report
from kakari.models.treebank import Treebank
from kakari.models.vocabulary import Vocabulary
from kakari.models.voting import decide
from kakari.parsers.questions.features import question_features, tagged_words

LABELLINGS = ("coarse", "fine")
FEATURES = ("none", "words", "bigrams", "full")
LEAF = re.compile(r" ([^()\s]+)\)")


class QuestionError(ValueError):
    """Questions or options that do not fit together; the text says why."""


@dataclass(frozen=True)
class QuestionOptions:
    """Features and kernel of a question classifier. The defaults were chosen on folds of `qc-trees:train`.

    Attributes
    ----------
    tree : str
        Kind of the tree kernel, or "none".
    decay, mu, max_children
        Of the tree kernel.
    features : str
        "none", "words", "bigrams" (words as well) or "full" (what the question asks for, and much else).
    vector : str
        Kind of the vector kernel; `degree` and `gamma` are its.
    operation : str
        "+" or "*", where there are both; `tree_weight` is the tree kernel's factor.
    lowercase : bool
        Whether the words of trees are taken in small letters.
    labels : str
        "coarse", "fine" or "both".
    """

    tree: str = "stk"
    decay: float = 0.2
    mu: float = 0.4
    max_children: int | None = None
    features: str = "full"
    vector: str = "linear"
    degree: int = 2
    gamma: float = 1.0
    operation: str = "+"
    tree_weight: float = 0.5
    lowercase: bool = True
    labels: str = "both"

    def contents(self) -> Contents:
        """Return the saved form of the options."""
        return Contents(settings=asdict(self))

    @staticmethod
    def from_contents(contents: Contents) -> QuestionOptions:
        """Rebuild options from their `contents()`."""
        return QuestionOptions(
            tree=contents.text("tree"),
            decay=contents.number("decay"),
            mu=contents.number("mu"),
            max_children=contents.optional_integer("max_children", 1),
            features=contents.choice("features", FEATURES),
            vector=contents.text("vector"),
            degree=contents.integer("degree", 1, HIGHEST_STORED_DEGREE),
            gamma=contents.number("gamma"),
            operation=contents.text("operation"),
            tree_weight=contents.number("tree_weight"),
            lowercase=contents.flag("lowercase"),
            labels=contents.choice("labels", (*LABELLINGS, "both")),
        )

    def kernel(self) -> Any:
        """Return the kernel; feature vectors have length 1 already.

        Examples
        --------
        >>> QuestionOptions(features="none").kernel().kind, QuestionOptions(tree="none").kernel().kind
        ('stk', 'linear')
        """
        if self.features not in FEATURES:
            raise QuestionError(f"features are one of {', '.join(FEATURES)}, not {self.features!r}")
        if self.tree == "none" and self.features == "none":
            raise QuestionError("there is nothing to compare questions by: neither trees nor features")
        trees, vectors = None, None
        if self.tree != "none":
            trees = TreeKernel(self.tree, decay=self.decay, mu=self.mu, max_children=self.max_children)
        if self.features != "none":
            vectors = VectorKernel(self.vector, degree=self.degree, gamma=self.gamma)
        if trees is None or vectors is None:
            return trees or vectors
        return CombinedKernel(trees, vectors, operation=self.operation, tree_weight=self.tree_weight)


@dataclass(frozen=True)
class QuestionTexts:
    """What a classifier learns from, without the trees as objects: classes, brackets and features of each question."""

    classes: list[tuple[str, str]]
    brackets: list[str] | None
    features: list[list[str]] | None

    def names(self, labelling: str) -> NDArray[Any]:
        """Return the class of each question."""
        return np.array([coarse if labelling == "coarse" else f"{coarse}:{fine}" for coarse, fine in self.classes])


@dataclass
class QuestionClassifier(StoredModel):
    """Classifies questions.

    Examples
    --------
    >>> from kakari import corpora
    >>> questions = list(corpora.read("sample-questions"))
    >>> model = QuestionClassifier.train(questions[::2], QuestionOptions(labels="coarse"))
    >>> model.predict(questions[:1])
    [('ABBR', None)]
    """

    task: ClassVar[str] = "questions"
    options: QuestionOptions
    machines: dict[str, KernelClassifier]
    treebank: Treebank
    vocabulary: Vocabulary
    information: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def train(
        questions: Iterable[Question] | QuestionTexts,
        options: QuestionOptions | None = None,
        learner: LearnerOptions | None = None,
        *,
        threads: int = 1,
        report: Report | None = None,
    ) -> QuestionClassifier:
        """Train on questions; `report` hears of each set of classes, and how many of its machines are done.

        Questions may come from a stream: of each only what is learned from is kept.
        """
        options, learner = options or QuestionOptions(), learner or LearnerOptions(cost=QUESTION_COST)
        if options.labels not in (*LABELLINGS, "both"):
            raise QuestionError(f"labels are one of coarse, fine, both, not {options.labels!r}")
        model = QuestionClassifier.reader(options)
        texts = questions if isinstance(questions, QuestionTexts) else model.texts(questions)
        examples = model._encoded(texts, learn=True)
        order = np.random.default_rng(learner.seed).permutation(len(texts.classes))
        for labelling in LABELLINGS if options.labels == "both" else (options.labels,):
            model.machines[labelling] = make_learner(
                learner,
                options.kernel(),
                examples,
                texts.names(labelling),
                order=order,
                threads=threads,
                report=None if report is None else _partial(report, labelling),
            )
        model.vocabulary.freeze()
        model.treebank.freeze()
        model.information = {"learner": asdict(learner), "examples": len(texts.classes)}
        return model

    @staticmethod
    def reader(options: QuestionOptions) -> QuestionClassifier:
        """Return a classifier without machines: it turns questions into examples."""
        return QuestionClassifier(options, {}, Treebank(), Vocabulary())

    def examples(self, questions: Iterable[Question], *, learn: bool = False) -> Any:
        """Turn questions into what the kernel takes."""
        return self._encoded(self.texts(questions), learn=learn)

    def texts(self, questions: Iterable[Question]) -> QuestionTexts:
        """Read questions, from a stream if need be, and keep what is learned from."""
        classes: list[tuple[str, str]] = []
        brackets: list[str] | None = [] if self.options.tree != "none" else None
        features: list[list[str]] | None = [] if self.options.features != "none" else None
        for question in questions:
            classes.append((question.coarse, question.fine))
            if brackets is not None:
                brackets.append(self._brackets(question))
            if features is not None:
                features.append(self.features(question))
        return QuestionTexts(classes, brackets, features)

    def _encoded(self, texts: QuestionTexts, *, learn: bool) -> Any:
        trees, vectors = None, None
        if texts.brackets is not None:
            if not learn:
                self.treebank.freeze()
            trees = self.treebank.read(texts.brackets)
        if texts.features is not None:
            if not learn:
                self.vocabulary.freeze()
            vectors = self._vectors(texts.features)
        if trees is None or vectors is None:
            return trees if vectors is None else vectors
        return trees, vectors

    def features(self, question: Question) -> list[str]:
        """Return the features of a question."""
        if self.options.features == "full":
            if question.tree is None:
                raise QuestionError(f"'{question.text[:40]}' has no tree: take --features words or bigrams")
            return question_features(tagged_words(question.tree))
        words = (question.text.split() if question.tree is None else question.tree.leaves()) or [""]
        low = ["<s>", *(word.lower() for word in words), "</s>"]
        found = [f"w={word}" for word in low]
        if self.options.features == "bigrams":
            found += [f"w2={a} {b}" for a, b in itertools.pairwise(low)]
        return list(dict.fromkeys(found))

    def decision_functions(self, questions: Sequence[Question], *, threads: int = 1) -> dict[str, NDArray[np.float64]]:
        """Return the value of each question (row) for each class (column) of each set of classes."""
        examples = self.examples(questions)
        values = {
            labelling: _columns(machine.decision_function(examples, threads=threads))
            for labelling, machine in self.machines.items()
        }
        if len(values) == 2:
            coarse = self.machines["coarse"].classes.tolist()
            above = [coarse.index(name.partition(":")[0]) for name in self.machines["fine"].classes.tolist()]
            values["fine"] = values["fine"] + values["coarse"][:, above]
        return values

    def predict(self, questions: Sequence[Question], *, threads: int = 1) -> list[tuple[str, str | None]]:
        """Return the coarse and the fine class of each question; None where the model has no fine classes."""
        if not questions:
            return []
        values = self.decision_functions(questions, threads=threads)
        if "fine" in values:
            fine = np.take(self.machines["fine"].classes, decide(values["fine"])).tolist()
            return [(name.partition(":")[0], name) for name in fine]
        coarse = np.take(self.machines["coarse"].classes, decide(values["coarse"])).tolist()
        return [(name, None) for name in coarse]

    @property
    def support_vectors(self) -> int:
        """Support examples of all machines, each counted once a set of classes."""
        return sum(int(machine.information.get("support_vectors", 0)) for machine in self.machines.values())

    def contents(self) -> Contents:
        """Return the saved form of the classifier."""
        parts = {
            "vocabulary": self.vocabulary.contents(),
            "labels": self.treebank.labels.contents(),
            "options": self.options.contents(),
        }
        parts |= {labelling: machine.contents() for labelling, machine in self.machines.items()}
        return Contents.joined(parts, {"information": self.information})

    @classmethod
    def from_contents(cls, contents: Contents) -> QuestionClassifier:
        """Rebuild a classifier from its `contents()`."""
        options = QuestionOptions.from_contents(contents.part("options"))
        treebank = Treebank(Vocabulary.from_contents(contents.part("labels")))
        vocabulary = Vocabulary.from_contents(contents.part("vocabulary"))
        machines = {
            labelling: KernelClassifier.from_contents(contents.part(labelling))
            for labelling in (LABELLINGS if options.labels == "both" else (options.labels,))
        }
        for machine in machines.values():
            machine.refuse_other(options.kernel(), max(1, len(vocabulary)))
            if not all(isinstance(name, str) for name in machine.classes.tolist()):
                raise contents.refuse("the classes of questions have names")
        if len(machines) == 2:
            coarse = set(machines["coarse"].classes.tolist())
            if not {name.partition(":")[0] for name in machines["fine"].classes.tolist()} <= coarse:
                raise contents.refuse("a fine class has no coarse one")
        return QuestionClassifier(options, machines, treebank, vocabulary, contents.table("information"))

    def _brackets(self, question: Question) -> str:
        if question.tree is None:
            raise QuestionError(f"'{question.text[:40]}' has no tree: a tree kernel needs one (or take --kind none)")
        text = format_brackets(question.tree)
        return LEAF.sub(_in_small_letters, text) if self.options.lowercase else text

    def _vectors(self, rows: Sequence[Sequence[str]]) -> Any:
        """Return rows of length 1; features that the model does not know count for the length alone."""
        from scipy import sparse  # slow to import, and few commands need it

        sets = self.vocabulary.encode(rows)
        lengths = np.sqrt(np.array([max(1, len(row)) for row in rows], dtype=np.float64))
        values = np.repeat(1.0 / lengths, sets.row_lengths())
        return sparse.csr_array((values, sets.ids, sets.offsets), shape=(len(rows), max(1, len(self.vocabulary))))


QUESTION_COST = 3.0


def label_of(question: Question, labelling: str) -> str:
    """Return a question's class: `HUM`, or with its fine class `HUM:ind`.

    Examples
    --------
    >>> label_of(Question("HUM", "ind", "Who won ?"), "fine")
    'HUM:ind'
    """
    return question.coarse if labelling == "coarse" else f"{question.coarse}:{question.fine}"


def _in_small_letters(match: re.Match[str]) -> str:
    return f" {match[1].lower()})"


def _columns(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return two classes two columns, as more classes have."""
    return np.column_stack((-values, values)) if values.ndim == 1 else values


def _partial(report: Report, labelling: str) -> Report:
    return lambda what, done=0, total=None: report(labelling, done, total)
