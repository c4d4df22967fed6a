"""Constituency trees as flat tuples: words, tags, and the constituents from the outside in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nltk.tree import Tree

ROOT = "TOP"

Node = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class FlatTree:
    """A tree without its root node.

    Attributes
    ----------
    words, tags : tuple of str
    nodes : tuple of (label, begin, end)
        The constituents, each before those inside it; of a unary chain the upper one first.

    Examples
    --------
    >>> from kakari.corpora import parse_brackets
    >>> from kakari.parsers.english.words import flattened
    >>> flat = flattened(parse_brackets("(TOP (S (NP-SBJ (NNS Dogs)) (VP (VBP bark))))"))
    >>> flat.nodes
    (('S', 0, 2), ('NP', 0, 1), ('VP', 1, 2))
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    nodes: tuple[Node, ...]


class Branch(list[Any]):
    """A node of a tree with the label and children of an `nltk.Tree`, without NLTK."""

    def __init__(self, label: str, children: Iterable[Any]) -> None:
        super().__init__(children)
        self._label = label

    def label(self) -> str:
        """Return the label."""
        return self._label


def to_tree(flat: FlatTree) -> Tree:
    """Return an `nltk.Tree` whose root is TOP.

    Examples
    --------
    >>> to_tree(FlatTree(("Go",), ("VB",), (("S", 0, 1), ("VP", 0, 1)))).pformat(margin=100)
    '(TOP (S (VP (VB Go))))'
    """
    from nltk.tree import Tree

    tree: Tree = nested(flat, Tree)
    return tree


def nested(flat: FlatTree, make: Callable[[str, list[Any]], Any] = Branch) -> Any:
    """Return a tree of nodes that `make` makes of a label and children; the root is TOP."""
    root = make(ROOT, [])
    stack: list[tuple[Any, int]] = [(root, len(flat.words))]
    waiting = iter([*flat.nodes, None])
    node = next(waiting)
    for place, (word, tag) in enumerate(zip(flat.words, flat.tags, strict=True)):
        while node is not None and node[1] == place:
            if not (node[0] == ROOT and len(stack) == 1):
                parent = make(node[0], [])
                stack[-1][0].append(parent)
                stack.append((parent, node[2]))
            node = next(waiting)
        stack[-1][0].append(make(tag, [word]))
        while len(stack) > 1 and stack[-1][1] == place + 1:
            stack.pop()
    return root


def bracketed(flat: FlatTree, leaves: Iterable[str] | None = None) -> str:
    """Write a tree on one line, with `leaves` in the place of its words if they are given.

    Examples
    --------
    >>> bracketed(FlatTree(("(",), ("-LRB-",), ()))
    '(TOP (-LRB- -LRB-))'
    """
    if leaves is None:
        leaves = (word.replace("(", "-LRB-").replace(")", "-RRB-") for word in flat.words)
    opened: list[list[str]] = [[] for _ in flat.words]
    closed = [0] * len(flat.words)
    covered = 0
    for label, begin, end in flat.nodes:
        if label != ROOT or begin < covered:
            opened[begin].append(f"({label} ")
            closed[end - 1] += 1
            covered = max(covered, end)
    pieces = [f"({ROOT}"]
    for place, (leaf, tag) in enumerate(zip(leaves, flat.tags, strict=True)):
        pieces.append(f" {''.join(opened[place])}({tag} {leaf}){')' * closed[place]}")
    return "".join(pieces) + ")"
