"""Why a word has its head: the conjunctions behind an arc, by name.

In: a dependency model and a tree
Out: weights that add up to the parser's scores
Uses: corpora.records, parsers.dependency, parsers.pictures
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.dependency.explaining.arcs import explain_arc as explain_arc

__getattr__, __all__ = lazy_names(__name__, {"arcs": "explain_arc"})
