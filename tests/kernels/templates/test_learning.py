"""Algorithm 1 against the algorithm as it is printed, and caches that change no number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_oracles import candidate_lists, reranked, sum_of

from kakari.kernels.templates import CandidateLists, Parts, RerankLearner, TemplateError, TemplateKernel
from kakari.kernels.templates.learning import UNIT


@given(candidate_lists(), st.data())
def test_steps_are_those_of_the_algorithm(drawn, data):
    lists, kernel, tables, found = drawn
    order = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=6))
    augmented = data.draw(st.booleans())
    C = data.draw(st.sampled_from([1e-3, 0.1, 10.0]))
    start = {0: 0.5} if lists.features and data.draw(st.booleans()) else {}
    learner = RerankLearner(lists, C=C, start=start, cost_augmented=augmented)
    learner.visit(order)
    whole = {feature: int(weight * 2**32) for feature, weight in start.items()}
    support, weights, moments = reranked(lists, kernel, tables, found, order, C, start=whole, cost_augmented=augmented)
    last, last_weights = learner.last()
    assert last_weights.tolist() == weights
    held = [(amount, (*found[part], tables)) for amount, part, _ in support]
    expected = [sum_of(kernel, held, tables, part) for part in found]
    assert last.sums(lists.parts).tolist() == expected
    # A step at time t of T counts (T - t + 1) / T.
    total = max(1, len(order))
    _, averages = learner.averaged()
    for feature, average in enumerate(averages.tolist()):
        first = whole.get(feature, 0)
        exact = first + ((weights[feature] - first) * (total + 1) - moments[feature]) / total
        assert abs(average - exact) <= 0.5


@given(candidate_lists(), st.data())
def test_caches_change_no_number(drawn, data):
    lists = drawn[0]
    order = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=8))
    results = set()
    for share in (True, False):
        for remember in (True, False):
            for expand in (True, False):
                learner = RerankLearner(lists, C=0.5, share=share, remember=remember, expand=expand)
                wrong = learner.visit(order)
                support, weights = learner.averaged()
                sums = tuple(support.sums(lists.parts).tolist())
                results.add((wrong, learner.updates, learner.support_parts, sums, tuple(weights.tolist())))
    assert len(results) == 1


def preferred(rng, count):
    """Lists in which the candidate with a part of equal properties is wanted: a product, not a sum, tells."""
    kernel = TemplateKernel([1], [[(0, 1, False), (0, 1, False)]])
    words = [[0], [1], [2], [3]]
    kinds, slots, wanted = [], [], []
    for _ in range(count):
        same, one, other = rng.integers(0, 4), *rng.permutation(4)[:2]
        place = int(rng.integers(0, 2))
        pair = [[same, same], [one, other]]
        slots += pair if place == 0 else pair[::-1]
        kinds += [0, 0]
        wanted.append(place)
    parts = Parts(kernel, [words], kinds, slots)
    steps, pairs = np.arange(count + 1) * 2, np.arange(2 * count + 1)
    losses = np.array([[int(k != place) for k in (0, 1)] for place in wanted]).ravel()
    none = np.zeros(0, dtype=np.int32)
    return CandidateLists(
        parts, part_starts=steps, candidate_starts=steps, occurrence_starts=pairs,
        occurrences=np.tile([0, 1], count), feature_starts=np.zeros(2 * count + 1), features=none, values=none,
        losses=losses, wanted=wanted,
    )  # fmt: skip


def test_products_of_properties_are_learned():
    train, test = preferred(np.random.default_rng(1), 200), preferred(np.random.default_rng(2), 100)
    learner = RerankLearner(train, C=1.0)
    wrong = [learner.visit(np.arange(200)) for _ in range(4)]
    assert wrong[0] > wrong[-1]
    support, weights = learner.averaged()
    for sums in (support.sums(test.parts), support.freeze().sums(test.parts)):
        assert (test.best(test.scores(sums, weights)) == test.columns["wanted"]).all()


def test_more_additions_than_are_compared_directly():
    lists = preferred(np.random.default_rng(3), 600)
    kept = [RerankLearner(lists, C=1e-7, cost_augmented=True, remember=remember) for remember in (True, False)]
    for learner in kept:
        for number in range(2):
            learner.visit(np.random.default_rng(number).permutation(600))
    sums = [learner.averaged()[0].sums(lists.parts).tolist() for learner in kept]
    assert kept[0].updates > 512 and sums[0] == sums[1]


def test_bad_lists_are_refused():
    good = preferred(np.random.default_rng(1), 3)
    for name, place, value, reason in [
        ("part_starts", -1, 5, "part_starts"),
        ("wanted", 0, 2, "wanted"),
        ("occurrences", 0, 2, "part that its list has not"),
        ("occurrences", 0, -1, "part that its list has not"),
    ]:
        columns = {key: array.copy() for key, array in good.columns.items()}
        columns[name][place] = value
        with pytest.raises(TemplateError, match=reason):
            CandidateLists(good.parts, **columns)
    with pytest.raises(TemplateError, match="does not exist"):
        RerankLearner(good).visit([3])
    with pytest.raises(TemplateError, match="above 0"):
        RerankLearner(good, C=0.0)


@pytest.mark.thorough
def test_the_frozen_weights_decide_as_the_support_in_12_000_lists():
    """At most one decision in 10,000 may differ, since large weights are rounded; here none does."""
    rng = np.random.default_rng(15)
    kernel = TemplateKernel([4, 5], [[(0, 1, False), (0, 1, False), (1, 1, True)]])
    lists, candidates, each = 12_000, 4, 3
    count = lists * candidates * each
    tables = [rng.integers(-1, 4, size=(500, 4)), rng.integers(-1, 3, size=(700, 5))]
    slots = np.stack([rng.integers(0, len(tables[table]), size=count) for table in (0, 0, 1)], axis=1)
    parts = Parts(kernel, tables, np.zeros(count), slots)
    starts, trees = np.arange(lists + 1), np.arange(lists * candidates + 1)
    made = CandidateLists(
        parts,
        part_starts=starts * candidates * each,
        candidate_starts=starts * candidates,
        occurrence_starts=trees * each,
        occurrences=np.tile(np.arange(candidates * each), lists),
        feature_starts=trees,
        features=np.zeros(lists * candidates),
        values=rng.integers(-50, 50, size=lists * candidates),
        losses=np.tile([0, 1, 2, 3], lists),
        wanted=np.zeros(lists),
    )
    learner = RerankLearner(made, C=1e-3, start={0: 0.01}, cost_augmented=True, expand=True, remember=False)
    learner.visit(rng.permutation(lists)[:400])
    support, weights = learner.averaged()
    assert len(support) > 2000
    frozen = support.freeze(unit=UNIT)
    sums = frozen.sums(parts) * round(frozen.unit / UNIT)
    by_support, by_table = (made.best(made.scores(own, weights)) for own in (support.sums(parts), sums))
    assert (by_support != made.best(made.scores(np.zeros(count, dtype=np.int64), weights))).mean() > 0.1
    assert (by_support != by_table).sum() <= lists // 10_000
