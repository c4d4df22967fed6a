"""What new users of `train classify`, `predict`, `freeze` and `models` met: order of visits, outputs, frozen models."""

import inspect
import json

import numpy as np
import pytest
from command_line import run_here

from kakari.commands.train.classify import classify_cli
from kakari.models.polynomial.estimator import PolynomialClassifier

LINES = "+1 1:1 2:1\n-1 1:1\n-1 2:1\n+1 3:1\n"


@pytest.fixture
def model(tmp_path):
    (tmp_path / "data.svm").write_text(LINES)
    path = tmp_path / "a.model"
    assert (
        run_here("train", "classify", str(tmp_path / "data.svm"), "-o", str(path), "--step", "kernel").returncode == 0
    )
    return path


def sorted_by_label(path, examples=400):
    """Write noisy examples, all of one class before all of the other."""
    random = np.random.default_rng(3)
    signs = np.repeat([1, -1], examples // 2)
    rows = [
        f"{sign:+d} "
        + " ".join(f"{i}:1" for i in range(1, 30) if random.random() < (0.5 if i % 2 == (sign > 0) else 0.3))
        for sign in signs
    ]
    path.write_text("\n".join(rows) + "\n")


def test_a_file_sorted_by_label_is_shuffled(tmp_path):
    path = tmp_path / "sorted.svm"
    sorted_by_label(path)
    scores = {}
    for order in ("--shuffle", "--no-shuffle"):
        made = str(tmp_path / f"model{order}")
        options = ("--passes", "1", "--no-averaged", "--degree", "1", "--step", "kernel")
        assert run_here("train", "classify", str(path), "-o", made, order, *options).returncode == 0
        scores[order] = json.loads(run_here("evaluate", made, str(path), "--json").stdout)["accuracy"]
    assert scores["--shuffle"] > scores["--no-shuffle"] + 0.03
    usual = tmp_path / "usual"
    assert run_here("train", "classify", str(path), "-o", str(usual), *options).returncode == 0
    assert usual.read_bytes() == (tmp_path / "model--shuffle").read_bytes()


def test_the_command_line_has_the_defaults_of_python():
    ours = inspect.signature(classify_cli).parameters
    theirs = inspect.signature(PolynomialClassifier).parameters
    for name in (
        "degree",
        "passes",
        "step",
        "learner",
        "averaged",
        "average_after",
        "method",
        "common",
        "multiclass",
        "cost",
    ):
        default = ours[name].default
        assert getattr(default, "value", default) == theirs[name].default
    assert (ours["shuffle"].default, ours["seed"].default) == (
        theirs["shuffle"].default,
        theirs["random_state"].default,
    )


def test_both_train_the_same_model(tmp_path, model):
    loaded = PolynomialClassifier.load(model)
    X = np.array([[0, 1, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=float)
    own = PolynomialClassifier(step="kernel").fit(X, [1, -1, -1, 1])
    assert own.decision_function(X).tobytes() == loaded.decision_function(X).tobytes()
    own.save(tmp_path / "b.model")
    told = [run_here("predict", str(path), str(tmp_path / "data.svm")).stdout for path in (model, tmp_path / "b.model")]
    assert told[0] == told[1]


def test_predict_prints_classes_and_a_header(tmp_path, model):
    data = str(tmp_path / "data.svm")
    assert run_here("predict", str(model), data, "--output", "classes").stdout.split() == ["1", "-1", "-1", "1"]
    first, *rows = run_here("predict", str(model), data, "--output", "both", "--header").stdout.splitlines()
    assert first == "class\t1"
    assert [row.split("\t")[0] for row in rows] == ["1", "-1", "-1", "1"]
    plain = run_here("predict", str(model), data).stdout.split()
    assert [row.split("\t")[1] for row in rows] == plain


def test_predict_reads_lines_without_labels(model):
    assert run_here("predict", str(model), "-", "--output", "classes", stdin="1:1 2:1\n1:1\n").stdout == "1\n-1\n"


def test_a_frozen_model_is_not_frozen_again_in_one_line(tmp_path, model):
    small = str(tmp_path / "small.model")
    assert run_here("freeze", str(model), "-o", small).returncode == 0
    told = run_here("freeze", small, "-o", str(tmp_path / "smaller.model"))
    assert told.returncode == 1
    assert "frozen already" in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "smaller.model").exists()


def test_the_heaviest_conjunctions_are_listed(model):
    rows = json.loads(run_here("models", str(model), "--conjunctions", "2", "--json").stdout)
    assert [row["conjunction"] for row in rows] == ["1 & 2", "3"]
    assert rows[0]["weight"] > rows[1]["weight"] > 0
