"""Which role an argument has that was found: a linear decision over features and conjunctions of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.arguments.candidates.conjunctions import ConjoinedTable, named_conjunctions, template_table
from kakari.parsers.arguments.candidates.examples import Candidates

CONJUNCTIONS = named_conjunctions(
    "lemma*phrase lemma*position lemma*voice*position lemma*path-short lemma*frame-place*voice lemma*head-word"
    " lemma*first-word lemma*phrase*position*voice lemma*tag*frame-place lemma*subcategory*frame-place"
    " voice*position*phrase path*voice path*tag frame-place*voice frame-place*tag frame*voice head-word*phrase"
    " head-word*position first-word*phrase first-word*content-tag first-word*content-word first-word*last-word"
    " first-word*position phrase*first-tag*last-tag head-tag*path-short content-word*phrase head-lemma*position"
    " phrase*distance phrase*position*predicate-gap lemma*common-gap tag*path-short*voice"
    " lemma*relation relation*voice relation*voice*relations lemma*relation*voice lemma*relation*object-word"
    " relation*governor-word lemma*relation*relations*voice"
)


def roles_of(table: ConjoinedTable, candidates: Candidates, chosen: NDArray[np.int64]) -> list[str]:
    """Return the roles of some of the candidates; the classes of the table are the roles."""
    if not len(chosen):
        return []
    scores = table.scores(template_table(candidates.arrays)[chosen])
    return [table.table.classes[place] for place in scores.argmax(axis=1).tolist()]
