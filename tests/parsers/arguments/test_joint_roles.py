"""Roles of a predicate decided together: against brute force, and PropBank's rules in all that the models find."""

from itertools import combinations, product

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.parsers.arguments import joint_roles
from kakari.parsers.arguments.candidates.frames import Frame, FramedSentence, read_frames
from kakari.parsers.arguments.joint_roles import (
    FORBIDDEN,
    RoleRules,
    decided,
    has_orphan,
    modal_scores,
    repeats_core,
)
from kakari.parsers.arguments.model import pretrained_arguments
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.limits import TextWarning

ROLES = ("ARG0", "ARG1", "ARGM-TMP", "ARGM-LOC", "C-ARG1", "R-ARG0", "R-ARGM-LOC")


def breaks_rules(roles):
    """Say what the rules say, word by word."""
    for place, role in enumerate(roles):
        if role in ("ARG0", "ARG1") and roles.count(role) > 1:
            return True
        if role.startswith("R-") and role[2:] not in roles:
            return True
        if role.startswith("C-") and role[2:] not in roles[:place]:
            return True
    return False


@given(st.data())
@settings(max_examples=examples(120), deadline=None)
def test_no_set_of_spans_and_roles_is_better(data):
    spans = data.draw(st.lists(st.sampled_from([(0, 1), (0, 2), (1, 2), (2, 3), (3, 5), (3, 4), (0, 5)]), max_size=4))
    margins = [data.draw(st.integers(-2, 8)) / 4 for _ in spans]
    scores = np.array([[data.draw(st.integers(-4, 8)) / 4 for _ in ROLES] for _ in spans]).reshape(-1, len(ROLES))
    if len(spans):
        scores = modal_scores(scores, ROLES, np.zeros(len(spans), dtype=bool))

    def value(chosen, roles):
        return sum(margins[place] + scores[place][role] - max(scores[place]) for place, role in zip(chosen, roles))

    allowed = {
        (chosen, roles): value(chosen, roles)
        for size in range(len(spans) + 1)
        for chosen in combinations([place for place in range(len(spans)) if margins[place] > 0], size)
        if all(spans[a][1] <= spans[b][0] or spans[b][1] <= spans[a][0] for a, b in combinations(chosen, 2))
        for roles in product(range(len(ROLES)), repeat=size)
        if not breaks_rules([ROLES[role] for _, role in sorted(zip((spans[one] for one in chosen), roles))])
    }
    begins, ends = [b for b, _ in spans], [e for _, e in spans]
    found = decided(begins, ends, margins, scores, RoleRules.of(ROLES), most=10**6)
    chosen, roles = tuple(place for place, _ in found), tuple(role for _, role in found)
    assert not breaks_rules([ROLES[role] for role in roles])
    assert [spans[place] for place in chosen] == sorted(spans[place] for place in chosen)
    assert value(chosen, roles) == max(allowed.values())


@given(st.data())
@settings(max_examples=examples(120), deadline=None)
def test_what_is_near_at_hand_breaks_no_rule(data):
    """A search that is not allowed a single state."""
    spans = data.draw(st.lists(st.sampled_from([(0, 1), (0, 2), (1, 2), (2, 3), (3, 5), (3, 4), (0, 5)]), max_size=6))
    margins = [data.draw(st.integers(-2, 8)) / 4 for _ in spans]
    scores = np.array([[data.draw(st.integers(-4, 8)) / 4 for _ in ROLES] for _ in spans]).reshape(-1, len(ROLES))
    found = decided([b for b, _ in spans], [e for _, e in spans], margins, scores, RoleRules.of(ROLES), most=0)
    own = [spans[place] for place, _ in found]
    assert not breaks_rules([ROLES[role] for _, role in found])
    assert all(margins[place] > 0 for place, _ in found)
    assert all(first[1] <= second[0] for first, second in zip(own, own[1:]))


def test_a_search_that_would_not_end_does(monkeypatch):
    """`(he said ` x 444, 4,000 characters, was at work for minutes: the states are exponential in the constituents."""
    looked = []
    pop = joint_roles.heappop

    def counted(waiting):
        looked.append(0)
        assert len(looked) < 10_000
        return pop(waiting)

    monkeypatch.setattr(joint_roles, "heappop", counted)
    with pytest.warns(TextWarning):
        trees = [found.tree for found in EnglishParser.pretrained().parse("(he said " * 170)]
        found = pretrained_arguments().find(trees)
    assert looked
    for frame in found[0].frames:
        assert not repeats_core(frame.roles) and not has_orphan(frame.roles), frame


@given(st.lists(st.sampled_from(range(len(ROLES))), max_size=5))
def test_rules_fit_what_breaks_none(numbers):
    assert RoleRules.of(ROLES).fit(numbers) is not breaks_rules([ROLES[number] for number in numbers])


def test_only_modals_are_modal():
    scores = modal_scores(np.ones((2, 2)), ("ARG1", "ARGM-MOD"), np.array([True, False]))
    assert scores.tolist() == [[1.0, 1.0], [1.0, FORBIDDEN]]


def test_relatives_do_not_repeat_a_role():
    # "which" and "that" of one clause were both told ARG0 or R-ARG0 without an ARG0 by version 0.1.
    model = pretrained_arguments()
    trees = [one.tree for one in read_frames("sample-en")]
    trees += [FlatTree(tree.words * 2, tree.tags * 2, (("FRAG", 0, 2 * len(tree.words)),)) for tree in trees]
    for found in model.find(trees, nominal=True):
        for frame in found.frames:
            assert not repeats_core(frame.roles) and not has_orphan(frame.roles), frame
            modals = [span for span, role in zip(frame.spans, frame.roles) if role == "ARGM-MOD"]
            assert all(found.tree.tags[begin] == "MD" and end == begin + 1 for begin, end in modals)


@pytest.mark.parametrize("roles", [("ARG0",), ("ARGM-MOD",)])
def test_models_of_one_role(roles):
    assert RoleRules.of(roles).fit([0])
    assert decided([0, 1], [1, 2], [1.0, 1.0], np.zeros((2, 1)), RoleRules.of(roles))


@pytest.mark.corpora
def test_no_predicate_of_ewt_breaks_a_rule():
    sentences = [
        FramedSentence(one.tree, tuple(Frame(frame.token, frame.lemma) for frame in one.frames))
        for one in list(read_frames("ewt:dev"))[:400]
    ]
    frames = [frame for one in pretrained_arguments().fill(sentences) for frame in one.frames]
    assert len(frames) > 500
    assert not any(repeats_core(frame.roles) or has_orphan(frame.roles) for frame in frames)
