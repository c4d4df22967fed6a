"""What a file holds of a thing, as flat arrays and settings; reading it is checking it.

In: arrays and JSON values, from a model in memory or from a stranger's file
Out: `Contents`, whose accessors return only what has the type, shape and range that was asked for
Uses: nothing
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.stored.contents import Contents as Contents
    from kakari.kernels.stored.settings import StoredError as StoredError

__getattr__, __all__ = lazy_names(__name__, {"contents": "Contents", "settings": "StoredError"})
