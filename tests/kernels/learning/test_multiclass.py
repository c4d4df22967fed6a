"""The direct multi-class learner against its definition."""

import signal
import threading

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import margin, multiclass_updates, share_of_models

from kakari.kernels.learning.binary_learner import RULES, Progress, visiting_order
from kakari.kernels.learning.multiclass import MulticlassLearner
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets

FEATURES = st.one_of(st.integers(0, 8), st.sampled_from([100, 2**31 - 1]))
ROWS = st.lists(st.lists(FEATURES, max_size=8), min_size=1, max_size=12)
DEGREES = st.integers(1, 4)


def labels_for(rows, classes, data):
    return data.draw(st.lists(st.integers(0, classes - 1), min_size=len(rows), max_size=len(rows)))


def visits_of(rows, passes, seed):
    orders = [range(rows) if seed is None else visiting_order(rows, seed, number).tolist() for number in range(passes)]
    return [row for order in orders for row in order]


def choices(learner):
    """Return the wrong class of each visit that made an update."""
    state = learner.contents().arrays
    return dict(zip(state["update_visits"].tolist(), state["update_wrongs"].tolist()))


def model(updates, visits, sets, classes, *, averaged=False, skipped=0):
    """Return the coefficients of each distinct set, a list with one a class."""
    table = {}
    for row, right, wrong, amount, visit in updates:
        own = table.setdefault(tuple(sorted(set(sets[row]))), [0.0] * classes)
        share = share_of_models(visit, visits, skipped) if averaged else 1
        own[right] += amount * share
        own[wrong] -= amount * share
    return table


def trained_model(learner, *, averaged=False, after=0):
    table = {}  # partial_fit may meet a set again
    for key, own in zip(learner.support().tolist(), learner.coefficients(averaged=averaged, after=after)):
        table[tuple(key)] = table.get(tuple(key), 0) + own
    return table


def assert_same_model(found, expected, rows, classes, degree):
    """Compare margins, not coefficients: a loss of 1e-16 may or may not make a support vector."""
    for row in rows:
        for one in range(classes):
            column = [own[one] for own in expected.values()]
            wanted = margin(expected.keys(), column, row, degree)
            size = sum(abs(value) * (1 + len(set(row))) ** degree for value in column)
            got = margin(found.keys(), [own[one] for own in found.values()], row, degree)
            assert abs(got - wanted) <= 1e-9 * max(1, size)


@settings(max_examples=examples(80), deadline=None)
@given(ROWS, st.data(), DEGREES, st.integers(2, 10), st.sampled_from(RULES))
def test_every_learner_follows_the_definition(rows, data, degree, classes, rule):
    labels = labels_for(rows, classes, data)
    options = {"learner": rule, "cost": data.draw(st.sampled_from([0.01, 0.5, 10.0]))}
    options["step"] = data.draw(st.sampled_from(["kernel", "features"]))
    weights = data.draw(st.none() | st.just([0.5 * (i % 4) for i in range(len(rows))]))
    common = data.draw(st.sampled_from(["auto", 0, 1, 3, 100]))
    limit = data.draw(st.sampled_from([None, 1, 100_000]))
    seed = data.draw(st.none() | st.integers(0, 5))
    passes = data.draw(st.integers(1, 3))
    learner = MulticlassLearner(classes, degree, common=common, memory_limit=limit, seed=seed, **options)
    learner.fit(FeatureSets.from_lists(rows), labels, passes=passes, weights=weights)
    visits = visits_of(len(rows), passes, seed)
    updates = multiclass_updates(
        visits, rows, labels, classes, degree=degree, weights=weights, chosen=choices(learner), **options
    )
    assert_same_model(trained_model(learner), model(updates, len(visits), rows, classes), rows, classes, degree)
    for after in range(passes + 2):
        skipped = min(after, passes) * len(rows)
        expected = model(updates, len(visits), rows, classes, averaged=True, skipped=skipped)
        assert_same_model(trained_model(learner, averaged=True, after=after), expected, rows, classes, degree)


