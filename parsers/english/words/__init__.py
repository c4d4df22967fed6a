"""Tokens of English text and flat trees over them; words as hashes of their shapes.

In: text, or bracketed trees
Out: `TokenSpan`, `FlatTree`, `EnglishWords`
Uses: corpora, corpora.formats, corpora.records, kernels, kernels.hashed, parsers
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.english.words.flat_trees import FlatTree as FlatTree
    from kakari.parsers.english.words.flat_trees import to_tree as to_tree
    from kakari.parsers.english.words.tokenizer import english_tokenizer as english_tokenizer
    from kakari.parsers.english.words.tokens import TokenSpan as TokenSpan
    from kakari.parsers.english.words.tokens import token_groups as token_groups
    from kakari.parsers.english.words.treebank_trees import flattened as flattened
    from kakari.parsers.english.words.treebank_trees import read_trees as read_trees
    from kakari.parsers.english.words.words import EnglishWords as EnglishWords
    from kakari.parsers.english.words.words import WordLexicon as WordLexicon

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "flat_trees": "FlatTree to_tree",
        "tokenizer": "english_tokenizer",
        "tokens": "TokenSpan token_groups",
        "treebank_trees": "flattened read_trees",
        "words": "EnglishWords WordLexicon",
    },
)
