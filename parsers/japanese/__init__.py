"""Japanese text to bunsetsu and their dependencies.

In: text, tagged words or records
Out: `ParsedSentence`, and `JapaneseModel` for files
Uses: corpora, corpora.formats, corpora.records, kernels, kernels.frozen, kernels.hashed, kernels.learning,
    kernels.sets, models, models.correcting, parsers, parsers.dependency, parsers.japanese.bunsetsu,
    parsers.japanese.dependency, parsers.japanese.tagging, parsers.japanese.universal, parsers.japanese.words,
    parsers.pictures
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.japanese.explaining import explain_arcs as explain_arcs
    from kakari.parsers.japanese.explaining import explain_pair as explain_pair
    from kakari.parsers.japanese.given_words import parse_given as parse_given
    from kakari.parsers.japanese.model import JapaneseModel as JapaneseModel
    from kakari.parsers.japanese.parser import JapaneseParser as JapaneseParser
    from kakari.parsers.japanese.parser import ParsedSentence as ParsedSentence
    from kakari.parsers.japanese.parser import pretrained_model as pretrained_model
    from kakari.parsers.japanese.scores import evaluate as evaluate
    from kakari.parsers.japanese.training import JapaneseSettings as JapaneseSettings
    from kakari.parsers.japanese.training import train as train

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "explaining": "explain_arcs explain_pair",
        "given_words": "parse_given",
        "model": "JapaneseModel",
        "parser": "JapaneseParser ParsedSentence pretrained_model",
        "scores": "evaluate",
        "training": "JapaneseSettings train",
    },
)
