"""Parsers: from text to structure, one room a task.

In: text, or records of a corpus
Out: structures with offsets into the text, and trained models
Uses: models
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.limits import TextWarning as TextWarning
    from kakari.parsers.workers import run_tasks as run_tasks

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "limits": "TextWarning",
        "workers": "run_tasks",
    },
)
