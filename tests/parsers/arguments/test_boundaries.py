"""Boundary classifiers: every model trains, is stored, and is the same wherever its shards were worked on."""

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dying_tasks import always_die, die_once

from kakari.kernels.sets.checks import TrainingError
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.files import ModelFileError, write_model
from kakari.parsers.arguments.boundary import mining as fragment_dictionaries
from kakari.parsers.arguments.boundary.mining import (
    FragmentOptions,
    fitted_sdag,
    merged_dictionary,
    mine_shard,
    tasks_of,
)
from kakari.parsers.arguments.boundary.model import BoundaryModel
from kakari.parsers.arguments.boundary.normalised_part import taken_apart
from kakari.parsers.arguments.boundary.parts import KernelMachine, feature_sets, fragment_vectors, kernel_examples
from kakari.parsers.arguments.boundary.scores import boundary_scores
from kakari.parsers.arguments.boundary.shards import ShardError, joined, write_shards
from kakari.parsers.arguments.boundary.training import (
    MODELS,
    BoundaryOptions,
    frequent_features,
    pieces,
    train_boundaries,
)
from kakari.parsers.arguments.candidates.extraction import FEATURES
from kakari.parsers.arguments.candidates.frames import ArgumentError, FramedSentence, read_frames
from kakari.parsers.workers import WorkerError, run_tasks

QUICK = BoundaryOptions(
    cost=1.0,
    rare=1,
    step_cost=1e-4,
    passes=3,
    depth=2,
    bits=14,
    fragments=FragmentOptions(sample_size=100, cuts=25, keep=500, keep_local=300, minimum_count=2),
)


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return write_shards(["sample-en"], tmp_path_factory.mktemp("shards"), size=1000)


@pytest.mark.thorough
@pytest.mark.parametrize("name", MODELS)
def test_every_model_learns_the_sample_and_is_stored(name, shards, tmp_path):
    limit = 1200 if name in ("stk-svm", "stk+mf-poly") else None
    model = train_boundaries(shards, replace(QUICK, model=name, limit=limit))
    model.save(tmp_path / "model.safetensors")
    loaded = BoundaryModel.load(tmp_path / "model.safetensors")
    sentences = list(read_frames("sample-en"))
    found, again = list(model.classify(sentences)), list(loaded.classify(sentences))
    np.testing.assert_allclose(np.concatenate([m for _, m in again]), np.concatenate([m for _, m in found]), atol=1e-4)
    scores = boundary_scores(joined([c for c, _ in found]), np.concatenate([m for _, m in found]))
    assert scores["span_f1"] > 0.6, scores


def test_the_exact_machine_and_sdag_solve_one_problem(shards):
    """Neither has a bias, so that rows of tables compare solvers, not problems."""
    for name in ("stk-svm", "stk-sdag"):
        (part,) = train_boundaries(shards, replace(QUICK, model=name, limit=600)).parts
        assert part.machine.intercepts.tolist() == [0.0]


def test_a_tree_kernel_is_learnt_beside_the_polynomial_one(shards, tmp_path):
    options = replace(QUICK, model="rke+mf-cascade", degree=2, conjoined=50, step_cost=None)
    plain, both = (train_boundaries(shards, replace(options, tree_share=share)) for share in (0.0, 0.2))
    assert [len(model.parts[0].trees.dictionary) for model in (plain, both)] == [50, 500]
    assert not plain.parts[0].trees.weights.any()
    candidates = shards.read(0)
    cascade = both.parts[0]
    passed = np.flatnonzero(cascade.gate.margins(candidates) + cascade.bias > cascade.threshold)
    vectors = fragment_vectors(candidates, passed, cascade.trees.dictionary)
    few = feature_sets(candidates, passed, vectors, 50)
    dictionary = plain.parts[0].trees.dictionary  # the first 50 of the other
    assert (
        few.tolist() == feature_sets(candidates, passed, fragment_vectors(candidates, passed, dictionary), 50).tolist()
    )
    margins = cascade.model.margins(few) + vectors @ cascade.trees.weights
    np.testing.assert_allclose(both.margins(candidates)[passed], margins)
    both.save(tmp_path / "model.safetensors")
    again = BoundaryModel.load(tmp_path / "model.safetensors").margins(candidates)
    np.testing.assert_allclose(again, both.margins(candidates), atol=1e-4)


