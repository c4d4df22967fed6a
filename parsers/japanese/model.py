"""What is trained for Japanese, in one file: segmenter, dependency classifier, classifiers of arc types."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.frozen.model import FrozenModel
from kakari.models.files import (
    ModelFileError,
    model_bytes,
    read_model,
    read_model_bytes,
    write_model,
)
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.japanese.bunsetsu.segmentation import Segmenter, SegmentSlot, segment_batch
from kakari.parsers.japanese.dependency.decoders import arc_examples, parse_batch
from kakari.parsers.japanese.dependency.pairs import Sentence, Slot
from kakari.parsers.japanese.words.morphemes import Field, Lexicon, Morphemes

if TYPE_CHECKING:  # only models with rankers need these
    from kakari.kernels.hashed.weights import HashedWeights
    from kakari.parsers.japanese.dependency.tree_search import TreeScorer

TASK = "ja-bunsetsu-dependency"
Arrays = Mapping[str, NDArray[Any]]


class UnfitModelError(ValueError):
    """A model was asked for what it cannot do.

    Examples
    --------
    >>> str(UnfitModelError("this model has no segmenter"))
    'this model has no segmenter'
    """


def schema_hash() -> str:
    """Return a hash of the features that this version extracts: a model of another one would misread them."""
    names = [*Field.__members__, *Slot.__members__, *SegmentSlot.__members__, "2"]
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class TreeWeights:
    """Frozen weights of a model of whole trees (`dependency/tree_search`), which a model with `rankers` may have.

    Attributes
    ----------
    weights : HashedWeights
    unit : float
        What 1 in the weights stands for.
    weight : float
        What a tree's score is multiplied by before it is added to the log probabilities.
    """

    weights: HashedWeights
    unit: float
    weight: float


@dataclass(frozen=True)
class Reranking:
    """How a model with `rankers` parses: so many analyses are found, and the rankers' log probability is added.

    Attributes
    ----------
    beam : int
        How many analyses are found.
    weight : float
        What the rankers' log probability is multiplied by.
    scale : float
        What their margins are multiplied by before they are turned into probabilities.
    """

    beam: int = 16
    weight: float = 1.0
    scale: float = 1.0


@dataclass
class JapaneseModel:
    """The classifiers for Japanese, with the strings they know.

    Attributes
    ----------
    lexicon : Lexicon
        Strings to ids; its `tagset` is "juman" or "sudachi".
    segment_slots, pair_slots : tuple of int
        Which features are used.
    segmenter : FrozenModel, optional
    parsers : tuple of FrozenModel
        Classifiers of pairs; their margins are added.
    kinds : dict of FrozenModel
        A classifier for each arc type other than D.
    rankers : tuple of FrozenModel
        Classifiers of pairs as the backward decoder meets them; with them, parsing is slower and better.
    reranking : Reranking
        How they are used.
    trees : TreeWeights or None
        A model of whole trees that helps the rankers.
    certain : numpy array of int32
        What the segmenter is not asked about; see `kakari.parsers.japanese.bunsetsu.sure_boundaries`.
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    """

    lexicon: Lexicon
    segment_slots: tuple[int, ...]
    pair_slots: tuple[int, ...]
    segmenter: FrozenModel | None = None
    parsers: tuple[FrozenModel, ...] = ()
    kinds: dict[str, FrozenModel] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)
    rankers: tuple[FrozenModel, ...] = ()
    reranking: Reranking = Reranking()
    certain: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 3), dtype=np.int32))
    trees: TreeWeights | None = None

    @property
    def width(self) -> int:
        """One more than the largest value of a feature."""
        return feature_width(self.lexicon)

    def segment(self, morphemes: Morphemes) -> NDArray[np.uint8]:
        """Say of each morpheme whether it opens a bunsetsu."""
        if self.segmenter is None:
            raise UnfitModelError("this model has no segmenter")
        return segment_batch(morphemes, self.segmenter, Segmenter(self.width, self.segment_slots, self.certain))

    def parse(
        self, morphemes: Morphemes, opens: NDArray[np.uint8], *, decoder: str = "shift-reduce"
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return each bunsetsu's head within its sentence (-1 for the last), and the margins of the arcs.

        A model with rankers does not need the decoder.
        """
        if self.rankers:
            from kakari.parsers.japanese.dependency.beam import parse_reranked

            return parse_reranked(
                morphemes,
                opens,
                self._parsers(),
                self._sentence(),
                self.reranking.beam,
                self.rankers,
                self.reranking.weight,
                self.reranking.scale,
                *self._tree_scorer(),
            )
        return parse_batch(morphemes, opens, self._parsers(), self._sentence(), decoder)

    def parse_kbest(
        self, morphemes: Morphemes, opens: NDArray[np.uint8], *, beam: int
    ) -> list[list[tuple[list[int], float]]]:
        """Return up to `beam` analyses of each sentence with their log probabilities, the best first."""
        from kakari.parsers.japanese.dependency.beam import parse_kbest

        weight, scale = self.reranking.weight, self.reranking.scale
        ranking = self.rankers, weight, scale, *self._tree_scorer()
        return parse_kbest(morphemes, opens, self._parsers(), self._sentence(), beam, *ranking)

    def arc_kinds(self, morphemes: Morphemes, opens: NDArray[np.uint8], heads: NDArray[np.int32]) -> NDArray[np.str_]:
        """Return the type of each arc: the one of the largest positive margin, else D."""
        chosen = np.full(len(heads), "D", dtype="<U1")
        if not self.kinds:
            return chosen
        arcs = arc_examples(morphemes, opens, heads, self._sentence())
        names = sorted(self.kinds)
        margins = np.stack([self.kinds[name].margins(arcs) for name in names])
        best = margins.argmax(axis=0)
        rows = np.flatnonzero(heads >= 0)
        positive = margins.max(axis=0) > 0
        chosen[rows[positive]] = np.array(names)[best[positive]]
        return chosen

    def _parsers(self) -> tuple[FrozenModel, ...]:
        if not self.parsers:
            raise UnfitModelError("this model has no dependency parser")
        return self.parsers

    def _tree_scorer(self) -> tuple[TreeScorer | None, float]:
        if self.trees is None:
            return None, 0.0
        from kakari.parsers.japanese.dependency.tree_search import TreeScorer

        return TreeScorer(self.trees.weights, self.trees.unit), self.trees.weight

    def _sentence(self) -> Sentence:
        return Sentence(self.width, self.pair_slots)

    def save(self, path: str | os.PathLike[str], *, smallest: bool = False) -> None:
        """Write the model to a file, on demand compressed: a third of the size, read in a moment longer."""
        write_model(path, TASK, *self._parts(), compressed=smallest)

    def to_bytes(self, *, smallest: bool = False) -> bytes:
        """Return the model as the bytes of its file."""
        return model_bytes(TASK, *self._parts(), compressed=smallest)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> JapaneseModel:
        """Read a model from a file."""
        return _joined(*read_model(path, TASK), os.fspath(path))

    @staticmethod
    def from_bytes(data: bytes) -> JapaneseModel:
        """Read a model from the bytes of a file."""
        return _joined(*read_model_bytes(data, TASK), "<bytes>")

    def _parts(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        arrays = {f"strings/{name}": array for name, array in self.lexicon.strings.to_arrays().items()}
        arrays["certain/pairs"] = self.certain
        settings = {}
        for name, frozen in self._classifiers().items():
            settings[name] = frozen.settings
            arrays |= {f"{name}/{part}": array for part, array in frozen.arrays.items()}
        details: dict[str, Any] = {
            **self.details,
            "schema": schema_hash(),
            "tagset": self.lexicon.tagset,
            "segment_slots": list(self.segment_slots),
            "pair_slots": list(self.pair_slots),
            "reranking": asdict(self.reranking),
            "classifiers": settings,
        }
        if self.trees is not None:
            arrays |= {f"trees/{part}": array for part, array in self.trees.weights.arrays.items()}
            details["trees"] = {"unit": self.trees.unit, "weight": self.trees.weight}
        return arrays, details

    def _classifiers(self) -> dict[str, FrozenModel]:
        named = {} if self.segmenter is None else {"segmenter": self.segmenter}
        named |= {f"parser-{number}": model for number, model in enumerate(self.parsers)}
        named |= {f"ranker-{number}": model for number, model in enumerate(self.rankers)}
        return named | {f"kind-{kind}": model for kind, model in self.kinds.items()}


def _tree_weights(arrays: Arrays, settings: dict[str, Any]) -> TreeWeights:
    from kakari.kernels.hashed.weights import HashedWeights

    return TreeWeights(HashedWeights(**arrays), **settings)


def feature_width(lexicon: Lexicon) -> int:
    """Return one more than the largest value of a feature."""
    return max(len(lexicon.strings), 256)


def _joined(arrays: Arrays, details: dict[str, Any], name: str) -> JapaneseModel:
    if details.get("schema") != schema_hash():
        raise ModelFileError(name, "the model was trained with other features than this version extracts")
    try:
        groups: dict[str, dict[str, NDArray[Any]]] = {}
        for full_name, array in arrays.items():
            group, _, part = full_name.partition("/")
            groups.setdefault(group, {})[part] = array
        strings = Vocabulary.from_arrays(**groups["strings"])
        classifiers = {
            kind: FrozenModel(settings, groups[kind]) for kind, settings in details.pop("classifiers").items()
        }
        return JapaneseModel(
            Lexicon(strings, details.pop("tagset")),
            tuple(details.pop("segment_slots")),
            tuple(details.pop("pair_slots")),
            classifiers.get("segmenter"),
            tuple(model for name, model in sorted(classifiers.items()) if name.startswith("parser-")),
            {kind[5:]: model for kind, model in classifiers.items() if kind.startswith("kind-")},
            details,
            tuple(model for name, model in sorted(classifiers.items()) if name.startswith("ranker-")),
            Reranking(**details.pop("reranking")),
            groups["certain"]["pairs"],
            _tree_weights(groups["trees"], details.pop("trees")) if "trees" in groups else None,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(name, f"the model does not hold together: {error}") from None
