"""Trained models: estimators with scikit-learn's verbs, and the one way in which a model is saved.

In: examples and labels, or a model file
Out: estimators and classifiers that predict, explain and are saved
Uses: kernels.hardware, kernels.sets, kernels, kernels.trees
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.models.files import ModelFileError as ModelFileError
    from kakari.models.treebank import Treebank as Treebank
    from kakari.models.treebank import TreebankError as TreebankError
    from kakari.models.vocabulary import Vocabulary as Vocabulary

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "files": "ModelFileError",
        "treebank": "Treebank TreebankError",
        "vocabulary": "Vocabulary",
    },
)
