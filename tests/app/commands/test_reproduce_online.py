"""The tables of the thesis on tiny data: every row is there, beside its published figures."""

import json

import numpy as np
import pytest
from command_line import run_here

from kakari.experiments.online import TABLE_5_1, TABLE_5_2, TABLE_6, synthetic_set

pytestmark = pytest.mark.thorough


def test_synthetic():
    result = run_here("reproduce", "synthetic", "--runs", "2", "--examples", "60", "--json")
    rows = json.loads(result.stdout)
    assert [row["learner"] for row in rows] == [entry.name for entry in TABLE_5_1]
    svm = rows[0]
    assert svm["published"]["accuracy"] == "89.19 ± 0.27" and svm["measures"]["accuracy"]["mean"] > 75
    assert svm["measures"]["support vectors"]["deviation"] > 0  # each set is another


def test_the_two_gaussians():
    points, labels = synthetic_set(20_000, 3)
    sides = (points[labels == 1].mean(axis=0), points[labels == -1].mean(axis=0))
    np.testing.assert_allclose(sides, [[0.8, 0.8], [-0.8, -0.8]], atol=0.08)  # one label in ten is flipped


def test_adult_with_curves(tmp_path):
    random = np.random.default_rng(0)
    for name in ("train", "test"):
        with (tmp_path / name).open("w") as file:
            for _ in range(120):
                ids = np.flatnonzero(random.random(12) < 0.4)
                file.write(f"{1 if 2 in ids else -1:+d} " + " ".join(f"{i}:1" for i in ids) + "\n")
    corpora = ("--corpus", str(tmp_path / "train"), "--test", str(tmp_path / "test"))
    result = run_here("reproduce", "adult", *corpora, "--runs", "2", "-o", str(tmp_path / "figures"), "--json")
    rows = json.loads(result.stdout)
    assert [row["learner"] for row in rows] == [entry.name for entry in TABLE_5_2]
    assert rows[0]["measures"]["accuracy"]["deviation"] == 0  # the SVM does not see an order
    names = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert names == ["figure5.1a.png", "figure5.1b.png", "figure5.2.png", "figure5.3.png"]


def test_questions():
    corpora = ("--corpus", "sample-questions", "--test", "sample-questions", "--examples", "60")
    result = run_here("reproduce", "questions", *corpora, "--runs", "2", "--no-svm")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    names = [entry.name for entry in TABLE_6 if entry.algorithm != "svm"]
    assert [line.split("  ")[0] for line in lines] == ["learner", *names, "learner", *names]
    assert lines[0].split()[:3] == ["learner", "accuracy", "thesis"]
    assert "82.76 ± 0.95" in result.stdout and "ABBR" in lines[len(names) + 1]
