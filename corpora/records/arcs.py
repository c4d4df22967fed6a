"""Checks of the heads of a sentence: whether they make a tree, and whether its arcs cross.

Heads are token numbers from 1; 0 is the root. The functions take any sequence of such heads, whatever the format.
"""

from __future__ import annotations

from collections.abc import Sequence


def reaches_root(heads: Sequence[int]) -> bool:
    """Return whether every token leads to the root: no head is out of range, and there is no cycle.

    Examples
    --------
    >>> reaches_root([2, 0, 2]), reaches_root([2, 1, 0]), reaches_root([7]), reaches_root([])
    (True, False, False, True)
    """
    known = [True] + [False] * len(heads)
    for token in range(1, len(heads) + 1):
        path = []
        while not known[token]:
            known[token] = True  # a cycle comes back to a token of this path
            path.append(token)
            token = heads[token - 1]
            if not 0 <= token <= len(heads) or token in path:
                return False
    return True


def crossing_arcs(heads: Sequence[int]) -> list[int]:
    """Return the tokens whose arc to their head crosses another one; the root stands before the first token.

    Examples
    --------
    >>> crossing_arcs([2, 0, 2]), crossing_arcs([3, 4, 0, 3])
    ([], [1, 2, 3])
    """
    spans = [(min(head, token), max(head, token)) for token, head in enumerate(heads, 1)]
    return [
        token
        for token, (begin, end) in enumerate(spans, 1)
        if any(begin < first < end < last or first < begin < last < end for first, last in spans)
    ]
