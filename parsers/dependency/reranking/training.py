"""Training of a reranker on lists of trees, by Algorithm 1 of the template kernel paper.

The wanted tree of a list is the one with the fewest wrong heads (then relations, then the base parser's preference);
the loss of another one is the number of heads in which the two differ. Linear weights begin with the base parser's own
order.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.quantising import largest
from kakari.kernels.templates.learning import UNIT, CandidateLists, RerankLearner
from kakari.kernels.templates.support import Support
from kakari.models.reporting import Report, silent
from kakari.parsers.dependency.reranking.properties import Columns, WordProperties
from kakari.parsers.dependency.reranking.reranker import (
    SCORE_SCALE,
    Arrays,
    Reranker,
    figures_of,
    layout_of,
)
from kakari.parsers.dependency.reranking.tree_parts import FIGURES, TreeBatch


@dataclass(frozen=True)
class RerankSettings:
    """Training settings of a reranker; the defaults were chosen on held-out lists of the training data.

    Attributes
    ----------
    trees : int
        Of a list.
    passes : int
    C : float
        The longest step.
    base : float
        The weight of the base parser's score at the beginning.
    kernel, linear : bool
        Whether the template kernel and the hashed linear features are used; the base parser's score always is.
    degree : int
        1: one property of a head and a modifier at a time; 2: pairs of them, too.
    least : int
        How often a form or lemma occurs that is a property.
    features : int
        Into how many numbers linear features are hashed.
    most, most_linear : int or None
        Weights of combinations and of hashed linear features that the finished reranker keeps, the largest ones; None:
        all. Linear ones that are chosen so are rounded to 8 bits.
    cost_augmented : bool
        Whether steps are taken against the tree whose score and loss together are largest.
    loss : "between", "gold" or "labelled"
        In how many heads a tree differs from the wanted one, or how many more of its heads are wrong; "labelled" counts
        heads with wrong relations too, and the wanted tree is the one with fewest of both.
    share, remember, expand : bool
        How sums are found; see `RerankLearner`. The result is the same.
    """

    trees: int = 10
    passes: int = 3
    C: float = 3e-5
    base: float = 1.0
    kernel: bool = True
    linear: bool = True
    degree: int = 1
    least: int = 40
    features: int = 2**18
    most: int | None = None
    most_linear: int | None = None
    cost_augmented: bool = True
    loss: str = "gold"
    share: bool = True
    remember: bool = False
    expand: bool = True
    seed: int = 1


@dataclass(frozen=True)
class TrainedReranker:
    """A reranker, the support it was frozen from, and figures of its training."""

    reranker: Reranker
    support: Support
    lists: CandidateLists
    details: dict[str, Any]


def gold_errors(
    lists: Arrays, gold: Sequence[Sequence[int]], relations: Sequence[Sequence[int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many heads of each tree are wrong, and how many heads or relations.

    A gold relation that the parser does not know is -1.

    Examples
    --------
    >>> lists = {"counts": np.array([2]), "heads": np.array([0, 1, 2, 0]), "relations": np.array([1, 0, 0, 1])}
    >>> [found.tolist() for found in gold_errors(lists, [[0, 1]], [[1, 1]])]
    [[0, 2], [1, 2]]
    """
    heads, labels = [], []
    at = 0
    for count, own, names in zip(lists["counts"], gold, relations, strict=True):
        end = at + int(count) * len(own)
        wrong = lists["heads"][at:end].reshape(count, len(own)) != np.asarray(own, dtype=np.int32)
        other = lists["relations"][at:end].reshape(count, len(own)) != np.asarray(names, dtype=np.int32)
        heads.append(wrong.sum(axis=1))
        labels.append((wrong | other).sum(axis=1))
        at = end
    none = np.zeros(0, dtype=np.int64)
    return np.concatenate([none, *heads]), np.concatenate([none, *labels])