def test_a_cascade_with_fewer_fragments_than_it_may_conjoin_is_stored(shards, tmp_path):
    """Little data has few fragments: the file told the number that was asked for, and was refused."""
    few = replace(QUICK.fragments, minimum_count=200)
    model = train_boundaries(shards, replace(QUICK, model="rke+mf-cascade", degree=2, conjoined=500, fragments=few))
    (cascade,) = model.parts
    assert 0 < cascade.conjoined == len(cascade.trees.dictionary) < 500
    model.save(tmp_path / "model.safetensors")
    BoundaryModel.load(tmp_path / "model.safetensors")


def test_a_sum_of_kernels_that_is_taken_apart_gives_the_same_margins(shards):
    options = replace(QUICK, model="stk+mf-poly", limit=600)
    data, columns = joined(list(pieces(shards, options))), frequent_features(shards, options)
    kernel = CombinedKernel(
        TreeKernel("stk"),
        VectorKernel("polynomial", degree=3, gamma=1.0, constant=1.0, normalize=True),
        tree_weight=0.5,
    )
    examples = kernel_examples(data, columns)
    whole = fitted_sdag(kernel, examples, data.signs, options.fragments).finished()
    trees, polynomial = taken_apart(whole, columns, 3)
    together = KernelMachine(trees).margins(data) + polynomial.margins(data)
    np.testing.assert_allclose(together, whole.decision_function(examples), atol=1e-4)
    with pytest.raises(ValueError, match="one kernel"):
        taken_apart(trees, columns, 3)


def test_a_full_disk_is_told(tmp_path, monkeypatch):
    def full(path, *arguments):
        raise ModelFileError(str(path), "the file cannot be written: No space left on device")

    monkeypatch.setattr("kakari.parsers.arguments.boundary.shards.write_model", full)
    with pytest.raises(ShardError, match="No space left on device"):
        write_shards(["sample-en"], tmp_path)
    assert not (tmp_path / "shards.json").exists()


@pytest.mark.parametrize("begin", ["0000-", "merged-"])
def test_a_disk_that_is_full_while_shards_are_worked_on_is_told(tmp_path, monkeypatch, begin):
    own = write_shards(["sample-en"], tmp_path, size=1000)
    replace_file = Path.replace

    def full(self, target):
        if Path(target).name.startswith(begin):
            raise OSError(28, "No space left on device")
        return replace_file(self, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ModelFileError, match="No space left on device"):
        train_boundaries(own, replace(QUICK, model="rke"))


def test_predicates_without_arguments_are_candidates_of_one_class(tmp_path):
    bare = [
        FramedSentence(sentence.tree, tuple(replace(frame, spans=(), roles=()) for frame in sentence.frames))
        for sentence in read_frames("sample-en")
    ]
    own = write_shards(["sample-en"], tmp_path, size=1000, read=lambda corpus: bare)
    for model in ("mf", "rke"):
        with pytest.raises((ArgumentError, TrainingError), match=r"of (one|1) class"):
            train_boundaries(own, replace(QUICK, model=model))


def test_a_damaged_model_is_told(shards, tmp_path):
    model = train_boundaries(shards, replace(QUICK, model="mf"))
    contents = model.contents()
    contents.settings["kinds"] = ["features", "features"]
    write_model(tmp_path / "model", "en-boundary", contents, schema=BoundaryModel.schema())
    with pytest.raises(ModelFileError, match="the kinds are not those of the parts"):
        BoundaryModel.load(tmp_path / "model")


def test_models_and_shards_of_other_features_are_refused(shards, tmp_path):
    contents = train_boundaries(shards, replace(QUICK, model="mf")).contents()
    write_model(tmp_path / "model", "en-boundary", contents, schema="features 1")
    with pytest.raises(ModelFileError, match="trained with other features"):
        BoundaryModel.load(tmp_path / "model")
    write_shards(["sample-en"], tmp_path)
    text = (tmp_path / "shards.json").read_text()
    (tmp_path / "shards.json").write_text(text.replace(f'"features": {FEATURES}', '"features": 1'))
    with pytest.raises(ShardError, match=r"other options \(features\)"):
        write_shards(["sample-en"], tmp_path)


