"""A hyponymy model: a frozen polynomial classifier of candidate pairs, and a sigmoid that makes probabilities.

A Japanese model judges candidates of Wikipedia articles by the two names and their place (`features`), an English one
judges bare pairs by counts of Hearst patterns (`evidence`), which it holds itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.formats.pairs import Pair
from kakari.kernels.frozen.explaining import Contributions, contributions
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.files import Arrays, ModelFileError, read_model, write_model
from kakari.models.vocabulary import Vocabulary, VocabularyError
from kakari.parsers.hyponymy.evidence import Evidence
from kakari.parsers.hyponymy.features import pair_features

TASK = "hyponymy"
LANGUAGES = ("ja", "en")
# Goes up when features change: a model of other ones would be misread.
TEMPLATES = 1


@dataclass
class HyponymyModel:
    """Judges whether a pair is hypernym and hyponym.

    Attributes
    ----------
    language : {"ja", "en"}
        Which features it has.
    slope, intercept : float
        Of the sigmoid: the probability of a margin m is 1 / (1 + exp(-(slope m + intercept))).
    evidence : Evidence or None
        The counts of an English model.
    information : dict
        How it was trained and how good it was then.

    Examples
    --------
    >>> model = pretrained_hyponymy()
    >>> pair = Pair("都市", "大阪", path=("title", "heading", "bullet"), distance=1, siblings=9, form="link")
    >>> model.probabilities([pair]).round() .tolist()
    [1.0]
    """

    machine: FrozenModel
    vocabulary: Vocabulary
    language: str
    slope: float = 1.0
    intercept: float = 0.0
    evidence: Evidence | None = None
    information: dict[str, Any] = field(default_factory=dict)

    def feature_rows(self, pairs: Sequence[Pair]) -> list[list[str]]:
        """Return the features of each pair."""
        return feature_rows(pairs, self.evidence)

    def encode(self, pairs: Sequence[Pair]) -> FeatureSets:
        """Return the features of each pair as a set of numbers; what the model does not know is left out."""
        return self.vocabulary.encode(self.feature_rows(pairs))

    def margins(self, pairs: Sequence[Pair], *, threads: int = 1) -> NDArray[np.float64]:
        """Return the margin of each pair, above 0 for hyponyms."""
        return self.machine.margins(self.encode(pairs), threads=threads)

    def probabilities(self, pairs: Sequence[Pair], *, threads: int = 1) -> NDArray[np.float64]:
        """Return the probability that each pair is hypernym and hyponym."""
        return sigmoid(self.slope * self.margins(pairs, threads=threads) + self.intercept)

    def explain(self, pair: Pair) -> Contributions:
        """Return the conjunctions of features that make a pair's margin."""
        return contributions(self.machine, self.encode([pair])[0])

    def save(self, path: str | os.PathLike[str], *, compressed: bool = True) -> None:
        """Write a model file."""
        arrays: Arrays = {f"machine.{name}": array for name, array in self.machine.arrays.items()}
        arrays |= {f"vocabulary.{name}": array for name, array in self.vocabulary.to_arrays().items()}
        if self.evidence is not None:
            arrays |= {f"evidence.{name}": array for name, array in self.evidence.arrays().items()}
        metadata = {
            "templates": TEMPLATES,
            "language": self.language,
            "slope": self.slope,
            "intercept": self.intercept,
            "machine": self.machine.settings,
            "information": self.information,
        }
        write_model(path, TASK, arrays, metadata, compressed=compressed)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> HyponymyModel:
        """Read a model file."""
        arrays, metadata = read_model(path, TASK)
        try:
            return _assembled(arrays, metadata)
        except (KeyError, TypeError) as error:
            raise ModelFileError(os.fspath(path), f"the model lacks {error}") from None
        except (ValueError, VocabularyError) as error:
            raise ModelFileError(os.fspath(path), f"the model is damaged: {error}") from None


def feature_rows(pairs: Sequence[Pair], evidence: Evidence | None) -> list[list[str]]:
    """Return the features of each pair: those of Japanese candidates, or with evidence those of English pairs."""
    if evidence is None:
        return [pair_features(pair) for pair in pairs]
    return [evidence.features(pair) for pair in pairs]


def sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 / (1 + exp(-x)), without overflow.

    Examples
    --------
    >>> sigmoid(np.array([-1e9, 0.0, 1e9])).tolist()
    [0.0, 0.5, 1.0]
    """
    return 0.5 * (1.0 + np.tanh(0.5 * values))


def _assembled(arrays: Arrays, metadata: dict[str, Any]) -> HyponymyModel:
    if int(metadata["templates"]) != TEMPLATES:
        raise ValueError("its features are those of another version of kakari; train it again")
    if metadata["language"] not in LANGUAGES:
        raise ValueError(f"its language is {metadata['language']!r}")
    slope, intercept = float(metadata["slope"]), float(metadata["intercept"])
    if not (np.isfinite(slope) and np.isfinite(intercept)):
        raise ValueError("its sigmoid is no number")
    evidence = _named(arrays, "evidence.")
    if (metadata["language"] == "en") != bool(evidence):
        raise ValueError("an English model needs counts of pairs, and no other has them")
    return HyponymyModel(
        FrozenModel(dict(metadata["machine"]), _named(arrays, "machine.")),
        Vocabulary.from_arrays(**_named(arrays, "vocabulary.")),
        str(metadata["language"]),
        slope,
        intercept,
        Evidence.from_arrays(evidence) if evidence else None,
        dict(metadata["information"]),
    )


def _named(arrays: Arrays, prefix: str) -> Arrays:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


@cache
def pretrained_hyponymy() -> HyponymyModel:
    """Load the embedded Japanese model, once."""
    return HyponymyModel.load(str(resources.files("kakari.models") / "pretrained" / "ja-hyponymy.safetensors"))
