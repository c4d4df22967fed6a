"""A kernel machine for questions behind the methods of a compact model, so that whatever takes one takes the other."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.formats.questions import Question
from kakari.models.files import bytes_task, model_task
from kakari.parsers.english.words.flat_trees import FlatTree, to_tree
from kakari.parsers.questions.compact_model import Answer, LinearQuestions, Scores, pretrained_questions, shares_of
from kakari.parsers.questions.kernel_model import QuestionClassifier

KERNEL_TASK = QuestionClassifier.task


class KernelAnswers:
    """Answers with a kernel machine; which sentences are questions, the embedded model says.

    Examples
    --------
    >>> from kakari import corpora
    >>> from kakari.parsers.english.parser import EnglishParser
    >>> model = KernelAnswers(QuestionClassifier.train(list(corpora.read("sample-questions"))))
    >>> (found,) = EnglishParser.pretrained().parse("Who wrote Hamlet?")
    >>> model.answer([found.tree])[0].coarse
    'HUM'
    """

    def __init__(self, model: QuestionClassifier) -> None:
        self.model = model
        self._labelling = "fine" if "fine" in model.machines else "coarse"

    @property
    def classes(self) -> tuple[str, ...]:
        """The fine classes; the coarse ones where the machine has no others."""
        return tuple(self.model.machines[self._labelling].classes.tolist())

    def scores(self, trees: Sequence[FlatTree]) -> Scores:
        """Return the score of each question (row) for each class (column)."""
        if not trees:
            return np.zeros((0, len(self.classes)))
        return self.model.decision_functions([as_question(tree) for tree in trees])[self._labelling]

    def answer(self, trees: Sequence[FlatTree]) -> list[Answer]:
        """Return the class of each question."""
        return [self.best(row) for row in self.scores(trees)]

    def best(self, row: Scores) -> Answer:
        """Return the answer that scores mean."""
        first, second = np.argsort(-row, kind="stable")[:2].tolist()
        name = self.classes[first]
        return Answer(name.partition(":")[0], name, float(row[first] - row[second]), self.classes[second])

    def shares(self, row: Scores) -> dict[str, float]:
        """Return each class a share between 0 and 1."""
        return shares_of(self.classes, row)

    def asked(self, trees: Sequence[FlatTree]) -> NDArray[np.float64]:
        """Return for each sentence a number above 0 if it is a question."""
        return pretrained_questions().asked(trees)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the machine's file."""
        self.model.save(path)

    def to_bytes(self) -> bytes:
        """Return the bytes of the machine's file."""
        return self.model.to_bytes()


def as_question(tree: FlatTree) -> Question:
    """Return a parsed sentence as a question whose class is not known."""
    return Question("", "", " ".join(tree.words), to_tree(tree))


def load_questions(path: str | os.PathLike[str]) -> LinearQuestions | KernelAnswers:
    """Load a question model of either kind."""
    if model_task(path) == KERNEL_TASK:
        return KernelAnswers(QuestionClassifier.load(path))
    return LinearQuestions.load(path)


def questions_from_bytes(data: bytes) -> LinearQuestions | KernelAnswers:
    """Read the bytes of a question model of either kind."""
    if bytes_task(data) == KERNEL_TASK:
        return KernelAnswers(QuestionClassifier.from_bytes(data))
    return LinearQuestions.from_bytes(data)
