"""Names for training data in models: names of corpora, and digests of files in the place of their names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

DIGITS = 16  # of a SHA-256 digest


def source_name(reference: str) -> str:
    """Return a corpus's name as it is; of a file or a folder, a digest of its content.

    A model file holds no path: the same data under another name gives the same file.

    Examples
    --------
    >>> source_name("ewt:train")
    'ewt:train'
    """
    path = Path(reference)
    if not path.exists():
        return reference
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in files:
        if file.is_file():  # a pipe has been read already
            with file.open("rb") as opened:
                while piece := opened.read(1 << 20):
                    digest.update(piece)
    return f"sha256:{digest.hexdigest()[:DIGITS]}"


def source_names(references: Iterable[str]) -> list[str]:
    """Return the name or digest of each source."""
    return [source_name(reference) for reference in references]
