"""Fragments of trees: mining the heaviest from a kernel machine and counting them in new trees.

In: a DAG of weighted trees
Out: `FragmentDictionary`, which turns a tree into a sparse vector
Uses: kernels.hardware, kernels, kernels.trees
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.fragments.dictionary import FragmentDictionary as FragmentDictionary
    from kakari.kernels.fragments.dictionary import FragmentError as FragmentError
    from kakari.kernels.fragments.mining import enumerated_vectors as enumerated_vectors
    from kakari.kernels.fragments.mining import mine as mine

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "dictionary": "FragmentDictionary FragmentError",
        "mining": "mine enumerated_vectors",
    },
)