def test_an_unknown_model_is_refused(shards):
    with pytest.raises(ArgumentError, match="one of mf, "):
        train_boundaries(shards, replace(QUICK, model="mfp"))


def trained_bytes(folder, tmp_path, **options):
    """Train in a folder of its own, so that nothing done before is used."""
    own = write_shards(["sample-en"], folder, size=1000)
    model = train_boundaries(own, replace(QUICK, model="rke", **options))
    model.save(tmp_path / "model.safetensors")
    return (tmp_path / "model.safetensors").read_bytes()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return trained_bytes(tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("model"))


@pytest.mark.slow
def test_two_processes_give_the_same_model(expected, tmp_path):
    assert trained_bytes(tmp_path / "two", tmp_path, processes=2) == expected


def test_a_stopped_run_goes_on_from_the_shards_that_are_done(expected, tmp_path, monkeypatch):
    folder = tmp_path / "stopped"
    done = []

    def stopping(task):
        if done:
            raise KeyboardInterrupt
        done.append(task.number)
        return mine_shard(task)

    monkeypatch.setattr(fragment_dictionaries, "mine_shard", stopping)
    with pytest.raises(KeyboardInterrupt):
        trained_bytes(folder, tmp_path)
    again = []
    monkeypatch.setattr(fragment_dictionaries, "mine_shard", lambda task: again.append(task.number) or mine_shard(task))
    assert trained_bytes(folder, tmp_path) == expected
    assert done == [0]
    assert 0 not in again


def test_a_shard_that_changes_under_a_run_stops_it(tmp_path):
    own = write_shards(["sample-en"], tmp_path, size=1000)
    path = tmp_path / own.files[1]["name"]
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(ShardError, match="checksum"):
        merged_dictionary(own, QUICK.fragments)
    with pytest.raises(ShardError, match="checksum"):
        merged_dictionary(own, QUICK.fragments, processes=2)


def test_a_killed_process_is_replaced(tmp_path):
    tasks = [str(tmp_path / name) for name in "ab"]
    assert dict(run_tasks(die_once, tasks, processes=2)) == {0: "a", 1: "b"}


def test_processes_that_always_die_are_given_up(tmp_path):
    with pytest.raises(WorkerError, match="2 of 2 tasks are not done"):
        list(run_tasks(always_die, [1, 2], processes=2, retries=1))


class TestCluster:
    """On two workers; see the fixture."""

    @pytest.mark.slow
    def test_it_gives_the_same_model_though_a_worker_is_killed(self, cluster, expected, tmp_path):
        address, workers, _ = cluster
        own = write_shards(["sample-en"], tmp_path / "cluster", size=1000)
        mined = Path(tasks_of(own, QUICK.fragments, None)[0].shards, "mined")
        killed = []

        def kill(line):
            if not killed:
                killed.append(line)
                os.kill(workers[0].pid, signal.SIGKILL)

        model = train_boundaries(own, replace(QUICK, model="rke", scheduler=address), report=kill)
        model.save(tmp_path / "model.safetensors")
        assert killed
        assert (tmp_path / "model.safetensors").read_bytes() == expected
        assert all(path.stat().st_size < 500_000 for path in mined.glob("*.safetensors"))

    def test_a_scheduler_that_goes_away_is_told(self, cluster):
        address, _, scheduler = cluster
        with pytest.raises(WorkerError, match="the scheduler has gone away"):
            for _ in run_tasks(time.sleep, [0.0, 60.0, 60.0, 60.0], scheduler=address):
                scheduler.kill()


def test_a_scheduler_that_is_not_there_is_told(shards, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("kakari.parsers.workers.CONNECT_SECONDS", 0.3)
    with pytest.raises(WorkerError, match="no Dask scheduler"):
        list(run_tasks(len, ["a"], scheduler="tcp://127.0.0.1:9"))
