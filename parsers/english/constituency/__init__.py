"""The tagger and the shift-reduce parser, with beams.

In: `EnglishWords` and hashed weights
Out: tags and actions that build a tree
Uses: kernels.hardware, kernels.hashed, kernels, parsers.english.words
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.english.constituency.binarising import actions_of as actions_of
    from kakari.parsers.english.constituency.binarising import make_grammar as make_grammar
    from kakari.parsers.english.constituency.shift_reduce import TreeGrammar as TreeGrammar
    from kakari.parsers.english.constituency.shift_reduce import parse_batch as parse_batch
    from kakari.parsers.english.constituency.tagging import tag_batch as tag_batch

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "binarising": "actions_of make_grammar",
        "shift_reduce": "TreeGrammar parse_batch",
        "tagging": "tag_batch",
    },
)
