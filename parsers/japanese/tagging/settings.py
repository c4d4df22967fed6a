"""Features and training settings of the segmenter and the tagger."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kakari.parsers.japanese.tagging.dictionary import CHARACTER_COLUMNS, WORD_COLUMNS


def _window(name: str, first: int, last: int) -> str:
    """Return one template of the values at all offsets from one to another."""
    return "/".join(f"{name}[{at}]" for at in range(first, last + 1))


def _decided(count: int) -> str:
    return "/".join(f"label[-{at}]" for at in range(count, 0, -1))


# Columns come first, so that tables have them in their own order.
OWN_CHARACTERS = tuple(f"{name}[0]" for name in CHARACTER_COLUMNS)
OWN_WORDS = tuple(f"{name}[0]" for name in WORD_COLUMNS)

# Characters and their types at six positions: the features of the 2003 paper's classifier.
PAPER_BOUNDARIES = tuple(f"{name}[{at}]" for name in ("char", "type") for at in range(-3, 3))

BOUNDARIES = (
    *OWN_CHARACTERS,
    *(f"char[{at}]" for at in (-2, -1, 1)),
    *(_window("char", at, at + 1) for at in (-2, -1, 0)),
    *(_window("char", at, at + 2) for at in (-3, -2, -1, 0)),
    _window("char", -2, 1),
    _window("type", -1, 0),
    _window("type", -2, 1),
    _window("type", -3, 2),
    "char[-1]/type[0]/type[1]",
    "type[-2]/type[-1]/char[0]",
    "beginning[0]/ending[0]/spanning[0]",
    "ending[0]/spanning[0]",
    "beginning[0]/spanning[0]",
    "first_kind[0]/last_kind[0]",
    "first_kind[0]/last_kind[0]/spanning[0]",
    "first_kind[0]/last_length[0]",
    "first_length[0]/last_kind[0]",
    "first_kind[0]/char[-1]",
    "last_kind[0]/char[0]",
    "first_kind[0]/type[-1]",
    "last_kind[0]/type[0]",
    "first_kind[-1]/last_length[0]",
    "last_kind[1]",
    "spanning[0]/char[-1]/char[0]",
    "spanning[-1]",
    "spanning[1]",
    _decided(1),
    f"{_decided(2)}/char[-2]/char[-1]/char[0]",
    f"{_decided(3)}/ending[0]/beginning[0]",
    f"{_decided(4)}/ending[0]/spanning[0]",
    f"{_decided(4)}/last_kind[0]/first_kind[0]",
    f"{_decided(3)}/char[-3]/char[-2]/char[-1]",
)

TAGS = (
    *OWN_WORDS,
    "surface[-1]",
    "surface[1]",
    "kind[-1]",
    "kind[1]",
    "kind[-2]",
    "kind[2]",
    "surface[-1]/surface[0]",
    "surface[0]/surface[1]",
    "kind[-1]/kind[0]",
    "kind[0]/kind[1]",
    "kind[-1]/kind[0]/kind[1]",
    "kind[0]/kind[1]/kind[2]",
    "surface[0]/kind[1]",
    "surface[0]/kind[-1]",
    "surface[-1]/kind[0]",
    "kind[0]/surface[1]",
    "shape[0]/length[0]",
    "shape[0]/last[0]",
    "last[0]/first[1]",
    "last_two[0]/surface[1]",
    "shape[-1]/shape[0]/shape[1]",
    "kind[0]/last[0]",
    "label[-1]",
    "label[-2]/label[-1]",
    "label[-1]/kind[0]",
    "label[-1]/surface[0]",
    "label[-1]/shape[0]",
    "label[-1]/last_two[0]",
    "label[-1]/kind[0]/kind[1]",
    "label[-2]/label[-1]/kind[0]",
)


@dataclass(frozen=True)
class KernelSettings:
    """Training settings of a segmenter that is a support vector machine, by default the 2003 paper's.

    Attributes
    ----------
    degree : int
        Of the polynomial kernel: 1, 2 or 3.
    cost : float
        The largest coefficient of an example; the paper does not tell its own.
    tolerance : float
        How far gradients may be from those of an optimum; a margin is 1.
    sigma : float
        Leave out conjunctions with smaller weights (PKE).
    """

    degree: int = 3
    cost: float = 0.02
    tolerance: float = 1e-2
    sigma: float = 0.005


@dataclass(frozen=True)
class WordsSettings:
    """All hyper-parameters of a segmenter and tagger; the defaults make the embedded model.

    Attributes
    ----------
    boundaries, tags : tuple of str
        Templates over the columns of characters and of words.
    passes, beam, learners, decoding_beam : int
        Settings of the segmenter; see `SequenceSettings`.
    tag_passes : int
        Passes of the tagger, which is greedy.
    most_boundaries, most_tags : int
        Number of weights to keep.
    folds : int
        Number of folds; in training, a sentence sees only the words of the other folds, since texts have unknown words.
    kernel : KernelSettings, optional
        Train the segmenter as a support vector machine; `passes`, `beam`, `learners`, `decoding_beam` and
        `most_boundaries` are then not its own.
    """

    boundaries: tuple[str, ...] = BOUNDARIES
    tags: tuple[str, ...] = TAGS
    passes: int = 6
    beam: int = 4
    learners: int = 2
    decoding_beam: int = 2
    tag_passes: int = 5
    most_boundaries: int = 300_000
    most_tags: int = 400_000
    folds: int = 4
    seed: int = 1
    kernel: KernelSettings | None = None

    def told(self) -> dict[str, Any]:
        """Describe the settings for the model's file, `kernel` only if there is one."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def words_settings(name: str = "kakari", *, passes: int = 6, seed: int = 1) -> WordsSettings:
    """Return the settings called "kakari" (the embedded model's) or "paper" (the 2003 paper's segmenter).

    Examples
    --------
    >>> words_settings("paper").kernel.degree, len(words_settings("paper").boundaries)
    (3, 12)
    """
    if name == "paper":
        return WordsSettings(PAPER_BOUNDARIES, passes=passes, seed=seed, kernel=KernelSettings())
    return WordsSettings(passes=passes, seed=seed)
