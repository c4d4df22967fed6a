"""Commands on models of argument boundaries: evaluate, show and explain."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from kakari.corpora.records.errors import CorpusError
from kakari.output.console import note, print_json, print_table
from kakari.parsers.arguments.boundary.mining import bracketed
from kakari.parsers.arguments.boundary.model import BoundaryModel
from kakari.parsers.arguments.boundary.parts import FeatureWeights, FragmentWeights
from kakari.parsers.arguments.boundary.scores import boundary_scores
from kakari.parsers.arguments.boundary.shards import joined
from kakari.parsers.arguments.candidates.extraction import TEMPLATE_BITS, TEMPLATES
from kakari.parsers.arguments.candidates.frames import FramedSentence, read_frames


def evaluate_boundaries(path: str, corpus: str) -> dict[str, Any]:
    """Score a boundary model on a corpus's own trees."""
    model = BoundaryModel.load(path)
    sentences = [sentence for sentence in read_frames(corpus) if sentence.frames]
    if not sentences:
        raise CorpusError(corpus, None, "there are no predicates in it")
    start = time.process_time()
    found = list(model.classify(sentences))
    seconds = time.process_time() - start
    scores = boundary_scores(joined([candidates for candidates, _ in found]), np.concatenate([m for _, m in found]))
    return {**scores, "seconds": round(seconds, 3), "candidates_per_second": round(scores["candidates"] / seconds)}


def fragment_rows(path: str | Path, most: int) -> list[dict[str, Any]]:
    """Return the heaviest fragments of each sign of a model, as trees with their weights."""
    model = BoundaryModel.load(path)
    rows: list[dict[str, Any]] = []
    for part in model.parts:
        if isinstance(part, FragmentWeights):
            order = np.argsort(-part.weights, kind="stable")
            chosen = [*order[:most], *order[::-1][:most]]
            rows += [fragment_row(model, part, column, part.weights[column]) for column in chosen]
    if not rows:
        raise CorpusError(str(path), None, "this model has no fragments")
    return [row for row in rows if row["weight"]]


def fragment_row(model: BoundaryModel, part: FragmentWeights, column: int, weight: float) -> dict[str, Any]:
    """Return a fragment as a tree, with a weight."""
    tree = bracketed(part.dictionary.fragment(int(column)), model.extractor.name)
    return {"weight": round(float(weight), 4), "fragment": tree}


def explain_boundary(path: str, corpus: str, line: int, top: int) -> list[dict[str, Any]]:
    """Explain the margins of the arguments of a predicate, counted from 1 in a corpus.

    Each predicted argument comes with the fragments and features of the largest weights.
    """
    model = BoundaryModel.load(path)
    framed = [
        FramedSentence(sentence.tree, (frame,))
        for sentence in read_frames(corpus)
        if sentence.frames
        for frame in sentence.frames
    ]
    if line > len(framed):
        raise CorpusError(corpus, None, f"there are {len(framed)} predicates, so no number {line}")
    candidates, margins = next(iter(model.classify([framed[line - 1]])))
    words, told = framed[line - 1].tree.words, []
    for row in np.flatnonzero(margins > 0):
        begin, end = candidates.spans()[row]
        told.append(
            {
                "predicate": words[framed[line - 1].frames[0].token],
                "argument": " ".join(words[begin:end]),
                "margin": round(float(margins[row]), 4),
                "reasons": _reasons(model, candidates, int(row), top),
            }
        )
    return told


def print_boundary(path: str, corpus: str, line: int, top: int, *, as_json: bool) -> None:
    """Print the predicted arguments of a predicate, each with the weights for and against it."""
    told = explain_boundary(path, corpus, line, top)
    if as_json:
        print_json(told)
        return
    for argument in told:
        note(f"{argument['predicate']}: {argument['argument']} ({argument['margin']})")
        rows = [(reason["weight"], reason.get("fragment") or reason["feature"]) for reason in argument["reasons"]]
        print_table(("weight", "fragment or feature"), rows)


def _reasons(model: BoundaryModel, candidates: Any, row: int, top: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for part in model.parts:
        if isinstance(part, FragmentWeights):
            _, columns, values = part.dictionary.vectors(candidates.forest[row])
            pairs = zip(columns, values * part.weights[columns], strict=True)
            found += [fragment_row(model, part, column, weight) for column, weight in pairs]
        elif isinstance(part, FeatureWeights):
            begin, end = candidates.arrays["feature_offsets"][row : row + 2]
            ids = candidates.arrays["features"][begin:end]
            weights = part.model.contributions(ids)[:, 0].tolist()
            found += [
                {"weight": round(weight, 4), "feature": TEMPLATES[number % 2**TEMPLATE_BITS]}
                for number, weight in zip(ids, weights, strict=True)
                if weight
            ]
    return sorted(found, key=lambda reason: -abs(reason["weight"]))[:top]
