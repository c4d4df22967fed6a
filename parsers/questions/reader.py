"""Text to questions and their classes: the pipeline that the command line and users share.

Text goes through the English parser; each sentence that is a question gets a class from a compact question model. A
reader is safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from kakari.parsers.english.parser import BATCH_TEXTS, EnglishParser
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.questions.compact_model import Answer, LinearQuestions, pretrained_questions


@dataclass(frozen=True, slots=True)
class AskedSentence:
    """A sentence of a text, and what it asks for.

    Attributes
    ----------
    begin, end : int
        Its characters.
    tree : FlatTree
    answer : Answer, optional
        None where the sentence is no question.
    """

    begin: int
    end: int
    tree: FlatTree
    answer: Answer | None


class QuestionReader:
    """Finds the questions of a text and what they ask for.

    Examples
    --------
    >>> reader = QuestionReader.pretrained()
    >>> first, second = reader.ask("I like it. Where is Kyoto?")
    >>> first.answer, second.answer.fine
    (None, 'LOC:other')
    """

    def __init__(self, parser: EnglishParser, model: LinearQuestions) -> None:
        self.parser = parser
        self.model = model

    @staticmethod
    def pretrained() -> QuestionReader:
        """Make a reader of the embedded models."""
        return QuestionReader(EnglishParser.pretrained(), pretrained_questions())

    def ask(self, text: str, *, one_sentence: bool = False) -> list[AskedSentence]:
        """Read a text; `one_sentence` keeps it in one piece."""
        return next(self.pipe([text], one_sentence=one_sentence))

    def pipe(self, texts: Iterable[str], *, one_sentence: bool = False) -> Iterator[list[AskedSentence]]:
        """Read many texts, in order, some at a time."""
        waiting = iter(texts)
        while batch := list(islice(waiting, BATCH_TEXTS)):
            found = list(self.parser.pipe(batch, one_sentence=one_sentence))
            answers = iter(answered(self.model, [one.tree for trees in found for one in trees]))
            for trees in found:
                yield [AskedSentence(one.begin, one.end, one.tree, next(answers)) for one in trees]


def answered(model: LinearQuestions, trees: Sequence[FlatTree]) -> list[Answer | None]:
    """Return what each sentence asks for; None where it is no question."""
    places = [place for place, value in enumerate(model.asked(trees).tolist()) if value > 0]
    found: list[Answer | None] = [None] * len(trees)
    for place, answer in zip(places, model.answer([trees[place] for place in places]), strict=True):
        found[place] = answer
    return found
