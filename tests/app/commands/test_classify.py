"""Training, predicting, evaluating, explaining and freezing from the command line."""

import gzip
import json
import signal
import subprocess
import time

import numpy as np
import pytest
from command_line import COMMAND, run, run_here

NAMED = "\n".join(
    ["yes\tred\tround", "no\tred", "no\tround", "yes\tblue\tsquare", "no\tblue", "no\tsquare", "no\tred\tsquare"]
)


def svmlight(rows=400, seed=0):
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(rows):
        ids = np.flatnonzero(random.random(30) < 0.3)
        label = 1 if (0 in ids) ^ (1 in ids) else -1
        lines.append(f"{label:+d} " + " ".join(f"{i}:1" for i in ids))
    return "\n".join(lines) + "\n"


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "train.svm"
    path.write_text(svmlight())
    with gzip.open(tmp_path / "test.svm.gz", "wt") as file:
        file.write(svmlight(seed=1))
    return tmp_path


def train(data, *options, output="model", command=run_here):
    result = command("train", "classify", str(data / "train.svm"), "-o", str(data / output), "--json", *options)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.thorough
def test_the_whole_way(data):
    """As processes, the way users go."""
    figures = train(data, "--degree", "2", "--passes", "10", command=run)
    assert {"seconds", "support_vectors", "updates", "peak_memory_mb"} <= set(figures)
    evaluated = json.loads(run("evaluate", str(data / "model"), str(data / "test.svm.gz"), "--json").stdout)
    assert {"accuracy", "precision", "recall", "f1", "examples", "seconds"} <= set(evaluated)
    assert evaluated["examples"] == 400
    assert evaluated["accuracy"] > 0.85
    margins = [float(line) for line in run("predict", str(data / "model"), str(data / "test.svm.gz")).stdout.split()]
    labels = [int(line.split()[0]) for line in svmlight(seed=1).splitlines()]
    assert np.mean((np.array(margins) > 0) == (np.array(labels) > 0)) == evaluated["accuracy"]


