"""Words of Japanese text in JUMAN's units: boundaries, parts of speech, base forms, readings.

In: text
Out: `FoundWord`, and `WordsModel` for files
Uses: corpora, corpora.records, kernels, kernels.frozen, kernels.hardware, kernels.hashed, kernels.sets,
    kernels.solvers, models, parsers, parsers.japanese.words, parsers.sequences
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.japanese.tagging.model import FoundWord as FoundWord
    from kakari.parsers.japanese.tagging.model import Tag as Tag
    from kakari.parsers.japanese.tagging.model import WordsModel as WordsModel
    from kakari.parsers.japanese.tagging.model import pretrained_words as pretrained_words
    from kakari.parsers.japanese.tagging.settings import WordsSettings as WordsSettings
    from kakari.parsers.japanese.tagging.settings import words_settings as words_settings
    from kakari.parsers.japanese.tagging.source import KakariWords as KakariWords
    from kakari.parsers.japanese.tagging.training import train as train

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "model": "FoundWord Tag WordsModel pretrained_words",
        "settings": "WordsSettings words_settings",
        "source": "KakariWords",
        "training": "train",
    },
)
