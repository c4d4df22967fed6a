"""A dependency parser with its reranker: jack-knifed lists, training on them, explanations.

In: sentences of a treebank, a trained parser
Out: lists on disk, models with a reranker, what made an arc
Uses: corpora.records, kernels, models, parsers, parsers.dependency, parsers.dependency.explaining,
    parsers.dependency.reranking
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.dependency.reranked.training import add_reranker as add_reranker

__getattr__, __all__ = lazy_names(__name__, {"training": "add_reranker"})
