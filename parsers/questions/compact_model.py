"""The compact question model: weights of features and tree fragments, for questions that are raw text or trees.

A kernel machine over trees and features (questions.py) is turned into linear weights: the features' are hashed
(`kernels/hashed`), the fragments of the tree that matter are a dictionary (`kernels/fragments`). A
question costs one lookup a feature and one walk over its tree, whatever the number of classes. The same file says
whether a sentence is a question at all.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.hashed.weights import MOST_CLASSES, HashedWeights
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.models.files import ModelFileError, model_bytes, read_model, read_model_bytes, write_model
from kakari.models.treebank import Treebank
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.english.words.flat_trees import FlatTree, bracketed
from kakari.parsers.questions.features import detection_features, question_features

TASK = "en-questions"
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
class LinearQuestions:
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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file."""
        write_model(path, TASK, *self._parts())

    def to_bytes(self) -> bytes:
        """Return the model as the bytes of its file."""
        return model_bytes(TASK, *self._parts())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> LinearQuestions:
        """Read a model from a file."""
        return _joined(*read_model(path, TASK), os.fspath(path))

    @staticmethod
    def from_bytes(data: bytes) -> LinearQuestions:
        """Read a model from the bytes of a file."""
        return _joined(*read_model_bytes(data, TASK), "<bytes>")

    def _parts(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        kept = self.fragments.to_arrays()
        arrays = {f"fragments/{name}": smallest(kept[name]) for name in FRAGMENT_ARRAYS}
        arrays |= {f"labels/{name}": array for name, array in self.treebank.labels.to_arrays().items()}
        arrays["fragment_weights"] = self.fragment_weights
        details = {
            **self.details,
            "templates": TEMPLATES,
            "classes": self.classes,
            "decay": self.fragments.kernel.decay,
            "fragment_unit": self.fragment_unit,
            "temperature": self.temperature,
            "units": {},
        }
        for name, total in (("features", self.features), ("detector", self.detector)):
            if total is not None:
                arrays |= {f"{name}/{key}": array for key, array in total.weights.arrays.items()}
                arrays[f"{name}/biases"] = total.biases
                details["units"][name] = total.unit
        return arrays, details


FRAGMENT_ARRAYS = ("production_starts", "production_labels", "fragment_starts", "fragment_numbers", "fragments")
OWN_DETAILS = frozenset(
    {"templates", "classes", "decay", "fragment_unit", "temperature", "units", "format", "kakari", "task"}
)


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


def smallest(array: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers in the smallest type that holds them all.

    Examples
    --------
    >>> smallest(np.array([-1, 300])).dtype, smallest(np.array([7])).dtype
    (dtype('int16'), dtype('int8'))
    """
    least, most = int(array.min(initial=0)), int(array.max(initial=0))
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max:
            return array.astype(kind)
    return array


def _differences(names: Sequence[str], rows: Scores, places: list[int]) -> list[tuple[str, float]]:
    values = (rows[:, places[0]] - rows[:, places[1]]).tolist()
    return [(name, value) for name, value in zip(names, values, strict=True) if value]


def _joined(arrays: Mapping[str, NDArray[Any]], details: dict[str, Any], name: str) -> LinearQuestions:
    if details.get("templates") != TEMPLATES:
        raise ModelFileError(name, "the model was trained with other features than this version extracts")
    try:
        kept: dict[str, Any] = {key: arrays[f"fragments/{key}"] for key in FRAGMENT_ARRAYS}
        blank = np.zeros(kept["fragments"].size)
        kernel = TreeKernel("stk", decay=float(details["decay"]))
        fragments = FragmentDictionary.from_arrays(kernel, kept | {"relevance": blank, "counts": blank})
        labels = Vocabulary.from_arrays(**{key: arrays[f"labels/{key}"] for key in ("text", "starts", "slots")})
        treebank = Treebank(labels)
        treebank.freeze()
        classes = tuple(str(one) for one in details["classes"])
        weights = np.asarray(arrays["fragment_weights"])
        if weights.shape != (len(fragments), len(classes)) or len(classes) < 2:
            raise ValueError("there should be a weight for each fragment and class")
        sums = {key: _sum(arrays, key, float(unit)) for key, unit in details["units"].items()}
        if sums["features"].biases.shape != (len(classes),):
            raise ValueError("there should be a bias for each class")
        return LinearQuestions(
            classes,
            sums["features"],
            fragments,
            treebank,
            weights,
            float(details["fragment_unit"]),
            sums.get("detector"),
            float(details["temperature"]),
            {key: value for key, value in details.items() if key not in OWN_DETAILS},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(name, f"the model's parts do not fit together: {error}") from None


def _sum(arrays: Mapping[str, NDArray[Any]], name: str, unit: float) -> HashedSum:
    weights = HashedWeights(arrays[f"{name}/buckets"], arrays[f"{name}/records"])
    return HashedSum(weights, unit, np.asarray(arrays[f"{name}/biases"], dtype=np.float64))
