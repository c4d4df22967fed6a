"""Trees to the actions that build them, and which word is the head.

The actions of a tree: "shift" takes the next word, "L NP" and "R NP" join the two topmost items into an NP whose
head is the left or the right one, "R NP*" does so where the NP has more parts, and after each of these "=" or, for a
unary chain, "U S VP" (from the top). A node with more than two parts takes those to the right of its head first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.english.constituency.shift_reduce import TreeGrammar
from kakari.parsers.english.words.flat_trees import FlatTree

# Where a head is looked for: (direction, labels), tried in order, after Collins (1999); the last resort is the first or
# last part. In noun phrases the labels of one rule are equals: the first part that has any of them is the head. In all
# others they come in the order of their rank: an S has its VP for a head, although an NP stands before it.
_NOUNS = "NN NNP NNPS NNS NX NML POS JJR GW ADD"
_VERBS = "TO VBD VBN MD VBZ VB VBG VBP VP"
HEADS: dict[str, list[tuple[str, str]]] = {
    "ADJP": [("l", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"), ("l", "")],
    "ADVP": [("r", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"), ("r", "")],
    "CONJP": [("r", "CC RB IN"), ("r", "")],
    "FRAG": [("r", "")],
    "INTJ": [("l", "")],
    "LST": [("r", "LS :"), ("r", "")],
    "NAC": [("l", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"), ("l", "")],
    "NP": [("r", _NOUNS), ("l", "NP PRP"), ("r", "$ ADJP PRN"), ("r", "CD"), ("r", "JJ JJS RB QP DT"), ("r", "")],
    "PP": [("r", "IN TO VBG VBN RP FW"), ("l", "PP"), ("r", "")],
    "PRN": [("l", "S NP PP SBAR VP ADVP"), ("l", "")],
    "PRT": [("r", "RP"), ("r", "")],
    "QP": [("l", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"), ("l", "")],
    "RRC": [("r", "VP NP ADVP ADJP PP"), ("r", "")],
    "S": [("l", "TO IN VP S SBAR ADJP UCP NP"), ("l", "")],
    "SBAR": [("l", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"), ("l", "")],
    "SBARQ": [("l", "SQ S SINV SBARQ FRAG"), ("l", "")],
    "SINV": [("l", "VBZ VBD VBP VB MD VP S SINV ADJP NP"), ("l", "")],
    "SQ": [("l", "VBZ VBD VBP VB MD VP SQ"), ("l", "")],
    "UCP": [("r", "")],
    "VP": [("l", _VERBS), ("l", "ADJP NN NNS NP"), ("l", "")],
    "WHADJP": [("l", "CC WRB JJ ADJP"), ("l", "")],
    "WHADVP": [("r", "CC WRB"), ("r", "")],
    "WHNP": [("l", "WDT WP WP$ WHADJP WHPP WHNP"), ("l", "")],
    "WHPP": [("r", "IN TO FW"), ("r", "")],
}
HEADS["NX"] = HEADS["NML"] = HEADS["NP"]
PUNCTUATION = frozenset({",", ":", "``", "''", ".", "-LRB-", "-RRB-", "NFP", "HYPH"})
EQUALS = frozenset({"NP", "NX", "NML"})
_RULES = {
    label: [
        (way, frozenset(step))
        for way, names in rules
        for step in ([names.split()] if label in EQUALS or not names else [[name] for name in names.split()])
    ]
    for label, rules in HEADS.items()
}
_OTHERS = [("l", frozenset[str]())]


def head_of(label: str, parts: Sequence[str]) -> int:
    """Return which of the parts is the head.

    Examples
    --------
    >>> head_of("NP", ["DT", "NN"]), head_of("S", ["NP", "VP", "."])
    (1, 1)
    """
    order = [place for place, part in enumerate(parts) if part not in PUNCTUATION] or list(range(len(parts)))
    for way, names in _RULES.get(label, _OTHERS):
        places = order if way == "l" else order[::-1]
        found = next((place for place in places if not names or parts[place] in names), None)
        if found is not None:
            return found
    return order[0]


@dataclass(slots=True)
class _Group:
    """Nodes of the same span: a unary chain and, below it, a node with several parts (or a word)."""

    end: int
    chain: list[str]
    parts: list[_Group] = field(default_factory=list)
    label: str = ""
    tag: str = ""

    @property
    def top(self) -> str:
        return self.chain[0] if self.chain else self.label or self.tag


def actions_of(tree: FlatTree) -> list[str]:
    """Return the actions that build a tree.

    Examples
    --------
    >>> nodes = (("S", 0, 3), ("NP", 0, 1), ("VP", 1, 2))
    >>> actions_of(FlatTree(("Dogs", "bark", "."), ("NNS", "VBP", "."), nodes))
    ['shift', 'U NP', 'shift', 'U VP', 'shift', '=', 'L S*', '=', 'R S', '=']
    """
    actions: list[str] = []
    waiting: list[_Group | str] = [_groups(tree)]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            actions.append(found)
            continue
        top = f"U {' '.join(found.chain)}" if found.chain else "="
        if not found.parts:
            actions += ["shift", top]
            continue
        waiting.append(top)
        waiting.extend(reversed(_joined(found)))
    return actions


def _joined(group: _Group) -> list[_Group | str]:
    """Return the plan of a node: its parts in order, with each join at the earliest place."""
    head = head_of(group.label, [part.top for part in group.parts])
    plan: list[_Group | str] = list(group.parts[: head + 1])
    left = head
    for place in range(head + 1, len(group.parts)):
        last = place == len(group.parts) - 1 and left == 0
        plan += [group.parts[place], f"L {group.label}" + ("" if last else "*"), *([] if last else ["="])]
    while left:
        left -= 1
        plan += [f"R {group.label}" + ("*" if left else ""), *(["="] if left else [])]
    return plan


def _groups(tree: FlatTree) -> _Group:
    """Gather nodes of the same span; several roots get one."""
    length = len(tree.words)
    root = _Group(length, [])
    stack = [root]
    nodes = iter([*tree.nodes, None])
    node = next(nodes)
    for place, tag in enumerate(tree.tags):
        while node is not None and node[1] == place:
            label, _, end = node
            if end == stack[-1].end and not stack[-1].parts and (stack[-1].chain or len(stack) == 1):
                stack[-1].chain.append(label)
            else:
                stack.append(_Group(end, [label]))
                stack[-2].parts.append(stack[-1])
            node = next(nodes)
        if stack[-1].end == place + 1 and not stack[-1].parts:
            stack[-1].tag = tag
        else:
            stack[-1].parts.append(_Group(place + 1, [], tag=tag))
        while len(stack) > 1 and stack[-1].end == place + 1:
            _name(stack.pop())
    _name(root)
    return root


def _name(group: _Group) -> None:
    """Make the innermost node of a chain the one that has the parts."""
    if group.parts:
        group.label = group.chain.pop() if group.chain else "TOP"


def make_grammar(
    trees: Sequence[FlatTree], other_tags: Iterable[Sequence[str]] = ()
) -> tuple[TreeGrammar, NDArray[np.uint8]]:
    """Return the grammar of trees and the numbers of their actions, one tree after the other.

    What was seen where is noted with the trees' own tags, and with `other_tags` if there are any.
    """
    derivations = [actions_of(tree) for tree in trees]
    tags = sorted({tag for tree in trees for tag in tree.tags} | {tag for line in other_tags for tag in line})
    found = {action for derivation in derivations for action in derivation} - {"shift", "="}
    actions = ["shift", "=", *sorted(found)]
    labels = sorted({label.rstrip("*") for action in found for label in action.split()[1:]})
    blank = TreeGrammar(tags, labels, actions, np.zeros((0, 3)))
    symbols = {symbol: number for number, symbol in enumerate(blank.symbols)}
    numbers = {action: number for number, action in enumerate(actions)}
    seen: set[tuple[int, int, int]] = set()
    for lines in ((tree.tags for tree in trees), other_tags):
        for line, derivation in zip(lines, derivations, strict=False):
            note_seen(line, derivation, symbols, numbers, seen)
    grammar = TreeGrammar(tags, labels, actions, np.array(sorted(seen), dtype=np.int32).reshape(-1, 3))
    return grammar, np.array([numbers[action] for line in derivations for action in line], dtype=np.uint8)


def note_seen(
    tags: Sequence[str],
    derivation: Sequence[str],
    symbols: dict[str, int],
    numbers: dict[str, int],
    seen: set[tuple[int, int, int]],
) -> None:
    """Note which actions of a derivation were taken over which symbols."""
    stack: list[int] = []
    words = iter(tags)
    for action in derivation:
        if action == "shift":
            stack.append(symbols[next(words)])
        elif action.startswith("U "):
            seen.add((-1, stack[-1], numbers[action]))
            stack[-1] = symbols[action.split()[1]]
        elif action != "=":
            right, left = stack.pop(), stack.pop()
            seen.add((left, right, numbers[action]))
            stack.append(symbols[action.split()[1]])
