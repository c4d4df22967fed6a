"""English text to tags and constituency trees.

In: text or tokens
Out: `ParsedTree`, and `EnglishModel` for files
Uses: corpora.records, kernels, kernels.hashed, models, parsers, parsers.english.constituency, parsers.english.words,
    parsers.pictures
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.english.model import EnglishModel as EnglishModel
    from kakari.parsers.english.model import pretrained_model as pretrained_model
    from kakari.parsers.english.parser import EnglishParser as EnglishParser
    from kakari.parsers.english.parser import ParsedTree as ParsedTree
    from kakari.parsers.english.scores import evaluate as evaluate
    from kakari.parsers.english.training import EnglishSettings as EnglishSettings
    from kakari.parsers.english.training import train as train

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "model": "EnglishModel pretrained_model",
        "parser": "EnglishParser ParsedTree",
        "scores": "evaluate",
        "training": "EnglishSettings train",
    },
)
