"""The compact question model: weights of features and tree fragments, for questions that are raw text or trees.

A kernel machine over trees and features (kernel_model.py) is turned into linear weights: the features' are hashed
(`models/linear`), the fragments of the tree that matter are a dictionary (`kernels/fragments`). A question costs one
lookup a feature and one walk over its tree, whatever the number of classes. The same file says whether a sentence is a
question at all. `QuestionReader` is the way from text that the command line and users share.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.stored import Contents
from kakari.kernels.trees.forest import Forest
from kakari.models.files import StoredModel
from kakari.models.linear.model import LinearModel
from kakari.parsers.english.parser import BATCH_TEXTS, EnglishParser
from kakari.parsers.english.words.flat_trees import ROOT, FlatTree
from kakari.parsers.questions.features import detection_features, question_features

if TYPE_CHECKING:  # only a corrected model needs these
    from kakari.kernels.sets.featuresets import FeatureSets
    from kakari.models.correcting.stored import Corrections

# Goes up when features or hashes change: a model of other ones would be misread.
TEMPLATES = 1
SPREAD = np.uint64(0x9E3779B97F4A7C15)
QUOTES = frozenset({"``", "''"})
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Answer:
    """Class of a question.

    Attributes
    ----------
    coarse, fine : str
        `HUM` and `HUM:ind`.
    margin : float
        How far the fine class's score is above that of the next one.
    second : str
        The next one.
    """

    coarse: str
    fine: str
    margin: float
    second: str


@dataclass
class LinearQuestions(StoredModel):
    """Classifies questions by features and fragments of their trees.

    Attributes
    ----------
    features : LinearModel
        Of hashed names; one output a class.
    fragments : FragmentDictionary
    labels : tuple of str
        The labels and words of the fragments, by their numbers.
    fragment_weights : array of int8, a row for each fragment, a column for each class
    fragment_unit : float
    detector : LinearModel, optional
        Above 0 for a question. Without one, every sentence is taken for a question.
    temperature : float
        Scores are divided by it before they are turned into shares.
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    corrections : Corrections, optional
        What a user corrected, and what that adds to the scores of classes and of being a question.

    Examples
    --------
    >>> (found,) = EnglishParser.pretrained().parse("Who wrote Hamlet?")
    >>> pretrained_questions().answer([found.tree])[0].fine
    'HUM:ind'
    """

    task: ClassVar[str] = "en-questions"
    features: LinearModel
    fragments: FragmentDictionary
    labels: tuple[str, ...]
    fragment_weights: NDArray[np.int8]
    fragment_unit: float
    detector: LinearModel | None = None
    temperature: float = 1.0
    details: dict[str, Any] = field(default_factory=dict)
    corrections: Corrections[Any] | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """The fine classes, `HUM:ind`."""
        return self.features.classes

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each label."""
        return {label: number for number, label in enumerate(self.labels)}

    def scores(self, trees: Sequence[FlatTree]) -> Scores:
        """Return the score of each question (row) for each fine class (column)."""
        found = np.zeros((len(trees), len(self.classes)))
        offsets, columns, values = self.fragment_vectors(trees)
        weights = self.fragment_weights
        for number in range(len(trees)):
            begin, end = offsets[number], offsets[number + 1]
            found[number] = values[begin:end] @ weights[columns[begin:end]]
        found *= self.fragment_unit
        rows = [question_features(tagged(tree)) for tree in trees]
        found += self.features.scores(*hashed_rows(rows))
        if self.corrections is not None:
            found += self.corrections.layers["classes"].sums(hashed_sets(rows))
        return found

    def fragment_vectors(self, trees: Sequence[FlatTree]) -> tuple[NDArray[Any], NDArray[Any], Scores]:
        """Return the fragments of each tree: offsets, columns, values."""
        return self.fragments.vectors(forest_of(trees, self.numbers))

    def answer(self, trees: Sequence[FlatTree]) -> list[Answer]:
        """Return the class of each question."""
        return [self.best(row) for row in self.scores(trees)]

    def best(self, row: Scores) -> Answer:
        """Return the answer that scores mean."""
        first, second = np.argsort(-row, kind="stable")[:2].tolist()
        name = self.classes[first]
        return Answer(name.partition(":")[0], name, float(row[first] - row[second]), self.classes[second])

    def shares(self, row: Scores) -> dict[str, float]:
        """Return each class a share between 0 and 1: the fine ones sum to 1, and so do the coarse ones.

        The best fine class stands below the best coarse one, whose share is that of its best fine class.
        """
        return shares_of(self.classes, row, self.temperature)

    def asked(self, trees: Sequence[FlatTree]) -> Scores:
        """Return for each sentence a number above 0 if it is a question."""
        if self.detector is None:
            return np.ones(len(trees))
        rows = [detection_features(tree) for tree in trees]
        found: Scores = self.detector.scores(*hashed_rows(rows))[:, 0]
        if self.corrections is None:
            return found
        found += self.corrections.layers["questions"].frozen.margins(hashed_sets(rows))
        return found

    def explain(self, tree: FlatTree) -> tuple[Answer, list[tuple[str, float]]]:
        """Return the answer to a question, and what adds up to its margin, the greatest first."""
        answer = self.answer([tree])[0]
        places = [self.classes.index(answer.fine), self.classes.index(answer.second)]
        names = question_features(tagged(tree))
        told = _differences(names, self.features.contributions(hashed(names)), places)
        _, columns, values = self.fragment_vectors([tree])
        rows = values[:, None] * self.fragment_weights[columns] * self.fragment_unit
        told += _differences([self.fragment_text(column) for column in columns.tolist()], rows, places)
        told += _differences(["(bias)"], self.features.biases[None, :], places)
        if self.corrections is not None:
            added = self.corrections.layers["classes"].sums(hashed_sets([names]))
            told += _differences(["(corrections)"], added, places)
        return answer, sorted(told, key=lambda item: -abs(item[1]))

    def fragment_text(self, column: int) -> str:
        """Write a fragment as brackets; what is not expanded stands there as its label."""
        return self._written(self.fragments.fragment(column))

    def _written(self, node: tuple[Any, ...]) -> str:
        label = self.labels[node[0]]
        return label if len(node) == 1 else f"({label} {' '.join(self._written(child) for child in node[1:])})"

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        parts = {
            "fragments": self.fragments.contents(),
            "features": self.features.contents(),
        }
        if self.detector is not None:
            parts["detector"] = self.detector.contents()
        if self.corrections is not None:
            parts["corrections"] = self.corrections.contents()
        settings = {
            "fragment_unit": self.fragment_unit,
            "temperature": self.temperature,
            "labels": list(self.labels),
            "details": self.details,
        }
        return Contents({"fragment_weights": self.fragment_weights}, settings, parts)

    @classmethod
    def from_contents(cls, contents: Contents) -> LinearQuestions:
        """Rebuild a model from its `contents()`."""
        features = LinearModel.from_contents(contents.part("features"))
        detector = LinearModel.from_contents(contents.part("detector")) if contents.has_part("detector") else None
        classes = features.classes
        if len(classes) < 2 or (detector is not None and len(detector.classes) != 1):
            raise contents.refuse("the classes are not those of questions")
        fragments = FragmentDictionary.from_contents(contents.part("fragments"))
        labels = tuple(contents.texts("labels", distinct=True))
        temperature = contents.number("temperature")
        if temperature <= 0:
            raise contents.refuse(f"the temperature is {temperature}")
        return LinearQuestions(
            features,
            fragments,
            labels,
            contents.array("fragment_weights", np.int8, shape=(len(fragments), len(classes))),
            contents.number("fragment_unit"),
            detector,
            temperature,
            contents.table("details"),
            _corrections(contents, len(classes)),
        )

    @classmethod
    def schema(cls) -> str:
        """Return what names features and hashes: a model of other ones would be misread."""
        return f"templates {TEMPLATES}"


