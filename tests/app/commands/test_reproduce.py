"""The papers' experiments on a tiny file: figures appear, and no row is missing."""

import json
import sys

import numpy as np
import pytest
from command_line import run_here

from kakari.experiments.plots import PlotError, need_matplotlib
from kakari.experiments.problems import load_problem
from kakari.experiments.slicing import PUBLISHED, VARIANTS, measure_slicing


def write(path, rows=160, features=150, seed=0):
    random = np.random.default_rng(seed)
    chances = 2.0 / (1 + np.arange(features)) ** 0.7
    with path.open("w") as file:
        for _ in range(rows):
            ids = np.flatnonzero(random.random(features) < chances)
            sign = 1 if (2 in ids) ^ (3 in ids) else -1
            file.write(f"{sign:+d} " + " ".join(f"{i}:1" for i in ids) + "\n")
    return str(path)


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "train.svm"), write(tmp_path / "test.svm", seed=1)


@pytest.mark.slow
def test_slicing_draws_four_figures(data, tmp_path):
    folder = tmp_path / "figures"
    arguments = ("--corpus", data[0], "--corpus", data[1], "--passes", "2", "--examples", "120", "--json")
    result = run_here("reproduce", "slicing", "-o", str(folder), *arguments)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in folder.iterdir()) == [f"figure{number}.png" for number in (1, 2, 3, 4)]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in folder.iterdir())
    for told, task in zip(json.loads(result.stdout), PUBLISHED, strict=True):
        assert told["task"] == task
        assert [row["variant"] for row in told["summary"]] == list(VARIANTS)
        assert {(row["variant"], row["examples"]) for row in told["by_size"]} == {
            (variant, examples) for variant in VARIANTS for examples in (15, 30, 60, 120)
        }
        assert len({row["common"] for row in told["by_common"]} - {None}) == 4
    faster = {row["variant"]: row["published_times_faster"] for row in json.loads(result.stdout)[0]["summary"]}
    assert faster == {"SP": None, "SL*": None, "SL": 33.2, "kernel": 1.0, "KE": 18.7}
    others = {row["published_seconds"] for row in json.loads(result.stdout)[1]["summary"]}
    assert others == {None}  # the paper's hyponymy is beside no other data


@pytest.mark.slow
def test_slicing_table(data, tmp_path):
    result = run_here(
        "reproduce", "slicing", "-o", str(tmp_path), "--corpus", data[0], "--passes", "1", "--degree", "2"
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("variant") == 3
    assert not (tmp_path / "figure2.png").exists()
    assert "figure3.png" in result.stderr


@pytest.mark.thorough
def test_slicing_leaves_out_what_takes_too_long(data, tmp_path):
    arguments = ("--corpus", data[0], "--passes", "1000", "--time-limit", "0", "--json")
    result = run_here("reproduce", "slicing", "-o", str(tmp_path), *arguments)
    assert result.returncode == 0, result.stderr
    (told,) = json.loads(result.stdout)
    assert told["by_common"] == told["by_size"] == []
    assert {row["seconds"] for row in told["summary"]} == {None}
    assert (tmp_path / "figure1.png").read_bytes().startswith(b"\x89PNG")


def test_all_variants_learn_the_same(data):
    runs = measure_slicing(load_problem(data[0]), passes=3)
    assert len({timing.updates for timing in runs.by_common}) == 1


def test_pke_table(data):
    options = ("--corpus", data[0], "--test", data[1], "--passes", "3", "--sigma", "0", "--sigma", "0.01")
    result = run_here("reproduce", "pke", *options, "--minimum-support", "2", "--json")
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)
    assert [(row["method"], row["sigma"], row["minimum_support"]) for row in rows] == [
        ("PKB", None, None),
        ("PKI", None, None),
        ("exact", None, None),
        ("PKE", 0.01, 1),
        ("PKE", 0.0, 1),
        ("PKE", 0.0, 2),
    ]
    assert len({rows[i]["accuracy"] for i in (0, 1, 2, 4)}) == 1
    assert rows[3]["conjunctions"] < rows[4]["conjunctions"] > rows[5]["conjunctions"]
    assert all(row["microseconds"] > 0 and row["megabytes"] > 0 for row in rows)
    assert "30 to 300 times faster" in run_here("reproduce", "pke", *options).stdout


def test_wrong_input_is_one_line(tmp_path):
    (tmp_path / "one.svm").write_text("+1 1:1\n+1 2:1\n")
    result = run_here("reproduce", "pke", "--corpus", str(tmp_path / "one.svm"))
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "needs two classes" in result.stderr
    result = run_here("reproduce", "pke", "--corpus", "kwdlc:dev")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PlotError, match=r"pip install 'kakari\[plot\]'"):
        need_matplotlib()
