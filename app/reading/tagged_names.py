"""Names of files that hold analysed Japanese."""

from __future__ import annotations

SUFFIXES = {
    "knp": (".knp",),
    "cabocha": (".cabocha",),
    "mecab": (".mecab", ".chasen"),
    "juman": (".juman", ".jumanpp"),
    "sudachi": (".sudachi",),
    "unidic": (".unidic",),
    "conllu": (".conllu",),
    "json": (".jsonl", ".json"),
}


def kind_of(name: str) -> str | None:
    """Return the format of an analysed file by its name; None for a text.

    Examples
    --------
    >>> kind_of("x.knp.gz"), kind_of("x.txt")
    ('knp', None)
    """
    name = name.removesuffix(".gz")
    return next((kind for kind, suffixes in SUFFIXES.items() if name.endswith(suffixes)), None)
