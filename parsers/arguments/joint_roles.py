"""The roles of a predicate's arguments, decided together under PropBank's rules.

- A core role (ARG0 to ARG5, ARGA) is given once at most.
- R-X, a word that refers to X, needs an X beside it; C-X, the rest of X, needs one before it.
- ARGM-MOD is a modal: one word with the tag MD.

The result is the set of constituents without overlap, with a role each, for which

    Σ margin + WEIGHT · (score of the role - best score of the constituent's roles)

is largest. Without the rules that is the largest sum of margins with the best role each. Where these break no rule,
nothing more is done; elsewhere A* finds the best set that breaks none. Its states are how far the constituents were
gone through, the roles given and the roles that are waited for; its bound is the best sum without the rules.

In sentences that people wrote it looks at 5 states or so (at most 71 in the development data of EWT and GUM). Text can
be made for which it would look at millions; so it ends after `MOST_STATES`, and then the constituents of the largest
sum without the rules take, from left to right, the best role that the rules still allow.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

CORE = frozenset({"ARG0", "ARG1", "ARG2", "ARG3", "ARG4", "ARG5", "ARGA"})
MODAL = "ARGM-MOD"
REFERS, CONTINUES = "R-", "C-"
WEIGHT = 1.0
MOST_STATES = 300
FORBIDDEN = -np.inf

Choice = tuple[int, int]  # the place of a constituent, the number of its role


def repeats_core(roles: Sequence[str]) -> bool:
    """Return whether a predicate has a core role twice.

    Examples
    --------
    >>> repeats_core(["ARG0", "ARG1", "ARG0"]), repeats_core(["ARG0", "ARGM-TMP", "ARGM-TMP"])
    (True, False)
    """
    core = [role for role in roles if role in CORE]
    return len(core) > len(set(core))


def has_orphan(roles: Sequence[str]) -> bool:
    """Return whether a predicate has an R- or C- role without the role that it refers to.

    Examples
    --------
    >>> has_orphan(["R-ARG0", "ARG1"]), has_orphan(["ARG1", "R-ARG1"])
    (True, False)
    """
    return any(role[:2] in (REFERS, CONTINUES) and role[2:] not in roles for role in roles)


@dataclass(frozen=True)
class RoleRules:
    """PropBank's rules for the roles of a model; sets of roles are bits of an integer.

    Attributes
    ----------
    roles : tuple of str
    given : list of int
        The bit that a role sets, 0 if no rule asks for it.
    barred : list of int
        The role cannot be given when one of these bits is set.
    before, beside : list of int
        The bits that must be set before the role is given, or in the end.
    """

    roles: tuple[str, ...]
    given: list[int]
    barred: list[int]
    before: list[int]
    beside: list[int]

    @staticmethod
    def of(roles: Sequence[str]) -> RoleRules:
        """Make the rules for the roles of a model.

        Examples
        --------
        >>> rules = RoleRules.of(["ARG0", "ARGM-TMP", "R-ARG0"])
        >>> rules.given, rules.barred, rules.beside
        ([1, 0, 0], [1, 0, 0], [0, 0, 1])
        """
        partners = {role[2:] for role in roles if role[:2] in (REFERS, CONTINUES)}
        named = sorted(CORE | partners)
        bits = {role: 1 << place for place, role in enumerate(named)}
        given = [bits.get(role, 0) for role in roles]
        barred = [bits[role] if role in CORE else 0 for role in roles]
        before = [bits[role[2:]] if role[:2] == CONTINUES else 0 for role in roles]
        beside = [bits[role[2:]] if role[:2] == REFERS else 0 for role in roles]
        return RoleRules(tuple(roles), given, barred, before, beside)

    def fit(self, numbers: Sequence[int]) -> bool:
        """Return whether roles, from left to right, break no rule."""
        have = wanted = 0
        for role in numbers:
            if have & self.barred[role] or self.before[role] & ~have:
                return False
            have |= self.given[role]
            wanted |= self.beside[role]
        return not wanted & ~have


def modal_scores(scores: NDArray[np.float64], roles: Sequence[str], modals: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the scores with -inf for ARGM-MOD unless the constituent is a modal."""
    if MODAL not in roles or len(roles) == 1:
        return scores
    allowed: NDArray[np.float64] = scores.copy()
    allowed[~modals, list(roles).index(MODAL)] = FORBIDDEN
    return allowed


