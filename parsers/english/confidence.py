"""Probabilities of constituents: their calibrated share of the trees that are left in the beam.

The trees that are left in the end are weighted by the exponential of their scores times `scale`. A constituent's
evidence is the logarithm of the odds of its share; a logistic function of it is the probability that it is right.
The defaults were fitted to the embedded model on development data that no training saw (docs/english.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.parsers.english.words.flat_trees import FlatTree

LEAST = 1e-4  # shares are clipped to the range from this to 1 minus this


@dataclass(frozen=True)
class TreeConfidence:
    """Settings that turn the scores of trees into probabilities.

    Attributes
    ----------
    scale : float
        Factor of the scores before trees are weighted by their exponentials.
    constant, slope : float
        Parameters of the logistic function of a constituent's evidence.
    """

    scale: float = 0.03
    constant: float = -0.5383
    slope: float = 0.2684

    def tree_shares(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return the share of each of a sentence's trees.

        Examples
        --------
        >>> TreeConfidence(scale=1.0).tree_shares([3, 3]).tolist()
        [0.5, 0.5]
        """
        raised = self.scale * np.asarray(scores, dtype=np.float64)
        weights: NDArray[np.float64] = np.exp(raised - raised.max(initial=-np.inf)) if len(raised) else raised
        return weights / weights.sum() if len(weights) else weights

    @staticmethod
    def constituent_shares(trees: Sequence[FlatTree], shares: Sequence[float]) -> NDArray[np.float64]:
        """Return the share of the trees in which each constituent of the first one is, by the shares of the trees.

        Examples
        --------
        >>> first = FlatTree(("Go", "on"), ("VB", "RP"), (("S", 0, 2), ("VP", 0, 2)))
        >>> other = FlatTree(("Go", "on"), ("VB", "RP"), (("S", 0, 2),))
        >>> TreeConfidence.constituent_shares([first, other], [0.5, 0.5]).tolist()
        [1.0, 0.5]
        """
        first = trees[0].nodes
        found = [0.0] * len(first)
        for tree, share in zip(trees, shares, strict=True):
            own = set(tree.nodes)
            found = [before + share if node in own else before for node, before in zip(first, found, strict=True)]
        return np.array(found)

    def probabilities(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how often constituents with these shares are right.

        Examples
        --------
        >>> TreeConfidence(constant=0.0).probabilities(np.array([0.5])).tolist()
        [0.5]
        """
        found: NDArray[np.float64] = 1 / (1 + np.exp(-(self.constant + self.slope * evidence(shares))))
        return found


def evidence(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the odds of shares, none of them quite 0 or 1."""
    kept = np.clip(shares, LEAST, 1 - LEAST)
    odds: NDArray[np.float64] = np.log(kept / (1 - kept))
    return odds
