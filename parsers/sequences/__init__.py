"""Labels along a sentence: chunks, tags or boundaries, by declared templates over a window.

In: tokens as rows of strings or hashes
Out: a label for each token, and `SequenceModel` for files
Uses: corpora, corpora.formats, corpora.records, kernels.frozen, kernels.hardware, kernels.hashed, kernels.learning,
    kernels.sets, kernels, models, models.polynomial
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.sequences.chunk_tags import chunks_of as chunks_of
    from kakari.parsers.sequences.model import SequenceModel as SequenceModel
    from kakari.parsers.sequences.scores import score as score
    from kakari.parsers.sequences.templates import TemplateSet as TemplateSet
    from kakari.parsers.sequences.training import SequenceSettings as SequenceSettings
    from kakari.parsers.sequences.training import train as train

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "chunk_tags": "chunks_of",
        "model": "SequenceModel",
        "scores": "score",
        "templates": "TemplateSet",
        "training": "SequenceSettings train",
    },
)
