"""The Japanese model, in one file: segmenter, dependency classifier, classifiers of arc types."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.japanese.bunsetsu.segmentation import Segmenter, SegmentSlot, segment_batch
from kakari.parsers.japanese.dependency.decoders import arc_examples, parse_batch
from kakari.parsers.japanese.dependency.pairs import Sentence, Slot
from kakari.parsers.japanese.words.morphemes import Field, Lexicon, Morphemes

if TYPE_CHECKING:  # only models with rankers, corrections or a second opinion need these
    from kakari.kernels.hashed.weights import HashedWeights
    from kakari.models.correcting.kernel_layer import KernelLayer
    from kakari.models.correcting.stored import Corrections
    from kakari.parsers.japanese.dependency.tree_search import TreeScorer
    from kakari.parsers.japanese.gold import WordSource

TAGSETS = ("juman", "sudachi")
WIDEST_BEAM = 256  # of a file
CORRECTED = ("segmenter", "parser", "ranker")  # the classifiers that corrections may add to


class UnfitModelError(ValueError):
    """A request that a model cannot fulfil.

    Examples
    --------
    >>> str(UnfitModelError("this model has no segmenter"))
    'this model has no segmenter'
    """


def schema_hash() -> str:
    """Return a hash of the features that this version extracts: a model with other features would misread them."""
    names = [*Field.__members__, *Slot.__members__, *SegmentSlot.__members__, "2"]
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class TreeWeights:
    """Frozen weights of a model of whole trees (`dependency/tree_search`), which a model with `rankers` may have.

    Attributes
    ----------
    weights : HashedWeights
    unit : float
        The value of a weight of 1.
    weight : float
        Factor of a tree's score before it is added to the log probabilities.
    """

    weights: HashedWeights
    unit: float
    weight: float

    def contents(self) -> Contents:
        """Return the saved form of the weights."""
        return Contents.joined({"weights": self.weights.contents()}, {"unit": self.unit, "weight": self.weight})

    @staticmethod
    def from_contents(contents: Contents) -> TreeWeights:
        """Rebuild weights from their `contents()`."""
        from kakari.kernels.hashed.weights import HashedWeights

        weights = HashedWeights.from_contents(contents.part("weights"))
        return TreeWeights(weights, contents.number("unit"), contents.number("weight"))


@dataclass(frozen=True)
class Reranking:
    """Search settings of a model with `rankers`: several analyses are found, and the rankers' log probability is added.

    Attributes
    ----------
    beam : int
        Number of analyses to find.
    weight : float
        Factor of the rankers' log probability.
    scale : float
        Factor of their margins before they are turned into probabilities.
    sure : float or None
        A sentence whose every decision has at least this margin is not searched; None: all are.
    """

    beam: int = 16
    weight: float = 1.0
    scale: float = 1.0
    sure: float | None = None

    def contents(self) -> Contents:
        """Return the saved form of the settings."""
        return Contents(settings={name: value for name, value in asdict(self).items() if value is not None})

    @staticmethod
    def from_contents(contents: Contents) -> Reranking:
        """Rebuild settings from their `contents()`."""
        beam = contents.integer("beam", 1, WIDEST_BEAM)
        told = contents.settings.get("sure")  # files from before there was a limit have none
        sure = None if told is None else contents.number("sure", 0.0)
        return Reranking(beam, contents.number("weight"), contents.number("scale"), sure)


@dataclass(frozen=True)
class SecondOpinion:
    """How the segmenter of `ja-juman`, which sees the words of `ja-words`, helps where this model's is unsure.

    Attributes
    ----------
    weight : float
        Factor of its margins, which are added.
    sure : float
        A sentence whose every decision has at least this margin needs no second opinion.
    elsewhere : float
        Its margin inside one of its words.
    adviser : tuple of JapaneseModel and WordSource, optional
        Another segmenter and the source of its words, for held-out data; not saved.
    """

    weight: float = 0.7
    sure: float = 0.3
    elsewhere: float = -1.0
    adviser: tuple[JapaneseModel, WordSource] | None = field(default=None, compare=False, repr=False)

    def contents(self) -> Contents:
        """Return the saved form of the settings."""
        return Contents(settings={name: getattr(self, name) for name in ("weight", "sure", "elsewhere")})

    @staticmethod
    def from_contents(contents: Contents) -> SecondOpinion:
        """Rebuild settings from their `contents()`."""
        return SecondOpinion(contents.number("weight"), contents.number("sure", 0.0), contents.number("elsewhere"))


@dataclass(frozen=True)
class Calibration:
    """Probabilities at some margins, both ascending; `calibration.py` fits them."""

    margins: NDArray[np.float64]
    probabilities: NDArray[np.float64]

    def __call__(self, margins: ArrayLike) -> NDArray[np.float64]:
        """Return the probabilities of margins.

        Examples
        --------
        >>> found = Calibration(np.array([0.0, 1.0]), np.array([0.5, 0.9]))
        >>> found([-1.0, 0.5, 2.0, np.inf, -np.inf]).round(3).tolist()
        [0.5, 0.7, 0.9, 1.0, 0.0]
        """
        given = np.asarray(margins, dtype=np.float64)
        found = np.interp(given, self.margins, self.probabilities)
        return np.where(np.isinf(given), (given > 0).astype(np.float64), found)

    def contents(self) -> Contents:
        """Return the saved form of the calibration."""
        return Contents({"margins": self.margins, "probabilities": self.probabilities})

    @staticmethod
    def from_contents(contents: Contents) -> Calibration:
        """Rebuild a calibration from its `contents()`."""
        margins = contents.array("margins", np.float64, ascending=True)
        probabilities = contents.array("probabilities", np.float64, shape=margins.shape, ascending=True)
        if not len(margins) or probabilities[0] < 0 or probabilities[-1] > 1:
            raise contents.refuse("probabilities are not between 0 and 1")
        return Calibration(margins, probabilities)


Part = TypeVar("Part", TreeWeights, Calibration, SecondOpinion)


@dataclass
class JapaneseModel(StoredModel):
    """The classifiers for Japanese, with the strings they know.

    Attributes
    ----------
    lexicon : Lexicon
        Strings to ids; its `tagset` is "juman" or "sudachi".
    segment_slots, pair_slots : tuple of int
        The feature slots that are used.
    segmenter : FrozenModel, optional
    parsers : tuple of FrozenModel
        Classifiers of pairs; their margins are added.
    kinds : dict of FrozenModel
        A classifier for each arc type other than D.
    rankers : tuple of FrozenModel
        Classifiers of the backward decoder's pairs; with them, parsing is slower and more accurate.
    reranking : Reranking
        Search settings for the rankers.
    trees : TreeWeights or None
        A model of whole trees that helps the rankers.
    certain : numpy array of int32
        Decisions that need no segmenter; see `kakari.parsers.japanese.bunsetsu.sure_boundaries`.
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    arc_calibration, boundary_calibration, search_calibration : Calibration or None
        Probabilities of margins, the last one for sentences that were searched (`Reranking.sure`); without them a
        logistic function is used.
    second : SecondOpinion or None
        When and how a second segmenter is asked; only for sentences whose text is known (`Morphemes.texts`).
    corrections : Corrections or None
        A user's corrections (`kakari.parsers.correcting`), and what they add to segmenter, parsers and rankers.
    """

    task: ClassVar[str] = "ja-bunsetsu-dependency"
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
    arc_calibration: Calibration | None = None
    boundary_calibration: Calibration | None = None
    search_calibration: Calibration | None = None
    corrections: Corrections[KernelLayer] | None = None
    second: SecondOpinion | None = None

    @property
    def width(self) -> int:
        """One more than the largest value of a feature."""
        return feature_width(self.lexicon)

    def segment(self, morphemes: Morphemes) -> NDArray[np.uint8]:
        """Return for each morpheme whether it opens a bunsetsu."""
        if self.second is not None and morphemes.texts is not None:
            return self.boundary_margins(morphemes)[0]
        return self._segmented(morphemes, None)

    def boundary_margins(self, morphemes: Morphemes) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Segment as `segment` does, and also return the margin of each decision; certain ones are infinite."""
        margins = np.zeros(len(morphemes.begins), dtype=np.float64)
        opens = self._segmented(morphemes, margins)
        if self.second is None or morphemes.texts is None or not (np.abs(margins) < self.second.sure).any():
            return opens, margins
        from kakari.parsers.japanese.second_opinion import boundary_advice

        margins += boundary_advice(self, morphemes, margins)
        return (margins > 0).astype(np.uint8), margins

    def _segmented(self, morphemes: Morphemes, margins: NDArray[np.float64] | None) -> NDArray[np.uint8]:
        if self.segmenter is None:
            raise UnfitModelError("this model has no segmenter")
        segmenter = Segmenter(self.width, self.segment_slots, self.certain)
        return segment_batch(morphemes, self.segmenter, segmenter, margins, self.added("segmenter"))

    def boundary_probabilities(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities that a bunsetsu begins, given the margins of `boundary_margins`."""
        return _probabilities(self.boundary_calibration, margins)

    def arc_probabilities(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities that arcs are right, given the margins of `parse`; 1 if there was no choice."""
        plain = _probabilities(self.arc_calibration, margins)
        if not self.rankers or self.reranking.sure is None:
            return plain
        return np.where(margins < self.reranking.sure, _probabilities(self.search_calibration, margins), plain)

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
                self.pair_classifiers(),
                self._sentence(),
                self.reranking.beam,
                self._rankers(),
                self.reranking.weight,
                self.reranking.scale,
                *self._tree_scorer(),
                sure=np.inf if self.reranking.sure is None else self.reranking.sure,
            )
        return parse_batch(morphemes, opens, self.pair_classifiers(), self._sentence(), decoder)

    def parse_kbest(
        self, morphemes: Morphemes, opens: NDArray[np.uint8], *, beam: int
    ) -> list[list[tuple[list[int], float]]]:
        """Return up to `beam` analyses of each sentence with their log probabilities, the best first."""
        from kakari.parsers.japanese.dependency.beam import parse_kbest

        weight, scale = self.reranking.weight, self.reranking.scale
        ranking = self._rankers(), weight, scale, *self._tree_scorer()
        return parse_kbest(morphemes, opens, self.pair_classifiers(), self._sentence(), beam, *ranking)

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

    def pair_classifiers(self) -> tuple[FrozenModel, ...]:
        """Return the classifiers of pairs, corrections included; their margins are added."""
        if not self.parsers:
            raise UnfitModelError("this model has no dependency parser")
        added = self.added("parser")
        return self.parsers if added is None else (*self.parsers, added)

    def _rankers(self) -> tuple[FrozenModel, ...]:
        added = self.added("ranker") if self.rankers else None
        return self.rankers if added is None else (*self.rankers, added)

    def added(self, name: str) -> FrozenModel | None:
        """Return the layer that corrections add to the margins of a classifier."""
        layer = None if self.corrections is None else self.corrections.layers.get(name)
        return None if layer is None or not layer.coefficients.any() else layer.frozen

    def _tree_scorer(self) -> tuple[TreeScorer | None, float]:
        if self.trees is None:
            return None, 0.0
        from kakari.parsers.japanese.dependency.tree_search import TreeScorer

        return TreeScorer(self.trees.weights, self.trees.unit), self.trees.weight

    def _sentence(self) -> Sentence:
        return Sentence(self.width, self.pair_slots)

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        parts = {"strings": self.lexicon.strings.contents(), "reranking": self.reranking.contents()}
        parts |= {name: frozen.contents() for name, frozen in self._classifiers().items()}
        optional = {
            "trees": self.trees,
            "arc-calibration": self.arc_calibration,
            "boundary-calibration": self.boundary_calibration,
            "search-calibration": self.search_calibration,
            "corrections": self.corrections,
            "second-opinion": self.second,
        }
        parts |= {name: part.contents() for name, part in optional.items() if part is not None}
        settings = {
            "tagset": self.lexicon.tagset,
            "segment_slots": list(self.segment_slots),
            "pair_slots": list(self.pair_slots),
            "kinds": sorted(self.kinds),
            "details": self.details,
        }
        return Contents({"certain": self.certain}, settings, parts)

    @classmethod
    def from_contents(cls, contents: Contents) -> JapaneseModel:
        """Rebuild a model from its `contents()`."""
        strings = Vocabulary.from_contents(contents.part("strings"))
        lexicon = Lexicon(strings, contents.choice("tagset", TAGSETS))
        width = feature_width(lexicon)
        if width * max(Slot.SLOTS, SegmentSlot.SEGMENT_SLOTS) >= 2**31:
            raise contents.refuse(f"a vocabulary of {len(strings)} strings is too large")
        certain = contents.array("certain", np.int32, shape=(None, 3), minimum=0, below=width)
        if certain.size and certain[:, 2].max() > 1:
            raise contents.refuse("what is certain of a boundary is neither 0 nor 1")
        kinds = contents.texts("kinds", distinct=True)
        if not all(len(kind) == 1 for kind in kinds):
            raise contents.refuse("the type of an arc is one letter")
        segmenter = FrozenModel.from_contents(contents.part("segmenter")) if contents.has_part("segmenter") else None
        return JapaneseModel(
            lexicon,
            tuple(contents.integers("segment_slots", 0, SegmentSlot.SEGMENT_SLOTS - 1, distinct=True)),
            tuple(contents.integers("pair_slots", 0, Slot.SLOTS - 1, distinct=True)),
            segmenter,
            tuple(FrozenModel.from_contents(part) for part in contents.numbered_parts("parser-")),
            {kind: FrozenModel.from_contents(contents.part(f"kind-{kind}")) for kind in kinds},
            contents.table("details"),
            tuple(FrozenModel.from_contents(part) for part in contents.numbered_parts("ranker-")),
            Reranking.from_contents(contents.part("reranking")),
            certain,
            _part(contents, "trees", TreeWeights),
            _part(contents, "arc-calibration", Calibration),
            _part(contents, "boundary-calibration", Calibration),
            _part(contents, "search-calibration", Calibration),
            _corrections(contents),
            _part(contents, "second-opinion", SecondOpinion),
        )

    @classmethod
    def schema(cls) -> str:
        """Return a hash of the features that this version extracts."""
        return schema_hash()

    def _classifiers(self) -> dict[str, FrozenModel]:
        named = {} if self.segmenter is None else {"segmenter": self.segmenter}
        named |= {f"parser-{number}": model for number, model in enumerate(self.parsers)}
        named |= {f"ranker-{number}": model for number, model in enumerate(self.rankers)}
        return named | {f"kind-{kind}": model for kind, model in self.kinds.items()}


def _part(contents: Contents, name: str, kind: type[Part]) -> Part | None:
    return kind.from_contents(contents.part(name)) if contents.has_part(name) else None


def _corrections(contents: Contents) -> Corrections[KernelLayer] | None:
    if not contents.has_part("corrections"):
        return None
    from kakari.models.correcting.kernel_layer import KernelLayer
    from kakari.models.correcting.stored import Corrections

    found = Corrections.from_contents(contents.part("corrections"), KernelLayer.from_contents)
    if not found.layers.keys() <= set(CORRECTED):
        raise contents.refuse("corrections add to a classifier that no model has")
    return found


def _probabilities(calibration: Calibration | None, margins: NDArray[np.float64]) -> NDArray[np.float64]:
    if calibration is not None:
        return calibration(margins)
    return 1 / (1 + np.exp(-2 * np.clip(margins, -300, 300)))


def feature_width(lexicon: Lexicon) -> int:
    """Return one more than the largest value of a feature."""
    return max(len(lexicon.strings), 256)
