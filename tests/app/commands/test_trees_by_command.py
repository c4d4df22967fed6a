"""Machines over trees of a user's own are no dead ends: explained, frozen, listed, by the command line."""

import json

import pytest
from command_line import run_here

LINES = "+1 |BT| (S (N dogs) (V bark)) |ET|\n-1 |BT| (Q (W who)) |ET|\n+1 |BT| (S (N cats) (V purr)) |ET|\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    (folder / "data").write_text(LINES * 3)
    done = run_here("train", "trees", f"{folder}/data", "-o", f"{folder}/model")
    assert done.returncode == 0, done.stderr
    return folder


def test_explanations_sum_to_the_value(model):
    done = run_here("explain", f"{model}/model", f"{model}/data", "--line", "2", "--top", "3", "--json")
    (told,) = json.loads(done.stdout)
    value = float(run_here("predict", f"{model}/model", f"{model}/data").stdout.splitlines()[1])
    assert abs(told["margin"] - value) < 1e-9
    assert abs(sum(item["weight"] for item in told["items"]) - value) < 1e-9
    assert {"(W who)", "(Q W)"} <= {item["conjunction"] for item in told["items"]}
    missing = run_here("explain", f"{model}/model", f"{model}/data", "--line", "99")
    assert (missing.returncode, missing.stderr) == (1, "examples: there are 9 examples, so no number 99\n")


def test_fragments_are_listed_as_text_and_json(model):
    rows = json.loads(run_here("models", f"{model}/model", "--fragments", "4", "--json").stdout)
    assert len(rows) == 4
    assert {"(W who)", "(Q W)"} <= {row["fragment"] for row in rows}
    assert "(W who)" in run_here("models", f"{model}/model", "--fragments", "4").stdout


def test_freezing_drops_the_support_trees_and_changes_nothing(model):
    done = run_here("freeze", f"{model}/model", "-o", f"{model}/small")
    assert done.returncode == 0, done.stderr
    before, after = (run_here("predict", f"{model}/{name}", f"{model}/data").stdout for name in ("model", "small"))
    assert [float(a) for a in after.split()] == pytest.approx([float(b) for b in before.split()], abs=1e-9)
    wrong = run_here("freeze", f"{model}/model", "-o", f"{model}/other", "--sigma", "0.1")
    assert wrong.returncode == 2


def test_other_kernels_say_that_they_have_no_fragments(model):
    run_here("train", "trees", f"{model}/data", "-o", f"{model}/ptk", "--kind", "ptk")
    done = run_here("models", f"{model}/ptk", "--fragments", "4")
    assert done.returncode == 1
    assert "only the subset-tree kernel" in done.stderr
