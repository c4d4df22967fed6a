"""Roles of a predicate's arguments: scored by a linear model, chosen together under PropBank's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.arguments.candidates.conjunctions import ConjoinedTable, named_conjunctions, template_table
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.joint_roles import RoleRules, decided, modal_scores
from kakari.parsers.arguments.resolution import chosen_candidates
from kakari.parsers.english.words.flat_trees import FlatTree

if TYPE_CHECKING:  # only a corrected model has one
    from kakari.models.correcting.class_layer import ClassLayer

CONJUNCTIONS = named_conjunctions(
    "lemma*phrase lemma*position lemma*voice*position lemma*path-short lemma*frame-place*voice lemma*head-word"
    " lemma*first-word lemma*phrase*position*voice lemma*tag*frame-place lemma*subcategory*frame-place"
    " voice*position*phrase path*voice path*tag frame-place*voice frame-place*tag frame*voice head-word*phrase"
    " head-word*position first-word*phrase first-word*content-tag first-word*content-word first-word*last-word"
    " first-word*position phrase*first-tag*last-tag head-tag*path-short content-word*phrase head-lemma*position"
    " phrase*distance phrase*position*predicate-gap lemma*common-gap tag*path-short*voice"
    " lemma*relation relation*voice relation*voice*relations lemma*relation*voice lemma*relation*object-word"
    " relation*governor-word lemma*relation*relations*voice"
    " lemma*content-word lemma*first-word*position first-word*second-word first-word*second-word*position"
    " lemma*predicate-right-word lemma*predicate-right-word*relation lemma*predicate-right-word*position"
    " first-word*content-word*position head-word*frame-place lemma*subcategory*phrase*position lemma*frame"
    " first-word*content-tag*position last-word*phrase phrase*head-word*position predicate-clause*position*phrase"
    " governor-tag*phrase*position first-word*head-word first-word*path-short lemma*first-word*content-tag"
    " first-word*lemma*voice"
)


def named_candidates(
    table: ConjoinedTable,
    candidates: Candidates,
    margins: NDArray[np.float64],
    trees: Sequence[FlatTree],
    added: ClassLayer | None = None,
) -> list[list[tuple[int, str, float]]]:
    """Return the candidates that are arguments of each predicate, from left to right, with their roles.

    Beside each stands by how much its role leads the best other one; a rule of PropBank can make it less than 0. The
    classes of the table are the roles; `trees` are those that the candidates are from. What `added` says (a user's
    corrections) is added to the scores of roles.
    """
    begins, ends = candidates.arrays["begins"], candidates.arrays["ends"]
    likely = np.flatnonzero(margins > 0)
    if not len(likely):
        return [[] for _ in range(len(candidates.arrays["tokens"]))]
    names = table.table.classes
    scores = table.scores(template_table(candidates.arrays)[likely])
    if added is not None:
        scores = scores + added.sums(candidates.features.take(likely))
    scores = modal_scores(scores, names, are_modals(candidates, likely, trees))
    rules, rows = RoleRules.of(names), {place: row for row, place in enumerate(likely.tolist())}
    best, leads = scores.argmax(axis=1).tolist(), best_leads(scores).tolist()
    owners = np.searchsorted(candidates.predicates[likely], np.arange(len(candidates.arrays["tokens"]) + 1))
    found = []
    for predicate, own in enumerate(chosen_candidates(candidates, margins)):
        own_rows = [rows[place] for place in own]
        if rules.fit([best[row] for row in own_rows]):
            found.append([(place, names[best[row]], leads[row]) for place, row in zip(own, own_rows, strict=True)])
            continue
        every = slice(owners[predicate], owners[predicate + 1])
        places = likely[every]
        choices = decided(
            begins[places].tolist(), ends[places].tolist(), margins[places].tolist(), scores[every], rules
        )
        own_scores = scores[every]
        found.append([(int(places[at]), names[role], lead_of(own_scores[at], role)) for at, role in choices])
    return found


def best_leads(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much the best role of each row leads the next one, infinity if there is no other.

    Examples
    --------
    >>> best_leads(np.array([[1.0, 3.0, 2.5], [2.0, 2.0, 0.0]])).tolist()
    [0.5, 0.0]
    """
    if scores.shape[1] < 2:
        return np.full(len(scores), np.inf)
    first_two = np.partition(scores, -2, axis=1)[:, -2:]
    leads: NDArray[np.float64] = first_two[:, 1] - first_two[:, 0]
    return leads


def lead_of(scores: NDArray[np.float64], role: int) -> float:
    """Return by how much a role leads the best other one, infinity if there is no other.

    Examples
    --------
    >>> lead_of(np.array([1.0, 3.0, 2.5]), 1)
    0.5
    """
    others = np.delete(scores, role)
    return float(scores[role] - others.max()) if len(others) else float("inf")


def are_modals(candidates: Candidates, places: NDArray[np.int64], trees: Sequence[FlatTree]) -> NDArray[np.bool_]:
    """Return which of some candidates are one word with the tag of modals."""
    begins, ends = candidates.arrays["begins"][places].tolist(), candidates.arrays["ends"][places].tolist()
    owners = candidates.arrays["sentences"][candidates.predicates[places]].tolist()
    spans = zip(owners, begins, ends, strict=True)
    return np.array([end == begin + 1 and trees[own].tags[begin] == "MD" for own, begin, end in spans], dtype=np.bool_)
