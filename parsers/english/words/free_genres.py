"""The trees of GUM whose texts may be used commercially.

The constituency trees do not say which document they are of; the same sentences in Universal Dependencies do, in the
same order, and the name of a document begins with its genre. The words of both are compared, so that a tree never gets
the genre of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kakari.corpora import catalogue
from kakari.corpora.records.errors import CorpusError
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.treebank_trees import read_trees

NON_COMMERCIAL = frozenset({"essay", "fiction", "letter", "podcast", "whow"})  # by GUM's LICENSE.txt
DOCUMENT = re.compile(r"# newdoc id = [A-Z]+_([a-z]+)_")


def read_free_trees(part: str) -> Iterator[FlatTree]:
    """Yield the trees of a part of GUM, `train` or `dev`, without those of non-commercial genres."""
    for genre, tree in trees_with_genres(part):
        if genre not in NON_COMMERCIAL:
            yield tree


def trees_with_genres(part: str) -> Iterator[tuple[str, FlatTree]]:
    """Yield each tree of a part of GUM with the genre of its document."""
    genre = ""
    parallel = f"ud-english-gum:{part}"
    trees = list(read_trees(f"gum:{part}"))
    sentences = list(catalogue.read(parallel))
    if len(trees) != len(sentences):
        raise CorpusError(parallel, None, f"it has {len(sentences)} sentences, but gum:{part} has {len(trees)} trees")
    for number, (tree, sentence) in enumerate(zip(trees, sentences, strict=True), 1):
        for comment in sentence.comments:
            if found := DOCUMENT.match(comment):
                genre = found[1]
        words = tuple(token.form for token in sentence.words)
        if words != tree.words or not genre:
            raise CorpusError(parallel, None, f"sentence {number} is not that of tree {number} of gum:{part}")
        yield genre, tree
