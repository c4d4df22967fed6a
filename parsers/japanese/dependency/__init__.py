"""Which bunsetsu depends on which: features of pairs, decoders, beams and scores of whole trees.

In: `Morphemes` and the first words of bunsetsu
Out: heads, arc types and scores
Uses: kernels.frozen, kernels.hardware, kernels.hashed, kernels.sets, parsers.japanese.words
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.japanese.dependency.beam import parse_kbest as parse_kbest
    from kakari.parsers.japanese.dependency.beam import parse_reranked as parse_reranked
    from kakari.parsers.japanese.dependency.decoders import parse_batch as parse_batch
    from kakari.parsers.japanese.dependency.pairs import Sentence as Sentence
    from kakari.parsers.japanese.dependency.pairs import Slot as Slot
    from kakari.parsers.japanese.dependency.tree_search import TreeScorer as TreeScorer

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "beam": "parse_kbest parse_reranked",
        "decoders": "parse_batch",
        "pairs": "Sentence Slot",
        "tree_search": "TreeScorer",
    },
)