def losses_of(
    lists: Arrays, lengths: Sequence[int], errors: tuple[NDArray[np.int64], NDArray[np.int64]], loss: str
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the loss of each tree against the wanted one of its list, and which that is."""
    losses, wanted = [], []
    at = tree = 0
    for count, length in zip(lists["counts"], lengths, strict=True):
        own = slice(tree, tree + int(count))
        ranks = (errors[0][own], errors[1][own]) if loss == "labelled" else (errors[1][own], errors[0][own])
        chosen = int(np.lexsort(ranks)[0])
        heads = lists["heads"][at : at + int(count) * length].reshape(count, length)
        between = (heads != heads[chosen]).sum(axis=1)
        told = ranks[1] - ranks[1][chosen]  # the last key of the order is the first one
        losses.append(between if loss == "between" else told)
        wanted.append(chosen)
        at, tree = at + int(count) * length, own.stop
    none = np.zeros(0, dtype=np.int32)
    return np.concatenate([none, *losses]).astype(np.int32), np.array(wanted, dtype=np.int32)


def shortened(weights: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the largest weights, rounded to multiples of a power of two of which the largest has 127; others are 0.

    Examples
    --------
    >>> shortened(np.array([1270, -3, 30, -500]), 2).tolist(), shortened(np.array([5, 0]), 2).tolist()
    ([1264, 0, 0, -496], [5, 0])
    """
    found = np.zeros_like(weights)
    kept = largest(np.abs(weights), most)
    unit = 1 << max(0, int(np.abs(weights).max(initial=0)).bit_length() - 7)
    found[kept] = (np.abs(weights[kept]) + unit // 2) // unit * unit * np.sign(weights[kept])
    return found


def train_reranker(
    sentences: Sequence[Sequence[Columns]],
    lists: Arrays,
    gold: Sequence[Sequence[int]],
    relations: Sequence[Sequence[int]],
    known: int,
    settings: RerankSettings | None = None,
    *,
    report: Report = silent,
) -> TrainedReranker:
    """Train on lists whose base parsers had not seen their sentences.

    Parameters
    ----------
    sentences : sequence of sequences of columns
        As they were tagged for the lists.
    lists : mapping of arrays
        As `best_lists` gives them, the scores as floats in the base parser's unit.
    gold, relations : sequences
        Gold heads, and the numbers of gold relations, -1 for one that is not known.
    known : int
        How many relations there are.
    """
    chosen = settings or RerankSettings()
    properties = WordProperties.of(sentences, chosen.least, forms=chosen.kernel)  # no hashed feature has forms
    layout = layout_of(properties, known, chosen.features)
    lengths = [len(line) for line in sentences]
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    figures = figures_of(lists, (1.0, 1.0))
    batch = TreeBatch(layout, starts, properties.numbers(sentences), lists, figures)
    losses, wanted = losses_of(lists, lengths, gold_errors(lists, gold, relations), chosen.loss)
    kernel = layout.kernel(head_degree=chosen.degree, modifier_degree=chosen.degree)
    candidates = batch.candidate_lists(kernel, losses, wanted, linear=chosen.linear)
    learner = RerankLearner(
        candidates, C=chosen.C, start={0: chosen.base / SCORE_SCALE}, cost_augmented=chosen.cost_augmented,
        share=chosen.share, remember=chosen.remember, expand=chosen.expand, kernel=chosen.kernel,
    )  # fmt: skip
    seconds, parts, wrong = [], [], []
    for number in range(chosen.passes):
        start = time.process_time()
        wrong.append(learner.visit(np.random.default_rng([chosen.seed, number]).permutation(len(candidates))))
        seconds.append(time.process_time() - start)
        parts.append(learner.support_parts)
        report(f"reranking: pass {number + 1} of {chosen.passes} done, {wrong[-1]} of {len(candidates)} lists wrong")
    support, weights = learner.averaged()
    linear = np.zeros(chosen.features + FIGURES, dtype=np.int64)
    linear[: len(weights)] = weights
    if chosen.most_linear is not None:
        linear[FIGURES:] = shortened(linear[FIGURES:], chosen.most_linear)
    combinations = support.freeze(most=chosen.most, unit=UNIT) if chosen.kernel else None
    details = {
        "lists": len(candidates),
        "support_parts": parts,
        "updates": learner.updates,
        "wrong": wrong,
        "seconds": seconds,
        "combinations": 0 if combinations is None else len(combinations),
        "settings": asdict(chosen),
    }
    reranker = Reranker(chosen.trees, known, properties, linear, combinations)
    return TrainedReranker(reranker, support, candidates, details)
