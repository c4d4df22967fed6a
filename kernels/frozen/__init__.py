"""Finished polynomial models: frozen into flat arrays, mined for conjunctions, refitted, explained.

In: a support set with coefficients
Out: `FrozenModel`, whose margins cost a few microseconds, and reasons for a margin
Uses: kernels.hardware, kernels.sets, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.frozen.checks import ModelError as ModelError
    from kakari.kernels.frozen.conjunction_mining import Conjunctions as Conjunctions
    from kakari.kernels.frozen.conjunction_mining import mine as mine
    from kakari.kernels.frozen.explaining import Contributions as Contributions
    from kakari.kernels.frozen.explaining import contributions as contributions
    from kakari.kernels.frozen.freezing import freeze as freeze
    from kakari.kernels.frozen.model import FrozenModel as FrozenModel
    from kakari.kernels.frozen.model import Workspace as Workspace
    from kakari.kernels.frozen.refitting import refit as refit

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "checks": "ModelError",
        "conjunction_mining": "Conjunctions mine",
        "explaining": "Contributions contributions",
        "freezing": "freeze",
        "model": "FrozenModel Workspace",
        "refitting": "refit",
    },
)
