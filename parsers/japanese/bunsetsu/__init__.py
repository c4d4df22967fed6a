"""Bunsetsu boundaries: for each word, whether a bunsetsu begins there.

In: `Morphemes`
Out: the first words of bunsetsu
Uses: kernels.frozen, kernels.hardware, kernels.sets, parsers.japanese.words
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.japanese.bunsetsu.segmentation import Segmenter as Segmenter
    from kakari.parsers.japanese.bunsetsu.segmentation import segment_batch as segment_batch
    from kakari.parsers.japanese.bunsetsu.sure_boundaries import certain_pairs as certain_pairs

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "segmentation": "Segmenter segment_batch",
        "sure_boundaries": "certain_pairs",
    },
)
