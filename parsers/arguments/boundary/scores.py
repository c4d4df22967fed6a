"""How good boundaries are: F1 of the positive class over spans, and over nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.arguments.candidates.examples import Candidates


def f1(right: int, found: int, wanted: int) -> dict[str, float]:
    """Return precision, recall and F1 in percent.

    Examples
    --------
    >>> f1(1, 2, 4)
    {'precision': 50.0, 'recall': 25.0, 'f1': 33.33}
    """
    precision, recall = 100 * right / max(1, found), 100 * right / max(1, wanted)
    both = 200 * right / max(1, found + wanted)
    return {"precision": round(precision, 2), "recall": round(recall, 2), "f1": round(both, 2)}


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
    100.0
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
        "reachable": round(100 * wanted / max(1, arguments), 2),
        "pruning_recall": round(100 * int((span_gold & span_near).sum()) / max(1, wanted), 2),
        "candidates": len(candidates),
        "spans": count,
        "near_candidates": int(candidates.near.sum()),
        "predicates": int(candidates.arrays["tokens"].size),
    }