def _corrections(contents: Contents, classes: int) -> Corrections[Any] | None:
    if not contents.has_part("corrections"):
        return None
    from kakari.models.correcting.class_layer import ClassLayer, any_layer
    from kakari.models.correcting.stored import Corrections

    found = Corrections.from_contents(contents.part("corrections"), any_layer)
    own = found.layers.get("classes")
    fits = found.layers.keys() == {"classes", "questions"} and not isinstance(found.layers["questions"], ClassLayer)
    if not fits or not isinstance(own, ClassLayer) or own.base.shape[1] != classes:
        raise contents.refuse("the corrections are not those of questions with these classes")
    return found


@cache
def pretrained_questions() -> LinearQuestions:
    """Return the embedded model."""
    return LinearQuestions.load(str(resources.files("kakari.models") / "pretrained" / "en-questions.safetensors"))


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

    Attributes
    ----------
    parser : EnglishParser
    model : LinearQuestions or KernelAnswers
    """

    def __init__(self, parser: EnglishParser, model: Any) -> None:
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


def shares_of(classes: Sequence[str], row: Scores, temperature: float = 1.0) -> dict[str, float]:
    """Return each class a share between 0 and 1: the fine ones sum to 1, and so do the coarse ones.

    Examples
    --------
    >>> shares = shares_of(("HUM:gr", "HUM:ind", "LOC:city"), np.array([0.0, 2.0, 0.0]))
    >>> {name: round(share, 2) for name, share in shares.items()}
    {'HUM': 0.88, 'LOC': 0.12, 'HUM:gr': 0.11, 'HUM:ind': 0.79, 'LOC:city': 0.11}
    """
    shares = np.exp((row - row.max()) / temperature)
    fine = dict(zip(classes, (shares / shares.sum()).tolist(), strict=True))
    coarse: dict[str, float] = {}
    for name, share in fine.items():
        above = name.partition(":")[0]
        coarse[above] = max(coarse.get(above, 0.0), share)
    total = sum(coarse.values())
    return {name: share / total for name, share in coarse.items()} | fine


def answered(model: Any, trees: Sequence[FlatTree]) -> list[Answer | None]:
    """Return what each sentence asks for, by a model of either kind; None where it is no question."""
    places = [place for place, value in enumerate(model.asked(trees).tolist()) if value > 0]
    found: list[Answer | None] = [None] * len(trees)
    for place, answer in zip(places, model.answer([trees[place] for place in places]), strict=True):
        found[place] = answer
    return found


def hashed(names: Sequence[str]) -> NDArray[np.uint64]:
    """Return the hash of each string, the same on every machine.

    Examples
    --------
    >>> hashed(["asked=who"]).tolist() == hashed(["asked=who"]).tolist()
    True
    """
    found = np.array([zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in names], dtype=np.uint64)
    found *= SPREAD  # a table looks at the highest and the lowest bits
    return found


def hashed_rows(rows: Sequence[Sequence[str]]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the hashes of the names in all rows, and where each row begins and, last, where all end."""
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(names) for names in rows], out=offsets[1:])
    return hashed([name for names in rows for name in names]), offsets


