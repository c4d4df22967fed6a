"""How sure an argument with its role is: a logistic function of two margins.

The first is that of the constituent against being no argument, the second that of its role against the best other
one. The defaults were fitted to the embedded model on half of ewt:dev, from text, so that errors of the parser count
(docs/arguments.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

MOST = 4.0  # a role without a rival leads by as much


@dataclass(frozen=True)
class ArgumentConfidence:
    """What turns margins into probabilities.

    Attributes
    ----------
    constant, margin, lead : float
        Of the logistic function: its constant, and the factors of the margin and of the role's lead.

    Examples
    --------
    >>> sure = ArgumentConfidence(constant=0.0, margin=1.0, lead=2.0)
    >>> sure.probabilities([0.0, 1.0], [0.0, 9.0]).round(4).tolist()
    [0.5, 0.9999]
    """

    constant: float = -1.4803
    margin: float = 0.7061
    lead: float = 1.1645

    def probabilities(self, margins: ArrayLike, leads: ArrayLike) -> NDArray[np.float64]:
        """Return how often arguments with these margins, whose roles have these leads, are right."""
        evidence = self.margin * clipped(margins) + self.lead * clipped(leads)
        found: NDArray[np.float64] = 1 / (1 + np.exp(-(self.constant + evidence)))
        return found


def clipped(margins: ArrayLike) -> NDArray[np.float64]:
    """Return margins of which none is larger than `MOST`."""
    return np.clip(np.asarray(margins, dtype=np.float64), -MOST, MOST)
