"""Predicates of English sentences and their arguments, with PropBank's roles.

In: constituency trees
Out: frames: a predicate and its labelled spans
Uses: corpora.records, kernels, models, models.correcting, models.linear, parsers, parsers.arguments.boundary,
    parsers.arguments.candidates, parsers.english, parsers.english.words, parsers.pictures
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.arguments.model import ArgumentModel as ArgumentModel
    from kakari.parsers.arguments.model import pretrained_arguments as pretrained_arguments
    from kakari.parsers.arguments.predicates import Lemmatiser as Lemmatiser
    from kakari.parsers.arguments.predicates import PredicateFinder as PredicateFinder
    from kakari.parsers.arguments.scores import evaluate_arguments as evaluate_arguments
    from kakari.parsers.arguments.training import ArgumentSettings as ArgumentSettings
    from kakari.parsers.arguments.training import train_arguments as train_arguments

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "model": "ArgumentModel pretrained_arguments",
        "predicates": "Lemmatiser PredicateFinder",
        "scores": "evaluate_arguments",
        "training": "ArgumentSettings train_arguments",
    },
)
