"""Trees of corpora as flat trees, in one notation.

No function tags, traces or root node, brackets as they stand in text, tags as in the English Web Treebank.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kakari.corpora import catalogue
from kakari.corpora.formats.brackets import bare_label, unescape_word, without_traces
from kakari.corpora.records.errors import CorpusError
from kakari.parsers.english.words.flat_trees import ROOT, FlatTree, Node

if TYPE_CHECKING:
    from nltk.tree import Tree

ROOTS = frozenset({"TOP", "ROOT", "S1", ""})
# Errors and conventions of single corpora.
TAGS = {"?": ".", "!": ".", "'": "''", "`": "``", "PRT": "RP", "NP": "NNP", "-": ":"}
LABELS = {"NPP": "NP", "ADVP|PRT": "ADVP", "PRT|ADVP": "PRT", "META": "X", "EDITED": "X"}
WORDS = {"-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]", "\\/": "/", "\\*": "*"}

OLDER_CORPORA = ("treebank", "questionbank")


def flattened(tree: Tree, *, plain_to: bool = False) -> FlatTree:
    """Return a corpus's tree in kakari's notation.

    Parameters
    ----------
    plain_to : bool
        Tag the preposition "to" IN, as the newer treebanks do; the older ones tag every "to" TO.
    """
    words: list[str] = []
    tags: list[str] = []
    nodes: list[Node | tuple[str, int]] = []
    open_nodes: list[int] = []
    waiting: list[Any] = [without_traces(tree)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, int):
            label, begin = nodes[node][:2]
            nodes[node] = (label, begin, len(words))
            open_nodes.pop()
        elif node is None:
            continue
        elif isinstance(node[0], str):
            parent = nodes[open_nodes[-1]][0] if open_nodes else ""
            words.append(plain_word(node[0]))
            tag = bare_label(node.label())
            tag = TAGS.get(tag, tag)
            tags.append("IN" if plain_to and tag == "TO" and parent == "PP" else tag)
        else:
            label = bare_label(node.label())
            if not (label in ROOTS and not open_nodes and len(node) == 1):
                waiting.append(len(nodes))
                open_nodes.append(len(nodes))
                nodes.append((LABELS.get(label, label or ROOT), len(words)))
            waiting.extend(reversed(node))
    return FlatTree(tuple(words), tuple(tags), tuple(nodes))  # type: ignore[arg-type]


def plain_word(word: str) -> str:
    r"""Return a word of a treebank as it stands in text.

    Examples
    --------
    >>> plain_word("-LRB-"), plain_word("and\\/or"), plain_word("``")
    ('(', 'and/or', '``')
    """
    if word in WORDS:
        return WORDS[word]
    return unescape_word(word).replace("\\/", "/").replace("\\*", "*")


def read_trees(reference: str) -> Iterator[FlatTree]:
    """Yield the trees of a corpus or a file in kakari's notation; sentences without words are left out."""
    corpus = reference.partition(":")[0]
    for record in catalogue.read(reference):
        tree = getattr(record, "tree", record)
        if tree is not None and not hasattr(tree, "leaves"):
            raise CorpusError(reference, None, "there are no constituency trees in it")
        if tree is not None:
            flat = flattened(tree, plain_to=corpus in OLDER_CORPORA)
            if corpus == "questionbank":  # which writes < for an apostrophe
                flat = replace(flat, words=tuple(word.replace("<", "'") for word in flat.words))
            if flat.words:
                yield flat
