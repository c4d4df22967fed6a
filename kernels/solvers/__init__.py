"""Solvers for kernel machines: the exact dual, cutting planes, and online learners with a budget.

In: kernel values and labels
Out: multipliers
Uses: kernels.hardware, kernels.learning, kernels.sets, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.solvers.cuts import multipliers as multipliers
    from kakari.kernels.solvers.dual import DualError as DualError
    from kakari.kernels.solvers.dual import GramCache as GramCache
    from kakari.kernels.solvers.dual import solve as solve
    from kakari.kernels.solvers.expanded import solve_expanded as solve_expanded
    from kakari.kernels.solvers.online import AdditiveRun as AdditiveRun
    from kakari.kernels.solvers.online import BudgetedRun as BudgetedRun
    from kakari.kernels.solvers.online import OnlineError as OnlineError

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "cuts": "multipliers",
        "dual": "DualError GramCache solve",
        "expanded": "solve_expanded",
        "online": "AdditiveRun BudgetedRun OnlineError",
    },
)
