"""Probabilities of arcs, from the k best trees and from the first pass, calibrated on held-out sentences.

Two numbers are known of an arc of the best tree: its share of the k best trees, each weighted by the exponential of its
score, and its probability by the first pass, which is a log-linear choice among all heads of the word. A logistic
regression on the logarithms of their odds, fitted to sentences that the parser did not learn from, gives the
probability that the arc is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.scalars import PartWeights
from kakari.kernels.stored import Contents
from kakari.parsers.dependency.parsing import head_shares
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.treebank import TreeSentence

LIST = 8  # trees that are compared
LEAST = 1e-4  # shares are clipped to the range from this to 1 minus this
SHARPEST = 1e6


@dataclass(frozen=True)
class Confidence:
    """The logistic regression: a constant, the weight of the trees' share and that of the first pass."""

    constant: float = 0.0
    trees: float = 1.0
    first_pass: float = 0.0

    def probabilities(self, evidence: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability that arcs with this evidence are right.

        Examples
        --------
        >>> Confidence().probabilities(np.array([[0.0, 3.0]])).tolist()
        [0.5]
        """
        total = self.constant + evidence @ np.array([self.trees, self.first_pass])
        found: NDArray[np.float64] = 1 / (1 + np.exp(-total))
        return found

    def contents(self) -> Contents:
        """Return the saved form of it."""
        return Contents(settings={"weights": [self.constant, self.trees, self.first_pass]})

    @staticmethod
    def from_contents(contents: Contents) -> Confidence:
        """Rebuild it from its `contents()`.

        Examples
        --------
        >>> Confidence.from_contents(Confidence(1.0, 0.5, 0.25).contents())
        Confidence(constant=1.0, trees=0.5, first_pass=0.25)
        """
        return Confidence(*contents.numbers("weights", 3, low=-SHARPEST, high=SHARPEST))


def odds(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the odds of probabilities, none of them quite 0 or 1.

    Examples
    --------
    >>> odds(np.array([0.5, 1.0])).round(2).tolist()
    [0.0, 9.21]
    """
    kept = np.clip(shares, LEAST, 1 - LEAST)
    found: NDArray[np.float64] = np.log(kept / (1 - kept))
    return found


def tree_shares(scored: Sequence[tuple[float, TreeSentence]]) -> NDArray[np.float64]:
    """Return, for each arc of the first tree, its share of all of them, each weighted by its score's exponential."""
    weights = np.exp(np.array([score for score, _ in scored]) - scored[0][0])
    heads = np.array([tree.heads for _, tree in scored])
    found: NDArray[np.float64] = weights @ (heads == heads[0]) / weights.sum()
    return found


def arc_evidence(found: Sequence[Sequence[tuple[float, TreeSentence]]], light: PartWeights) -> NDArray[np.float64]:
    """Return the evidence for each arc of the best trees of some sentences, given the best trees with their scores."""
    heads = [head for scored in found for head in scored[0][1].heads]
    shares = np.concatenate([np.zeros(0), *(tree_shares(scored) for scored in found)])
    batch = TokenBatch([scored[0][1].words for scored in found])
    return np.stack((odds(shares), odds(head_shares(batch, heads, light))), axis=1)


def fit_confidence(evidence: NDArray[np.float64], right: NDArray[np.bool_]) -> Confidence:
    """Fit the regression to arcs of sentences that the parser did not learn from."""
    from sklearn.linear_model import LogisticRegression

    if right.all() or not right.any():
        return Confidence()
    fitted = LogisticRegression(C=1e3).fit(evidence, right)
    constant, (trees, first_pass) = float(fitted.intercept_[0]), fitted.coef_[0].tolist()
    return Confidence(round(constant, 6), round(trees, 6), round(first_pass, 6))
