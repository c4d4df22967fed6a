"""Explanations of a reranker: the combinations of properties behind an arc's score, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kakari.parsers.dependency.reranking.properties import COARSE, FORM, LEMMA, TAG, Columns, WordProperties
from kakari.parsers.dependency.reranking.reranker import Reranker
from kakari.parsers.dependency.reranking.tree_parts import AROUND, EDGE

OWN = {FORM: "form", LEMMA: "lemma", TAG: "tag", COARSE: "coarse"}
BEFORE_TAG, AFTER_TAG, BEFORE_COARSE, AFTER_COARSE, BOTH_COARSES, NEXT_LEMMA = range(len(AROUND))
AROUND_COLUMNS = {
    BEFORE_TAG: TAG,
    AFTER_TAG: TAG,
    BEFORE_COARSE: COARSE,
    AFTER_COARSE: COARSE,
    NEXT_LEMMA: LEMMA,
}
SIDES = ("left", "right")
SPANS = ("1", "2", "3-4", "5-8", "9-16", "17-")
FAR = ("0", "1", "2", "3", "4", "5", "6-10", "11-20", "21-")


def explain_arc(
    reranker: Reranker,
    relations: Sequence[str],
    words: Sequence[Columns],
    heads: Sequence[int],
    numbers: Sequence[int],
    modifier: int,
    top: int,
) -> dict[str, Any]:
    """Return the score of an arc of a tree and its largest combinations, in the form of a classifier's explanation.

    Parameters
    ----------
    relations : sequence of str
        Names of the parser's relations.
    heads, numbers : sequences of int
        The tree: heads, and numbers of relations.
    modifier : int
        Whose arc, counted from 1.
    """
    if reranker.combinations is None:
        raise ValueError("the reranker has linear weights only")
    one = np.zeros(1, dtype=np.int64)
    lists: Mapping[str, Any] = {
        "counts": np.ones(1, dtype=np.int32), "heads": np.array(heads, dtype=np.int32),
        "relations": np.array(numbers, dtype=np.uint8), "scores": one, "leads": one, "label_scores": one,
        "light": one, "consensus": one,
    }  # fmt: skip
    kernel = reranker.combinations.kernel
    parts = reranker.batch([words], lists, (1.0, 1.0)).candidate_lists(kernel, [0], [0]).parts
    place = int(np.flatnonzero(parts.slots[:, 1] == modifier)[0])
    found = reranker.combinations.combinations(parts, place)
    unit = reranker.combinations.unit
    items = [
        {"conjunction": named(terms, reranker.properties, relations), "weight": weight * unit}
        for terms, weight in found[:top]
    ]
    if found[top:]:
        items.append(
            {"conjunction": f"({len(found) - top} others)", "weight": unit * sum(weight for _, weight in found[top:])}
        )
    head = "ROOT" if heads[modifier - 1] == 0 else words[heads[modifier - 1] - 1][0]
    title = f"{words[modifier - 1][0]} → {head} ({relations[numbers[modifier - 1]]})"
    return {"machine": title, "margin": unit * sum(weight for _, weight in found), "items": items}


def named(terms: Sequence[Sequence[tuple[int, int, int]]], properties: WordProperties, relations: Sequence[str]) -> str:
    """Write a combination: the properties of the head, of the modifier and of the edge."""
    shown = []
    for slot, term in zip(("head", "modifier", "edge"), terms, strict=True):
        for table, column, value in term:
            text = word_property(properties, column, value) if table == 0 else edge_property(
                properties, relations, column, value
            )  # fmt: skip
            shown.append(f"{slot} {text}")
    return " & ".join(shown)


def word_property(properties: WordProperties, column: int, value: int) -> str:
    """Write a property of a word."""
    if column < properties.width:
        text = "ROOT" if value == 0 else properties.values[column][value - 1]
        return f"{OWN[column]}={text}" if column in OWN else text
    around = column - properties.width
    if around == BOTH_COARSES:
        coarses = len(properties.values[COARSE]) + 1
        before, after = (_value(properties, COARSE, number) for number in divmod(value, coarses))
        return f"{AROUND[around]}={before},{after}"
    return f"{AROUND[around]}={_value(properties, AROUND_COLUMNS[around], value)}"


def edge_property(properties: WordProperties, relations: Sequence[str], column: int, value: int) -> str:
    """Write a property of an edge."""
    if column >= len(EDGE):
        return f"between={_value(properties, COARSE, column - len(EDGE) + 1)} ({SIDES[value]})"
    names = [*relations, "-"]
    half, side = divmod(value, 2)

    def beside(value: int) -> str:
        relation, coarse = divmod(value, len(properties.values[COARSE]) + 1)
        return f"{names[relation]} {_value(properties, COARSE, coarse)}"

    texts = {
        0: lambda: names[value],
        1: lambda: SIDES[value],
        2: lambda: f"{FAR[half]} {SIDES[side]}",
        3: lambda: f"{names[half]} {SIDES[side]}",
        4: lambda: " over ".join(names[number] for number in divmod(value, len(names))),
        5: lambda: _value(properties, COARSE, value),
        6: lambda: " before ".join(names[number] for number in divmod(half, len(names))),
        7: lambda: _value(properties, COARSE, half),
        12: lambda: f"{names[value // len(SPANS)]} {SPANS[value % len(SPANS)]}",
        13: lambda: beside(value),
        14: lambda: beside(value),
        15: lambda: f"{names[half]} {bool(side)}",
    }
    return f"{EDGE[column]}={texts[column]() if column in texts else value}"


def _value(properties: WordProperties, column: int, number: int) -> str:
    return "-" if number == 0 else properties.values[column][number - 1]
