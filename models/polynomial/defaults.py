"""Default settings of polynomial classifiers, the same from Python and from the command line."""

from __future__ import annotations

DEGREE = 2
PASSES = 20
STEP = "features"
# C by step and degree. With step "features" it is the step itself for any useful C, and must shrink with the degree.
COSTS = {
    "features": {1: 1e-2, 2: 5e-4, 3: 1e-4, 4: 2e-5},
    "kernel": {1: 1.0, 2: 1.0, 3: 1.0, 4: 1.0},
}


def default_cost(step: str, degree: int) -> float:
    """Return C for a step and a degree; 1 for invalid ones, which the learner will refuse.

    Examples
    --------
    >>> default_cost("features", 3), default_cost("kernel", 2)
    (0.0001, 1.0)
    """
    return COSTS.get(step, {}).get(degree, 1.0)
