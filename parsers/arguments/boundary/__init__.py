"""Classifiers of argument boundaries: tree kernels, fragments and features, trained on millions of candidates.

In: candidates, in memory or in shards on disk
Out: `BoundaryModel`
Uses: corpora, corpora.records, kernels, kernels.fragments, kernels.frozen, kernels.learning, kernels.sets,
    kernels.trees, models, models.linear, models.machines, parsers, parsers.arguments.candidates
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.arguments.boundary.mining import FragmentOptions as FragmentOptions
    from kakari.parsers.arguments.boundary.model import BoundaryModel as BoundaryModel
    from kakari.parsers.arguments.boundary.scores import boundary_scores as boundary_scores
    from kakari.parsers.arguments.boundary.shards import Shards as Shards
    from kakari.parsers.arguments.boundary.shards import open_shards as open_shards
    from kakari.parsers.arguments.boundary.shards import write_shards as write_shards
    from kakari.parsers.arguments.boundary.training import MODELS as MODELS
    from kakari.parsers.arguments.boundary.training import BoundaryOptions as BoundaryOptions
    from kakari.parsers.arguments.boundary.training import train_boundaries as train_boundaries

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "mining": "FragmentOptions",
        "model": "BoundaryModel",
        "scores": "boundary_scores",
        "shards": "Shards open_shards write_shards",
        "training": "MODELS BoundaryOptions train_boundaries",
    },
)
