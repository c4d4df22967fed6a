"""The online learner against its definition."""

import itertools
import signal
import threading

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import dot, margin, model, online_updates
from scipy import sparse

from kakari.kernels.learning.binary_learner import METHODS, RULES, KernelLearner, Progress, visiting_order
from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.sets.featuresets import FeatureSets

FEATURES = st.one_of(st.integers(0, 8), st.sampled_from([100, 2**31 - 1]))
ROWS = st.lists(st.lists(FEATURES, max_size=8), min_size=1, max_size=14)
DEGREES = st.integers(1, 4)


def labels_for(rows, data):
    return data.draw(st.lists(st.sampled_from([1, -1]), min_size=len(rows), max_size=len(rows)))


def trained_model(learner, *, averaged=False, after=0):
    keys = [tuple(row) for row in learner.support().tolist()]
    merged = {}  # partial_fit may meet a set again
    for key, value in zip(keys, learner.coefficients(averaged=averaged, after=after).tolist(), strict=True):
        merged[key] = merged.get(key, 0) + value
    return merged


def assert_same_model(found, expected, rows, degree):
    """Compare margins, not coefficients: a loss of 1e-16 may or may not make a support vector."""
    for row in rows:
        wanted = margin(expected.keys(), expected.values(), row, degree)
        size = sum(abs(v) * (1 + len(set(row))) ** degree for v in expected.values())
        assert abs(margin(found.keys(), found.values(), row, degree) - wanted) <= 1e-9 * max(1, size)


@settings(max_examples=examples(150), deadline=None)
@given(ROWS, st.data(), DEGREES, st.sampled_from(RULES), st.sampled_from(METHODS), st.booleans())
def test_every_learner_and_method_follows_the_definition(rows, data, degree, rule, method, reuse):
    labels = labels_for(rows, data)
    cost = data.draw(st.sampled_from([0.01, 0.5, 10.0]))
    step = data.draw(st.sampled_from(["kernel", "features"]))
    weights = data.draw(st.none() | st.just([0.5 * (i % 4) for i in range(len(rows))]))
    common = data.draw(st.sampled_from(["auto", 0, 1, 3, 100]))
    seed = data.draw(st.none() | st.integers(0, 5))
    passes = data.draw(st.integers(1, 3))
    learner = KernelLearner(
        degree, learner=rule, cost=cost, step=step, method=method, reuse=reuse, common=common, seed=seed
    )
    learner.fit(FeatureSets.from_lists(rows), labels, passes=passes, weights=weights)
    visits = []
    for number in range(passes):
        order = range(len(rows)) if seed is None else visiting_order(len(rows), seed, number).tolist()
        visits.extend(order)
    updates = online_updates(visits, rows, labels, degree=degree, learner=rule, cost=cost, step=step, weights=weights)
    assert_same_model(trained_model(learner), model(updates, len(visits), rows), rows, degree)
    for after in range(passes + 2):  # beyond the last pass, the last model is all there is to average
        expected = model(updates, len(visits), rows, averaged=True, skipped=min(after, passes) * len(rows))
        assert_same_model(trained_model(learner, averaged=True, after=after), expected, rows, degree)


