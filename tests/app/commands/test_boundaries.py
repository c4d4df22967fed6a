"""Boundary classifiers on the command line: trained, measured, shown and explained."""

import json

import pytest
from command_line import run_here

from kakari.commands.train.boundary import USED_BY
from kakari.models.files import read_model
from kakari.parsers.arguments.boundary.training import MODELS

FEW = {"passes": 2, "sample-size": 100, "cuts": 25}
QUICK = ("--sample-size", "100", "--cuts", "25", "--minimum-count", "2", "--shard-size", "2000", "--cost", "1")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "boundary.safetensors"
    result = run_here("train", "en-boundary", "sample-en", "-o", str(path), *QUICK, "--rare", "1", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["candidates"] > 3000
    return str(path)


def test_it_is_measured(model):
    told = json.loads(run_here("evaluate", model, "sample-en", "--json").stdout)
    assert told["span_f1"] > 0.9
    assert {"span_precision", "span_recall", "node_f1", "candidates", "seconds", "pruning_recall"} <= set(told)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_trained_by_one_command(name, tmp_path):
    path = str(tmp_path / "model")
    few = [f"--{option}={value}" for option, value in FEW.items() if name in USED_BY[option.replace("-", "_")]]
    done = run_here("train", "en-boundary", "sample-en", "-o", path, "--model", name, "--limit", "1500", *few, "--json")
    assert done.returncode == 0, done.stderr
    assert 1400 < json.loads(done.stdout)["candidates"] <= 1500  # whole sentences
    assert json.loads(run_here("evaluate", path, "sample-en", "--json").stdout)["span_f1"] > 0.5


def test_a_limit_gives_the_same_model_from_a_folder_of_all_candidates(tmp_path):
    command = ("train", "en-boundary", "sample-en", "--model", "rke", *QUICK, "--limit", "2500", "--json")
    fragments = []
    for name, options in (("alone", []), ("kept", ["--shards", str(tmp_path / "shards")])):
        done = run_here(*command, "-o", str(tmp_path / name), *options)
        assert done.returncode == 0, done.stderr
        fragments.append(run_here("models", "show", str(tmp_path / name), "--fragments", "200", "--json").stdout)
    assert len(json.loads(fragments[0])) == 400 and fragments[0] == fragments[1]


def test_a_published_set_of_features_is_part_of_all(tmp_path):
    scores = []
    for features in ("all", "gildea-jurafsky"):
        path = str(tmp_path / features)
        chosen = ("--model", "mf-poly", "--degree", "2", "--features", features)
        assert run_here("train", "en-boundary", "sample-en", "-o", path, *chosen).returncode == 0
        scores.append(json.loads(run_here("evaluate", path, "sample-en", "--json").stdout)["span_f1"])
    assert scores[0] > scores[1] > 0.5
    wrong = run_here("train", "en-boundary", "sample-en", "-o", path, "--model", "mf", "--features", "path,hat")
    assert (wrong.returncode, "no features called 'hat'" in wrong.stderr) == (1, True)


def test_fragments_are_shown_as_trees(model):
    rows = json.loads(run_here("models", "show", model, "--fragments", "5", "--json").stdout)
    assert len(rows) == 10
    assert all(row["fragment"].startswith("(") for row in rows)
    assert rows[0]["weight"] > 0 > rows[-1]["weight"]
    assert "weight" in run_here("models", "show", model, "--fragments", "2").stdout
    assert json.loads(run_here("models", model, "--json").stdout)["task"] == "en-boundary"


def test_arguments_are_explained(model):
    (first, *_) = json.loads(run_here("explain", model, "sample-en", "--line", "1", "--top", "4", "--json").stdout)
    assert (first["predicate"], first["argument"], len(first["reasons"])) == ("wrote", "Who", 4)
    shown = run_here("explain", model, "sample-en", "--line", "1", "--top", "4")
    assert "wrote: Who" in shown.stderr
    assert "fragment or feature" in shown.stdout


def test_bad_requests_are_told(model, tmp_path, monkeypatch):
    monkeypatch.setattr("kakari.parsers.workers.CONNECT_SECONDS", 0.3)
    for arguments, text in (
        (("explain", model, "sample-en", "--line", "99999"), "so no number 99999"),
        (("evaluate", model, "sample-questions"), "no predicates"),
        (
            (
                "train",
                "en-boundary",
                "sample-en",
                "-o",
                str(tmp_path / "x"),
                "--scheduler",
                "tcp://127.0.0.1:9",
                "--model",
                "rke",
            ),
            "no Dask scheduler",
        ),
    ):
        result = run_here(*arguments)
        assert result.returncode == 1
        assert text in result.stderr
        assert len(result.stderr.splitlines()) == 1
    assert run_here("train", "en-boundary", "sample-en", "-o", "x", "--model", "best").returncode == 2
    assert run_here("models", "show").returncode == 2
    assert run_here("models", "a", "b").returncode == 2


@pytest.mark.slow
def test_the_papers_curves_are_drawn(tmp_path):
    arguments = (
        "--corpus",
        "sample-en",
        "--test",
        "sample-en",
        "--size",
        "1500",
        "--size",
        "0",
        "--shard-size",
        "2000",
    )
    chosen = ("--variant", "mf-gj", "--variant", "rke", "--variant", "rke-whole", "--cuts", "10", "--overlap", "800")
    result = run_here("reproduce", "linearization", "-o", str(tmp_path), *arguments, *chosen, "--json")
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert [point["variant"] for point in told["points"]] == ["rke", "rke", "rke-whole", "rke-whole", "mf-gj", "mf-gj"]
    assert len(told["overlap"]) == 3
    assert (tmp_path / "figure1.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", ["stk-svm", "stk-sdag"])
def test_both_machines_solve_the_problem_without_a_bias(kind, tmp_path):
    """Point 10 of "the engine in other people's hands": the exact SVM had a bias, and SDAG none."""
    path = tmp_path / "model"
    options = ["--limit", "300", "--json"]
    assert run_here("train", "en-boundary", "sample-en", "-o", str(path), "--model", kind, *options).returncode == 0
    found = [array for name, array in read_model(path).flat_arrays() if name.endswith("intercepts")]
    assert found
    assert not any(array.any() for array in found)
