"""Penn Treebank brackets: `(S (NP (DT the) (NN dog)) (VP (VBZ barks)))`, as `nltk.Tree`.

Read: several trees on a line, one tree over many lines, an empty outer node (dropped). Written: one tree a
line, round brackets escaped in the words only. Nothing here recurses, so a tree may be as deep as memory
allows. What was one tree a line with single blanks comes back byte for byte.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text

if TYPE_CHECKING:
    from nltk.tree import Tree

PIECES = re.compile(r"[()]|[^\s()]+")
ESCAPES = {"(": "-LRB-", ")": "-RRB-"}
TRACE = "-NONE-"


class PlainTree(list[Any]):
    """A tree with the part of `nltk.Tree` that training needs, for who does not want to import NLTK.

    Examples
    --------
    >>> tree = parse_brackets("(NP (DT a) (NN dog))", plain=True)
    >>> tree.label(), tree.leaves(), format_brackets(tree)
    ('NP', ['a', 'dog'], '(NP (DT a) (NN dog))')
    """

    __slots__ = ("_label",)

    def __init__(self, label: str, children: Iterable[Any] = ()) -> None:
        super().__init__(children)
        self._label = label

    def label(self) -> str:
        """Return the label of the root."""
        return self._label

    def set_label(self, label: str) -> None:
        """Give the root another label."""
        self._label = label

    def leaves(self) -> list[str]:
        """Return the words, from left to right."""
        return [node for node in nodes_of(self) if isinstance(node, str)]


def nodes_of(tree: Any) -> Iterator[Any]:
    """Yield the nodes and words of a tree, each node before its children.

    Examples
    --------
    >>> [node if isinstance(node, str) else node.label() for node in nodes_of(parse_brackets("(NP (NN dog))"))]
    ['NP', 'NN', 'dog']
    """
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, str):
            waiting.extend(reversed(node))


def read_brackets(
    source: Source,
    *,
    functions: bool = True,
    traces: bool = True,
    unescape: bool = False,
    childless_leaves: bool = False,
    plain: bool = False,
) -> Iterator[Tree]:
    """Yield the trees of a file of brackets.

    Parameters
    ----------
    functions : bool
        Keep function tags and indices (`NP-SBJ-1`); False cuts them off (`NP`).
    traces : bool
        Keep `-NONE-` nodes; False removes them, with the nodes that they leave empty.
    unescape : bool
        Turn `-LRB-` and `-RRB-` in the words into the brackets that they stand for.
    childless_leaves : bool
        Read a label without children, `(b)`, as a leaf, as SVM-Light-TK does; else it is an error.
    plain : bool
        Yield `PlainTree` instead of `nltk.Tree`, whose import takes 110 MB.

    Examples
    --------
    >>> import io
    >>> text = "( (S (NP-SBJ (-NONE- *)) (VP (VB Go))) )"
    >>> [format_brackets(tree) for tree in read_brackets(io.StringIO(text), functions=False, traces=False)]
    ['(S (VP (VB Go)))']
    """
    name = source_name(source)
    stack: list[tuple[int, str | None, list[Any]]] = []  # line, label, children of each open node
    number = 0
    tree_type = PlainTree if plain else _tree_type()
    for number, line in numbered_lines(source):
        for piece in PIECES.findall(line):
            if piece == "(":
                stack.append((number, None, []))
            elif piece == ")":
                if not stack:
                    raise CorpusError(name, number, "a bracket closes that was never opened")
                _, label, children = stack.pop()
                node = tree_type(label or "", children)
                if stack:
                    leaf = childless_leaves and label and not children
                    _give_child(name, number, stack, label if leaf else node)
                    continue
                tree = _without_outer_node(name, number, node)
                if tree is not None and not traces:
                    tree = without_traces(tree)
                if tree is not None:
                    yield _finished(tree, functions, unescape)
            elif not stack:
                raise CorpusError(name, number, f"'{piece[:40]}' stands outside of any bracket")
            else:
                _give_word(stack, piece)
    if stack:
        missing = "1 bracket" if len(stack) == 1 else f"{len(stack)} brackets"
        raise CorpusError(name, stack[0][0], f"the tree that starts here is not closed: {missing} too few")


def _tree_type() -> Any:
    from nltk.tree import Tree  # imported late: NLTK takes a second

    return Tree


def _give_word(stack: list[tuple[int, str | None, list[Any]]], piece: str) -> None:
    line, label, children = stack[-1]
    if label is None and not children:
        stack[-1] = (line, piece, children)
    else:
        children.append(piece)


def _give_child(name: str, number: int, stack: list[tuple[int, str | None, list[Any]]], node: Any) -> None:
    if not isinstance(node, str):
        if not len(node):
            raise CorpusError(name, number, f"the node '{node.label()}' is empty: it has neither words nor parts")
        if not node.label():
            raise CorpusError(name, number, "a node inside the tree has no label")
    stack[-1][2].append(node)


def _without_outer_node(name: str, number: int, node: Any) -> Any:
    """Open `( (S …))`; an empty pair of brackets is no tree."""
    if node.label():
        if not len(node):
            raise CorpusError(name, number, f"the tree '({node.label()})' has no words")
        return node
    if not len(node):
        raise CorpusError(name, number, "there is an empty pair of brackets")
    if len(node) > 1:
        raise CorpusError(name, number, f"the outer node has no label, but {len(node)} parts")
    return node[0]


def _finished(tree: Any, functions: bool, unescape: bool) -> Any:
    if functions and not unescape:
        return tree
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not functions:
            node.set_label(bare_label(node.label()))
        for index, child in enumerate(node):
            if not isinstance(child, str):
                waiting.append(child)
            elif unescape:
                node[index] = unescape_word(child)
    return tree


def bare_label(label: str) -> str:
    """Cut function tags and indices off a label; labels that start with a hyphen are whole.

    Examples
    --------
    >>> bare_label("NP-SBJ-1"), bare_label("NP=2"), bare_label("-LRB-"), bare_label("ADVP|PRT")
    ('NP', 'NP', '-LRB-', 'ADVP|PRT')
    """
    return label if label.startswith("-") else re.split("[-=]", label, maxsplit=1)[0] or label


def without_traces(tree: Any) -> Any:
    """Return the tree without `-NONE-` nodes and what they leave empty, or None if nothing is left."""
    stack: list[tuple[Any, int, list[Any]]] = [(tree, 0, [])]
    while True:
        node, index, kept = stack.pop()
        while index < len(node) and (isinstance(node[index], str) or node[index].label() == TRACE):
            if isinstance(node[index], str):
                kept.append(node[index])
            index += 1
        if index < len(node):
            stack.append((node, index + 1, kept))
            stack.append((node[index], 0, []))
            continue
        finished = type(node)(node.label(), kept) if kept and node.label() != TRACE else None
        if not stack:
            return finished
        if finished is not None:
            stack[-1][2].append(finished)


def unescape_word(word: str) -> str:
    """Return the word that the treebank escaped.

    Examples
    --------
    >>> unescape_word("-LRB-")
    '('
    """
    for bracket, escape in ESCAPES.items():
        word = word.replace(escape, bracket)
    return word


def escape_word(word: str) -> str:
    """Escape round brackets, which would be read as structure.

    Examples
    --------
    >>> escape_word(":)")
    ':-RRB-'
    """
    for bracket, escape in ESCAPES.items():
        word = word.replace(bracket, escape)
    return word


def format_brackets(tree: Tree) -> str:
    """Write a tree on one line, brackets in its words escaped.

    Examples
    --------
    >>> from nltk.tree import Tree
    >>> format_brackets(Tree("NP", [Tree("-LRB-", ["("]), Tree("NN", ["dog"])]))
    '(NP (-LRB- -LRB-) (NN dog))'
    """
    pieces: list[str] = []
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if node is None:
            pieces.append(")")
        elif isinstance(node, str):
            pieces.append(f" {escape_word(node)}")
        else:
            pieces.append(f" ({node.label()}")
            waiting.append(None)
            waiting.extend(reversed(node))
    return "".join(pieces)[1:]


def parse_brackets(
    text: str,
    name: str = "<tree>",
    line: int | None = None,
    *,
    childless_leaves: bool = False,
    plain: bool = False,
) -> Tree:
    """Read exactly one tree from a string; `name` and `line` are for the error message, `plain` as in `read_brackets`.

    Examples
    --------
    >>> parse_brackets("(NP (NN dog))").leaves()
    ['dog']
    """
    try:
        trees = list(read_brackets(io.StringIO(text), childless_leaves=childless_leaves, plain=plain))
    except CorpusError as error:
        raise CorpusError(name, line, error.reason) from None
    if len(trees) != 1:
        raise CorpusError(name, line, f"there should be one tree here, but there are {len(trees)}")
    return trees[0]


def write_brackets(trees: Iterable[Tree], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write trees to a file, one a line."""
    write_text((format_brackets(tree) + "\n" for tree in trees), target)