def decided(
    begins: Sequence[int],
    ends: Sequence[int],
    margins: Sequence[float],
    scores: NDArray[np.float64],
    rules: RoleRules,
    weight: float = WEIGHT,
    most: int = MOST_STATES,
) -> list[Choice]:
    """Choose constituents and their roles, from left to right.

    Parameters
    ----------
    begins, ends : sequence of int
        Constituents of one tree in any order; some may have one span.
    margins : sequence of float
        Those that are not above 0 are never chosen.
    scores : array, shape (constituents, roles)
        -inf where a constituent cannot have a role; each can have one at least.
    most : int
        The states that the search looks at before it takes what is near at hand.

    Examples
    --------
    >>> rules = RoleRules.of(["ARG0", "ARG1", "R-ARG0"])
    >>> scores = np.array([[2.0, 1.5, 0.0], [2.0, 1.0, 0.0]])
    >>> decided([0, 3], [1, 4], [1.0, 1.0], scores, rules)
    [(0, 1), (1, 0)]
    >>> decided([0, 3], [1, 4], [1.0, 0.25], scores, rules)
    [(0, 0)]
    """
    order = [place for place, margin in enumerate(margins) if margin > 0]
    order.sort(key=lambda place: (begins[place], -ends[place]))
    firsts = [begins[place] for place in order]
    behind = [bisect_left(firsts, ends[place]) for place in order]
    bounds = [0.0] * (len(order) + 1)
    for at in range(len(order) - 1, -1, -1):
        bounds[at] = max(bounds[at + 1], margins[order[at]] + bounds[behind[at]])
    losses = weight * (scores - scores.max(axis=1, keepdims=True)) if len(scores) else scores
    ways = [roles_worth_trying(losses[place].tolist(), rules) for place in order]
    # Priority, number (the order of equal ones), sum so far, place in the order, roles given and waited for, choices.
    waiting: list[tuple[float, int, float, int, int, int, tuple[Choice, ...]]] = [(-bounds[0], 0, 0.0, 0, 0, 0, ())]
    seen: set[tuple[int, int, int]] = set()
    number = 0
    while waiting and len(seen) < most:
        _, _, total, at, have, wanted, chosen = heappop(waiting)
        if (at, have, wanted) in seen:
            continue
        seen.add((at, have, wanted))
        if at == len(order):
            if wanted & ~have:
                continue
            return list(chosen)
        for role, loss in ways[at]:
            if have & rules.barred[role] or rules.before[role] & ~have:
                continue
            number += 1
            gained = total + margins[order[at]] + loss
            state = have | rules.given[role], wanted | rules.beside[role]
            heappush(
                waiting,
                (-(gained + bounds[behind[at]]), number, gained, behind[at], *state, (*chosen, (order[at], role))),
            )
        number += 1
        heappush(waiting, (-(total + bounds[at + 1]), number, total, at + 1, have, wanted, chosen))
    return _near_at_hand(order, behind, bounds, ways, rules)


def _near_at_hand(
    order: Sequence[int],
    behind: Sequence[int],
    bounds: Sequence[float],
    ways: Sequence[Sequence[tuple[int, float]]],
    rules: RoleRules,
) -> list[Choice]:
    """Give the constituents of the largest sum, from left to right, the best role that breaks no rule."""
    chosen: list[Choice] = []
    have = at = 0
    while at < len(order):
        if bounds[at] == bounds[at + 1]:
            at += 1
            continue
        allowed = [
            (-loss, role)
            for role, loss in ways[at]
            if not have & rules.barred[role] and not (rules.before[role] | rules.beside[role]) & ~have
        ]
        if allowed:
            _, role = min(allowed)
            have |= rules.given[role]
            chosen.append((order[at], role))
        at = behind[at]
    return chosen


def roles_worth_trying(losses: Sequence[float], rules: RoleRules) -> list[tuple[int, float]]:
    """Return the roles of a constituent, with what each costs: of those that no rule names, the best alone."""
    free: tuple[int, float] | None = None
    found = []
    for role, loss in enumerate(losses):
        if loss == FORBIDDEN:
            continue
        if rules.given[role] | rules.before[role] | rules.beside[role]:
            found.append((role, loss))
        elif free is None or loss > free[1]:
            free = role, loss
    return found if free is None else [free, *found]
