"""A second opinion about bunsetsu boundaries: the segmenter of `ja-juman`, on words that `ja-words` finds in the text.

KWDLC's bunsetsu follow JUMAN's words, so that a segmenter of these errs elsewhere than one of Sudachi's: on a fifth of
kwdlc:train that neither has seen they have 396 and 354 wrong decisions, 226 of them in common. Only sentences in which
the first segmenter is unsure are analysed twice, one in fourteen. Both models are loaded when the first of these comes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.japanese.bunsetsu.segmentation import SURE_MARGIN

if TYPE_CHECKING:
    from kakari.parsers.japanese.gold import WordSource
    from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes


class Segmenting(Protocol):
    """What is needed of `JapaneseModel`, which asks this module."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    lexicon: Lexicon
    second: Any

    def boundary_margins(self, morphemes: Morphemes) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return boundaries and margins."""

    @classmethod
    def load(cls, path: str) -> Any:
        """Read a model file."""


def boundary_advice(
    asking: Segmenting, morphemes: Morphemes, margins: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return what the second segmenter adds to the margin of each decision: 0 in sentences without an unsure one.

    Decisions are matched by the characters at which morphemes begin. What is added is less than the margin of a certain
    decision, which therefore stays.

    Parameters
    ----------
    asking : JapaneseModel
        The model, whose segmenter may be unsure.
    morphemes : Morphemes
    margins : numpy array of float64, optional
        Its own margins, if they are known.

    Examples
    --------
    >>> from kakari.parsers.japanese.parser import pretrained_model
    >>> from kakari.parsers.japanese.words.sources import Sudachi
    >>> model = pretrained_model("ja")
    >>> morphemes = Sudachi().morphemes(["本を読む。", "行く。"], model.lexicon)
    >>> margins = np.array([np.inf, -np.inf, 0.1, -np.inf, np.inf, -np.inf])
    >>> np.sign(boundary_advice(model, morphemes, margins)).tolist()
    [1.0, -1.0, 1.0, -1.0, 0.0, 0.0]
    """
    second, texts = asking.second, morphemes.texts
    advice = np.zeros(len(morphemes.begins))
    if second is None or texts is None:
        return advice
    own = replace(asking, second=None).boundary_margins(morphemes)[1] if margins is None else margins
    owners = np.repeat(np.arange(len(morphemes)), np.diff(morphemes.starts))
    unsure = np.unique(owners[np.abs(own) < second.sure])
    if not len(unsure):
        return advice
    model, source = second.adviser or _embedded(type(asking))
    words = source.morphemes([texts[number] for number in unsure.tolist()], model.lexicon)
    theirs = np.clip(model.boundary_margins(words)[1], -SURE_MARGIN, SURE_MARGIN)
    width = 1 + max(int(morphemes.begins.max()), int(words.begins.max()))
    known = np.repeat(unsure, np.diff(words.starts)) * width + words.begins
    rows = np.flatnonzero(np.isin(owners, unsure))
    wanted = owners[rows] * width + morphemes.begins[rows]
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    advice[rows] = second.weight * np.where(known[places] == wanted, theirs[places], second.elsewhere)
    return advice


@cache
def _embedded(kind: type[Segmenting]) -> tuple[Segmenting, WordSource]:
    from kakari.parsers.japanese.tagging.source import KakariWords

    return kind.load(str(resources.files("kakari.models") / "pretrained" / "ja-juman.safetensors")), KakariWords()
