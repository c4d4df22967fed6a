"""Training of hyponymy models: passive-aggressive passes over the pairs, frozen; the sigmoid from held-out margins.

The margins that the sigmoid is fitted to, and the scores that a model reports of itself, come from cross-validation.
Pairs of the same article are in the same fold, so that no fold is judged by what was learned from its own articles.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.formats.pairs import Pair
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.polynomial.multiclass import expansions
from kakari.models.reporting import Report
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.hyponymy.evidence import Evidence
from kakari.parsers.hyponymy.model import HyponymyModel, feature_rows
from kakari.parsers.hyponymy.scores import scores


@dataclass(frozen=True)
class HyponymyOptions:
    """Training settings of a hyponymy model.

    Attributes
    ----------
    degree : int
        Degree of the kernel: the most features in a conjunction that has a weight.
    cost : float
        The largest step, PA-I's C.
    passes : int
        Over the pairs, each in a new order.
    folds : int
        Of the cross-validation.
    random_state : int
        The seed of the orders.
    minimum_weight : float
        Conjunctions with a smaller weight are left out of the frozen model.
    """

    degree: int = 2
    cost: float = 1.0
    passes: int = 10
    folds: int = 10
    random_state: int = 0
    minimum_weight: float = 0.0


def train_hyponymy(
    pairs: Sequence[Pair],
    options: HyponymyOptions | None = None,
    *,
    evidence: Evidence | None = None,
    report: Report | None = None,
) -> HyponymyModel:
    """Train a model: Japanese without evidence, English with it.

    Examples
    --------
    >>> pairs = [Pair("県", name + "県", True, article=name) for name in "青森 千葉 大分 岩手".split()]
    >>> pairs += [Pair("歴史", pair.article + "年", False, article=pair.article) for pair in pairs]
    >>> model = train_hyponymy(pairs, HyponymyOptions(folds=2))
    >>> (model.margins([Pair("県", "熊本県"), Pair("歴史", "2001年")]) > 0).tolist()
    [True, False]
    """
    options = options or HyponymyOptions()
    labels = labels_of(pairs)
    vocabulary = Vocabulary()
    sets = vocabulary.encode(feature_rows(pairs, evidence))
    vocabulary.freeze()
    margins = cross_validated(pairs, sets, labels, options, report)
    slope, intercept = fitted_sigmoid(margins, labels)
    if report is not None:
        report("all", options.folds, options.folds + 1)
    machine = _trained(sets, labels, options)
    information = {
        "options": asdict(options),
        "pairs": len(pairs),
        "true": int(labels.sum()),
        "cross_validated": scores(labels, margins),
    }
    language = "ja" if evidence is None else "en"
    return HyponymyModel(machine, vocabulary, language, slope, intercept, evidence, information)


def labels_of(pairs: Sequence[Pair]) -> NDArray[np.bool_]:
    """Return the labels of annotated pairs; refuse pairs without, and labels that are all the same."""
    missing = next((number for number, pair in enumerate(pairs, 1) if pair.label is None), None)
    if missing is not None:
        raise TrainingError(f"pair {missing} has no label")
    labels = np.array([bool(pair.label) for pair in pairs], dtype=np.bool_)
    if labels.all() or not labels.any():
        raise TrainingError("training needs pairs that are hyponyms and pairs that are not")
    return labels


def fold_numbers(pairs: Sequence[Pair], folds: int) -> NDArray[np.int64]:
    """Return the fold of each pair: that of its article, or its own where it comes from none.

    Examples
    --------
    >>> fold_numbers([Pair("a", "b", article="x"), Pair("c", "d", article="x")], 5).tolist()
    [3, 3]
    """
    keys = [pair.article or f"{pair.hypernym}\t{pair.hyponym}" for pair in pairs]
    return np.array([zlib.crc32(key.encode("utf-8", "surrogatepass")) % folds for key in keys], dtype=np.int64)


def cross_validated(
    pairs: Sequence[Pair],
    sets: FeatureSets,
    labels: NDArray[np.bool_],
    options: HyponymyOptions,
    report: Report | None = None,
) -> NDArray[np.float64]:
    """Return each pair's margin by a model that was trained on the other folds."""
    fold = fold_numbers(pairs, options.folds)
    margins = np.zeros(len(pairs))
    for number in range(options.folds):
        rest, held = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        if not held.size:
            continue
        if report is not None:
            report(f"fold {number + 1} of {options.folds}", number, options.folds + 1)
        if labels[rest].all() or not labels[rest].any():
            raise TrainingError(f"outside of fold {number + 1} all labels are the same: take fewer folds")
        margins[held] = _trained(sets.take(rest), labels[rest], options).margins(sets.take(held))
    return margins


def _trained(sets: FeatureSets, labels: NDArray[np.bool_], options: HyponymyOptions) -> FrozenModel:
    learner = KernelLearner(
        method="slicing", degree=options.degree, learner="pa1", cost=options.cost, seed=options.random_state
    )
    learner.partial_fit(sets, np.where(labels, 1, -1), passes=options.passes)
    [(support, coefficients)] = expansions(learner, averaged=True)
    if options.degree <= 2 or options.minimum_weight > 0:
        return freeze(support, coefficients, options.degree, kind="expansion", sigma=options.minimum_weight)
    # All conjunctions of three and four out of some 45 features would be gigabytes.
    return freeze(support, coefficients, options.degree, kind="splitting", common=200)


def fitted_sigmoid(margins: NDArray[np.float64], labels: NDArray[np.bool_]) -> tuple[float, float]:
    """Fit Platt's sigmoid to held-out margins by Newton steps on the log loss.

    The targets are drawn a little towards each other, as Platt has it, so that separable data have a finite slope.

    Examples
    --------
    >>> slope, intercept = fitted_sigmoid(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True]))
    >>> slope > 0, abs(intercept) < 1e-6
    (True, True)
    """
    true, false = float(labels.sum()), float((~labels).sum())
    target = np.where(labels, (true + 1) / (true + 2), 1 / (false + 2))
    scale = max(float(np.abs(margins).max(initial=0.0)), 1e-12)
    design = np.stack([margins / scale, np.ones_like(margins)], axis=1)
    weights = np.zeros(2)
    for _ in range(100):
        guess = 0.5 * (1.0 + np.tanh(0.5 * design @ weights))
        gradient = design.T @ (guess - target)
        hessian = (design.T * (guess * (1 - guess))) @ design + 1e-9 * np.eye(2)
        step: Any = np.linalg.solve(hessian, gradient)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-10:
            break
    return float(weights[0] / scale), float(weights[1])