def hashed_sets(rows: Sequence[Sequence[str]]) -> FeatureSets:
    """Return the names in each row as a set of numbers, the same on every machine.

    Examples
    --------
    >>> [len(row) for row in hashed_sets([["asked=who", "asked=who"], []]).tolist()]
    [1, 0]
    """
    from kakari.kernels.sets.featuresets import FeatureSets

    return FeatureSets.from_lists(sorted({int(one) >> 33 for one in hashed(names).tolist()}) for names in rows)


def tagged(tree: FlatTree) -> list[tuple[str, str]]:
    """Return words and tags; a quotation mark is written as its tag, however it stands in the text."""
    return [(tag if tag in QUOTES else word, tag) for word, tag in zip(tree.words, tree.tags, strict=True)]


def forest_of(trees: Sequence[FlatTree], numbers: Mapping[str, int]) -> Forest:
    """Return trees as numbers, words in small letters; unknown labels get numbers that no fragment has.

    Examples
    --------
    >>> tree = FlatTree(("Who", "won"), ("WP", "VBD"), (("SQ", 1, 2),))
    >>> forest = forest_of([tree], {"TOP": 0, "SQ": 1, "WP": 2, "who": 3})
    >>> forest.labels.tolist(), forest.arities.tolist()
    ([3, 2, 4, 5, 1, 0], [0, 1, 0, 1, 1, 2])
    """
    unknown: dict[str, int] = {}
    nodes: list[int] = []
    arities: list[int] = []
    starts = [0]

    def close(label: str, children: int) -> None:
        number = numbers.get(label)
        nodes.append(unknown.setdefault(label, len(numbers) + len(unknown)) if number is None else number)
        arities.append(children)

    for tree in trees:
        opened: list[Any] = [[ROOT, len(tree.words), 0]]  # label, where it ends, children so far
        waiting = list(reversed(tree.nodes))
        for place, (word, tag) in enumerate(tagged(tree)):
            while waiting and waiting[-1][1] == place:
                label, _, end = waiting.pop()
                if label != ROOT or len(opened) > 1:
                    opened.append([label, end, 0])
            close(word.lower().replace("(", "-lrb-").replace(")", "-rrb-"), 0)
            close(tag, 1)
            opened[-1][2] += 1
            while len(opened) > 1 and opened[-1][1] == place + 1:
                label, _, children = opened.pop()
                close(label, children)
                opened[-1][2] += 1
        close(ROOT, opened[0][2])
        starts.append(len(nodes))
    return Forest.from_arrays(nodes, arities, starts)


def _differences(names: Sequence[str], rows: Scores, places: list[int]) -> list[tuple[str, float]]:
    values = (rows[:, places[0]] - rows[:, places[1]]).tolist()
    return [(name, value) for name, value in zip(names, values, strict=True) if value]
