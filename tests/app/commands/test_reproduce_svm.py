"""`kakari reproduce pke --task`: SVMs of the paper's tasks, classified in each way with the same decisions."""

import tracemalloc

import numpy as np
import pytest
from command_line import run_here
from hypothesis import given
from hypothesis import strategies as st

from kakari.experiments.pke import entries_read
from kakari.experiments.svm_pke import Examples, PaperTask, measure_task, train_svms
from kakari.kernels.sets.featuresets import FeatureSets


def examples(count, classes, seed):
    drawn = np.random.default_rng(seed)
    rows = [sorted(drawn.choice(12, size=5, replace=False).tolist()) for _ in range(count)]
    numbers = [(1 in row) + (2 in row and 3 in row) if classes == 3 else (1 in row) ^ (2 in row) for row in rows]
    return Examples(FeatureSets.from_lists([[7 * one + 100 for one in row] for row in rows]), np.array(numbers, int))


@pytest.mark.parametrize("classes", [2, 3])
def test_every_way_decides_alike(classes):
    task = PaperTask("x", 2, classes, examples(120, classes, 1), examples(60, classes, 2), {(0.0, 1): "told"})
    table, rows = measure_task(task, sigmas=[0.0, 10.0], supports=[1, 3])
    assert table.examples == 120 and 0 < table.support <= 120 and table.features <= 12
    assert table.features_of_support == 5
    ways = {(row.method, row.sigma, row.minimum_support): row for row in rows}
    exact = {ways[key].accuracy for key in (("PKB", None, None), ("PKI", None, None), ("exact", None, None))}
    assert exact == {ways["PKE", 0.0, 1].accuracy} and exact.pop() > 0.8
    assert ways["PKE", 10.0, 1].conjunctions < ways["PKE", 0.0, 3].conjunctions <= ways["PKE", 0.0, 1].conjunctions
    assert "told" in ways["PKE", 0.0, 1].published and rows[0].times_faster == 1.0


def test_conjunctions_are_pruned_at_the_papers_sigma():
    told = {(0.005, 2): "a half"}
    task = PaperTask("x", 2, 2, examples(50, 2, 3), examples(5, 2, 4), told, pruned_at=0.005)
    _, rows = measure_task(task, sigmas=[0.01, 0.005, 0.0005], supports=[1, 2])
    (pruned,) = (row for row in rows if row.minimum_support == 2)
    assert (pruned.sigma, pruned.published) == (0.005, "a half")


@given(sets=st.tuples(*[st.lists(st.sets(st.sampled_from([3, 70, 2**31 - 1]), max_size=3), max_size=4)] * 2))
def test_entries_are_counted_without_room_for_every_number(sets):
    support, asked = (FeatureSets.from_lists([sorted(own) for own in part]) for part in sets)
    tracemalloc.start()
    counted = entries_read("PKI", support, asked)
    assert tracemalloc.get_traced_memory()[1] < 1e6
    tracemalloc.stop()
    read = [sum(one in other for other in sets[0]) for own in sets[1] for one in own]
    assert counted == (round(sum(read) / len(sets[1])) if sets[1] else None)


def test_features_keep_their_numbers():
    task = PaperTask("x", 2, 2, examples(50, 2, 3), examples(5, 2, 4), {})
    (machine,), _ = train_svms(task, task.train.share(30))
    assert set(machine.support.ids.tolist()) <= {7 * one + 100 for one in range(12)}


def test_options_of_the_other_way_are_refused():
    for option in (("--degree", "2"), ("--corpus", "x"), ("--test", "x"), ("--passes", "3")):
        result = run_here("reproduce", "pke", "--task", "dependency", *option)
        assert result.returncode == 2 and "have their own" in result.stderr


def test_a_share_of_the_test_data():
    task = PaperTask("x", 2, 2, examples(50, 2, 3), examples(40, 2, 4), {})
    _, rows = measure_task(task, test_examples=4, sigmas=[0.0], supports=[1])
    assert {row.accuracy * 4 % 1 for row in rows} == {0.0}
    result = run_here("reproduce", "pke", "--test-examples", "3")
    assert result.returncode == 2 and "for the paper's tasks" in result.stderr
