"""`train sequence`, `evaluate` and `predict` with columns."""

import json

import pytest
from command_line import run_here

TEXT = "The DT B-NP\ndog NN I-NP\nbarked VBD B-VP\n. . O\n\nDogs NNS B-NP\nbark VBP B-VP\n\n"


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "chunks.txt"
    path.write_text(TEXT)
    return str(path)


def trained(corpus, tmp_path, *options):
    model = str(tmp_path / "model.safetensors")
    result = run_here("train", "sequence", corpus, "-o", model, "--json", *options)
    assert result.returncode == 0, result.stderr
    return model, json.loads(result.stdout)


@pytest.mark.parametrize("scheme", ["linear", "direct", "pairs"])
def test_what_train_makes_evaluate_and_predict_take(corpus, tmp_path, scheme):
    model, figures = trained(corpus, tmp_path, "--scheme", scheme)
    assert figures["sentences"] == 2 and figures["labels"] == 4
    told = json.loads(run_here("evaluate", model, corpus, "--json").stdout)
    assert told["chunk_f1"] == told["chunk_precision"] == told["chunk_recall"] == told["accuracy"] == 1
    assert "chunk_f1" in run_here("evaluate", model, corpus, "--task", "chunks").stdout
    assert run_here("predict", model, "-", stdin="Dogs NNS\nbark VBP\n").stdout == "Dogs NNS B-NP\nbark VBP B-VP\n\n"
    assert run_here("predict", model, corpus).stdout.startswith("The DT B-NP B-NP\n")
    assert run_here("predict", model, "-", stdin="").stdout == ""


def test_types_and_templates(corpus, tmp_path):
    templates = tmp_path / "templates"
    templates.write_text("word[0]  # the word\n\ntag[-1]/tag[0]\nlabel[-1]\n")
    options = ("--type", "NP", "--templates", str(templates), "--fields", "word,tag")
    model, figures = trained(corpus, tmp_path, *options)
    assert figures["labels"] == 3 and figures["templates"] == 3
    told = json.loads(run_here("evaluate", model, corpus, "--json").stdout)
    assert told["chunks"] == 2 and list(told["f1"]) == ["NP"]


def test_labels_that_are_no_chunks(tmp_path):
    path = tmp_path / "tags.txt"
    path.write_text("the\tDT\ndog\tNN\n\n")
    model, _ = trained(str(path), tmp_path)
    told = json.loads(run_here("evaluate", model, str(path), "--json").stdout)
    assert told["accuracy"] == 1 and "chunk_f1" not in told
    assert "tags.txt:1: the label 'DT'" in run_here("evaluate", model, str(path), "--task", "chunks").stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Dogs NNS B-NP\nbark B-VP\n", "x.txt:2: the line has 2 columns"),
        ("Dogs NNS B-NP\n\nbark VBP X-VP\n", "x.txt:3: the label 'X-VP' is neither O nor begins with B or I"),
        ("Dogs\n", "x.txt:1: a token needs a column and a label"),
        ("", "there are no tokens"),
        ("Dogs NNS O\n", "at least two different labels"),
    ],
)
def test_bad_columns_are_refused(tmp_path, text, reason):
    path = tmp_path / "x.txt"
    path.write_text(text)
    result = run_here("train", "sequence", str(path), "-o", str(tmp_path / "m"))
    assert result.returncode == 1
    assert reason in result.stderr
    assert not (tmp_path / "m").exists()


def test_bad_options_are_refused(corpus, tmp_path):
    templates = tmp_path / "templates"
    templates.write_text("word[0]\nword[\n")
    output = ("-o", str(tmp_path / "m"))
    result = run_here("train", "sequence", corpus, *output, "--templates", str(templates), "--fields", "word,tag")
    assert result.returncode == 1 and "templates:2: the template 'word['" in result.stderr
    assert run_here("train", "sequence", corpus, *output, "--fields", "word").returncode == 2
    templates.write_text("size[0]\n")
    result = run_here("train", "sequence", corpus, *output, "--templates", str(templates))
    assert result.returncode == 1 and "no such column" in result.stderr
    model, _ = trained(corpus, tmp_path)
    assert run_here("evaluate", model, corpus, "--given", "text").returncode == 2
    assert run_here("evaluate", model, corpus, "--task", "trees").returncode == 2
    result = run_here("predict", model, "-", stdin="Dogs\n")
    assert result.returncode == 1 and "the model needs 2 (c0, c1)" in result.stderr
