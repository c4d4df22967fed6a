"""Hypernyms and hyponyms out of Wikipedia's lists, tables and definition sentences.

In: articles as wikitext, or pairs with counts
Out: candidate pairs, models that judge them, pairs with probabilities
Uses: corpora, corpora.formats, corpora.records, kernels, kernels.frozen, kernels.learning, kernels.sets, models,
    models.polynomial, parsers, parsers.japanese, parsers.japanese.words
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.hyponymy.evidence import Evidence as Evidence
    from kakari.parsers.hyponymy.extraction import JudgedPair as JudgedPair
    from kakari.parsers.hyponymy.extraction import candidate_pairs as candidate_pairs
    from kakari.parsers.hyponymy.extraction import judged_pairs as judged_pairs
    from kakari.parsers.hyponymy.model import HyponymyModel as HyponymyModel
    from kakari.parsers.hyponymy.model import pretrained_hyponymy as pretrained_hyponymy
    from kakari.parsers.hyponymy.training import HyponymyOptions as HyponymyOptions
    from kakari.parsers.hyponymy.training import train_hyponymy as train_hyponymy

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "evidence": "Evidence",
        "extraction": "JudgedPair candidate_pairs judged_pairs",
        "model": "HyponymyModel pretrained_hyponymy",
        "training": "HyponymyOptions train_hyponymy",
    },
)
