"""The compact question model: weights of features and tree fragments, for questions that are raw text or trees.

A kernel machine over trees and features (questions.py) is turned into linear weights: the features' are hashed
(`kernels/hashed`), the fragments of the tree that matter are a dictionary (`kernels/fragments`). A
question costs one lookup a feature and one walk over its tree, whatever the number of classes. The same file says
whether a sentence is a question at all.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.hashed.weights import MOST_CLASSES, HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.models.treebank import Treebank
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.english.words.flat_trees import FlatTree, bracketed
from kakari.parsers.questions.features import detection_features, question_features

# Goes up when features or hashes change: a model of other ones would be misread.
TEMPLATES = 1
SPREAD = np.uint64(0x9E3779B97F4A7C15)
QUOTES = frozenset({"``", "''"})
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question asks for.

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
class HashedSum:
    """Linear weights of strings for some outputs: Σ weight · 1/√n over the n strings of an example, and a bias.

    Attributes
    ----------
    weights : HashedWeights
    unit : float
        What a weight of 1 in there stands for.
    biases : array, one for each output
    """

    weights: HashedWeights
    unit: float
    biases: Scores

    def contents(self) -> Contents:
        """Return what a file holds of the sum."""
        return Contents({"biases": self.biases}, {"unit": self.unit}, {"weights": self.weights.contents()})

    @staticmethod
    def from_contents(contents: Contents, outputs: int) -> HashedSum:
        """Rebuild a sum from its `contents()` and the number of its outputs."""
        weights = HashedWeights.from_contents(contents.part("weights"), outputs)
        return HashedSum(weights, contents.number("unit"), contents.array("biases", np.float64, shape=(outputs,)))

    def scores(self, names: Sequence[str]) -> Scores:
        """Return every output for an example with these strings."""
        hashes = hashed(names)
        total = np.zeros(self.biases.size, dtype=np.int64)
        for start in range(0, len(hashes), MOST_CLASSES):
            total += self.weights.scores(hashes[start : start + MOST_CLASSES], total.size)
        found: Scores = total * (self.unit / max(1, len(names)) ** 0.5) + self.biases
        return found

    def parts(self, names: Sequence[str]) -> Scores:
        """Return what each string adds to every output: a row each."""
        rows = [self.weights.scores(hashed([name]), self.biases.size) for name in names]
        table = np.array(rows, dtype=np.float64).reshape(len(names), self.biases.size)
        found: Scores = table * (self.unit / max(1, len(names)) ** 0.5)
        return found


@dataclass
class LinearQuestions(StoredModel):
    """Classifies questions by features and fragments of their trees.

    Attributes
    ----------
    classes : tuple of str
        The fine classes, `HUM:ind`.
    features : HashedSum
        One output a class.
    fragments : FragmentDictionary
    treebank : Treebank
        The labels and words of the fragments.
    fragment_weights : array of int8, a row for each fragment, a column for each class
    fragment_unit : float
    detector : HashedSum, optional
        Above 0 for a question. Without one, every sentence is taken for a question.
    temperature : float
        Scores are divided by it before they are turned into shares.
    details : dict
        Training data, hyper-parameters and scores, for the model card.

    Examples
    --------
    >>> from kakari.parsers.english.parser import EnglishParser
    >>> (found,) = EnglishParser.pretrained().parse("Who wrote Hamlet?")
    >>> pretrained_questions().answer([found.tree])[0].fine
    'HUM:ind'
    """

    task: ClassVar[str] = "en-questions"
    classes: tuple[str, ...]
    features: HashedSum
    fragments: FragmentDictionary
    treebank: Treebank
    fragment_weights: NDArray[np.int8]
    fragment_unit: float
    detector: HashedSum | None = None
    temperature: float = 1.0
    details: dict[str, Any] = field(default_factory=dict)

    def scores(self, trees: Sequence[FlatTree]) -> Scores:
        """Return the score of each question (row) for each fine class (column)."""
        found = np.zeros((len(trees), len(self.classes)))
        offsets, columns, values = self.fragment_vectors(trees)
        weights = self.fragment_weights
        for number in range(len(trees)):
            begin, end = offsets[number], offsets[number + 1]
            found[number] = values[begin:end] @ weights[columns[begin:end]]
        found *= self.fragment_unit
        for number, tree in enumerate(trees):
            found[number] += self.features.scores(question_features(tagged(tree)))
        return found

    def fragment_vectors(self, trees: Sequence[FlatTree]) -> tuple[NDArray[Any], NDArray[Any], Scores]:
        """Return the fragments of each tree: offsets, columns, values."""
        return self.fragments.vectors(self.treebank.read([small_brackets(tree) for tree in trees]))

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
        shares = np.exp((row - row.max()) / self.temperature)
        fine = dict(zip(self.classes, (shares / shares.sum()).tolist(), strict=True))
        coarse: dict[str, float] = {}
        for name, share in fine.items():
            above = name.partition(":")[0]
            coarse[above] = max(coarse.get(above, 0.0), share)
        total = sum(coarse.values())
        return {name: share / total for name, share in coarse.items()} | fine

    def asked(self, trees: Sequence[FlatTree]) -> Scores:
        """Return for each sentence a number above 0 if it is a question."""
        if self.detector is None:
            return np.ones(len(trees))
        return np.array([self.detector.scores(detection_features(tree))[0] for tree in trees], dtype=np.float64)

    def explain(self, tree: FlatTree) -> tuple[Answer, list[tuple[str, float]]]:
        """Return the answer to a question, and what adds up to its margin, the greatest first."""
        answer = self.answer([tree])[0]
        places = [self.classes.index(answer.fine), self.classes.index(answer.second)]
        names = question_features(tagged(tree))
        told = _differences(names, self.features.parts(names), places)
        _, columns, values = self.fragment_vectors([tree])
        rows = values[:, None] * self.fragment_weights[columns] * self.fragment_unit
        told += _differences([self.fragment_text(column) for column in columns.tolist()], rows, places)
        told += _differences(["(bias)"], self.features.biases[None, :], places)
        return answer, sorted(told, key=lambda item: -abs(item[1]))

    def fragment_text(self, column: int) -> str:
        """Write a fragment as brackets; what is not expanded stands there as its label."""
        return self._written(self.fragments.fragment(column))

    def _written(self, node: tuple[Any, ...]) -> str:
        label = self.treebank.labels[node[0]]
        return label if len(node) == 1 else f"({label} {' '.join(self._written(child) for child in node[1:])})"

    def contents(self) -> Contents:
        """Return what a file holds of the model."""
        parts = {
            "fragments": self.fragments.contents(),
            "labels": self.treebank.labels.contents(),
            "features": self.features.contents(),
        }
        if self.detector is not None:
            parts["detector"] = self.detector.contents()
        settings = {
            "classes": list(self.classes),
            "fragment_unit": self.fragment_unit,
            "temperature": self.temperature,
            "details": self.details,
        }
        return Contents({"fragment_weights": self.fragment_weights}, settings, parts)

    @classmethod
    def from_contents(cls, contents: Contents) -> LinearQuestions:
        """Rebuild a model from its `contents()`."""
        classes = contents.texts("classes", distinct=True)
        if not 2 <= len(classes) <= MOST_CLASSES:
            raise contents.refuse(f"there are {len(classes)} classes, not 2 to {MOST_CLASSES}")
        fragments = FragmentDictionary.from_contents(contents.part("fragments"))
        treebank = Treebank(Vocabulary.from_contents(contents.part("labels")))
        treebank.freeze()
        detector = HashedSum.from_contents(contents.part("detector"), 1) if contents.has_part("detector") else None
        temperature = contents.number("temperature")
        if temperature <= 0:
            raise contents.refuse(f"the temperature is {temperature}")
        return LinearQuestions(
            tuple(classes),
            HashedSum.from_contents(contents.part("features"), len(classes)),
            fragments,
            treebank,
            contents.array("fragment_weights", np.int8, shape=(len(fragments), len(classes))),
            contents.number("fragment_unit"),
            detector,
            temperature,
            contents.table("details"),
        )

    @classmethod
    def schema(cls) -> str:
        """Return what names features and hashes: a model of other ones would be misread."""
        return f"templates {TEMPLATES}"


@cache
def pretrained_questions() -> LinearQuestions:
    """Return the embedded model."""
    return LinearQuestions.load(str(resources.files("kakari.models") / "pretrained" / "en-questions.safetensors"))


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


def tagged(tree: FlatTree) -> list[tuple[str, str]]:
    """Return words and tags; a quotation mark is written as its tag, however it stands in the text."""
    return [(tag if tag in QUOTES else word, tag) for word, tag in zip(tree.words, tree.tags, strict=True)]


def small_brackets(tree: FlatTree) -> str:
    """Write a tree on one line, words in small letters.

    Examples
    --------
    >>> small_brackets(FlatTree(("Who", "won"), ("WP", "VBD"), (("SBARQ", 0, 2), ("WHNP", 0, 1), ("SQ", 1, 2))))
    '(TOP (SBARQ (WHNP (WP who)) (SQ (VBD won))))'
    """
    leaves = [word.lower().replace("(", "-lrb-").replace(")", "-rrb-") for word, _ in tagged(tree)]
    return bracketed(tree, leaves)


def _differences(names: Sequence[str], rows: Scores, places: list[int]) -> list[tuple[str, float]]:
    values = (rows[:, places[0]] - rows[:, places[1]]).tolist()
    return [(name, value) for name, value in zip(names, values, strict=True) if value]
