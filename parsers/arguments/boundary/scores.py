"""Scores for boundaries: F1 of the positive class over spans, and over nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.arguments.candidates.examples import Candidates


def f1(right: int, found: int, wanted: int) -> dict[str, float]:
    """Return precision, recall and F1 as fractions.

    Examples
    --------
    >>> f1(1, 2, 4)
    {'precision': 0.5, 'recall': 0.25, 'f1': 0.3333}
    """
    precision, recall, both = right / max(1, found), right / max(1, wanted), 2 * right / max(1, found + wanted)
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(both, 4)}


def boundary_scores(candidates: Candidates, margins: NDArray[np.float64]) -> dict[str, Any]:
    """Compare margins with the gold arguments.

    `span_f1` counts (predicate, span) pairs: the nodes of a unary chain share a span, whose margin is the largest of
    theirs. `node_f1` counts nodes. Arguments that are no constituent of the tree are beyond a classifier of
    constituents; `argument_f1` counts them as missed.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.extraction import CandidateExtractor
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> candidates = Candidates(CandidateExtractor().extract(read_frames("sample-en")))
    >>> boundary_scores(candidates, candidates.signs.astype(float))["span_f1"]
    1.0
    """
    gold, found = candidates.gold, margins > 0
    nodes = f1(int((gold & found).sum()), int(found.sum()), int(gold.sum()))
    numbers = candidates.span_numbers()
    count = int(numbers.max(initial=-1)) + 1
    span_gold, span_found, span_near = (
        np.bincount(numbers, weights=marked, minlength=count) > 0 for marked in (gold, found, candidates.near)
    )
    right, predicted, wanted = int((span_gold & span_found).sum()), int(span_found.sum()), int(span_gold.sum())
    spans = f1(right, predicted, wanted)
    arguments = int(candidates.arrays["arguments"].sum())
    return {
        **{f"span_{name}": value for name, value in spans.items()},
        **{f"node_{name}": value for name, value in nodes.items()},
        "argument_f1": f1(right, predicted, arguments)["f1"],
        "reachable": round(wanted / max(1, arguments), 4),
        "pruning_recall": round(int((span_gold & span_near).sum()) / max(1, wanted), 4),
        "candidates": len(candidates),
        "spans": count,
        "near_candidates": int(candidates.near.sum()),
        "predicates": int(candidates.arrays["tokens"].size),
    }
