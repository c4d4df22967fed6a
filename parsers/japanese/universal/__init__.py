"""Universal Dependencies for Japanese: parsed bunsetsu become a tree over words.

In: `Morphemes` with bunsetsu and their heads
Out: parts of speech, heads and relations of words
Uses: kernels.hardware, kernels.hashed, kernels, models, parsers.japanese.words, parsers.sequences
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.japanese.universal.model import Converter as Converter
    from kakari.parsers.japanese.universal.model import UniversalModel as UniversalModel
    from kakari.parsers.japanese.universal.model import UniversalWord as UniversalWord
    from kakari.parsers.japanese.universal.model import pretrained_universal as pretrained_universal

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "model": "Converter UniversalModel UniversalWord pretrained_universal",
    },
)
