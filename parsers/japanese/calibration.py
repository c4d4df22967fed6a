"""Probabilities from margins: the share of right decisions with a similar margin on held-out data.

Held-out decisions are put into bins of equal size by their margin; the shares of right ones, made monotonic, are the
probabilities at the bins' mean margins, with straight lines between them. An infinite margin, where there was no
choice, has the probability 1 (or 0). `Reliability` measures how well they fit other data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.corpora.records.japanese import JapaneseSentence
from kakari.parsers.japanese.gold import WordSource, analysed, carry_over
from kakari.parsers.japanese.model import Calibration, JapaneseModel

BINS = 25
FEWEST = 40  # decisions in a bin
TABLE_ROWS = 10


def fit_calibration(margins: ArrayLike, right: ArrayLike, bins: int = BINS) -> Calibration:
    """Fit probabilities to decisions that were right or wrong; those without a choice are left out."""
    given, truth = np.asarray(margins, dtype=np.float64), np.asarray(right, dtype=np.float64)
    finite = np.isfinite(given)
    order = np.argsort(given[finite], kind="stable")
    given, truth = given[finite][order], truth[finite][order]
    parts = max(1, min(bins, len(given) // FEWEST))
    edges = np.linspace(0, len(given), parts + 1).astype(int)
    pools: list[list[float]] = []  # sum of margins, right ones, count
    for begin, end in pairwise(edges.tolist()):
        if begin == end:
            continue
        pools.append([float(given[begin:end].sum()), float(truth[begin:end].sum()), float(end - begin)])
        while len(pools) > 1 and pools[-2][1] * pools[-1][2] >= pools[-1][1] * pools[-2][2]:
            last = pools.pop()
            pools[-1] = [one + other for one, other in zip(pools[-1], last, strict=True)]
    if not pools:
        return Calibration(np.zeros(1), np.full(1, 0.5))
    sums = np.array(pools)
    # A share of 0 or 1 only means that the bin is small: half a decision is added on each side.
    shares = (sums[:, 1] + 0.5) / (sums[:, 2] + 1.0)
    return Calibration(sums[:, 0] / sums[:, 2], np.maximum.accumulate(shares))


def calibrate(
    model: JapaneseModel,
    held_out: JapaneseModel,
    sentences: Sequence[JapaneseSentence],
    source: WordSource | None = None,
) -> None:
    """Give a model the calibrations of `held_out`, which was trained alike, but not on these sentences.

    Parameters
    ----------
    model, held_out : JapaneseModel
    sentences : sequence of JapaneseSentence
    source : WordSource, optional
        Word segmenter for the sentences' texts, as in training.
    """
    morphemes = analysed(sentences, held_out.lexicon, source)
    gold = carry_over(sentences, morphemes)
    if held_out.parsers:
        heads, margins = held_out.parse(morphemes, gold.opens)
        asked, right = gold.heads >= 0, heads == gold.heads
        sure = held_out.reranking.sure if held_out.rankers else None
        searched = margins < sure if sure is not None else np.zeros(len(margins), dtype=bool)
        model.arc_calibration = fit_calibration(margins[asked & ~searched], right[asked & ~searched])
        if sure is not None:
            model.search_calibration = fit_calibration(margins[asked & searched], right[asked & searched])
    if held_out.segmenter is not None:
        opens, margins = held_out.boundary_margins(morphemes)
        inside = np.ones(len(opens), dtype=bool)
        inside[morphemes.starts[:-1][np.diff(morphemes.starts) > 0]] = False
        model.boundary_calibration = fit_calibration(margins[inside], gold.opens[inside] == 1)


@dataclass
class Reliability:
    """Share of right decisions among those with similar probabilities.

    `rows` hold, for ten ranges of probability, the number of decisions, the sum of probabilities, and right ones.
    """

    rows: NDArray[np.float64] = field(default_factory=lambda: np.zeros((TABLE_ROWS, 3)))

    def add(self, probabilities: NDArray[np.float64], right: NDArray[np.bool_]) -> None:
        """Count decisions."""
        at = np.minimum((probabilities * TABLE_ROWS).astype(int), TABLE_ROWS - 1)
        for column, values in enumerate((np.ones(len(at)), probabilities, right.astype(np.float64))):
            self.rows[:, column] += np.bincount(at, values, TABLE_ROWS)

    @property
    def error(self) -> float:
        """The expected calibration error: how far probabilities are from shares of right ones, on average.

        Examples
        --------
        >>> found = Reliability()
        >>> found.add(np.array([0.9, 0.9]), np.array([True, False]))
        >>> round(found.error, 3)
        0.4
        """
        total = self.rows[:, 0].sum()
        return float(np.abs(self.rows[:, 1] - self.rows[:, 2]).sum() / total) if total else 0.0

    def as_list(self) -> list[list[float]]:
        """Return the ranges that have decisions: count, mean probability, share of right ones."""
        return [[int(n), round(p / n, 4), round(r / n, 4)] for n, p, r in self.rows.tolist() if n]
