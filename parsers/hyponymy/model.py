"""A hyponymy model: a frozen polynomial classifier of candidate pairs, and a sigmoid that makes probabilities.

A Japanese model judges candidates of Wikipedia articles by the two names and their place (`features`), an English one
judges bare pairs by counts of Hearst patterns (`evidence`), which it holds itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.formats.pairs import Pair
from kakari.kernels.frozen.explaining import Contributions, contributions
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.hyponymy.evidence import Evidence
from kakari.parsers.hyponymy.features import pair_features

LANGUAGES = ("ja", "en")
# Changes when features change: a model of other ones would be misread.
TEMPLATES = "hyponymy 1"


@dataclass
class HyponymyModel(StoredModel):
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

    task: ClassVar[str] = "hyponymy"

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

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        parts = {"machine": self.machine.contents(), "vocabulary": self.vocabulary.contents()}
        if self.evidence is not None:
            parts["evidence"] = self.evidence.contents()
        settings = {
            "language": self.language,
            "slope": self.slope,
            "intercept": self.intercept,
            "information": self.information,
        }
        return Contents.joined(parts, settings)

    @classmethod
    def from_contents(cls, contents: Contents) -> HyponymyModel:
        """Rebuild a model from its `contents()`."""
        language = contents.choice("language", LANGUAGES)
        if (language == "en") != contents.has_part("evidence"):
            raise contents.refuse("an English model needs counts of pairs, and no other has them")
        return HyponymyModel(
            FrozenModel.from_contents(contents.part("machine")),
            Vocabulary.from_contents(contents.part("vocabulary")),
            language,
            contents.number("slope"),
            contents.number("intercept"),
            Evidence.from_contents(contents.part("evidence")) if language == "en" else None,
            contents.table("information"),
        )

    @classmethod
    def schema(cls) -> str:
        """Name the features that this version extracts."""
        return TEMPLATES


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


@cache
def pretrained_hyponymy() -> HyponymyModel:
    """Load the embedded Japanese model, once."""
    return HyponymyModel.load(str(resources.files("kakari.models") / "pretrained" / "ja-hyponymy.safetensors"))
