"""Training of predicates, boundaries and roles on trees with annotated predicates.

From raw text, arguments are found in predicted trees. So that training sees predicted trees too, parts of the corpus
can be parsed by parsers that were trained on the other parts.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.models.linear.training import RowSettings, train_rows
from kakari.models.reporting import Report, silent
from kakari.parsers.arguments.boundary.model import assembled
from kakari.parsers.arguments.candidates.conjunctions import (
    ConjoinedTable,
    ConjoinedWeights,
    conjoined,
    named_conjunctions,
    template_table,
)
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import CandidateExtractor
from kakari.parsers.arguments.candidates.frames import ArgumentError, FramedSentence
from kakari.parsers.arguments.model import ArgumentModel
from kakari.parsers.arguments.predicates import (
    NOMINALS,
    VERBS,
    Lemmatiser,
    PredicateFinder,
    as_rows,
    is_auxiliary,
    token_rows,
)
from kakari.parsers.arguments.roles import CONJUNCTIONS as ROLE_CONJUNCTIONS
from kakari.parsers.arguments.senses import SenseModel, known_rolesets, sense_row
from kakari.parsers.english.passes import StageSettings
from kakari.parsers.english.training import EnglishSettings, train
from kakari.parsers.english.words.flat_trees import FlatTree

PORTION = 1000  # sentences whose features are made together
HELD_OUT = 10  # one sentence in this many is held out, to choose the bias between arguments and others
BOUNDARY_CONJUNCTIONS = named_conjunctions(
    "path*lemma path*voice path*tag path*head-tag path*head-word path*first-word path*right-tag path*left-tag"
    " path*production path*subcategory path*frame path*parent-production path*auxiliary path*distance"
    " path-short*lemma path-short*head-tag path-short*head-word path-short*phrase*voice path-short*subcategory"
    " lemma*phrase*position lemma*first-word lemma*head-word lemma*frame-place lemma*content-word"
    " phrase*position*distance phrase*head-word phrase*first-word head-word*position frame-place*voice*tag"
    " frame*lemma frame*head-tag predicate-gap*phrase predicate-gap*lemma phrase*right-tag*left-tag"
    " phrase*parent*grandparent phrase*marks-between*verbs-between top-sibling*phrase*clauses lemma*common-gap"
    " lemma*head-tag*position phrase*length*position relation*lemma relation*relations*lemma relation*relations*voice"
    " relation*governor-word relation*governor-lemma relation*governor-tag*lemma relation*object-word"
    " relation*lemma*object-tag relation*lemma*object-word relation*asker-word path*common-word"
    " path-short*governor-word path-short*common-word lemma*governor-word phrase*second-word"
)
BOUNDARY_SETTINGS = RowSettings(cost=0.05, rare=3, most=130_000)
ROLE_SETTINGS = RowSettings(cost=0.05, rare=2, most=320_000)
PREDICATE_SETTINGS = RowSettings(cost=0.1, rare=2, most=40_000)
SENSE_SETTINGS = RowSettings(cost=0.1, rare=2, most=40_000)
FOLD_PARSERS = EnglishSettings(
    tagger=StageSettings(2, 4, 800_000), parser=StageSettings(2, 8, 1_600_000, 8), folds=1, seed=1
)


@dataclass(frozen=True)
class ArgumentSettings:
    """All hyper-parameters; the defaults make the embedded model.

    Attributes
    ----------
    boundary, roles, predicates, senses : RowSettings
    prune : bool
        Use only the constituents that Xue and Palmer's pruning keeps.
    folds : int
        Number of parts for jack-knifed trees; 0 trains on gold trees.
    gold_too : bool
        With `folds`: train on the gold trees as well.
    rare_role : int
        Roles of fewer arguments are never told, unless all are that rare.
    """

    boundary: RowSettings = BOUNDARY_SETTINGS
    roles: RowSettings = ROLE_SETTINGS
    predicates: RowSettings = PREDICATE_SETTINGS
    senses: RowSettings = SENSE_SETTINGS
    prune: bool = True
    folds: int = 0
    gold_too: bool = False
    rare_role: int = 20


def train_arguments(
    sentences: Sequence[FramedSentence],
    settings: ArgumentSettings | None = None,
    *,
    report: Report = silent,
) -> ArgumentModel:
    """Train everything.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> sentences = list(read_frames("sample-en"))
    >>> model = train_arguments(sentences)
    >>> [frame.spans for frame in model.find([sentences[0].tree])[0].frames]
    [((0, 1), (2, 7)), ((2, 4), (4, 5), (5, 6))]
    """
    chosen = settings or ArgumentSettings()
    if not any(frame.spans for one in sentences for frame in one.frames):
        raise ArgumentError("there are no predicates with arguments to learn from")
    met = list(sentences)
    if chosen.folds > 1:
        parsed = parsed_anew(sentences, chosen.folds, report=report)
        met = met + parsed if chosen.gold_too else parsed
    report("training predicates")
    finder = train_finder(met, chosen.predicates)
    named = with_lemmas(met, finder)
    model = train_spans(named, finder, chosen, report)
    report("training senses")
    model.senses = train_senses(named, chosen.senses)
    model.details = {"sentences": len(sentences), "settings": asdict(chosen)}
    return model


def train_spans(
    sentences: Sequence[FramedSentence], finder: PredicateFinder, settings: ArgumentSettings, report: Report
) -> ArgumentModel:
    """Train boundaries and roles."""
    extractor = CandidateExtractor(trees=False, prune=settings.prune)
    tables: list[NDArray[np.int32]] = []
    roles, held = [], []
    for begin in range(0, len(sentences), PORTION):
        portion = sentences[begin : begin + PORTION]
        candidates = Candidates(extractor.extract(portion))
        tables.append(template_table(candidates.arrays))
        roles.append(gold_roles(candidates, portion))
        aside = np.array([is_held_out(one) for one in portion])
        held.append(aside[candidates.arrays["sentences"][candidates.predicates]])
    table, names = np.concatenate(tables), np.concatenate(roles)
    gold = np.array([bool(name) for name in names], dtype=np.bool_)
    report(f"training boundaries on {len(table):,} candidates, {int(gold.sum()):,} of them arguments")
    rows = conjoined(table, BOUNDARY_CONJUNCTIONS)
    bias = chosen_bias(rows, gold, np.concatenate(held), settings.boundary)
    part = ConjoinedWeights(ConjoinedTable(train_rows(rows, gold, settings.boundary), BOUNDARY_CONJUNCTIONS))
    report("training roles")
    common = gold & np.isin(names, common_roles(names[gold], settings.rare_role))
    classifier = train_roles(table[common], names[common], settings.roles)
    return ArgumentModel(finder, assembled([part], bias, (), siblings=False, prune=settings.prune), classifier)


def is_held_out(sentence: FramedSentence) -> bool:
    """Return whether a sentence is held out. This depends on its words only, so that it is the same with any tree."""
    return zlib.crc32(" ".join(sentence.tree.words).encode("utf-8", "surrogatepass")) % HELD_OUT == 0


def chosen_bias(
    rows: NDArray[np.int32], gold: NDArray[np.bool_], held: NDArray[np.bool_], settings: RowSettings
) -> float:
    """Return the bias with the best F1 on held-out candidates, by a model of the others.

    The fewest errors are not the best F1: arguments are the rarer class and are found too rarely.
    """
    if len(np.unique(gold[~held])) < 2 or not gold[held].any():
        return 0.0  # too little data to tell
    margins = train_rows(rows[~held], gold[~held], settings).scores(rows[held])[:, 0]
    return -best_threshold(margins, gold[held])


def best_threshold(margins: NDArray[np.float64], gold: NDArray[np.bool_]) -> float:
    """Return the threshold above which margins have the best F1.

    Examples
    --------
    >>> best_threshold(np.array([2.0, 1.0, -0.5, -1.5]), np.array([True, False, True, False]))
    -1.0
    """
    order = np.argsort(-margins, kind="stable")
    sizes, right = margins[order], np.cumsum(gold[order])
    scores = 2 * right / (np.arange(1, len(sizes) + 1) + gold.sum())
    scores[:-1][sizes[:-1] == sizes[1:]] = -1.0  # equal margins are on one side
    place = int(scores.argmax())
    return float((sizes[place] + (sizes[place + 1] if place + 1 < len(sizes) else sizes[place] - 1)) / 2)


def common_roles(names: NDArray[Any], rare: int) -> list[str]:
    """Return the roles that are not rare; all of them, if fewer than two are left.

    Examples
    --------
    >>> common_roles(np.array(["ARG0", "ARG1", "ARG0", "ARGA", "ARG1"], dtype=object), 2)
    ['ARG0', 'ARG1']
    """
    counts = Counter(names.tolist())
    kept = sorted(role for role, times in counts.items() if times >= rare)
    return kept if len(kept) > 1 else sorted(counts)


def with_lemmas(sentences: Sequence[FramedSentence], finder: PredicateFinder) -> list[FramedSentence]:
    """Return the sentences with the lemmas of the finder, which predicates will have in use."""
    made = []
    for one in sentences:
        own = finder.frames(one.tree, [frame.token for frame in one.frames])
        named = (replace(frame, lemma=met.lemma) for frame, met in zip(one.frames, own, strict=True))
        made.append(replace(one, frames=tuple(named)))
    return made


def parsed_anew(sentences: Sequence[FramedSentence], folds: int, *, report: Report) -> list[FramedSentence]:
    """Return the sentences with the trees and tags of parsers that have not seen them."""
    trees: list[FlatTree] = [one.tree for one in sentences]
    found = list(trees)
    for fold in range(folds):
        report(f"parsing part {fold + 1} of {folds}")
        own = [place for place in range(fold, len(trees), folds) if trees[place].words]
        others = [tree for place, tree in enumerate(trees) if place % folds != fold and tree.words]
        model = train(others or trees, FOLD_PARSERS)
        for place, tree in zip(own, model.parse([trees[place].words for place in own]), strict=True):
            found[place] = tree
    return [replace(one, tree=tree) for one, tree in zip(sentences, found, strict=True)]


def train_finder(sentences: Sequence[FramedSentence], settings: RowSettings = PREDICATE_SETTINGS) -> PredicateFinder:
    """Learn base forms and which words are predicates."""
    known = [
        (one.tree.words[frame.token], one.tree.tags[frame.token], frame.lemma)
        for one in sentences
        for frame in one.frames
        if one.tree.tags[frame.token] in VERBS | NOMINALS
    ]
    rows: list[list[int]] = []
    labels: list[bool] = []
    for one in sentences:
        places = [i for i, tag in enumerate(one.tree.tags) if tag in VERBS | NOMINALS]
        predicates = {frame.token for frame in one.frames if not is_auxiliary(frame)}
        rows += token_rows(one.tree, places)
        labels += [place in predicates for place in places]
    return PredicateFinder(
        train_rows(as_rows(rows), np.array(labels, dtype=np.bool_), settings), Lemmatiser.learned(known)
    )


def train_senses(sentences: Sequence[FramedSentence], settings: RowSettings = SENSE_SETTINGS) -> SenseModel | None:
    """Learn rolesets and what chooses among those of one base form; None where no predicate has one.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.frames import Frame
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> train_senses([FramedSentence(tree, (Frame(1, "bark", roleset="bark.02"),))])
    SenseModel(rolesets={'bark': ('bark.02',)}, table=None)
    """
    frames = [(one.tree, frame) for one in sentences for frame in one.frames if frame.roleset]
    if not frames:
        return None
    rolesets = known_rolesets(frame for _, frame in frames)
    asked = [(tree, frame) for tree, frame in frames if len(rolesets.get(frame.lemma, ())) > 1]
    labels = np.array([str(rolesets[frame.lemma].index(frame.roleset)) for _, frame in asked])
    if len(np.unique(labels)) < 2:
        return SenseModel(rolesets)
    rows = as_rows([sense_row(tree, frame) for tree, frame in asked])
    return SenseModel(rolesets, train_rows(rows, labels, settings))


def gold_roles(candidates: Candidates, sentences: Sequence[FramedSentence]) -> NDArray[Any]:
    """Return the role of each candidate, empty if it is not an argument; candidates are those of `sentences`.

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


def train_roles(
    features: NDArray[np.int32], roles: NDArray[Any], settings: RowSettings = ROLE_SETTINGS
) -> ConjoinedTable:
    """Train a classifier of roles from the features of arguments."""
    rows = conjoined(features, ROLE_CONJUNCTIONS)
    return ConjoinedTable(train_rows(rows, roles.astype(str), settings), ROLE_CONJUNCTIONS)
