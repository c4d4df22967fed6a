"""Chunks as labels of tokens: B-X begins a chunk of type X, I-X goes on, O is outside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

CHUNK_LABEL = re.compile(r"O|[BI](?:-.+)?")
Chunk = tuple[int, int, str]


def is_chunking(labels: Iterable[str]) -> bool:
    """Return whether labels are meant as chunks: one of them begins with `B-` or `I-`.

    Examples
    --------
    >>> is_chunking(["O", "B-NP"]), is_chunking(["NN", "IN"])
    (True, False)
    """
    return any(label.startswith(("B-", "I-")) for label in labels)


def is_chunk_label(label: str) -> bool:
    """Return whether a label is O, or begins with B or I.

    Examples
    --------
    >>> [is_chunk_label(label) for label in ("O", "B-NP", "I", "X-NP", "Other")]
    [True, True, True, False, False]
    """
    return CHUNK_LABEL.fullmatch(label) is not None


def chunks_of(labels: Sequence[str]) -> list[Chunk]:
    """Return the chunks as (start, end, type), as conlleval counts them: an I that continues nothing begins one.

    Examples
    --------
    >>> chunks_of(["B-NP", "I-NP", "O", "I-VP", "I-NP", "B-NP"])
    [(0, 2, 'NP'), (3, 4, 'VP'), (4, 5, 'NP'), (5, 6, 'NP')]
    """
    chunks: list[Chunk] = []
    begun: tuple[int, str] | None = None
    for place, label in enumerate([*labels, "O"]):
        mark, _, kind = label.partition("-")
        if begun is not None and (mark != "I" or kind != begun[1]):
            chunks.append((begun[0], place, begun[1]))
            begun = None
        if begun is None and mark in ("B", "I"):
            begun = place, kind
    return chunks


def kept_types(labels: Sequence[str], types: Iterable[str]) -> list[str]:
    """Return labels with chunks of other types as O.

    Examples
    --------
    >>> kept_types(["B-NP", "B-VP", "I-VP", "O"], ["NP"])
    ['B-NP', 'O', 'O', 'O']
    """
    wanted = set(types)
    return [label if label.partition("-")[2] in wanted else "O" for label in labels]
