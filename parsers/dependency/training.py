"""Training of a dependency parser on a treebank: tagger, first pass, trees, relations.

The parser learns from predicted tags, features and lemmas: each part of the data is tagged by a tagger that was
trained on the other parts. Everything is drawn from one seed, so that the same data gives the same model.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from kakari.corpora.records.arcs import crossing_arcs
from kakari.kernels.hashed.scalars import PartLearner, PartWeights
from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.models.reporting import Report, silent
from kakari.parsers.dependency.labelling import MOST_LABELS, NO_LABEL, learn_labels
from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.parsing import TreeSettings, learn_batch
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.treebank import Columns, TreeSentence, enclitics_of, lifted
from kakari.parsers.dependency.words.tagger import TaggerSettings, added_up, train_tagger

PORTION = 1000  # sentences between two chances to interrupt


@dataclass(frozen=True)
class DependencySettings:
    """All hyper-parameters; the defaults are those of docs/dependency.md.

    Attributes
    ----------
    order, heads : int
        See `TreeSettings`.
    projective : bool
        Whether to search only projective trees; gold trees are then made projective (`lifted`).
    reach : float
        A candidate head's score in the first pass is below the best one's by no more than this, in logarithms of
        odds.
    light_passes, passes, label_passes : int
    light_rate, longest_step : float
        Learning rate of the first pass, largest passive-aggressive step of the trees.
    most_light, most, most_labels : int
        Number of weights to keep, the largest ones.
    folds : int
        Number of parts for jack-knifed tags; 1 trains the parser on the treebank's own tags.
    fold_tagger, tagger : TaggerSettings
        Settings of these taggers, and of the model's own.
    learners, label_learners : int
        Numbers of learners of trees and of relations, each with its own order; their weights are added up.
    """

    order: int = 3
    heads: int = 8
    projective: bool = True
    reach: float = 5.5
    light_passes: int = 4
    passes: int = 6
    label_passes: int = 5
    light_rate: float = 0.06
    longest_step: float = 0.1
    learners: int = 1
    label_learners: int = 1
    most_light: int = 250_000
    most: int = 1_400_000
    most_labels: int = 350_000
    folds: int = 5
    fold_tagger: TaggerSettings = field(
        default_factory=lambda: TaggerSettings(passes=3, learners=1, most=500_000, most_attributes=250_000)
    )
    tagger: TaggerSettings = field(default_factory=TaggerSettings)
    seed: int = 1


def train(
    sentences: Sequence[TreeSentence],
    settings: DependencySettings | None = None,
    *,
    language: str = "en",
    report: Report = silent,
) -> DependencyModel:
    """Train a tagger, a lemmatiser and a parser.

    Examples
    --------
    >>> words = (("Dogs", "dog", "NOUN", "NNS", "Number=Plur"), ("bark", "bark", "VERB", "VBP", "_"))
    >>> model = train([TreeSentence(words, (2, 0), ("nsubj", "root"))] * 10)
    >>> model.parse([["Dogs", "bark"]])[0].relations
    ('nsubj', 'root')
    """
    chosen = settings or DependencySettings()
    used = [sentence for sentence in sentences if sentence.words]
    if not used:
        raise ValueError("there are no sentences to train on")
    tagger = train_tagger([s.words for s in used], replace(chosen.tagger, seed=chosen.seed), report=report)
    met = [list(s.words) for s in used] if chosen.folds == 1 else jackknifed(used, chosen, report=report)
    heads, crossing = [s.heads for s in used], 0
    if chosen.projective:
        crossing = sum(bool(crossing_arcs(own)) for own in heads)
        heads = [lifted(own) if crossing_arcs(own) else own for own in heads] if crossing else heads
        report(f"{crossing} trees were not projective and have been lifted")
    one_root = all(own.count(0) == 1 for own in heads)
    batch = TokenBatch(met)
    light, search, full = train_trees(batch, heads, chosen, one_root, report)
    relations, labels = train_labels(batch, used, chosen, report)
    details = {
        "sentences": len(used),
        "words": sum(len(s.words) for s in used),
        "lifted": crossing,
        "settings": asdict(chosen),
    }
    return DependencyModel(language, tagger, relations, search, light, full, labels,
                           enclitics=enclitics_of(used), details=details)  # fmt: skip


def train_trees(
    batch: TokenBatch, heads: Sequence[Sequence[int]], settings: DependencySettings, one_root: bool, report: Report
) -> tuple[PartWeights, TreeSettings, PartWeights]:
    """Train the first pass and the weights of trees."""
    gold = np.array([head for own in heads for head in own], dtype=np.int32)

    def searching(reach: int) -> TreeSettings:
        return TreeSettings(
            order=settings.order,
            heads=settings.heads,
            one_root=one_root,
            projective=settings.projective,
            reach=reach,
        )

    def learned(
        name: str, passes: int, light: PartWeights | None, search: TreeSettings, step: float, seed: int
    ) -> PartLearner:
        learner = PartLearner()
        for number in range(passes):
            order = np.random.default_rng([seed, number]).permutation(len(heads))
            wrong = 0
            for begin in range(0, len(order), PORTION):
                wrong += learn_batch(batch, gold, learner, light, search, order[begin : begin + PORTION], step)
                report(f"{name}: pass {number + 1} of {passes}, {min(begin + PORTION, len(order))} sentences")
            report(f"{name}: pass {number + 1} of {passes} done, {wrong / max(1, len(gold)):.4f} of the heads wrong")
        return learner

    first = learned("first pass", settings.light_passes, None, searching(0), settings.light_rate, settings.seed)
    light = first.freeze(most=settings.most_light)
    search = searching(max(1, round(settings.reach / light.unit)))

    def one(number: int) -> PartLearner:
        name = f"trees, learner {number + 1}"
        return learned(name, settings.passes, light, search, settings.longest_step, settings.seed + number)

    with ThreadPoolExecutor(max_workers=min(settings.learners, os.cpu_count() or 1)) as pool:
        full, *others = pool.map(one, range(settings.learners))
    for other in others:
        full.absorb(other)
    return light, search, full.freeze(most=settings.most)


def train_labels(
    batch: TokenBatch,
    sentences: Sequence[TreeSentence],
    settings: DependencySettings,
    report: Report,
    found: Sequence[Sequence[int]] | None = None,
) -> tuple[tuple[str, ...], HashedWeights]:
    """Train the weights of relations, in gold trees and, if they are given, in the trees that a parser found.

    A found tree teaches the relations of the words whose heads are right, beside modifiers that may be wrong.
    """
    relations = tuple(sorted({relation for s in sentences for relation in s.relations}))
    if len(relations) > MOST_LABELS:
        raise ValueError(f"there are {len(relations)} relations; at most {MOST_LABELS} can be learned")
    numbers = {relation: number for number, relation in enumerate(relations)}
    gold = np.array([numbers[relation] for s in sentences for relation in s.relations], dtype=np.uint8)
    heads = np.array([head for s in sentences for head in s.heads], dtype=np.int32)
    others = np.array([head for own in found or () for head in own], dtype=np.int32)
    known = np.where(others == heads, gold, NO_LABEL).astype(np.uint8) if found is not None else gold

    def one(place: int) -> HashedLearner:
        learner = HashedLearner()
        for number in range(settings.label_passes):
            order = np.random.default_rng([settings.seed + place, number]).permutation(len(sentences))
            wrong = learn_labels(batch, heads, gold, learner, len(relations), order)
            if found is not None:
                learn_labels(batch, others, known, learner, len(relations), order)
            report(f"relations: pass {number + 1} of {settings.label_passes} done, {wrong / len(gold):.4f} wrong")
        return learner

    return relations, added_up(one, settings.label_learners).freeze(most=settings.most_labels)


def jackknifed(
    sentences: Sequence[TreeSentence], settings: DependencySettings, *, report: Report
) -> list[list[Columns]]:
    """Tag each part of the sentences with a tagger that was trained on the other parts."""
    found: dict[int, list[Columns]] = {}
    own = replace(settings.fold_tagger, seed=settings.seed)
    for fold in range(settings.folds):
        part = jackknife_part(len(sentences), fold, settings.folds)
        apart = set(part)
        others = [s.words for place, s in enumerate(sentences) if place not in apart]
        tagger = train_tagger(others or [s.words for s in sentences], own)
        found.update(zip(part, tagger.tag([sentences[place].forms for place in part]), strict=True))
        report(f"tagged part {fold + 1} of {settings.folds}")
    return [found[place] for place in range(len(sentences))]


def jackknife_part(count: int, fold: int, folds: int, block: int = 100) -> list[int]:
    """Return the places of one part of so many sentences: each `folds`-th block of them.

    Not each nth sentence: sentences of one text are alike, and what has learned from a sentence's neighbours is better
    at it than at new text, so that a parser would learn from tags that are too good. Not one stretch either: treebanks
    are sorted by genre, and what has never seen a genre is worse at it than at new text of genres that it knows.
    Blocks are shorter if there are too few of them to make parts alike.

    Examples
    --------
    >>> [jackknife_part(7, fold, 3, block=1) for fold in range(3)]
    [[0, 3, 6], [1, 4], [2, 5]]
    >>> [jackknife_part(7, fold, 2, block=2) for fold in range(2)], jackknife_part(1, 1, 2)
    ([[0, 1, 4, 5], [2, 3, 6]], [])
    """
    size = max(1, min(block, -(-count // folds)))
    return [place for place in range(count) if place // size % folds == fold]
