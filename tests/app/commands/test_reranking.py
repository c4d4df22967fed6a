"""`train reranking`, `explain` and `evaluate` with its model, and the experiment: one file for all."""

import json
from dataclasses import replace

import pytest
from command_line import run_here

from kakari.experiments.reranking import CACHES, keep_reranking, measure_caches, measure_reranking
from kakari.parsers.dependency.training import DependencySettings
from kakari.results.stored import Shelf

pytestmark = pytest.mark.slow
SMALL = DependencySettings(passes=1, light_passes=1, label_passes=1, folds=2)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reranking")
    base, both = str(folder / "base.safetensors"), str(folder / "both.safetensors")
    options = ("--passes", "1", "--folds", "2")
    assert run_here("train", "dependency", "sample-ud", "-o", base, *options).returncode == 0
    done = run_here(
        "train", "reranking", base, "sample-ud", "-o", both, "--folds", "2", "--rerank", "4", "-C", "0.01", "--json"
    )
    assert done.returncode == 0, done.stderr
    return base, both, json.loads(done.stdout)


def test_figures_and_file(made):
    base, both, figures = made
    assert figures["lists"] == 60 and figures["support_parts"] > 0 and figures["combinations"] > 0
    for model in (base, both):
        done = run_here("evaluate", model, "sample-ud", "--given", "tokens", "--json")
        assert json.loads(done.stdout)["uas"] > 0.5


def test_an_arc_is_explained(made):
    base, both, _ = made
    done = run_here("explain", "The dog barked.", "--pair", "1", "2", "--model", both, "--json")
    assert done.returncode == 0, done.stderr
    (told,) = json.loads(done.stdout)
    assert told["machine"].startswith("The → dog")
    assert sum(item["weight"] for item in told["items"]) == pytest.approx(told["margin"])
    assert all(item["conjunction"].startswith(("head ", "(")) for item in told["items"])
    done = run_here("explain", "The dog barked.", "--pair", "1", "9", "--model", both)
    assert done.returncode == 1 and "no tree of the list" in done.stderr
    done = run_here("explain", "The dog barked.", "--pair", "1", "2", "--model", base, "--json")  # by the parser alone
    assert done.returncode == 0, done.stderr
    for told in json.loads(done.stdout):
        assert sum(item["weight"] for item in told["items"]) == pytest.approx(told["margin"])


def test_bad_input_is_one_line(made, tmp_path):
    done = run_here("train", "reranking", str(tmp_path / "none"), "sample-ud", "-o", str(tmp_path / "x"))
    assert done.returncode == 1 and len(done.stderr.strip().splitlines()) == 1


def test_the_experiment_measures_what_the_paper_did(tmp_path):
    parts = (["sample-ud"], "sample-ud")
    rows, data, known = measure_reranking("x", parts, trees=4, folds=2, folder=tmp_path, settings=SMALL)
    assert [row.choice for row in rows] == ["base", "w·g", "kernel", "both", "oracle"]
    assert all(row.uas <= rows[-1].uas for row in rows)
    times = measure_caches("x", data, known, trees=4, passes=2, examples=20)
    assert [one.caches for one in times] == list(CACHES) and all(len(one.seconds) == 2 for one in times)
    shelf = Shelf(tmp_path / "stored", command="kakari reproduce reranking")
    keep_reranking(shelf, rows, times, "lists of 4")
    others = [replace(one, corpus="y") for one in rows], [replace(one, corpus="y") for one in times]
    book = keep_reranking(shelf, *others, "lists of 4")  # one treebank after the other, in one file
    assert len(book.of_table("choices")) == 10 and len(book.of_table("caches")) == 2 * len(CACHES)
    assert book.value("choices", "x, both", "UAS").value == pytest.approx(rows[3].uas)
    assert set(book.points("caches, x")) == set(book.points("caches, y")) == set(CACHES)
