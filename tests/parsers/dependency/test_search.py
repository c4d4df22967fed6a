"""Inference equals brute force over all trees of up to six words: projective or not, each order, k best."""

from itertools import product

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora.records.arcs import crossing_arcs, reaches_root
from kakari.kernels.hashed.scalars import PartLearner
from kakari.parsers.dependency.parsing import TreeSettings, best_trees, conjunctions_of, learn_batch, parse_batch
from kakari.parsers.dependency.tokens import TokenBatch


def all_trees(length, *, one_root, projective):
    return [
        heads
        for heads in product(range(length + 1), repeat=length)
        if (heads.count(0) == 1 if one_root else True)
        and reaches_root(heads)
        and not (projective and crossing_arcs(heads))
    ]


def sentence(length, seed):
    """Words of few kinds, so that conjunctions come up again."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(3, size=(length, 2))
    return [(f"w{a}", f"w{a}", f"C{b % 2}", f"T{b}", "A=1|B=2" if a else "_") for a, b in kinds]


def random_weights(batch, trees, order, seed):
    """A learner that knows every conjunction of the trees."""
    rng = np.random.default_rng(seed)
    learner = PartLearner()
    known = np.unique(np.concatenate([conjunctions_of(batch, 0, heads, order) for heads in trees]))
    for hashed, amount in zip(known, rng.normal(size=len(known)), strict=True):
        learner.update([hashed], amount, at=0)
    return learner


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("one_root", [True, False])
@settings(max_examples=examples(12))
@given(length=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_projective_trees_are_the_best_of_all(order, one_root, length, seed):
    batch = TokenBatch([sentence(length, seed)])
    trees = all_trees(length, one_root=one_root, projective=True)
    learner = random_weights(batch, trees, order, seed)
    scores = {heads: learner.score(conjunctions_of(batch, 0, heads, order)) for heads in trees}
    tree_settings = TreeSettings(order=order, heads=10, one_root=one_root)
    for k in (1, 4, len(trees) + 3):
        found = best_trees(batch, 0, k, PartLearner(), learner, tree_settings)
        assert len(found) == min(k, len(trees)) == len({tuple(heads) for _, heads in found})
        for (score, heads), best in zip(found, sorted(scores.values(), reverse=True), strict=False):
            assert score / 2**20 == pytest.approx(scores[tuple(heads)]) == pytest.approx(best)


@pytest.mark.parametrize("one_root", [True, False])
@settings(max_examples=examples(15))
@given(length=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_spanning_trees_are_the_best_of_all(one_root, length, seed):
    batch = TokenBatch([sentence(length, seed)])
    trees = all_trees(length, one_root=one_root, projective=False)
    learner = random_weights(batch, trees[:300], 1, seed)
    scores = {heads: learner.score(conjunctions_of(batch, 0, heads, 1)) for heads in trees}
    for k in (1, 7):
        found = best_trees(
            batch, 0, k, PartLearner(), learner, TreeSettings(order=1, heads=10, one_root=one_root, projective=False)
        )
        assert len(found) == min(k, len(trees)) == len({tuple(heads) for _, heads in found})
        for (score, heads), best in zip(found, sorted(scores.values(), reverse=True), strict=False):
            assert score / 2**20 == pytest.approx(scores[tuple(heads)]) == pytest.approx(best)


def assert_crossing_trees_are_the_best_of_all(order, one_root, length, seed):
    batch = TokenBatch([sentence(length, seed)])
    trees = all_trees(length, one_root=one_root, projective=False)
    learner = random_weights(batch, trees, order, seed)
    scores = {heads: learner.score(conjunctions_of(batch, 0, heads, order)) for heads in trees}
    ranked = sorted(scores.values(), reverse=True)
    tree_settings = TreeSettings(order=order, heads=10, one_root=one_root, projective=False)
    for k in (1, 5, 40):
        found = best_trees(batch, 0, k, PartLearner(), learner, tree_settings)
        assert len(found) == min(k, len(trees)) == len({tuple(heads) for _, heads in found})
        for (score, heads), best in zip(found, ranked, strict=False):
            assert score / 2**20 == pytest.approx(scores[tuple(heads)]) == pytest.approx(best)


@pytest.mark.slow
@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("one_root", [True, False])
@settings(max_examples=examples(8))
@given(length=st.integers(1, 5), seed=st.integers(0, 10**6))
def test_crossing_trees_with_larger_parts_are_the_best_of_all(order, one_root, length, seed):
    assert_crossing_trees_are_the_best_of_all(order, one_root, length, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("order", "one_root"), [(2, True), (3, True), (2, False), (3, False)])
def test_crossing_trees_of_six_words_are_the_best_of_all(order, one_root):
    assert_crossing_trees_are_the_best_of_all(order, one_root, 6, 60 + order)


@pytest.mark.parametrize("order", [2, 3])
@settings(max_examples=examples(10))
@given(length=st.integers(7, 8), seed=st.integers(0, 10**6))
def test_climbing_ends_where_no_single_change_helps(order, length, seed):
    """With seven words and all heads as candidates there are too many trees to compare."""
    batch = TokenBatch([sentence(length, seed)])
    rng = np.random.default_rng(seed)
    learner, known = PartLearner(), {}
    trees = [[0, *(int(rng.integers(1, word)) for word in range(2, length + 1))] for _ in range(60)]

    def score_of(heads):
        return learner.score(conjunctions_of(batch, 0, heads, order))

    for hashed in np.unique(np.concatenate([conjunctions_of(batch, 0, heads, order) for heads in trees])):
        known[hashed] = rng.normal()
        learner.update([hashed], known[hashed], at=0)
    one, several = (
        best_trees(batch, 0, 1, PartLearner(), learner, TreeSettings(order=order, heads=10, projective=projective))[0]
        for projective in (True, False)
    )
    score, heads = several
    assert score / 2**20 == pytest.approx(score_of(heads))
    assert score >= one[0]
    for place in range(length):
        for other in range(1, length + 1):
            changed = [*heads[:place], other, *heads[place + 1 :]]
            if heads[place] != 0 and other != place + 1 and reaches_root(changed):
                assert score_of(changed) <= score / 2**20 + 1e-9


def parts_by_definition(heads):
    """The parts of a tree: how many of each kind of conjunction-bearing part there are, from the definition."""
    length = len(heads)
    sides = {(h, right): [] for h in range(length + 1) for right in (False, True)}
    for m, h in enumerate(heads, 1):
        sides[h, h < m].append(m)
    siblings = sum(len(side) + 1 for (h, right), side in sides.items() if h or right)
    grandparents = sum(h > 0 for h in heads)
    grandsiblings = sum(len(side) for (h, _), side in sides.items() if h)
    trisiblings = sum(max(0, len(side) - 1) for side in sides.values())
    return siblings, grandparents, grandsiblings, trisiblings


@pytest.mark.slow
@given(seed=st.integers(0, 10**6), length=st.integers(1, 6))
def test_each_part_is_counted_once(seed, length):
    trees = all_trees(length, one_root=False, projective=False)
    heads = trees[seed % len(trees)]
    batch = TokenBatch([sentence(length, seed)])
    sizes = [len(conjunctions_of(batch, 0, heads, order)) for order in (1, 2, 3)]
    siblings, grandparents, grandsiblings, trisiblings = parts_by_definition(heads)
    assert sizes[1] - sizes[0] == 16 * siblings + 13 * grandparents
    assert sizes[2] - sizes[1] == 5 * grandsiblings + 4 * trisiblings


def test_what_was_learned_is_found_again():
    sentences = [sentence(length, length) for length in (5, 6, 7, 4, 0, 1, 9)]
    gold = np.array([h for line in sentences for h in range(len(line))], dtype=np.int32)  # a chain
    batch = TokenBatch(sentences)
    order = np.arange(len(sentences))
    for tree_settings in (TreeSettings(), TreeSettings(projective=False, order=2, one_root=False)):
        light, full = PartLearner(), PartLearner()
        for _ in range(6):
            learn_batch(batch, gold, light, None, tree_settings, order)
        frozen = light.freeze()
        for _ in range(6):
            learn_batch(batch, gold, full, frozen, tree_settings, order)
        assert parse_batch(batch, frozen, full.freeze(), tree_settings).tolist() == gold.tolist()


def test_no_arc_has_more_conjunctions_than_there_is_room_for():
    features = "|".join(f"F{k}=1" for k in range(20))
    batch = TokenBatch([[(f"w{k}", f"w{k}", f"C{k}", f"T{k}", features) for k in range(80)]])
    chain = [2, 3, 0, *range(3, 80)]
    whole = [80, *[1] * 78, 0]  # the arc of the first word spans 78 coarse tags, of which 64 are told apart
    for heads in (chain, whole):
        assert len(conjunctions_of(batch, 0, heads, 1)) < 80 * 1024
    learner = PartLearner()
    assert learn_batch(batch, whole, learner, None, TreeSettings(), [0]) >= 0
    assert len(parse_batch(batch, learner.freeze(), learner.freeze(), TreeSettings(heads=3))) == 80


def test_bad_heads_are_refused():
    batch = TokenBatch([sentence(3, 1)])
    for gold in ([0, 1], [0, 1, 9], [0, -1, 1]):
        with pytest.raises(ValueError, match="head"):
            learn_batch(batch, gold, PartLearner(), None, TreeSettings(), [0])
    with pytest.raises(ValueError, match="order"):
        TreeSettings(order=4)
