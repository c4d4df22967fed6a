"""Training settings of English chunkers: those of the embedded one, and the 2003 paper's."""

from __future__ import annotations

from kakari.parsers.sequences.training import SequenceSettings

FIELDS = ("word", "tag")


def _window(name: str, size: int, first: int, last: int) -> list[str]:
    """Return templates of `size` neighbours, from one offset to another."""
    return ["/".join(f"{name}[{at + step}]" for step in range(size)) for at in range(first, last - size + 2)]


# Words and tags two places around, and the two decisions before: the features of the paper's classifiers.
PAPER = (*_window("word", 1, -2, 2), *_window("tag", 1, -2, 2), "label[-1]", "label[-2]")

TEMPLATES = (
    *_window("word", 1, -2, 2),
    *_window("word", 2, -2, 2),
    *_window("word", 3, -1, 1),
    "word[-1]/word[1]",
    *_window("tag", 1, -3, 3),
    *_window("tag", 2, -2, 2),
    *_window("tag", 3, -2, 2),
    *_window("tag", 4, -2, 2),
    *_window("tag", 5, -2, 2),
    "tag[1]/tag[2]/tag[3]",
    "tag[-1]/tag[1]",
    "word[0]/tag[0]",
    "word[-1]/tag[0]",
    "word[1]/tag[0]",
    "tag[-1]/word[0]",
    "tag[1]/word[0]",
    "word[-1]/tag[-1]/tag[0]",
    "word[0]/tag[0]/tag[1]",
    "word[0]/tag[-1]/tag[0]",
    "word[1]/tag[0]/tag[1]",
    "suffix2(word)[0]",
    "suffix3(word)[0]",
    "prefix3(word)[0]",
    "shape(word)[0]",
    "suffix3(word)[0]/tag[0]",
    "label[-1]",
    "label[-2]",
    "label[-2]/label[-1]",
    "label[-1]/tag[0]",
    "label[-1]/word[0]",
    "label[-1]/word[-1]",
    "label[-1]/tag[-1]/tag[0]",
    "label[-1]/tag[0]/tag[1]",
    "label[-1]/word[-1]/word[0]",
    "label[-2]/label[-1]/tag[0]",
    "label[-2]/label[-1]/word[0]",
    "label[-2]/label[-1]/tag[-1]/tag[0]",
    "label[-1]/word[-1]/tag[0]",
    "label[-1]/tag[-1]/tag[0]/tag[1]",
)


def chunk_settings(name: str = "kakari", *, seed: int = 1) -> SequenceSettings:
    """Return the settings called "kakari" (the embedded model's) or "paper" (quadratic kernel, pairs that vote).

    Examples
    --------
    >>> chunk_settings("paper").scheme, chunk_settings("paper").degree
    ('pairs', 2)
    """
    if name == "paper":
        return SequenceSettings(FIELDS, PAPER, "pairs", passes=5, degree=2, seed=seed)
    return SequenceSettings(FIELDS, TEMPLATES, passes=8, beam=4, learners=4, decoding_beam=2, most=380_000, seed=seed)
