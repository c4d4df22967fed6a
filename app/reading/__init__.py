"""Reading of users' files: svmlight and named features, SVM-Light-TK models, portions of text.

In: files
Out: feature sets, trees and texts
Uses: corpora, corpora.formats, corpora.formats.machines, corpora.records, kernels.sets, kernels.trees, models,
    models.machines, models.polynomial, parsers
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.reading.examples import Examples as Examples
    from kakari.reading.examples import load_examples as load_examples
    from kakari.reading.japanese import read_japanese as read_japanese
    from kakari.reading.svm_models import load_svm as load_svm
    from kakari.reading.svmlight_tk import load_svmlight_tk as load_svmlight_tk
    from kakari.reading.svmlight_tk import save_svmlight_tk as save_svmlight_tk

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "examples": "Examples load_examples",
        "japanese": "read_japanese",
        "svm_models": "load_svm",
        "svmlight_tk": "load_svmlight_tk save_svmlight_tk",
    },
)
