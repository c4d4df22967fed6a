"""Which role an argument has that was found: a linear decision over features and conjunctions of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.linear.table import TableSettings, train_table
from kakari.parsers.arguments.candidates.conjunctions import (
    ConjoinedTable,
    conjoined,
    named_conjunctions,
    template_table,
)
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.frames import FramedSentence

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
SETTINGS = TableSettings(cost=0.1, rare=2, most=110_000)


def roles_of(table: ConjoinedTable, candidates: Candidates, chosen: NDArray[np.int64]) -> list[str]:
    """Return the roles of some of the candidates; the classes of the table are the roles."""
    if not len(chosen):
        return []
    scores = table.scores(template_table(candidates.arrays)[chosen])
    return [table.table.classes[place] for place in scores.argmax(axis=1).tolist()]


def gold_roles(candidates: Candidates, sentences: Sequence[FramedSentence]) -> NDArray[Any]:
    """Return the role of each candidate, an empty one where it is no argument; `sentences` are what was extracted.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.extraction import CandidateExtractor
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> sentences = list(read_frames("sample-en"))[:1]
    >>> candidates = Candidates(CandidateExtractor(trees=False).extract(sentences))
    >>> gold_roles(candidates, sentences)[:5].tolist()
    ['ARG0', 'ARG0', 'ARG1', '', '']
    """
    frames = [frame for one in sentences for frame in one.frames]
    known = [dict(zip(frame.spans, frame.roles, strict=True)) for frame in frames]
    spans = map(tuple, candidates.spans().tolist())
    owners = candidates.predicates.tolist()
    roles = [known[owner].get(span, "") for owner, span in zip(owners, spans, strict=True)]
    return np.array(roles, dtype=object)


def train_roles(features: NDArray[np.int32], roles: NDArray[Any], settings: TableSettings = SETTINGS) -> ConjoinedTable:
    """Train a classifier of roles from the features of arguments."""
    rows = conjoined(features, CONJUNCTIONS)
    return ConjoinedTable(train_table(rows, roles.astype(str), settings), CONJUNCTIONS)
