"""Corrections of questions: what one asks for. A sentence that was taken for no question becomes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from kakari.corpora import read
from kakari.models.correcting.class_layer import ClassLayer
from kakari.models.correcting.kernel_layer import KernelLayer
from kakari.models.correcting.stored import Corrections
from kakari.parsers.correcting.records import Correction, CorrectionError
from kakari.parsers.correcting.sentences import Owners
from kakari.parsers.english.parser import EnglishParser, ParsedTree
from kakari.parsers.questions.compact_model import LinearQuestions, answered, hashed_sets, tagged
from kakari.parsers.questions.features import detection_features, question_features

DEGREE = 3


class QuestionCorrector:
    """Teaches a question model what a user corrected.

    Examples
    --------
    >>> from kakari.parsers.questions.compact_model import QuestionReader, pretrained_questions
    >>> one = Correction("Who wrote Hamlet?", "class", None, "HUM:gr")
    >>> corrected = QuestionCorrector(pretrained_questions()).learned([one])
    >>> QuestionReader(EnglishParser.pretrained(), corrected).ask(one.text)[0].answer.fine
    'HUM:gr'
    """

    kinds: ClassVar[tuple[str, ...]] = ("class",)

    def __init__(self, model: LinearQuestions) -> None:
        self.model = model
        self.parser = EnglishParser.pretrained()

    def learned(self, corrections: Sequence[Correction]) -> LinearQuestions:
        """Return the model after it has learned corrections, one after another, beside those that it had."""
        before = self.model.corrections or Corrections(
            (), {"classes": ClassLayer.empty(DEGREE, len(self.model.classes)), "questions": KernelLayer.empty(DEGREE)}
        )
        original = replace(self.model, corrections=None)
        owners = Owners(_sentence_name, [Correction.from_line(line) for line in before.history])
        lines = list(before.history)
        classes: Any = before.layers["classes"]
        questions: Any = before.layers["questions"]
        for one in corrections:
            tree, number = self.sentence(one).tree, self._class(one)
            owner, _ = owners.add(one)
            names = [question_features(tagged(tree))]
            classes = classes.without_owner(owner)
            classes = classes.with_examples(
                hashed_sets(names), [number], original.scores([tree]), owner=owner
            ).learned()
            asked = original.asked([tree])
            signs = hashed_sets([detection_features(tree)])
            questions = questions.without_owner(owner).with_examples(signs, [1], asked, owner=owner).learned(target=0.1)
            lines.append(one.line())
        return replace(self.model, corrections=Corrections(tuple(lines), {"classes": classes, "questions": questions}))

    def holds(self, correction: Correction) -> bool:
        """Return whether the model answers as a correction says."""
        found = answered(self.model, [self.sentence(correction).tree])[0]
        return found is not None and found.fine == self.model.classes[self._class(correction)]

    def shown(self, texts: Sequence[str]) -> list[str]:
        """Return the class of each sentence of each text, - where it is no question.

        Examples
        --------
        >>> from kakari.parsers.questions.compact_model import pretrained_questions
        >>> QuestionCorrector(pretrained_questions()).shown(["I like it. Where is Kyoto?"])
        ['- LOC:other']
        """
        found = [[one.tree for one in trees] for trees in self.parser.pipe(texts)]
        return [" ".join(_named(answer) for answer in answered(self.model, trees)) for trees in found]

    @staticmethod
    def sample() -> list[tuple[str, str]]:
        """Return the questions of the embedded sample with their classes."""
        return [(one.text, f"{one.coarse}:{one.fine}") for one in read("sample-questions")]

    def sentence(self, one: Correction) -> ParsedTree:
        """Return the sentence that a correction is about."""
        if one.kind != "class":
            raise CorrectionError(f"a question model learns classes, not what a {one.kind!r} is")
        found = self.parser.parse(one.text)
        if isinstance(one.at, tuple):
            found = [each for each in found if each.begin <= one.at[0] < each.end]
        if not found:
            raise CorrectionError("there is no sentence at this place of the text")
        if len(found) > 1:
            raise CorrectionError(f"the text has {len(found)} sentences: say which one with 'at'")
        return found[0]

    def _class(self, one: Correction) -> int:
        if one.value not in self.model.classes:
            alike = [name for name in self.model.classes if name.partition(":")[0] == str(one.value).partition(":")[0]]
            raise CorrectionError(
                f"there is no class {one.value!r}; there are {', '.join(alike or self.model.classes)}"
            )
        return self.model.classes.index(str(one.value))


def _named(answer: Any) -> str:
    return "-" if answer is None else str(answer.fine)


def _sentence_name(one: Correction) -> tuple[str, Any]:
    return one.text, one.at