@pytest.mark.parametrize("method", ["splitting", "expansion", "inverted", "naive"])
def test_methods_give_the_same_model(data, method):
    train(data, "--passes", "3")
    train(data, "--passes", "3", "--method", method, output="other")
    ours, theirs = (
        np.array(run_here("predict", str(data / model), str(data / "test.svm.gz")).stdout.split(), dtype=float)
        for model in ("model", "other")
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_the_average_may_leave_out_the_first_passes(data):
    margins = {}
    for name, options in {"last": ["--no-averaged"], "late": ["--average-after", "3"], "all": []}.items():
        train(data, "--passes", "3", *options, output=name)
        margins[name] = run_here("predict", str(data / name), str(data / "test.svm.gz")).stdout
    assert margins["last"] == margins["late"] != margins["all"]


def test_names_and_explanations(tmp_path):
    (tmp_path / "x.tsv").write_text(NAMED)
    model = str(tmp_path / "m")
    trained = run_here("train", "classify", str(tmp_path / "x.tsv"), "-o", model, "--degree", "2", "--cost", "1")
    assert trained.returncode == 0
    told = json.loads(run_here("explain", model, str(tmp_path / "x.tsv"), "--line", "1", "--json").stdout)
    items = {item["conjunction"]: item["weight"] for item in told[0]["items"]}
    assert items["red & round"] > 0
    assert sum(items.values()) == pytest.approx(told[0]["margin"])
    assert "red & round" in run_here("explain", model, str(tmp_path / "x.tsv")).stdout
    assert json.loads(run_here("evaluate", model, str(tmp_path / "x.tsv"), "--json").stdout)["accuracy"] == 1.0
    unknown = run_here("predict", model, "-", stdin="yes\tnever\tseen\n")
    assert len(unknown.stdout.split()) == 1


def test_three_classes(tmp_path):
    rows = [f"{a * b}\ta={a}\tb={b}" for a in range(3) for b in range(3)]
    (tmp_path / "x.tsv").write_text("\n".join(rows))
    for scheme in ("ovr", "ovo", "direct"):
        model = str(tmp_path / scheme)
        options = ["--degree", "2", "--step", "kernel", "--multiclass", scheme]
        assert run_here("train", "classify", str(tmp_path / "x.tsv"), "-o", model, *options).returncode == 0
        assert json.loads(run_here("evaluate", model, str(tmp_path / "x.tsv"), "--json").stdout)["accuracy"] == 1.0
        assert len(run_here("predict", model, str(tmp_path / "x.tsv")).stdout.splitlines()[0].split("\t")) == 4


def test_direct_training_goes_on_from_its_checkpoint_and_can_be_explained_and_frozen(tmp_path):
    rows = [f"{a * b}\ta={a}\tb={b}" for a in range(3) for b in range(3)]
    file, model = str(tmp_path / "x.tsv"), str(tmp_path / "m")
    (tmp_path / "x.tsv").write_text("\n".join(rows))
    command = ["train", "classify", file, "-o", model, "--multiclass", "direct", "--degree", "2", "--json"]
    command += ["--step", "kernel", "--seed", "1", "--checkpoint", str(tmp_path / "c")]
    first, again = run_here(*command), run_here(*command)
    assert (first.returncode, again.returncode) == (0, 0), first.stderr + again.stderr
    figures = json.loads(first.stdout)
    assert figures["support_vectors"] <= 9 and figures["updates"] == json.loads(again.stdout)["updates"]
    told = json.loads(run_here("explain", model, file, "--line", "9", "--json").stdout)
    assert [machine["machine"] for machine in told] == ["0", "1", "2", "4"]
    assert max(told, key=lambda machine: machine["margin"])["machine"] == "4"
    small = json.loads(run_here("freeze", model, "-o", str(tmp_path / "s"), "--check", file, "--json").stdout)
    assert small["accuracy"] == 1.0
    other = run_here(*command[:-6], "--method", "naive")
    assert other.returncode == 1
    assert other.stderr.count("\n") == 1 and "'slicing' only" in other.stderr


def test_freezing(data):
    train(data, "--passes", "5", "--degree", "3")
    test = str(data / "test.svm.gz")
    command = ["freeze", str(data / "model"), "--keep", "500", "--weights", "int8", "--check", test, "--json"]
    figures = json.loads(run_here(*command, "-o", str(data / "small")).stdout)
    assert figures["loss_in_points"] < 5
    smaller = json.loads(run_here(*command, "--compress", "-o", str(data / "smaller")).stdout)
    assert smaller["accuracy"] == figures["accuracy"] and smaller["megabytes"] < figures["megabytes"]
    plain, compressed = (run_here("predict", str(data / name), test).stdout for name in ("small", "smaller"))
    assert plain == compressed
    evaluated = json.loads(run_here("evaluate", str(data / "small"), str(data / "test.svm.gz"), "--json").stdout)
    assert evaluated["accuracy"] == figures["accuracy"]


@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
def test_refitting_what_freezing_kept(tmp_path, scheme):
    rows = [f"{a * b}\ta={a}\tb={b}" for a in range(3) for b in range(3)]
    (tmp_path / "x.tsv").write_text("\n".join(rows))
    model, small, data = str(tmp_path / "m"), str(tmp_path / "s"), str(tmp_path / "x.tsv")
    assert run_here("train", "classify", data, "-o", model, "--degree", "2", "--multiclass", scheme).returncode == 0
    options = ("--keep", "8", "--refit", data, "--refit-cost", "1", "--check", data, "--json")
    refitted = run_here("freeze", model, "-o", small, *options)
    assert refitted.returncode == 0, refitted.stderr
    bare = json.loads(run_here("freeze", model, "-o", small, "--keep", "8", "--check", data, "--json").stdout)
    assert json.loads(refitted.stdout)["accuracy"] > bare["accuracy"]
    wrong = run_here("freeze", model, "-o", small, "--kind", "splitting", "--refit", data)
    assert wrong.returncode == 2
    (tmp_path / "y.tsv").write_text("0\ta=0\n17\tb=2\n")
    wrong = run_here("freeze", model, "-o", small, "--refit", str(tmp_path / "y.tsv"))
    assert (wrong.returncode, "17 is no class" in wrong.stderr) == (1, True)


@pytest.mark.slow
def test_a_run_goes_on_from_its_checkpoint(data, tmp_path):
    many = tmp_path / "train.svm"
    many.write_text(svmlight(rows=3000))
    train(data, "--passes", "60", "--seed", "3", output="whole")
    command = [COMMAND, "train", "classify", str(many), "-o", str(data / "model"), "--passes", "60", "--seed", "3"]
    command += ["--checkpoint", str(tmp_path / "state")]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with process:
        while process.poll() is None and not (tmp_path / "state" / "machine-0.safetensors").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
    assert "Traceback" not in message
    assert process.returncode in (0, 130)  # 0: it was faster than we
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    margins = [run_here("predict", str(data / m), str(data / "test.svm.gz")).stdout for m in ("model", "whole")]
    assert margins[0] == margins[1]
    other = run_here(*command[1:], "--cost", "0.5")
    assert other.returncode == 1
    assert "other options (cost)" in other.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no example"),
        ("+1 1:1\n+1 2:1\n", "only 1 class"),
        ("+1 1:1\n-1 2:0.5\n", "row 2, column 2: the value 0.5"),
        ("+1 1:1\n-1 2147483648:1\n", ":2: the feature number"),
        ("+1 1:1\n-1 x\n", ":2: 'x' should look like"),
        ("a\tb\n\tc\n", ":2: the line has no label"),
    ],
)
def test_bad_data(tmp_path, text, message):
    (tmp_path / "bad").write_text(text)
    result = run_here("train", "classify", str(tmp_path / "bad"), "-o", str(tmp_path / "m"))
    assert result.returncode == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "m").exists()


def test_odd_but_fine_data(tmp_path):
    (tmp_path / "x").write_text("2 5:1 1:1 5:1\n7\n2 2147483647:1\n7 3:0 4:1\n")
    data, model = str(tmp_path / "x"), str(tmp_path / "m")
    assert run_here("train", "classify", data, "-o", model, "--memory-limit", "1KB").returncode == 0
    assert json.loads(run_here("evaluate", str(tmp_path / "m"), str(tmp_path / "x"), "--json").stdout)["examples"] == 4


@pytest.mark.parametrize("option", [("--degree", "5"), ("--memory-limit", "much"), ("--common", "x"), ("--step", "y")])
def test_wrong_usage(data, option):
    result = run_here("train", "classify", str(data / "train.svm"), "-o", str(data / "m"), *option)
    assert result.returncode == 2


def test_models_that_are_none(data):
    train(data, "--passes", "1")
    content = (data / "model").read_bytes()
    (data / "cut").write_bytes(content[: len(content) // 2])
    for path, message in ((data / "cut", "cut short"), (data / "train.svm", "not a model"), (data / "no", "no such")):
        result = run_here("predict", str(path), str(data / "train.svm"))
        assert (result.returncode, result.stdout) == (1, "")
        assert message in result.stderr


def test_labels_that_the_model_does_not_know(data):
    train(data, "--passes", "1")
    (data / "other").write_text("5 1:1\n6 2:1\n")
    result = run_here("evaluate", str(data / "model"), str(data / "other"))
    assert result.returncode == 1
    assert "is a class of the model" in result.stderr