def random_examples(count=300, features=40, seed=0, length=9, classes=4):
    random = np.random.default_rng(seed)
    popularity = 1 / np.arange(1, features + 1)
    rows = [
        random.choice(features, random.integers(0, length), replace=False, p=popularity / popularity.sum()).tolist()
        for _ in range(count)
    ]
    labels = np.array([(len(row) + sum(i % 3 == 0 for i in row)) % classes for row in rows])
    return FeatureSets.from_lists(rows), labels


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("classes", [3, 9])
def test_integer_perceptrons_agree_exactly(degree, classes):
    sets, labels = random_examples(count=120, classes=classes)
    rows = sets.tolist()
    updates = multiclass_updates([*range(120)] * 3, rows, labels.tolist(), classes, degree=degree, learner="perceptron")
    expected = model(updates, 360, rows, classes)
    for options in ({}, {"common": 0}, {"common": 7}, {"common": 40}, {"memory_limit": 1}, {"memory_limit": 60_000}):
        learner = MulticlassLearner(classes, degree, learner="perceptron", **options).fit(sets, labels, passes=3)
        state = learner.contents().arrays
        assert [tuple(row) for row in learner.support().tolist()] == list(expected)
        assert learner.coefficients().tolist() == list(expected.values())
        assert list(zip(*(state[f"update_{part}"].tolist() for part in ("rights", "wrongs", "amounts", "visits")))) == [
            update[1:] for update in updates
        ]


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("rule", ["perceptron", "pa1"])
def test_the_memory_limit_halves_common_and_keeps_the_model(rule, degree):
    sets, labels = random_examples(features=400, length=20)
    options = {"learner": rule, "cost": 0.01, "common": 400}
    free = MulticlassLearner(4, degree, **options).fit(sets, labels, passes=5)
    seen = set()
    for limit in (1, 200_000, 500_000, 1_000_000, 3_000_000):
        learner = MulticlassLearner(4, degree, memory_limit=limit, **options).fit(sets, labels, passes=5)
        seen.add(learner.common)
        assert learner.mistakes == free.mistakes
        if rule == "perceptron":
            assert learner.coefficients().tobytes() == free.coefficients().tobytes()
        else:
            found, expected = trained_model(learner), trained_model(free)
            assert_same_model(found, expected, sets.tolist()[:40], 4, degree)
    assert 0 in seen and len(seen) > 2


def test_examples_remember_nothing_where_it_would_take_too_much():
    sets, labels = random_examples()
    remembering = MulticlassLearner(4, 3, learner="perceptron").fit(sets, labels, passes=1)
    forgetful = MulticlassLearner(4, 3, learner="perceptron", memory_limit=2 * 300 * 4 * 16 - 2)
    stopped = forgetful.fit(sets, labels, passes=2, progress=lambda at: True)
    assert stopped.contents().arrays["remembered_margins"].size == 0
    assert stopped.coefficients().tobytes() == remembering.coefficients().tobytes()


def test_long_examples_and_long_histories_are_counted_right():
    """More features than a byte counts, more updates than a block of bitmaps holds."""
    random = np.random.default_rng(5)
    rows = [random.choice(600, random.integers(250, 500), replace=False).tolist() for _ in range(400)]
    labels = random.integers(0, 5, len(rows))
    results = {
        MulticlassLearner(5, 2, learner="perceptron", **options)
        .fit(FeatureSets.from_lists(rows), labels, passes=4)
        .coefficients()
        .tobytes()
        for options in ({"common": 5}, {"common": 30}, {"common": 0}, {"common": 30, "memory_limit": 50_000})
    }
    assert len(results) == 1


