"""Dependency trees in any language: k-best trees, relations, scores, training from treebanks.

In: tokens, or sentences of a treebank
Out: heads and relations, trained models
Uses: corpora, corpora.formats, corpora.records, kernels, kernels.hardware, kernels.hashed, models, models.correcting,
    parsers, parsers.dependency.arcs, parsers.dependency.reranking, parsers.dependency.words, parsers.english,
    parsers.english.words, parsers.pictures
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.dependency.model import DependencyModel as DependencyModel
    from kakari.parsers.dependency.scores import score_trees as score_trees
    from kakari.parsers.dependency.training import DependencySettings as DependencySettings
    from kakari.parsers.dependency.training import train as train
    from kakari.parsers.dependency.treebank import TreeSentence as TreeSentence
    from kakari.parsers.dependency.treebank import read_treebank as read_treebank

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "model": "DependencyModel",
        "scores": "score_trees",
        "training": "DependencySettings train",
        "treebank": "TreeSentence read_treebank",
    },
)