@settings(max_examples=examples(100), deadline=None)
@given(ROWS, st.data(), DEGREES, st.sampled_from(RULES), st.sampled_from(METHODS), st.booleans(), st.booleans())
def test_vectors_add_a_linear_kernel(rows, data, degree, rule, method, reuse, stopped):
    labels = labels_for(rows, data)
    row = st.lists(st.sampled_from([0.0, 0.5, 1.0, -2.0]), min_size=3, max_size=3)
    vectors = data.draw(st.lists(row, min_size=len(rows), max_size=len(rows)))
    options = {"degree": degree, "learner": rule, "cost": 0.05, "step": "features"}
    learner = KernelLearner(method=method, reuse=reuse, **options)
    sets, matrix = FeatureSets.from_lists(rows), sparse.csr_array(np.array(vectors))
    if stopped:  # and gone on with from its state
        learner.fit(sets, labels, passes=3, vectors=matrix, progress=lambda at: True, every=max(1, len(rows) // 2))
        learner = KernelLearner.from_contents(learner.contents(), sets, labels, vectors=matrix).resume()
    else:
        learner.fit(sets, labels, passes=3, vectors=matrix)
    visits = [*range(len(rows))] * 3
    updates = online_updates(visits, rows, labels, vectors=vectors, **options)
    for averaged in (False, True):
        expected = model(updates, len(visits), rows, averaged=averaged)
        assert_same_model(trained_model(learner, averaged=averaged), expected, rows, degree)
        shares = [amount * (1 - visit / (len(visits) + 1) if averaged else 1) for _, amount, visit in updates]
        moved = [dot([vectors[i][column] for i, _, _ in updates], shares) for column in range(3)]
        np.testing.assert_allclose(learner.vector_weights(averaged=averaged), moved, rtol=1e-9, atol=1e-12)


def test_vectors_that_do_not_fit_are_refused():
    sets = FeatureSets.from_lists([[1], [2]])
    with pytest.raises(TrainingError, match="2 examples need as many vectors, not 1"):
        KernelLearner().fit(sets, [1, -1], vectors=sparse.csr_array([[1.0]]))
    with pytest.raises(TrainingError, match="the step must be 'features'"):
        KernelLearner().fit(sets, [1, -1], vectors=sparse.csr_array([[1.0], [2.0]]))
    with pytest.raises(TrainingError, match="finite"):
        KernelLearner().fit(sets, [1, -1], vectors=sparse.csr_array([[1.0], [np.nan]]))
    one, other = sparse.csr_array([[1.0], [2.0]]), sparse.csr_array([[1.0], [3.0]])
    learner = KernelLearner(step="features").fit(sets, [1, -1], vectors=one, progress=lambda at: True, every=1)
    with pytest.raises(TrainingError, match="not the examples of the run"):
        KernelLearner.from_contents(learner.contents(), sets, [1, -1], vectors=other)
    with pytest.raises(TrainingError, match="the average is over all visits"):
        learner.resume().coefficients(averaged=True, after=1)


def random_examples(count=300, features=40, seed=0, length=9):
    random = np.random.default_rng(seed)
    popularity = 1 / np.arange(1, features + 1)
    rows = [
        random.choice(features, random.integers(0, length), replace=False, p=popularity / popularity.sum())
        for _ in range(count)
    ]
    labels = np.where([(len(row) + sum(row % 3 == 0)) % 2 for row in rows], 1, -1)
    return FeatureSets.from_lists([row.tolist() for row in rows]), labels


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize(("rule", "step"), [*((rule, "kernel") for rule in RULES), ("pa1", "features")])
def test_all_methods_and_all_shares_of_common_features_give_the_same_bits(degree, rule, step):
    sets, labels = random_examples(count=120)
    results = set()
    for method, reuse, common in itertools.product(METHODS, (True, False), (0, 7, "auto")):
        learner = KernelLearner(
            degree, learner=rule, cost=1e-3, step=step, method=method, reuse=reuse, common=common
        ).fit(sets, labels, passes=6)
        results.add(
            (
                tuple(learner.mistakes),
                learner.updates,
                learner.support_rows.tobytes(),
                learner.coefficients().tobytes(),
                learner.coefficients(averaged=True).tobytes(),
            )
        )
    assert len(results) == 1


@pytest.mark.parametrize("method", ["slicing", "splitting", "expansion"])
@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("rule", ["perceptron", "pa1"])
def test_the_memory_limit_halves_common_and_keeps_the_model(rule, method, degree):
    sets, labels = random_examples(features=400, length=20)
    options = {"learner": rule, "cost": 0.01, "method": method, "common": 400}
    free = KernelLearner(degree, **options).fit(sets, labels, passes=5)
    seen = set()
    for limit in (1, 200_000, 300_000, 500_000, 1_000_000):
        learner = KernelLearner(degree, memory_limit=limit, **options).fit(sets, labels, passes=5)
        seen.add(learner.common)
        assert learner.mistakes == free.mistakes
        assert learner.coefficients().tobytes() == free.coefficients().tobytes()
        assert learner.coefficients(averaged=True).tobytes() == free.coefficients(averaged=True).tobytes()
    assert 0 in seen and len(seen) > 2


def assert_resuming_changes_no_bit(learner_options, sets, labels, stop):
    whole = KernelLearner(**learner_options).fit(sets, labels, passes=4)
    calls = iter(range(10**9))
    stopped = KernelLearner(**learner_options)
    stopped.fit(sets, labels, passes=4, progress=lambda at: next(calls) >= stop // 10, every=10)
    common = stopped.common
    resumed = KernelLearner.from_contents(stopped.contents(), sets, labels).resume()
    stopped.resume()
    for learner in (stopped, resumed):
        assert not learner.running
        assert learner.mistakes == whole.mistakes
        for name, values in learner.contents().arrays.items():
            assert values.tobytes() == whole.contents().arrays[name].tobytes(), name
    return common, resumed.common


@settings(max_examples=examples(40), deadline=None)
@given(st.sampled_from(METHODS), st.booleans(), DEGREES, st.integers(1, 400), st.none() | st.just(3))
def test_stopping_and_resuming_changes_no_bit(method, reuse, degree, stop, seed):
    sets, labels = random_examples(count=120)
    options = {"degree": degree, "cost": 0.02, "method": method, "reuse": reuse, "seed": seed}
    assert_resuming_changes_no_bit(options, sets, labels, stop)


@pytest.mark.parametrize("method", ["slicing", "splitting", "expansion"])
@pytest.mark.parametrize(("stop", "halved"), [(15, False), (250, True)])
def test_stopping_and_resuming_around_a_halving_changes_no_bit(method, stop, halved):
    sets, labels = random_examples(count=120, features=400, length=20)
    options = {"degree": 3, "cost": 0.02, "method": method, "common": 400, "memory_limit": 600_000}
    at_stop, at_end = assert_resuming_changes_no_bit(options, sets, labels, stop)
    assert 0 < at_end < 400, "the limit was never reached, or left nothing"
    assert (at_stop < 400) == halved


def test_a_saved_model_learns_on_as_the_original_does():
    sets, labels = random_examples(count=100)
    more, more_labels = random_examples(count=80, features=60, seed=1)
    learner = KernelLearner(3, cost=0.01).fit(sets, labels, passes=2)
    copy = KernelLearner.from_contents(learner.contents())
    for each in (learner, copy):
        each.partial_fit(more, more_labels, passes=2)
    assert copy.coefficients().tobytes() == learner.coefficients().tobytes()
    assert copy.support_rows.tolist() == learner.support_rows.tolist()
    assert copy.support() == learner.support()


@settings(max_examples=examples(50), deadline=None)
@given(ROWS, ROWS, st.data(), DEGREES, st.sampled_from(METHODS))
def test_partial_fit_goes_on_where_fit_ended(rows, more, data, degree, method):
    labels, more_labels = labels_for(rows, data), labels_for(more, data)
    learner = KernelLearner(degree, learner="pa2", method=method, common=data.draw(st.integers(0, 12)))
    learner.fit(FeatureSets.from_lists(rows), labels, passes=2)
    learner.partial_fit(FeatureSets.from_lists(more), more_labels, passes=2)
    visits = [*range(len(rows))] * 2 + [*range(len(rows), len(rows) + len(more))] * 2
    updates = online_updates(visits, rows + more, labels + more_labels, degree=degree, learner="pa2")
    for after, skipped in enumerate((0, len(rows), 2 * len(rows), 2 * len(rows) + len(more))):
        expected = model(updates, len(visits), rows + more, averaged=True, skipped=skipped)
        assert_same_model(trained_model(learner, averaged=True, after=after), expected, rows + more, degree)
    assert [sorted(set((rows + more)[row])) for row in learner.support_rows] == learner.support().tolist()


@pytest.mark.parametrize("method", METHODS)
def test_a_small_first_run_leaves_room_for_larger_ones(method):
    few, few_labels = random_examples(count=3, features=9)
    many, many_labels = random_examples(count=400, features=200, seed=2, length=30)
    grown = KernelLearner(3, learner="perceptron", method=method).fit(few, few_labels)
    small = KernelLearner(3, learner="perceptron", method=method, common=2).fit(few, few_labels)
    before = grown.common
    for learner in (grown, small):
        learner.partial_fit(many, many_labels, passes=3)
    assert grown.coefficients().tobytes() == small.coefficients().tobytes()
    if method in ("splitting", "slicing"):
        assert grown.common > before


@pytest.mark.parametrize("method", METHODS)
def test_class_weights_and_example_weights_multiply(method):
    sets, labels = random_examples(count=60)
    weights = np.where(labels > 0, 3.0, 0.5)
    by_class = KernelLearner(2, cost=0.01, method=method, class_weights={1: 3, -1: 0.5}).fit(sets, labels)
    by_example = KernelLearner(2, cost=0.01, method=method).fit(sets, labels, weights=weights)
    assert by_class.coefficients().tobytes() == by_example.coefficients().tobytes()


@pytest.mark.parametrize("degree, common", [(2, 30), (2, 300), (3, 100)])
def test_long_examples_and_long_histories_are_counted_right(degree, common):
    """More features than a byte counts, more updates than a block of bitmaps and more ranks than a signature hold."""
    random = np.random.default_rng(5)
    rows = [random.choice(600, random.integers(250, 500), replace=False).tolist() for _ in range(400)]
    labels = random.choice([1, -1], len(rows))
    sets = FeatureSets.from_lists(rows)
    results = {
        KernelLearner(degree, learner="perceptron", method=method, common=common)
        .fit(sets, labels, passes=4)
        .coefficients()
        .tobytes()
        for method in METHODS
        if method != "expansion"
    }
    assert len(results) == 1


def test_progress_is_told_after_each_pass_and_every_few_examples():
    sets, labels = random_examples(count=25)
    heard = []
    KernelLearner(2).fit(sets, labels, passes=2, progress=heard.append, every=10)
    assert [(at.finished_passes, at.examples) for at in heard] == [
        (0, 10),
        (0, 20),
        (1, 0),
        (1, 10),
        (1, 20),
        (2, 0),
    ]
    assert all(isinstance(at, Progress) and at.passes == 2 and at.total == 25 for at in heard)


def test_an_interrupt_stops_between_two_examples_and_training_can_go_on():
    sets, labels = random_examples(count=3000, features=200, length=40)
    learner = KernelLearner(3, cost=1e-3, method="naive")
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            learner.fit(sets, labels, passes=1000)
    finally:
        timer.join()
    assert learner.running
    with pytest.raises(TrainingError, match="resume"):
        learner.partial_fit(sets, labels)
    state = learner.contents()
    state.settings["passes_left"] = 1  # finish the pass that was under way
    again = KernelLearner.from_contents(state, sets, labels).resume()
    whole = KernelLearner(3, cost=1e-3, method="naive").fit(sets, labels, passes=len(again.mistakes))
    assert again.mistakes == whole.mistakes
    assert again.coefficients().tobytes() == whole.coefficients().tobytes()


def test_a_failing_callback_leaves_a_run_that_can_go_on():
    sets, labels = random_examples(count=50)

    def fail(at):
        raise RuntimeError("disk full")

    learner = KernelLearner(2)
    with pytest.raises(RuntimeError, match="disk full"):
        learner.fit(sets, labels, passes=3, progress=fail, every=7)
    whole = KernelLearner(2).fit(sets, labels, passes=3)
    assert learner.resume().coefficients().tobytes() == whole.coefficients().tobytes()


def test_nothing_to_learn_from_is_no_error():
    for method in METHODS:
        empty = KernelLearner(3, method=method).fit(FeatureSets.from_lists([]), [], passes=3)
        assert empty.updates == 0 and len(empty.support()) == 0 and empty.coefficients(averaged=True).size == 0
        alone = KernelLearner(3, method=method).fit(FeatureSets.from_lists([[]]), [1], passes=3)
        assert alone.support().tolist() == [[]] and alone.coefficients().tolist() == [1.0]
        assert KernelLearner.from_contents(KernelLearner(2).contents()).updates == 0


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: KernelLearner(5), "degree must be a whole number between 1 and 4, not 5"),
        (lambda: KernelLearner(learner="svm"), "learner must be one of perceptron, pa, pa1, pa2, not 'svm'"),
        (lambda: KernelLearner(cost=0), "cost must be a positive number, not 0"),
        (lambda: KernelLearner(common=-1), "common must be a whole number"),
        (lambda: KernelLearner(class_weights={2: 1}), "class weights are numbers"),
        (
            lambda: KernelLearner().fit(FeatureSets.from_lists([[1], [2]]), [1, 0]),
            "row 1: the label 0 is neither",
        ),
        (
            lambda: KernelLearner().fit(FeatureSets.from_lists([[1]]), [1, 1]),
            "1 examples need as many labels",
        ),
        (
            lambda: KernelLearner().fit(FeatureSets.from_lists([[1]]), [1], weights=[-1]),
            "row 0: the weight -1.0",
        ),
        (lambda: KernelLearner().fit([[1]], [1]), "must be FeatureSets, not list"),
    ],
)
def test_bad_options_and_examples_are_refused_in_one_line(call, text):
    with pytest.raises(TrainingError, match=text):
        call()


def test_a_state_refuses_other_examples():
    sets, labels = random_examples(count=30)
    learner = KernelLearner(2).fit(sets, labels, passes=2, progress=lambda at: True)
    with pytest.raises(TrainingError, match="not the examples"):
        KernelLearner.from_contents(learner.contents(), sets, -labels)
    with pytest.raises(TrainingError, match="its examples are needed"):
        KernelLearner.from_contents(learner.contents())


@pytest.mark.parametrize("method", METHODS)
def test_steps_that_overshoot_are_told(method):
    """Steps divided by |x| instead of k(x, x) grow without end where no cost limits them."""
    sets, labels = random_examples(count=60, features=30, length=15)
    learner = KernelLearner(3, learner="pa", step="features", method=method)
    with pytest.raises(TrainingError, match="diverges"):
        learner.fit(sets, labels, passes=1000)
    with pytest.raises(TrainingError, match="diverges"):
        learner.resume()
    assert not KernelLearner(3, learner="pa", step="kernel", method=method).fit(sets, labels, passes=5).running