@settings(max_examples=examples(60), deadline=None)
@given(
    DEGREES,
    st.integers(1, 400),
    st.none() | st.just(3),
    st.sampled_from([None, 1_000, 60_000, 100_000]),
    st.sampled_from(["auto", 0, 5]),
)
def test_stopping_and_resuming_changes_no_bit(degree, stop, seed, limit, common):
    sets, labels = random_examples(count=120)
    options = {"cost": 0.02, "seed": seed, "memory_limit": limit, "common": common}
    whole = MulticlassLearner(4, degree, **options).fit(sets, labels, passes=4)
    calls = iter(range(10**9))
    stopped = MulticlassLearner(4, degree, **options)
    stopped.fit(sets, labels, passes=4, progress=lambda at: next(calls) >= stop // 10, every=10)
    resumed = MulticlassLearner.from_contents(stopped.contents(), sets, labels).resume()
    stopped.resume()
    for learner in (stopped, resumed):
        assert not learner.running
        assert learner.mistakes == whole.mistakes
        for name, values in learner.contents().arrays.items():
            assert values.tobytes() == whole.contents().arrays[name].tobytes(), name


@pytest.mark.parametrize(("stop", "halved"), [(15, False), (250, True)])
def test_stopping_and_resuming_around_a_halving_changes_no_bit(stop, halved):
    sets, labels = random_examples(count=120, features=400, length=20)
    options = {"cost": 0.02, "common": 400, "memory_limit": 1_500_000}
    stopped = MulticlassLearner(4, 3, **options)
    stopped.fit(sets, labels, passes=4, progress=lambda at: at.finished_passes * 120 + at.examples >= stop, every=10)
    assert (stopped.common < 400) == halved
    resumed = MulticlassLearner.from_contents(stopped.contents(), sets, labels).resume()
    whole = MulticlassLearner(4, 3, **options).fit(sets, labels, passes=4)
    assert 0 < resumed.common == whole.common < 400
    for name, values in resumed.contents().arrays.items():
        assert values.tobytes() == whole.contents().arrays[name].tobytes(), name


@settings(max_examples=examples(50), deadline=None)
@given(ROWS, ROWS, st.data(), DEGREES)
def test_partial_fit_goes_on_where_fit_ended(rows, more, data, degree):
    labels, more_labels = labels_for(rows, 3, data), labels_for(more, 3, data)
    learner = MulticlassLearner(3, degree, learner="pa2", common=data.draw(st.integers(0, 12)))
    learner.fit(FeatureSets.from_lists(rows), labels, passes=2)
    learner = MulticlassLearner.from_contents(learner.contents())  # a saved model learns on as the original does
    learner.partial_fit(FeatureSets.from_lists(more), more_labels, passes=2)
    visits = [*range(len(rows))] * 2 + [*range(len(rows), len(rows) + len(more))] * 2
    updates = multiclass_updates(
        visits, rows + more, labels + more_labels, 3, degree=degree, learner="pa2", chosen=choices(learner)
    )
    for after, skipped in enumerate((0, len(rows), 2 * len(rows), 2 * len(rows) + len(more))):
        expected = model(updates, len(visits), rows + more, 3, averaged=True, skipped=skipped)
        assert_same_model(trained_model(learner, averaged=True, after=after), expected, rows + more, 3, degree)
    assert [sorted(set((rows + more)[row])) for row in learner.support_rows] == learner.support().tolist()


def test_a_small_first_run_leaves_room_for_larger_ones():
    few, few_labels = random_examples(count=3, features=9)
    many, many_labels = random_examples(count=400, features=200, seed=2, length=30)
    grown = MulticlassLearner(4, 3, learner="perceptron").fit(few, few_labels)
    small = MulticlassLearner(4, 3, learner="perceptron", common=2).fit(few, few_labels)
    before = grown.common
    for learner in (grown, small):
        learner.partial_fit(many, many_labels, passes=3)
    assert grown.coefficients().tobytes() == small.coefficients().tobytes()
    assert grown.common > before


def test_progress_is_told_after_each_pass_and_every_few_examples():
    sets, labels = random_examples(count=25)
    heard = []
    MulticlassLearner(4).fit(sets, labels, passes=2, progress=heard.append, every=10)
    assert [(at.finished_passes, at.examples) for at in heard] == [(0, 10), (0, 20), (1, 0), (1, 10), (1, 20), (2, 0)]
    assert all(isinstance(at, Progress) and at.passes == 2 and at.total == 25 for at in heard)


def test_an_interrupt_stops_between_two_examples_and_training_can_go_on():
    sets, labels = random_examples(count=3000, features=200, length=40)
    learner = MulticlassLearner(4, 3, cost=1e-3, common=0, memory_limit=1000)
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            learner.fit(sets, labels, passes=1000)
    finally:
        timer.join()
    assert learner.running
    state = learner.contents()
    state.settings["passes_left"] = 1  # finish the pass that was under way
    again = MulticlassLearner.from_contents(state, sets, labels).resume()
    whole = MulticlassLearner(4, 3, cost=1e-3, common=0, memory_limit=1000)
    whole.fit(sets, labels, passes=len(again.mistakes))
    assert again.coefficients().tobytes() == whole.coefficients().tobytes()


def test_nothing_to_learn_from_is_no_error():
    empty = MulticlassLearner(3).fit(FeatureSets.from_lists([]), [], passes=3)
    assert empty.updates == 0 and len(empty.support()) == 0 and empty.coefficients(averaged=True).shape == (0, 3)
    alone = MulticlassLearner(3).fit(FeatureSets.from_lists([[]]), [1], passes=3)
    assert alone.support().tolist() == [[]] and alone.coefficients().tolist() == [[-0.5, 0.75, -0.25]]
    assert MulticlassLearner.from_contents(MulticlassLearner(2).contents()).updates == 0


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: MulticlassLearner(1), "classes must be a whole number between 2 and 1048576, not 1"),
        (lambda: MulticlassLearner(3, 0), "degree must be a whole number between 1 and 4, not 0"),
        (lambda: MulticlassLearner(3, learner="svm"), "learner must be one of perceptron, pa, pa1, pa2, not 'svm'"),
        (lambda: MulticlassLearner(3).fit(FeatureSets.from_lists([[1], [2]]), [0, 3]), "row 1: the label 3 is not"),
        (lambda: MulticlassLearner(3).fit(FeatureSets.from_lists([[1]]), [-1]), "row 0: the label -1 is not"),
        (lambda: MulticlassLearner(3).fit(FeatureSets.from_lists([[1]]), ["a"]), "class numbers"),
        (lambda: MulticlassLearner(3).fit(FeatureSets.from_lists([[1]]), [0, 1]), "1 examples need as many labels"),
        (lambda: MulticlassLearner(3).fit(FeatureSets.from_lists([[1]]), [0], weights=[-1]), "row 0: the weight -1.0"),
        (lambda: MulticlassLearner(3).fit([[1]], [1]), "must be FeatureSets, not list"),
    ],
)
def test_bad_options_and_examples_are_refused_in_one_line(call, text):
    with pytest.raises(TrainingError, match=text):
        call()


def test_a_state_refuses_other_examples():
    sets, labels = random_examples(count=30)
    learner = MulticlassLearner(4).fit(sets, labels, passes=2, progress=lambda at: True)
    with pytest.raises(TrainingError, match="not the examples"):
        MulticlassLearner.from_contents(learner.contents(), sets, 3 - labels)
    with pytest.raises(TrainingError, match="its examples are needed"):
        MulticlassLearner.from_contents(learner.contents())
