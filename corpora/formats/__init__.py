"""One reader and one writer a format; what a writer writes, its reader reads back byte for byte.

In: lines of a file
Out: typed records, and text again
Uses: corpora.records
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.corpora.formats.registry import FORMATS as FORMATS
    from kakari.corpora.formats.registry import Format as Format
    from kakari.corpora.formats.registry import format_of as format_of

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "registry": "FORMATS Format format_of",
    },
)
